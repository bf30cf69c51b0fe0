package evaluate

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Verdict is what is said about an answer. Upstream's text of an error is not
// in it, because that quotes possible answers.
type Verdict struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Mode     eval.Mode `json:"mode"`
	// Verdict is "pass", "fail" or "error". An error is no answer's fault and
	// has no score.
	Verdict string `json:"verdict"`
	// ErrorType is upstream's, or begins with "infrastructure:"; "" for a pass.
	ErrorType string `json:"error_type,omitempty"`
	// Decoded are the calls that were read; Python's text of them if JSON cannot
	// hold them.
	Decoded json.RawMessage `json:"decoded,omitempty"`
	// Level is how far a refused answer got on the ladder, and Rung the same as
	// a number from 0 to 1. Categories without a ladder have only 0 and 1.
	Level string   `json:"level,omitempty"`
	Rung  *float64 `json:"rung,omitempty"`
	// Erratum says that the case itself is known to be wrong.
	Erratum *Erratum `json:"erratum,omitempty"`
	// Suspect says who may be to blame for a refused answer beside the model.
	Suspect *tally.Suspect `json:"suspect,omitempty"`
}

// An Erratum says what is wrong with a case: `bfcl errata` says why.
type Erratum struct {
	Kind errata.Kind `json:"kind"`
}

// verdict returns what is said about a result.
func (s *set) verdict(out *eval.Result, settings eval.Settings) *Verdict {
	cat, c := out.Category, out.Case
	v := &Verdict{
		ID: c.ID, Category: cat.Name, Mode: settings.Mode, Verdict: out.Status.String(), ErrorType: out.ErrorType, Decoded: asJSON(out.Decoded),
	}
	if item := s.errata.Find(c.ID); item != nil && item.Concerns(settings.Mode) {
		v.Erratum = &Erratum{item.Kind}
	}
	if out.Status == eval.Error {
		return v
	}
	why.Examine(out, settings)
	rung := 0.0
	switch {
	case out.Passed():
		rung = 1
	case why.OnLadder(cat) || c.Expected != nil && !cat.MultiTurn():
		v.Level, rung = out.Level.String(), float64(out.Level)/float64(cause.Values)
	}
	v.Rung = &rung
	if !out.Passed() {
		v.Suspect = suspect(out, settings, v.Erratum)
	}
	return v
}

// suspect returns who may be to blame for one refused answer: the benchmark, if
// the case is known to be wrong, or a server that left calls in the text.
func suspect(out *eval.Result, s eval.Settings, erratum *Erratum) *tally.Suspect {
	if erratum != nil {
		return &tally.Suspect{Who: []string{tally.Benchmark}, Evidence: "the case is listed as " + string(erratum.Kind) + ": see `bfcl errata`"}
	}
	if s.Mode != eval.FC || s.Dialect != "" || out.Category.MultiTurn() {
		return nil
	}
	lost := tally.LostIn([]tally.Part{{Category: out.Category, Results: []eval.Result{*out}}}, "")
	if lost == nil {
		return nil
	}
	return &tally.Suspect{Who: []string{tally.Server}, Evidence: "the calls stand in the text, where the dialect " + lost.Dialect + " reads them"}
}

// asJSON returns a value as JSON; nil for nothing.
func asJSON(v pyval.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	if text, err := pyval.AppendJSON(nil, v, pyval.JSONUnicode); err == nil && json.Valid(text) {
		return text
	}
	text, _ := json.Marshal(pyval.Repr(v))
	return text
}
