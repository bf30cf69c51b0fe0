package multiturn_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestParallel judges a thousand entries of one case at once, half of them by
// one recorded reference: each verdict is the one it gets alone.
func TestParallel(t *testing.T) {
	const entries = 1000
	c := caseOf(t, bakery, bakeryAnswer)
	reference := testkit.Must(multiturn.NewReference(c))(t)
	before := pyval.Repr(c.Entry)
	s := eval.SettingsFor(eval.Prompt)
	got := make([]eval.Verdict, entries)
	var wg sync.WaitGroup
	for i := range entries {
		wg.Go(func() {
			if i%4 < 2 {
				got[i] = multiturn.Judge(c, entry(i), s)
			} else {
				got[i] = reference.Judge("model", entry(i), s)
			}
		})
	}
	wg.Wait()
	for i := range got {
		want := ""
		if i%2 == 1 {
			want = multiturn.StateMismatch
			own := fmt.Sprintf("extra%d", i)
			assert.Contains(t, detail(got[i]), own)
			assert.NotContains(t, strings.ReplaceAll(detail(got[i]), own, ""), "extra", "another entry's folder")
		}
		assert.Equal(t, want, got[i].ErrorType, "entry %d", i)
	}
	assert.Equal(t, before, pyval.Repr(c.Entry), "the case does not change")
}

// entry is a right result for even i; for odd i it leaves a folder behind.
func entry(i int) pyval.Value {
	last := "[ls()]"
	if i%2 == 1 {
		last = fmt.Sprintf("[mkdir(dir_name='extra%d')]", i)
	}
	step := func(text string) pyval.Value { return pyval.NewList(pyval.Str(text)) }
	return pyval.NewList(
		step("[grep(file_name='orders.txt', pattern='rye'), wc(file_name='orders.txt')]"),
		step(last),
		step("[mkdir(dir_name='done'), create_ticket(title='Flour', priority=2)]"))
}

// TestGoldenParallel judges the recorded results all at once.
func TestGoldenParallel(t *testing.T) {
	d, results, s := official(t), recordedResults(t), eval.SettingsFor(eval.FC)
	cases := d.list[:len(results)]
	alone := make([]string, len(cases))
	for i, c := range cases {
		alone[i] = detail(multiturn.Judge(c, results[c.ID], s))
	}
	const rounds = 2
	var wg sync.WaitGroup
	for range rounds {
		for i, c := range cases {
			wg.Go(func() {
				assert.Equal(t, alone[i], detail(multiturn.Judge(c, results[c.ID], s)), c.ID)
			})
		}
	}
	wg.Wait()
	t.Logf("%d judgements at once, %d cases: each as alone", rounds*len(cases), len(cases))
}

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
