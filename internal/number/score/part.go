package score

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Part is the result of a category, a group or the whole.
type Part struct {
	// Accuracy is the share of right answers; for a group by upstream's
	// formula, in which what is missing counts as 0.
	Accuracy float64
	// Low and High are its 95% interval: Wilson's for a category, for a
	// group combined from its parts', of which a missing one is taken as
	// certain.
	Low, High float64
	// Correct of Total scored cases are right. Errors that count as wrong
	// are among the Total; others are not.
	Correct, Total int
	// Errors are cases that ended in an infrastructure error.
	Errors int
	// Cases of the Size that the dataset has were scored. Of several trials
	// of a case one is enough. A Size that is not known is that of Cases.
	Cases, Size int
	// Compared is what comparing calls with the possible answers says, where
	// they were carried out and that decides; else nil.
	Compared *Compared
	// NA reports whether nothing was scored; Accuracy says nothing then.
	NA bool
	// Missing are the categories of a group that count and have no scored
	// case.
	Missing []string
	// Ran is what the formula gives over the parts that have scored cases;
	// it differs from Accuracy only where something is Missing.
	Ran stat.Interval
}

// Compared counts verdicts that stand beside those that decide.
type Compared struct {
	Correct int `json:"correct"`
	Total   int `json:"total"`
}

// Complete reports whether every category that counts was scored, though perhaps
// not with all its cases: see Whole.
func (p Part) Complete() bool { return !p.NA && len(p.Missing) == 0 }

// Whole reports whether every case that counts was scored.
func (p Part) Whole() bool { return p.Complete() && p.Cases >= p.Size }

func (p *Part) set(i stat.Interval) {
	i.Low, i.High = max(i.Low, 0), min(i.High, 1)
	p.Accuracy, p.Low, p.High, p.Ran = i.Estimate, i.Low, i.High, i
}

// partJSON is a Part in a score file: no number stands if none is known.
type partJSON struct {
	Accuracy *float64  `json:"accuracy"`
	Correct  int       `json:"correct"`
	Total    int       `json:"total"`
	Errors   int       `json:"errors"`
	Cases    int       `json:"cases"`
	Size     int       `json:"size"`
	Low      *float64  `json:"low"`
	High     *float64  `json:"high"`
	Missing  []string  `json:"missing,omitempty"`
	Compared *Compared `json:"compared,omitempty"`
	Ran      *ranJSON  `json:"ran,omitempty"`
}

type ranJSON struct {
	Accuracy float64 `json:"accuracy"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// MarshalJSON writes null for an accuracy that is not known, and "ran" only
// where it says something new.
func (p Part) MarshalJSON() ([]byte, error) {
	j := partJSON{Correct: p.Correct, Total: p.Total, Errors: p.Errors, Cases: p.Cases, Size: p.Size, Missing: p.Missing, Compared: p.Compared}
	if !p.NA {
		j.Accuracy, j.Low, j.High = &p.Accuracy, &p.Low, &p.High
	}
	if !p.NA && len(p.Missing) > 0 {
		j.Ran = &ranJSON{p.Ran.Estimate, p.Ran.Low, p.Ran.High}
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Part) UnmarshalJSON(text []byte) error {
	var j partJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*p = Part{Correct: j.Correct, Total: j.Total, Errors: j.Errors, Cases: j.Cases, Size: j.Size, Missing: j.Missing, Compared: j.Compared}
	if j.Accuracy == nil || j.Low == nil || j.High == nil {
		p.NA = true
		return nil
	}
	p.Accuracy, p.Low, p.High, p.Ran = *j.Accuracy, *j.Low, *j.High, stat.Interval{Estimate: *j.Accuracy, Low: *j.Low, High: *j.High}
	if j.Ran != nil {
		p.Ran = stat.Interval{Estimate: j.Ran.Accuracy, Low: j.Ran.Low, High: j.Ran.High}
	}
	return nil
}
