package tally_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
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

// TestGoldenPlanted: of what servers do to recorded answers, the signs are found
// without another run.
func TestGoldenPlanted(t *testing.T) {
	t.Parallel()
	from := testkit.Shared(t, "recorded", "v4", "open", "result", "Qwen_Qwen3-8B-FC")
	files, err := filepath.Glob(filepath.Join(from, "*", "BFCL_v4_simple_python_result.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	leaves := func(f func(any) any) func(string, any) (string, any) {
		return func(name string, args any) (string, any) { return name, deep(args, f) }
	}
	found := 0
	plants := map[string]func(name string, args any) (string, any){
		"values that are numbers or booleans arrive as texts, where the value is an integer": leaves(func(v any) any {
			if n, ok := v.(json.Number); ok {
				return n.String()
			}
			return v
		}),
		"arguments arrive empty":                                  func(name string, _ any) (string, any) { return name, map[string]any{} },
		"control tokens at names: <|x|>":                          func(name string, args any) (string, any) { return name + "<|x|>", args },
		"functions' names are preceded by something `functions.`": func(name string, args any) (string, any) { return "functions." + name, args },
		"functions' names are followed by something `:N`":         func(name string, args any) (string, any) { return name + ":0", args },
		"control tokens in values: <|im_end|>":                    leaves(func(v any) any { return text(v, "<|im_end|>") }),
		"values that are integers arrive as floats":               leaves(func(v any) any { return whole(v, json.RawMessage(fmt.Sprint(v)+".0")) }),
		"arguments are encoded twice":                             func(name string, args any) (string, any) { s, _ := json.Marshal(args); return name, string(s) },
		"functions' names arrive in small letters":                func(name string, args any) (string, any) { return strings.ToLower(name), args },
		"texts arrive in small letters":                           leaves(func(v any) any { return lower(v) }),
	}
	for sign, plant := range plants {
		dir := t.TempDir()
		to := filepath.Join(dir, "result", "openai_gpt-oss-120b", "non_live", filepath.Base(files[0]))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, []byte(planted(t, string(data), plant)), 0o644))
		runs, err := tally.ReadAll([]string{filepath.Join(dir, "result")}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true, Dataset: "v4"})
		require.NoError(t, err)
		b := runs[0].Blame()
		t.Logf("%s: %s", sign, b)
		if len(b.Signs) > 0 && b.Signs[0].Sign == sign {
			found++
		}
	}
	assert.Equal(t, len(plants), found)
}

// planted changes the calls of result lines.
func planted(t *testing.T, lines string, change func(name string, args any) (string, any)) string {
	var out strings.Builder
	for line := range strings.Lines(lines) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		if calls := said(row["result"]); calls != nil {
			list := []any{}
			for _, c := range calls {
				var args any
				d := json.NewDecoder(strings.NewReader(string(c.Arguments)))
				d.UseNumber()
				if d.Decode(&args) != nil {
					continue
				}
				name, changed := change(c.Name, args)
				written, _ := json.Marshal(changed)
				list = append(list, map[string]any{name: string(written)})
			}
			row["result"] = list
		}
		b, _ := json.Marshal(row)
		out.Write(append(b, '\n'))
	}
	return out.String()
}

type saidCall struct {
	Name      string
	Arguments json.RawMessage
}

// said returns the calls of a recorded answer.
func said(result any) (out []saidCall) {
	if list, ok := result.([]any); ok {
		for _, item := range list {
			for name, args := range item.(map[string]any) {
				out = append(out, saidCall{name, json.RawMessage(fmt.Sprint(args))})
			}
		}
		return out
	}
	for _, part := range strings.Split(fmt.Sprint(result), "<tool_call>")[1:] {
		body, _, _ := strings.Cut(part, "</tool_call>")
		var c saidCall
		if json.Unmarshal([]byte(body), &c) == nil {
			c.Name = strings.ReplaceAll(c.Name, ".", "_")
			out = append(out, c)
		}
	}
	return out
}

func deep(v any, f func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, w := range v {
			out[k] = deep(w, f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, w := range v {
			out[i] = deep(w, f)
		}
		return out
	}
	return f(v)
}

func whole(v, is any) any {
	if n, ok := v.(json.Number); ok && !strings.Contains(n.String(), ".") {
		return is
	}
	return v
}

func text(v any, end string) any {
	if s, ok := v.(string); ok {
		return s + end
	}
	return v
}

func lower(v any) any {
	if s, ok := v.(string); ok {
		return strings.ToLower(s)
	}
	return v
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
