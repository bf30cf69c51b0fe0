package leaderboard

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Config is one prompt format of the format-sensitivity category and how a
// model did in it.
type Config struct {
	// Name is upstream's spelling of the format, "ret_fmt=python&...".
	Name string
	// Correct of Total answers are right.
	Correct, Total int
	// Accuracy is the share of right answers, as computed or as a score file
	// states it.
	Accuracy float64
}

func share(correct, total int) float64 {
	if total == 0 {
		return 0
	}
	return float64(correct) / float64(total)
}

// Sensitivity is how much a model's accuracy depends on the prompt's format.
type Sensitivity struct {
	// Accuracy is over all answers, in all formats.
	Accuracy float64
	// Correct of Total answers are right.
	Correct, Total int
	// MaxDelta is the difference between the best and the worst format, in
	// percentage points; Variance and StdDev are over the formats.
	MaxDelta, Variance, StdDev Figure
	// Configs are the formats in the order they were met.
	Configs []Config
}

// NewSensitivity computes the sensitivity that is in the header of upstream's
// format_sensitivity_runner.
func NewSensitivity(configs []Config) *Sensitivity {
	s := &Sensitivity{MaxDelta: known(0), Variance: known(0), StdDev: known(0)}
	shares := make([]float64, len(configs))
	for i, c := range configs {
		c.Accuracy = share(c.Correct, c.Total)
		shares[i] = c.Accuracy
		s.Configs = append(s.Configs, c)
		s.Correct += c.Correct
		s.Total += c.Total
	}
	s.Accuracy = share(s.Correct, s.Total)
	if variance, dev, err := stat.Spread(shares); err == nil { // of fewer than two formats there is none
		s.MaxDelta = known(stat.Round2((slices.Max(shares) - slices.Min(shares)) * 100))
		s.Variance = known(stat.Round2(variance * 10000))
		s.StdDev = known(stat.Round2(dev * 100))
	}
	return s
}

// of returns the accuracy in one format.
func (s *Sensitivity) of(config string) score.Accuracy {
	if s != nil {
		for _, c := range s.Configs {
			if c.Name == config {
				return score.Accuracy{Value: c.Accuracy, Total: c.Total}
			}
		}
	}
	return score.Accuracy{NA: true}
}

// Header returns the first line of upstream's format-sensitivity score file.
func (s *Sensitivity) Header() *pyval.Dict {
	head := accuracyDict(s.Accuracy, s.Correct, s.Total)
	head.SetStr("accuracy_max_delta", s.MaxDelta.python())
	head.SetStr("accuracy_variance", s.Variance.python())
	head.SetStr("accuracy_std", s.StdDev.python())
	for _, c := range s.Configs {
		head.SetStr(c.Name, accuracyDict(c.Accuracy, c.Correct, c.Total))
	}
	return head
}

func accuracyDict(accuracy float64, correct, total int) *pyval.Dict {
	return pyval.Object(
		"accuracy", pyval.Float(accuracy),
		"correct_count", pyval.MakeInt(int64(correct)),
		"total_count", pyval.MakeInt(int64(total)),
	)
}

func (f Figure) python() pyval.Value {
	switch {
	case !f.Known:
		return pyval.Str("N/A")
	case f.Int:
		return pyval.MakeInt(int64(f.Value))
	}
	return pyval.Float(f.Value)
}

// ParseSensitivity reads the header of a format-sensitivity score file.
func ParseSensitivity(head *pyval.Dict) (*Sensitivity, error) {
	top, err := parseConfig("", head)
	if err != nil {
		return nil, fmt.Errorf("format sensitivity header: %w", err)
	}
	s := &Sensitivity{
		Accuracy: top.Accuracy, Correct: top.Correct, Total: top.Total,
		MaxDelta: figureField(head, "accuracy_max_delta"),
		Variance: figureField(head, "accuracy_variance"),
		StdDev:   figureField(head, "accuracy_std"),
	}
	for key, v := range head.All() {
		d, ok := v.(*pyval.Dict)
		if !ok {
			continue
		}
		c, err := parseConfig(pyval.Text(key), d)
		if err != nil {
			return nil, fmt.Errorf("format sensitivity header: %w", err)
		}
		s.Configs = append(s.Configs, c)
	}
	return s, nil
}

func parseConfig(name string, d *pyval.Dict) (Config, error) {
	accuracy := figureField(d, "accuracy")
	if !accuracy.Known {
		return Config{}, fmt.Errorf("no accuracy in %.100q", name)
	}
	return Config{
		Name:     name,
		Correct:  int(figureField(d, "correct_count").Value),
		Total:    int(figureField(d, "total_count").Value),
		Accuracy: accuracy.Value,
	}, nil
}

func figureField(d *pyval.Dict, name string) Figure {
	v, _ := d.GetStr(name)
	switch v := v.(type) {
	case pyval.Float:
		return known(float64(v))
	case pyval.Int:
		return Figure{Value: floatOf(v), Known: true, Int: true}
	}
	return Figure{}
}
