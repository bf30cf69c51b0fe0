package multiturn_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// BenchmarkRecorded judges a real model's 600 results one after the other.
func BenchmarkRecorded(b *testing.B) {
	d, results, s := official(b), recordedResults(b), eval.SettingsFor(eval.FC)
	cases := d.list[:len(results)]
	b.Run("side_by_side", func(b *testing.B) {
		perEntry(b, len(cases), func(i int) {
			c := cases[i]
			multiturn.Judge(c, results[c.ID], s)
		})
	})
	b.Run("reference_recorded", func(b *testing.B) {
		references := d.all(b, cases)
		perEntry(b, len(cases), func(i int) { references[i].Judge("model", results[cases[i].ID], s) })
	})
}

// BenchmarkGroundTruth judges the 200 long-context cases' own answers.
func BenchmarkGroundTruth(b *testing.B) {
	d := official(b)
	var cases []*eval.Case
	var turns []multiturn.Turns
	for _, c := range d.list {
		if c.Category == "multi_turn_long_context" {
			cases, turns = append(cases, c), append(turns, oneStep(c))
		}
	}
	perEntry(b, len(cases), func(i int) { multiturn.Check(cases[i], turns[i], "model") })
}

// perEntry measures f over n entries in turn; ns/op are per entry.
func perEntry(b *testing.B, n int, f func(i int)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f(i % n)
		i++
	}
}

func (d *dataset) all(b *testing.B, cases []*eval.Case) []*multiturn.Reference {
	out := make([]*multiturn.Reference, len(cases))
	for i, c := range cases {
		var err error
		if out[i], err = d.reference(c); err != nil {
			b.Fatal(err)
		}
	}
	return out
}

// oneStep is a case's answer as a model would give it, all calls of a turn at
// once.
func oneStep(c *eval.Case) multiturn.Turns {
	out := multiturn.Turns{}
	for _, turn := range c.Answer.Items {
		calls := strs(turn.(*pyval.List))
		if len(calls) == 0 {
			out = append(out, nil)
			continue
		}
		out = append(out, [][]string{calls})
	}
	return out
}
