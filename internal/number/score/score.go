package score

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/kit/origin"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Tally is what came of a category's cases.
type Tally struct {
	// Total is the number of cases that were run.
	Total int
	// Correct of them were right.
	Correct int
	// Errors of them ended in an infrastructure error and have no answer.
	Errors int
	// Cases have a scored result, where a case may have several; 0 if each
	// result is a case.
	Cases int
	// Compared of them were carried out and compared with the possible
	// answers, too; ComparedCorrect are those that the comparison accepts.
	Compared, ComparedCorrect int
	// Clusters, if given, group the answered cases that share a base; the
	// interval widens as far as cases of a group go right or wrong together,
	// and that of a group of categories as far as those of one key do.
	Clusters []stat.Cluster
}

// Compare counts what a comparison said, in a word: eval.Verdict's
// ComparedWord.
func (t *Tally) Compare(word string) {
	if word == "" {
		return
	}
	t.Compared++
	if word == "pass" {
		t.ComparedCorrect++
	}
}

// stratum are so many scored cases; those that no cluster holds are
// independent.
func (t Tally) stratum(weight float64, scored int) stat.Stratum {
	s := stat.Stratum{Weight: weight, Blocks: stat.Blocks(t.Clusters), Alone: scored, Right: t.Correct}
	for _, c := range t.Clusters {
		s.Alone, s.Right = s.Alone-c.Total, s.Right-c.Correct
	}
	s.Alone = max(s.Alone, 0)
	s.Right = min(max(s.Right, 0), s.Alone)
	return s
}

// Answered returns the number of cases that have an answer.
func (t Tally) Answered() int { return t.Total - t.Errors }

func (t Tally) check() error {
	if t.Correct < 0 || t.Errors < 0 || t.Correct > t.Answered() {
		return fmt.Errorf("%d right answers and %d errors do not fit %d cases", t.Correct, t.Errors, t.Total)
	}
	return nil
}

// A Run names what a score is of.
type Run struct {
	// Dataset is the dataset's name and Digest its fingerprint.
	Dataset string `json:"dataset"`
	// Digest fixes the cases' content.
	Digest string `json:"digest"`
	// Data is whose cases these are.
	Data origin.Origin `json:"data,omitzero"`
	// Model is the model as the run named it.
	Model string `json:"model"`
	// Skipped are the categories that were left out because their APIs want
	// keys, with the environment variables that were not set.
	Skipped map[string][]string `json:"skipped,omitempty"`
	// Embedder is what turned texts into vectors for memory_vector; "" if that
	// was not run.
	Embedder string `json:"embedder,omitempty"`
	// Shard is the part of a run that was scored; "" for all of it.
	Shard string `json:"shard,omitempty"`
	// Dialect is how the answers' calls were read, by the name -dialect takes;
	// "" as the mode says.
	Dialect string `json:"dialect,omitempty"`
	// CutOff counts the answers that the limit of tokens ended; nil for none.
	CutOff *CutOff `json:"cut_off,omitempty"`
}

// Options say how a score is computed. The zero Options score as the dataset's
// name suggests and leave infrastructure errors out.
type Options struct {
	// Layout groups the categories; nil for the dataset's own.
	Layout *Layout
	// Sizes are the dataset's cases per category; nil for the layout's.
	// They are what categories weigh where cases are counted alike, and report
	// whether the score is over all of the dataset.
	Sizes map[string]int
	// AllowErrors counts an infrastructure error as a wrong answer, which
	// is what upstream does. Otherwise an error has no score: accuracies
	// are over the answered cases, and errors stand beside them.
	AllowErrors bool
}

// A Score is a run's result: overall, by group and by category.
type Score struct {
	Run
	// Layout is the name of the layout.
	Layout string `json:"layout"`
	// AllowErrors reports whether errors count as wrong.
	AllowErrors bool `json:"allow_errors,omitempty"`
	// Complete reports whether every case that counts was scored. Only then
	// Overall is the benchmark's.
	Complete bool `json:"complete"`
	// Coverage says which part of the dataset was scored; nil if it was
	// all of it.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Warnings are sentences about what the score is not; they are said before
	// any of its numbers.
	Warnings []string `json:"warnings,omitempty"`
	// Overall is the layout's overall.
	Overall Part `json:"overall"`
	// Groups are the layout's groups of which anything was run.
	Groups map[string]Part `json:"groups"`
	// Categories are those that were run, known to the layout or not.
	Categories map[string]Part `json:"categories"`

	// Own is the layout of a user's own suite; nil for others, which Layout
	// names.
	Own *Layout `json:"-"`
}

// Shape returns the layout that the score was computed with.
func (s *Score) Shape() *Layout {
	if s.Own != nil {
		return s.Own
	}
	return LayoutOf(s.Layout)
}

// New computes the score of a run from its tallies by category.
func New(run Run, tallies map[string]Tally, opt Options) (*Score, error) {
	l := opt.layout(run.Dataset)
	s := &Score{
		Run: run, Layout: l.Name, AllowErrors: opt.AllowErrors,
		Groups: map[string]Part{}, Categories: map[string]Part{},
	}
	if l.Name == OwnName {
		s.Own = l
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		if err := tallies[name].check(); err != nil {
			return nil, fmt.Errorf("category %.100q: %w", name, err)
		}
		if tallies[name].Total > 0 {
			s.Categories[name] = opt.part(tallies[name], l.Sizes[name])
		}
	}
	s.group(l, tallies)
	s.cover(l)
	s.warn()
	return s, nil
}

func (opt Options) layout(dataset string) *Layout {
	l := opt.Layout
	if l == nil {
		l = LayoutOf(dataset)
	}
	if opt.Sizes == nil {
		return l
	}
	sized := *l
	sized.Sizes = opt.Sizes
	return &sized
}

func (opt Options) part(t Tally, size int) Part {
	p := Part{Correct: t.Correct, Total: t.Answered(), Errors: t.Errors, Cases: t.Cases, Size: size}
	if t.Compared > 0 {
		p.Compared = &Compared{t.ComparedCorrect, t.Compared}
	}
	if opt.AllowErrors {
		p.Total = t.Total
	}
	if p.Cases == 0 {
		p.Cases = p.Total
	}
	if p.Size == 0 {
		p.Size = p.Cases
	}
	if p.Total == 0 {
		p.NA = true
		return p
	}
	p.set(stat.Compose([]stat.Stratum{t.stratum(1, p.Total)}).Share(stat.Z95))
	p.Accuracy = float64(p.Correct) / float64(p.Total)
	return p
}

// weighed are the categories' accuracies with what each weighs where cases are
// counted alike: the dataset's cases, however many of them were run.
func (s *Score) weighed() map[string]Accuracy {
	out := s.Accuracies()
	for name, a := range out {
		out[name] = Accuracy{Value: a.Value, Total: s.Categories[name].Size}
	}
	return out
}

// Accuracies returns the categories' accuracies as a leaderboard Entry takes
// them: upstream weighs a category by its answers.
func (s *Score) Accuracies() map[string]Accuracy {
	out := make(map[string]Accuracy, len(s.Categories))
	for name, p := range s.Categories {
		if !p.NA {
			out[name] = Accuracy{Value: p.Accuracy, Total: p.Total}
		}
	}
	return out
}
