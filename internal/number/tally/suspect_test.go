package tally_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// failedAlike is a run whose n answers of the parallel category fail alike.
func failedAlike(n int, model string, change func(i int, r *eval.Result)) *tally.Run {
	r := attempted(1, map[string]string{"parallel": strings.Repeat("f", n)})
	r.Model, r.Mode = model, eval.FC
	for i := range r.Parts[0].Results {
		change(i, &r.Parts[0].Results[i])
	}
	return r
}

// arrived is what an answer shows where two calls are wanted.
func arrived(came why.Answer) *eval.Trace {
	want := why.Answer{Calls: []why.Call{{Name: "f", Raw: "{}"}, {Name: "g", Raw: "{}"}}}
	return &eval.Trace{Pair: &why.Arrival{Want: want, Found: why.Differ(want, came, nil), Calls: len(came.Calls) > 0}}
}

// observed is what an answer to a case with the function f shows by itself.
func observed(r *eval.Result, answer any) *eval.Trace {
	needs := pyval.Object("required", pyval.NewList(pyval.Str("x")))
	r.Case = &eval.Case{ID: r.Case.ID, Tools: []*pyval.Dict{pyval.Object("name", pyval.Str("f"), "parameters", needs)}}
	r.Result, _ = answer.(pyval.Value)
	if text, ok := answer.(string); ok {
		r.Result = pyval.Str(text)
	}
	return why.Observe(r, nil, "", true)
}

// TestEvidence: what speaks for the benchmark or the server is each case's own
// sign; without one nothing is known.
func TestEvidence(t *testing.T) {
	kind := func(k cause.Kind, got string) func(int, *eval.Result) {
		return func(_ int, r *eval.Result) { r.Cause = cause.Cause{Kind: k, Got: got} }
	}
	one := func(n int) func(int, *eval.Result) {
		return func(i int, r *eval.Result) {
			calls := why.Answer{Calls: []why.Call{{Name: "f", Raw: "{}"}, {Name: "g", Raw: "{}"}}}
			if r.Trace = arrived(calls); i < n {
				r.Trace = arrived(why.Answer{Calls: calls.Calls[:1]})
			}
		}
	}
	for name, c := range map[string]struct {
		n      int
		model  string
		change func(i int, r *eval.Result)
		want   string
	}{
		"nothing":        {6, "m", kind(cause.NoCall, ""), ""},
		"amended":        {3, "m", func(i int, r *eval.Result) { r.Amended = i < 2 }, "2 × defect confirmed · 1 × unexplained"},
		"malformed":      {2, "m", func(i int, r *eval.Result) { r.Malformed = true; r.Trace = observed(r, []string{"f()", ""}[i]) }, "1 × server (the server could not read the calls) · 1 × unexplained"},
		"short prompts":  {1, "m", func(_ int, r *eval.Result) { r.Finish = eval.ShortPrompt + "x"; r.Trace = observed(r, "") }, "1 × server (the prompt is shorter than it must be)"},
		"a later choice": {1, "m", func(_ int, r *eval.Result) { r.Finish = eval.LaterChoice; r.Trace = observed(r, "I will.") }, "1 × server (calls arrive in a choice after the first)"},
		"joined": {1, "m", func(_ int, r *eval.Result) {
			r.Trace = observed(r, pyval.NewList(pyval.Object("f", pyval.Str(`{}{"x": 1}`))))
		}, "1 × server (arguments of several calls run together)"},
		"empty": {9, "m", func(i int, r *eval.Result) {
			args := pyval.Object("x", pyval.MakeInt(1))
			if i < 5 {
				args = pyval.NewDict(0)
			}
			r.Trace = observed(r, pyval.NewList(pyval.Object("f", args)))
		}, "5 × server (" + why.EmptyArguments + ") · 4 × unexplained"},
		"a sign": {3, "m", func(i int, r *eval.Result) {
			if i == 0 {
				r.Trace = &eval.Trace{Facts: []string{"control tokens at names: <|x|>"}}
			}
		}, "1 × server (control tokens at names: <|x|>) · 2 × unexplained"},
		"the same end": {6, "m", func(_ int, r *eval.Result) { r.CutOff, r.OutputTokens = true, 256 }, "6 × server (answers end at exactly 256 tokens)"},
		"few the same": {4, "m", func(_ int, r *eval.Result) { r.CutOff, r.OutputTokens = true, 256 }, ""},
		"not the last": {7, "m", func(i int, r *eval.Result) { r.CutOff, r.OutputTokens = true, 256+i/6 }, ""},
		"the slot": {6, "m", func(i int, r *eval.Result) {
			r.CutOff, r.InputTokens, r.OutputTokens = true, 1000+i, 1048-i
			r.Trace = arrived(why.Answer{CutOff: true, Prompt: 1000 + i, Tokens: 1048 - i})
		}, "6 × server (answers are cut before their calls at 2048 tokens with their prompts, in 6 of 6 answers that could show it)"},
		"declining": {32, "m", func(_ int, r *eval.Result) {
			r.Trace = arrived(why.Answer{Text: "I am sorry, I cannot help with that."})
		}, ""},
		"no functions": {9, "m", func(i int, r *eval.Result) {
			r.Trace = arrived(why.Answer{Text: []string{"I don't have access to real-time tools.", "No."}[i/6]})
		}, "6 × server (the model says that it has no functions, in 6 of 9 answers that could show it) · 3 × unexplained"},
		"one call each":             {20, "m", one(20), "20 × server (only the first of several calls arrives, in 20 of 20 answers that could show it)"},
		"one call, few":             {3, "m", one(3), ""},
		"one call, as often as not": {20, "m", one(10), ""},
		"one call, as its family": {20, "gpt-oss-20b", one(20), "20 × unexplained; only the first of several calls arrives; gpt-oss's own chat template writes one a turn; " +
			"`bfcl doctor` asks for several calls, and -read=dialect shows what the model writes"},
	} {
		failures, err := failedAlike(c.n, c.model, c.change).Failures(tally.Grouping{By: cause.ByKind})
		require.NoError(t, err)
		said := ""
		if s := failures.Groups[0].Suspect; s != nil {
			said = s.Evidence
		}
		assert.Equal(t, c.want, said, name)
	}
	own := failedAlike(6, "m", func(_ int, r *eval.Result) { r.CutOff, r.OutputTokens = true, 256 })
	own.Parameters = map[string]string{"max_tokens": "256"}
	b := own.Blame()
	assert.Empty(t, b.String(), "the run's own limit")
	program := failedAlike(20, "command:mine", one(20))
	program.ID = "r"
	b = program.Blame()
	assert.Empty(t, b.String(), "a program has no server")
}

// TestBlame: the parts make up all points.
func TestBlame(t *testing.T) {
	r := failedAlike(10, "m", func(i int, r *eval.Result) {
		if r.Amended = i < 2; i == 3 {
			r.Trace = &eval.Trace{Facts: []string{"the server could not read the calls"}}
		}
	})
	b := r.Blame()
	sum := 0.0
	for _, part := range b.Parts {
		sum += part.Points
	}
	assert.InDelta(t, b.Points, sum, 1e-9)
	assert.Equal(t, 2, b.Parts[say.Benchmark].Cases)
	assert.Equal(t, 7, b.Parts[say.Unexplained].Cases)
	assert.Regexp(t, `^Of −\d+\.\d\d points: defect confirmed −\d+\.\d\d, server −\d+\.\d\d, unexplained −\d+\.\d\d; 1 case: the server could not read the calls$`, b.String())
}

// TestRightErrors: errors that count as right answers are said.
func TestRightErrors(t *testing.T) {
	t.Parallel()
	r := attempted(1, map[string]string{"irrelevance": "eep", "simple_python": "ep"})
	for allowed, want := range map[bool]bool{true: true, false: false} {
		s, err := r.Answered(allowed)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Contains(strings.Join(s.Warnings, "\n"), "2 errors of the server count as right"), s.Warnings)
		said := strings.Join(tally.Warnings([]*tally.Run{r}, allowed), "\n")
		assert.Equal(t, want, strings.Contains(said, "2 errors of the server count as right"), said)
	}
}
