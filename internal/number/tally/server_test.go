package tally_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// TestAgain: asking again is advised where it can help.
func TestAgain(t *testing.T) {
	for kinds, want := range map[string]string{
		"timeout":                             "ask again with -resume, in the folder of the run or of each shard",
		"malformed_call":                      "ask in a new run folder with -read=dialect or -mode=prompt",
		"context_full":                        "give the server a longer context, because the same would happen again, and then ask again",
		"server_setup timeout":                "start the server with its tool parser, because the same",
		"malformed_call server_setup":         "start the server with its tool parser",
		"malformed_call timeout":              "ask in a new run folder with -read=dialect or -mode=prompt, because the same would happen again, and then ask again",
		"context_full malformed_call":         "give the server a longer context, ask in a new run folder with -read=dialect or -mode=prompt, because the same",
		"context_full malformed_call timeout": "give the server a longer context, ask in a new run folder",
		"not_recorded":                        "record the answers, or leave their cases out with -ids",
		"not_recorded malformed_call":         "ask in a new run folder with -read=dialect or -mode=prompt, record the answers, or leave their cases out with -ids",
		"not_recorded timeout":                "record the answers, or leave their cases out with -ids, because the same would happen again, and then ask again",
		"timeout context_full":                "give the server a longer context, because the same would happen again, and then ask again",
	} {
		r := attempted(1, map[string]string{"multiple": "pppe" + strings.Repeat("e", strings.Count(kinds, " "))})
		for i, kind := range strings.Fields(kinds) {
			r.Parts[0].Results[3+i].ErrorType = "infrastructure:" + kind
		}
		testkit.Fails(r.Score(false))(t, want, kinds)
		r.Parts[0].Results[0].Status, r.Parts[0].Results[1].Status = eval.Fail, eval.Fail
		r.Parts[0].Results[0].ErrorType, r.Parts[0].Results[1].ErrorType = "value_error", "value_error"
		assert.Contains(t, r.Again(), want, "a wrong answer, most often of all, changes nothing")
	}
}

// TestCeiling: prompts that all end at one length are said before the numbers. A
// conversation's prompts, later trials and errors tell nothing of a server's context.
func TestCeiling(t *testing.T) {
	for name, c := range map[string]struct {
		category, letters string
		tokens            []int
		trial             int
		want              string
	}{
		"cut":                {"multiple", "pppfff", []int{4096, 700, 4096, 4096, 4096, 4096}, 0, "The prompts of 5 answers have exactly 4096 tokens"},
		"longer ones exist":  {"multiple", "pppfff", []int{4096, 4096, 4096, 4096, 4096, 4097}, 0, ""},
		"too few":            {"multiple", "pppfff", []int{4096, 4096, 4096, 4096, 700, 800}, 0, ""},
		"just enough":        {"multiple", "pppfff", []int{1, 512, 512, 512, 512, 512}, 0, "The prompts of 5 answers have exactly 512 tokens"},
		"just too short":     {"multiple", "pppfff", []int{511, 511, 511, 511, 511, 511}, 0, ""},
		"no counts":          {"multiple", "pppfff", []int{0, 0, 0, 0, 0, 0}, 0, ""},
		"a conversation":     {"multi_turn_base", "ppppp", []int{600, 600, 600, 600, 600}, 0, ""},
		"later trials":       {"multiple", "ppppp", []int{600, 600, 600, 600, 600}, 1, ""},
		"errors":             {"multiple", "eeeee", []int{600, 600, 600, 600, 600}, 0, ""},
		"behind one of them": {"multiple", "epppppp", []int{900, 600, 600, 600, 600, 600}, 0, "The prompts of 5 answers have exactly 600 tokens"},
	} {
		// One answer comes before them: the benchmark's order is not theirs.
		r := attempted(1, map[string]string{"parallel": "p"})
		r.Parts = append(r.Parts, attempted(1, map[string]string{c.category: c.letters}).Parts...)
		for i, n := range c.tokens {
			r.Parts[1].Results[i].InputTokens, r.Parts[1].Results[i].Trial = n, c.trial
		}
		s := testkit.Must(r.Answered(false))(t)
		said := strings.Join(s.Warnings, "\n")
		assert.Contains(t, said, c.want, name)
		assert.Equal(t, c.want != "", strings.Contains(said, "tokens, and none has more"), name)
	}
}

// TestShort: prompts that seem to have been cut are said before the numbers, and
// not counted among the ways in which answers end.
func TestShort(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pppf"})
	r.Parts[0].Results[1].Finish = eval.ShortPrompt + "hardly longer than the step before"
	s := testkit.Must(r.Score(false))(t)
	assert.Contains(t, s.Warnings[0], "The prompts of 1 of 4 answers have fewer tokens than they must have (multiple_1: hardly longer than the step before)")
	assert.Empty(t, s.Finishes)
	r = attempted(1, map[string]string{"multiple": "pe"})
	r.Parts[0].Results[0].Finish, r.Parts[0].Results[0].Malformed = eval.ShortPrompt+"first", true
	r.Parts[0].Results[1].Finish, r.Parts[0].Results[1].Malformed = eval.ShortPrompt+"an error", true
	s = testkit.Must(r.Answered(false))(t)
	assert.Contains(t, s.Warnings[0], "an error for 1 of 1 answers")
	assert.Contains(t, s.Warnings[1], "The prompts of 1 of 1 answers have fewer tokens than they must have (multiple_0: first)")
}

// TestGoldenShort: no recorded answer's prompt is too short, in single turns or
// from step to step.
func TestGoldenShort(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{
		"servers/v0.10.2", "servers/2025-11-12-main", "servers/2025-11-12-harmony-fixes-2", "gpt-oss-120b/result/openai_gpt-oss-120b",
		"open/result/Qwen_Qwen3-8B-FC", "open/result/Team-ACE_ToolACE-2-8B", "open/result/meta-llama_Llama-3.1-8B-Instruct-FC",
	} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			runs := testkit.Must(tally.ReadAll([]string{testkit.Shared(t, "recorded", "v4", filepath.FromSlash(folder))}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true, Answers: true}))(t)
			prompts, most := 0, 0.0
			for cat, r := range runs[0].All() {
				req := eval.Pose(r.Case, 0, eval.SettingsFor(eval.FC))
				before := 0
				for turn, steps := range promptTokens(r) {
					for step, n := range steps {
						prompts++
						assert.Empty(t, (&eval.Request{Turn: turn, Step: step, Before: before}).Short(n), r.Case.ID)
						if before = n; turn+step > 0 || n == 0 {
							continue
						}
						assert.Empty(t, req.Short(n), r.Case.ID)
						if !cat.MultiTurn() {
							most = max(most, float64(req.Chars())/float64(n))
						}
					}
				}
			}
			t.Logf("%d prompts, at most %.1f characters a token in a single turn", prompts, most)
			assert.Positive(t, prompts)
		})
	}
}

// promptTokens returns the counts of an answer's prompts, by turn and step.
func promptTokens(r *eval.Result) (turns [][]int) {
	counts := func(v pyval.Value) (out []int) {
		list, ok := v.(*pyval.List)
		if !ok {
			list = pyval.NewList(v)
		}
		for _, item := range list.Items {
			n, _ := strconv.Atoi(pyval.Text(item))
			out = append(out, n)
		}
		return out
	}
	v, _ := r.Entry.GetStr("input_token_count")
	list, ok := v.(*pyval.List)
	if !ok {
		return [][]int{counts(v)}
	}
	for _, turn := range list.Items {
		turns = append(turns, counts(turn))
	}
	return turns
}

// TestBeyond counts the answers in which more calls are marked than upstream reads.
func TestBeyond(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pp"})
	r.Dialect = "qwen-fc"
	const said = "In 1 of 2 answers more calls are marked than upstream's reader of the dialect qwen-fc returns"
	score := testkit.Must(r.Answered(true))(t)
	assert.NotContains(t, strings.Join(score.Warnings, "\n"), "more calls are marked")
	r.Parts[0].Results[1].Beyond = 2
	score = testkit.Must(r.Answered(true))(t)
	assert.Contains(t, strings.Join(score.Warnings, "\n"), said)
}

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
		"the same end": {5, "m", func(_ int, r *eval.Result) { r.CutOff, r.OutputTokens = true, 256 }, "5 × server (answers end at exactly 256 tokens)"},
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
		failures := testkit.Must(failedAlike(c.n, c.model, c.change).Failures(tally.Grouping{By: cause.ByKind}))(t)
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
	other := failedAlike(3, "m", func(int, *eval.Result) {})
	other.Parameters, other.Served = map[string]string{"id": "qwen3-8b"}, []string{"llama-3.1-8b"}
	b = other.Blame()
	assert.Contains(t, b.String(), "3 cases: another model answered: llama-3.1-8b")
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
		s := testkit.Must(r.Answered(allowed))(t)
		assert.Equal(t, want, strings.Contains(strings.Join(s.Warnings, "\n"), "2 errors of the server count as right"), s.Warnings)
		said := strings.Join(tally.Warnings([]*tally.Run{r}, allowed), "\n")
		assert.Equal(t, want, strings.Contains(said, "2 errors of the server count as right"), said)
	}
}
