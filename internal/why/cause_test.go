package why

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestCauseText: what was expected and what came are not confused.
func TestCauseText(t *testing.T) {
	for _, test := range []struct {
		cause cause.Cause
		want  string
	}{
		{cause.Cause{Kind: cause.WrongAnswer, Want: "03:00 PM", Got: "at noon"}, "wrong answer: expected 03:00 PM, got at noon"},
		{cause.Cause{Kind: cause.WrongFunction, Function: "opening_hours", Got: "closing_hours"}, "wrong function: expected opening_hours, got closing_hours"},
		{cause.Cause{Kind: cause.WrongFunction, Function: "opening_hours"}, "wrong function: expected opening_hours"},
		{cause.Cause{Kind: cause.WrongValue, Function: "f", Parameter: "n", Want: "1 or 2", Got: "3"}, "wrong value: f, n, expected 1 or 2, got 3"},
		{cause.Cause{Kind: cause.MissingRequired, Function: "f", Parameter: "n"}, "missing parameter: f, n"},
		{cause.Cause{Kind: cause.WrongCount, Function: "f", Got: cause.OneCall}, "wrong number of calls: f, one call where several were wanted"},
		{cause.Cause{Kind: cause.WrongCount, Got: cause.OneCall}, "wrong number of calls: one call where several were wanted"},
		{cause.Cause{Kind: cause.UnwantedCall, Function: "f"}, "called when it should not: got f"},
		{cause.Cause{Kind: cause.EmptyTurn, Function: "f"}, "turn without a call: expected f"},
		{cause.Cause{Kind: cause.WrongState, Function: "cd", Parameter: "Files.root"}, "wrong end state: cd, Files.root"},
		{cause.Cause{Kind: cause.Infrastructure}, "infrastructure error"},
	} {
		assert.Equal(t, test.want, test.cause.Text())
	}
}

// TestCauseOfAnAnswer: an accepted text is no function, and a result that was
// lost says nothing of a function.
func TestCauseOfAnAnswer(t *testing.T) {
	c := &eval.Case{Answer: pyval.NewList(pyval.Str("03:00 PM"), pyval.Str("3 PM"))}
	memory := categories.Find("memory_kv")
	fault := eval.Verdict{Status: eval.Fail, ErrorType: "agentic:answer_not_found"}
	said := pyval.NewList(pyval.NewList(pyval.Str("let me look"), pyval.Str("at noon")))
	f := examined(memory, c, said, nil, eval.Settings{}, fault)
	assert.Equal(t, "wrong answer: expected 03:00 PM or 3 PM, got at noon", f.Cause.Text())
	assert.Empty(t, f.Cause.Function)
	simple := categories.Find("simple_python")
	call := pyval.NewDict(1)
	call.SetStr("opening_hours", pyval.NewDict(0))
	wanted := &eval.Case{Answer: pyval.NewList(call)}
	lost := examined(simple, wanted, nil, nil, eval.Settings{}, eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:timeout"})
	assert.Equal(t, cause.Cause{Kind: cause.Infrastructure}, lost.Cause)
	failed := examined(simple, wanted, nil, nil, eval.Settings{}, eval.Verdict{Status: eval.Fail, ErrorType: "value_error:string"})
	assert.Equal(t, "opening_hours", failed.Cause.Function)
}

// TestCauseOfPairs: of two calls in another order, of which one is wrong, that one is.
func TestCauseOfPairs(t *testing.T) {
	c := newCase(t, "["+toaster+"]", `[{"toast": {"slices": [1]}}, {"toast": {"slices": [2]}}]`)
	calls := value(t, `[{"toast": {"slices": 2}}, {"toast": {"slices": 3}}]`)
	cat := categories.Find("parallel")
	f := examined(cat, c, calls, calls, eval.Settings{}, cat.Judge(c, calls, nil, eval.Settings{}))
	assert.Equal(t, "wrong value: toast, slices, expected 1, got 3", f.Cause.Text())
	calls = value(t, `[{"toast": {"slices": 2}}, {"burn": {"slices": 1}}]`)
	f = examined(cat, c, calls, calls, eval.Settings{}, cat.Judge(c, calls, nil, eval.Settings{}))
	assert.Equal(t, "wrong function: expected toast, got burn", f.Cause.Text())
}
