package tally

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

const unreadCall = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"

// answeredPart is a category of the starter suite with what a function makes of
// each case's right answer, judged and examined.
func answeredPart(t *testing.T, category string, say func(at int, c *eval.Case, right pyval.Value) pyval.Value) Part {
	t.Helper()
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cat := categories.Find(category)
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	p := Part{Category: cat}
	for i, c := range cases {
		r := eval.Result{Category: cat, Case: c}
		r.Result = say(i, c, oracle.Answer(c, eval.FC))
		_, r.Verdict = cat.Verdict(c, r.Result, eval.SettingsFor(eval.FC))
		why.Examine(&r, eval.SettingsFor(eval.FC))
		p.Results = append(p.Results, r)
	}
	return p
}

// TestOverlooked: right answers that hold a call are counted where nothing may be
// called, also in a turn of a conversation, and nowhere else.
func TestOverlooked(t *testing.T) {
	t.Parallel()
	irrelevance := answeredPart(t, "irrelevance", func(at int, _ *eval.Case, right pyval.Value) pyval.Value {
		switch at {
		case 0, 1:
			return pyval.Str(unreadCall)
		case 2:
			return pyval.Str("Nothing fits.")
		case 3:
			return parsed(t, `[{"f": "{}"}]`) // read, and wrong
		case 4:
			return parsed(t, `[{"": ""}]`)
		}
		return right
	})
	turns := answeredPart(t, "multi_turn_miss_param", func(at int, c *eval.Case, right pyval.Value) pyval.Value {
		for i, want := range c.Answer.Items {
			turn := right.(*pyval.List).Items[i].(*pyval.List)
			if nothing := len(want.(*pyval.List).Items) == 0; nothing && at < 2 || !nothing && at == 2 {
				turn.Items = append(turn.Items, pyval.Str(unreadCall))
			}
		}
		return right
	})
	calls := answeredPart(t, "simple_python", func(int, *eval.Case, pyval.Value) pyval.Value { return pyval.Str(unreadCall) })
	require.Equal(t, len(turns.Results), turns.Correct())
	r := &Run{Parts: []Part{irrelevance, turns, calls}}
	r.Model, r.Dataset, r.Trials = "m", fixtures.Starter, 1
	o := r.Overlooked()
	require.NotNil(t, o)
	assert.Equal(t, map[string]int{"irrelevance": 3, "multi_turn_miss_param": 2}, o.Categories)
	assert.Equal(t, []any{5, irrelevance.Correct() + len(turns.Results), "irrelevance_0"}, []any{o.Answers, o.Of, o.First})
	worth := r.Worth()
	assert.InDelta(t, 3*worth["irrelevance"]+2*worth["multi_turn_miss_param"], o.Points, 1e-9)

	strict := r.Strict()
	assert.Equal(t, []int{irrelevance.Correct() - 3, len(turns.Results) - 2, 0}, []int{strict.Parts[0].Correct(), strict.Parts[1].Correct(), strict.Parts[2].Correct()})
	assert.Equal(t, len(turns.Results), r.Parts[1].Correct(), "the run itself stays")
	assert.Nil(t, strict.Strict())
	assert.Nil(t, strict.Overlooked())

	s, err := r.Answered(false)
	require.NoError(t, err)
	assert.Equal(t, o, s.Overlooked)
	assert.Regexp(t, `^A call that was not read stands in 5 of \d+ right answers where nothing may be called: \d+\.\d\d points of the overall\. .* The first, of irrelevance_0: <tool_call>`, s.Warnings[0])

	clean := &Run{Parts: []Part{answeredPart(t, "irrelevance", func(_ int, _ *eval.Case, right pyval.Value) pyval.Value { return right })}}
	assert.Nil(t, clean.Overlooked())
	assert.Nil(t, clean.Strict())
}

func parsed(t *testing.T, text string) pyval.Value {
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	return v
}
