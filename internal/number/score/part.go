package score

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Part is the result of a category, a group or the whole.
type Part struct {
	// Accuracy is the share of right answers. For a group it is computed by
	// upstream's formula, in which a missing category counts as 0.
	Accuracy float64
	// Low and High are its 95% interval: Wilson's for a category; for a group
	// combined from those of its parts, with a missing part taken as certain.
	Low, High float64
	// Correct of Total scored cases are right. Total includes errors only if
	// they count as wrong.
	Correct, Total int
	// Errors is the number of cases that ended in an infrastructure error.
	Errors int
	// Cases is the number of answered cases, of the Size that the dataset has. A
	// case is answered if one of its trials is. If Size is not known, it equals
	// Cases.
	Cases, Size int
	// NA reports whether nothing was scored, so that Accuracy means nothing.
	NA bool
	// Missing are the categories of a group that count but have no scored case.
	Missing []string
	// Ran is the formula's result over only the parts with scored cases, with the
	// units that it stands on; its value differs from Accuracy only if something
	// is Missing.
	Ran stat.Estimate
}

// Complete reports whether every category that counts was scored, though perhaps
// not with all its cases: see Whole.
func (p Part) Complete() bool { return !p.NA && len(p.Missing) == 0 }

// Whole reports whether every case that counts was answered.
func (p Part) Whole() bool { return p.Complete() && p.Cases >= p.Size }

func (p *Part) set(i stat.Estimate) {
	i.Low, i.High = max(i.Low, 0), min(i.High, 1)
	p.Accuracy, p.Low, p.High, p.Ran = i.Value, i.Low, i.High, i
}

// partJSON is a Part in a score file, without numbers that are not known.
type partJSON struct {
	Accuracy *float64 `json:"accuracy"`
	Correct  int      `json:"correct"`
	Total    int      `json:"total"`
	Errors   int      `json:"errors"`
	Cases    int      `json:"cases"`
	Size     int      `json:"size"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Missing  []string `json:"missing,omitempty"`
	Units    int      `json:"units,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	// Ran is nil if it is the accuracy.
	Ran *stat.Estimate `json:"ran,omitempty"`
}

// MarshalJSON writes null for an accuracy that is not known, and "ran" only if
// it differs from the accuracy.
func (p Part) MarshalJSON() ([]byte, error) {
	j := partJSON{Correct: p.Correct, Total: p.Total, Errors: p.Errors, Cases: p.Cases, Size: p.Size, Missing: p.Missing}
	if !p.NA {
		j.Accuracy, j.Low, j.High, j.Units, j.Unit = &p.Accuracy, &p.Low, &p.High, p.Ran.N, p.Ran.Unit
	}
	if !p.NA && len(p.Missing) > 0 {
		j.Ran = &p.Ran
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Part) UnmarshalJSON(text []byte) error {
	var j partJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*p = Part{Correct: j.Correct, Total: j.Total, Errors: j.Errors, Cases: j.Cases, Size: j.Size, Missing: j.Missing}
	if j.Accuracy == nil || j.Low == nil || j.High == nil {
		p.NA = true
		return nil
	}
	p.Accuracy, p.Low, p.High, p.Ran = *j.Accuracy, *j.Low, *j.High, stat.Estimate{Value: *j.Accuracy, Low: *j.Low, High: *j.High, N: j.Units, Unit: j.Unit}
	if j.Ran != nil {
		p.Ran = *j.Ran
	}
	return nil
}

// A grouping computes parts from the bottom up.
type grouping struct {
	score    *Score
	layout   *Layout
	upstream map[string]Accuracy
	tallies  map[string]Tally
}

func (g grouping) part(n *Node) Part {
	if len(n.Parts) == 0 {
		p, ok := g.score.Categories[n.Name]
		if !ok {
			p.NA, p.Size = true, g.layout.Sizes[n.Name]
		}
		if p.NA {
			p.Missing = []string{n.Name}
		}
		return p
	}
	parts := make([]Part, len(n.Parts))
	for i, sub := range n.Parts {
		parts[i] = g.part(sub)
	}
	p := g.combine(n, parts)
	if !p.NA || p.Errors > 0 {
		g.score.Groups[n.Name] = p
	}
	return p
}

func (g grouping) combine(n *Node, parts []Part) Part {
	all := Part{NA: true}
	for _, p := range parts {
		all.Correct += p.Correct
		all.Total += p.Total
		all.Errors += p.Errors
		all.Cases += p.Cases
		all.Size += p.Size
		all.NA = all.NA && p.NA
		all.Missing = append(all.Missing, p.Missing...)
	}
	if all.NA {
		return all
	}
	upstream := g.interval(n, func(name string) (int, bool) { return g.upstream[name].Total, true })
	all.set(upstream)
	all.Accuracy = g.upstream[n.Name].Value
	all.Low, all.High = min(all.Low, all.Accuracy), max(all.High, all.Accuracy) // whose sums round otherwise
	all.Ran = g.interval(n, func(name string) (int, bool) {
		p, ok := g.score.Categories[name]
		return p.Size, ok && !p.NA
	})
	return all
}

// interval returns the interval of a group's accuracy over the categories that
// count, from their scored cases and common clusters. A category that counts
// but was not run is 0 with certainty.
func (g grouping) interval(n *Node, size func(category string) (cases int, counts bool)) stat.Estimate {
	var strata []stat.Stratum
	var ran float64
	for _, share := range n.Shares(size) {
		if p, ok := g.score.Categories[share.Category]; ok && !p.NA {
			ran += share.Weight
			strata = append(strata, g.tallies[share.Category].stratum(share.Weight, p.Total))
		}
	}
	i := stat.Compose(strata).Share(stat.Z95)
	i.Value, i.Low, i.High = ran*i.Value, ran*i.Low, ran*i.High
	return i
}
