package chaos_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// differences compares a run with the run without faults. Both must have the
// same cases, each once, with the same answers and verdicts, and the same
// score. It returns the number of cases compared.
func differences(want, got *tally.Run) (compared int, out []string) {
	theirs := index(got)
	for _, part := range want.Parts {
		for i := range part.Results {
			w := &part.Results[i]
			g := theirs[w.Case.ID]
			compared++
			switch {
			case g == nil:
				out = append(out, w.Case.ID+" is lost")
			case w.Status != g.Status || w.ErrorType != g.ErrorType:
				out = append(out, fmt.Sprintf("%s is %v %s, not %v %s", w.Case.ID, g.Status, g.ErrorType, w.Status, w.ErrorType))
			case said(w) != said(g):
				out = append(out, fmt.Sprintf("%s was answered with %s, not %s", w.Case.ID, said(g), said(w)))
			}
			delete(theirs, w.Case.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(theirs)) {
		out = append(out, id+" is not a case of the run")
	}
	return compared, append(out, scores(want, got)...)
}

func index(run *tally.Run) map[string]*eval.Result {
	out := map[string]*eval.Result{}
	for _, part := range run.Parts {
		for i := range part.Results {
			out[part.Results[i].Case.ID] = &part.Results[i]
		}
	}
	return out
}

func said(r *eval.Result) string {
	if r.Result == nil {
		return "nothing"
	}
	return pyval.Repr(r.Result)
}

func scores(want, got *tally.Run) []string {
	w, err := want.Score(false)
	if err != nil {
		return []string{err.Error()}
	}
	g, err := got.Score(false)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	if !reflect.DeepEqual(w.Overall, g.Overall) {
		out = append(out, fmt.Sprintf("the score is %+v, not %+v", g.Overall, w.Overall))
	}
	for _, name := range slices.Sorted(maps.Keys(w.Categories)) {
		if ours, theirs := w.Categories[name], g.Categories[name]; !reflect.DeepEqual(theirs, ours) {
			out = append(out, fmt.Sprintf("%s is %+v, not %+v", name, theirs, ours))
		}
	}
	return out
}
