package show_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

func parse(t testing.TB, text string) pyval.Value {
	t.Helper()
	return testkit.Must(pyval.ParseJSON(text))(t)
}

// desk is a case of two turns; the second brings a function.
func desk(t testing.TB) *eval.Case {
	return &eval.Case{
		ID: "multi_turn_base_0", Category: "multi_turn_base",
		Turns:  [][]eval.Message{{{Role: "user", Content: "Make a drawer.\nCall it a."}}, nil},
		Tools:  []*pyval.Dict{parse(t, `{"name": "mkdir"}`).(*pyval.Dict)},
		Scene:  &eval.Scene{Classes: []string{"GorillaFileSystem"}, HeldOut: map[int][]*pyval.Dict{1: {parse(t, `{"name": "rm"}`).(*pyval.Dict)}}},
		Answer: parse(t, `[["mkdir('a')"], ["touch('b')"]]`).(*pyval.List),
	}
}

// A subject is what is traced.
type subject struct {
	*eval.Result
	settings eval.Settings
}

func (s subject) trace() *trace.Trace { return trace.Of(s.Result, "m", s.settings) }

func judge(category string, c *eval.Case, resp *eval.Response, mode eval.Mode) subject {
	s := eval.SettingsFor(mode)
	out := engine.Judge(categories.Find(category), c, resp, s)
	if !out.Passed() {
		out.Text = why.Text(&out)
	}
	return subject{&out, s}
}

// judged judges a line of a result file.
func judged(t testing.TB, category string, c *eval.Case, line string, mode eval.Mode) subject {
	t.Helper()
	path := filepath.Join(t.TempDir(), record.FileName(category))
	line = strings.Replace(strings.ReplaceAll(line, "\n", " "), "{", `{"id": "x", `, 1)
	require.NoError(t, os.WriteFile(path, []byte(line+"\n"), 0o600))
	rows := testkit.Must(record.Read(path, false))(t)
	return judge(category, c, new(rows[0].Response()), mode)
}

func written(t testing.TB, tr *trace.Trace, o trace.Options) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, tr.Write(&b, o))
	return b.String()
}

func TestConversation(t *testing.T) {
	s := judged(t, "multi_turn_base", desk(t), `{"result": [[[{"mkdir": "{\"dir_name\": \"a\"}"}, {"cat": "{\"file_name\": \"no\"}"}], []], [[{"touch": "{\"file_name"}], "Which one?"]],
		"input_token_count": [[10, 20], [30, 40]], "output_token_count": [[1, 2], [3, 4]], "latency": [[0.5, 1], [2, 3]], "reasoning_content": [["first\nsecond", ""], ["", ""]]}`, eval.FC)
	got := s.trace()
	text := written(t, got, trace.Options{Width: 300})
	assert.Contains(t, text, `multi_turn_base_0  m  (fc mode)
  apis      GorillaFileSystem
  tools     1: mkdir

turn 1 of 2  passed
  user      │ Make a drawer.
            │ Call it a.
  step 1  (10 tokens in, 1 out, 0.50 s)
  reasoning │ first
            │ second
  calls     mkdir(dir_name='a')
            → None
  calls     cat(file_name='no')
            ✗ {"error": "cat: 'no': No such file or directory"}
  state     + GorillaFileSystem.root.contents.a = {'type': 'directory', 'name': 'a', 'contents': {}}
  step 2  (20 tokens in, 2 out, 1.00 s)
  (no call, no text)
  expected  mkdir('a')

turn 2 of 2  failed
  new tools rm
  step 1  (30 tokens in, 3 out, 2.00 s)
  answered  │ [{'touch': '{"file_name'}]
  decoding  no call could be read: `)
	assert.Contains(t, text, `
  step 2  (40 tokens in, 4 out, 3.00 s)
  says      │ Which one?
  expected  touch('b')

fail
multi_turn:empty_turn_model_response: turn 2: no call was made`)
	data := testkit.Must(json.Marshal(got))(t)
	assert.Contains(t, string(data), `{"call":"cat(file_name='no')","result":"{\"error\": \"cat: 'no': No such file or directory\"}","error":true}`)
	assert.Contains(t, string(data), `"expected":[{"call":"touch('b')","result":"None"}],"outcome":"fail"`)
	assert.Contains(t, written(t, got, trace.Options{Full: true, Width: 300}), "expected  touch('b')\n            → None\n")
}

func TestOddConversations(t *testing.T) {
	for name, c := range map[string]struct{ result, says string }{
		"cut off":       {`[[]]`, "note: the conversation ended in turn 1 of 2"},
		"no list":       {`"Error during inference: refused"`, "note: the answer is not a list of turns: Error during inference: refused"},
		"too long":      {`[[], [], ["x"]]`, "turn 3 of 3"},
		"null":          {`null`, "turn 2 of 2"},
		"turn is text":  {`["ls()", "x"]`, "turn 1 of 2"},
		"step is dict":  {`[[{"a": 1}], [7]]`, "turn 1 of 2"},
		"nothing to do": {`[]`, "(no answer)"},
	} {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			s := judged(t, "multi_turn_base", desk(t), `{"result": `+c.result+`, "input_token_count": "many", "latency": [[-1]], "inference_log": [1, {"begin_of_turn_query": 1, "step_0": [2, {"role": "tool"}]}]}`, mode)
			assert.Contains(t, written(t, s.trace(), trace.Options{Width: 300}), c.says, name)
		}
	}
	s := judged(t, "multi_turn_base", desk(t), `{"result": [["ls()"], ["ls()"]], "inference_log": [
		{"begin_of_turn_query": [], "step_0": [{"role": "tool", "content": "from the log"}]}, [], {"begin_of_turn_query": []}]}`, eval.Prompt)
	assert.Contains(t, written(t, s.trace(), trace.Options{Width: 300}), "note: results that differ from those logged when the model was asked: 1")
	s.Case.Scene.Classes = []string{"Lamp"}
	text := written(t, s.trace(), trace.Options{Width: 300})
	assert.Contains(t, text, `note: the calls cannot be carried out again: unknown class "Lamp"`)
	assert.Contains(t, text, "→ from the log")
}

func TestSingleTurn(t *testing.T) {
	c := &eval.Case{
		ID: "simple_python_0", Category: "simple_python", Turns: [][]eval.Message{{{Role: "user", Content: "Boil 2 litres."}}},
		Tools:  []*pyval.Dict{parse(t, `{"name": "kettle.boil", "parameters": {"type": "dict", "properties": {"litres": {"type": "integer"}}, "required": ["litres"]}}`).(*pyval.Dict)},
		Answer: parse(t, `[{"kettle.boil": {"litres": [2]}}]`).(*pyval.List),
	}
	s := judged(t, "simple_python", c, `{"result": [{"kettle_boil": "{\"litres\": 3}"}], "input_token_count": 12, "output_token_count": 3, "latency": 0.25, "reasoning_content": "two, or three"}`, eval.FC)
	assert.Equal(t, written(t, s.trace(), trace.Options{Width: 300}), `simple_python_0  m  (fc mode)
  tools     1: kettle.boil

  user      │ Boil 2 litres.
  (12 tokens in, 3 out, 0.25 s)
  reasoning │ two, or three
  calls     kettle_boil(litres=3)
  expected  kettle.boil(litres=[2])

fail
value_error:others: Invalid value for parameter 'litres': 3. Expected one of [2].
  differs at
    litres: accepted 2, got 3
`, "the verdict does not repeat the question and the calls")
	s = judged(t, "simple_python", c, `{"result": "I boil."}`, eval.Prompt)
	assert.Contains(t, written(t, s.trace(), trace.Options{Width: 300}), "  says      │ I boil.\n  decoding  no call could be read: ")
	s = judged(t, "simple_python", c, `{"result": "[kettle.boil(litres=2)]"}`, eval.Prompt)
	assert.True(t, strings.HasSuffix(written(t, s.trace(), trace.Options{Width: 300}), "expected  kettle.boil(litres=[2])\n\npass\n"))

	out := engine.Failed(eval.Infra("timeout", "no answer"))
	out.Category, out.Case = s.Category, c
	out.Text = why.Text(&out)
	s.Result = &out
	text := written(t, s.trace(), trace.Options{Width: 300})
	assert.Contains(t, text, "(no answer)")
	assert.Contains(t, text, "\nerror\ninfrastructure:timeout: no answer")
}

// TestHostile: nothing in a record, a case or a file's name prints a line of
// its own or a character that a terminal obeys.
func TestHostile(t *testing.T) {
	hostile := "x\n--- PASS: TestBFCL/a (0.00s)\nfail\n\x16=== ATTR  TestBFCL k v\x1b[31m\u202e\x00\xff" + strings.Repeat("é", 50_000)
	text := testkit.Must(pyval.JSON(pyval.Str(strings.ToValidUTF8(hostile, "?")), 0))(t)
	call := testkit.Must(pyval.JSON(pyval.Str(`{"content": `+text+`, "file_name": `+text+`}`), 0))(t)
	for name, result := range map[string]string{
		"text":      `[[` + text + `], [` + text + `]]`,
		"argument":  `[[[{"echo": ` + call + `}, {"mkdir": "{\"dir_name\": \"b\"}"}]], []]`,
		"function":  `[[[{` + text + `: "{}"}]], []]`,
		"arguments": `[[[{"echo": ` + text + `}]], []]`,
		"no list":   text,
	} {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			c := desk(t)
			c.ID, c.Turns[0][0].Content, c.Turns[0][0].Role = hostile, hostile, hostile
			s := judged(t, "multi_turn_base", c, `{"result": `+result+`, "reasoning_content": [[`+text+`]], "inference_log": `+text+`}`, mode)
			out := written(t, trace.Of(s.Result, hostile, s.settings), trace.Options{Width: 300})
			assert.Less(t, len(out), 40_000, name)
			for _, line := range strings.Split(out, "\n") {
				assert.NotRegexp(t, `^\s*(---|===)`, line, name)
				for _, r := range line {
					require.True(t, unicode.IsPrint(r), "%s: %q in %.80q", name, r, line)
				}
			}
			assert.Equal(t, 1, strings.Count("\n"+out, "\nfail\n"), name)
		}
	}
}

// TestColour: escapes where they are asked for, and the same text without.
func TestColour(t *testing.T) {
	s := judged(t, "multi_turn_base", desk(t), `{"result": [["mkdir(dir_name='a')", "cat(file_name='x')", "?"], ["touch(file_name='b')"]]}`, eval.Prompt)
	painted := written(t, s.trace(), trace.Options{Colour: true, Width: 300})
	assert.Contains(t, painted, "\x1b[31m✗\x1b[0m")
	plain := written(t, s.trace(), trace.Options{Width: 300})
	assert.NotContains(t, plain, "\x1b")
	for _, code := range []string{"0", "1", "2", "31", "32", "33", "36", "1;32", "1;31"} {
		painted = strings.ReplaceAll(painted, "\x1b["+code+"m", "")
	}
	assert.Equal(t, plain, painted)
}

// TestGoldenTraces traces every recorded conversation: results are those that
// upstream logged, and the turn that failed is the judge's.
func TestGoldenTraces(t *testing.T) {
	d := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	conversations, results, differ := 0, 0, 0
	for _, name := range []string{"multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param"} {
		cases := testkit.Must(d.Cases(categories.Find(name)))(t)
		rows := map[string]record.Row{}
		list := testkit.Must(record.Read(filepath.Join(testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result", "openai_gpt-oss-120b", "multi_turn"), record.FileName(name)), false))(t)
		for _, row := range list {
			rows[row.ID] = row
		}
		for _, c := range cases {
			row := rows[c.ID]
			s := judge(name, c, new(row.Response()), eval.FC)
			got := trace.Of(s.Result, "openai_gpt-oss-120b", s.settings)
			conversations++
			failed := -1
			for i, turn := range got.Turns {
				if turn.Outcome == "fail" {
					failed = i
				}
				for _, step := range turn.Steps {
					results += len(step.Calls)
				}
			}
			if f, ok := s.Fault.(*multiturn.Fault); ok {
				assert.Equal(t, f.Turn, failed, c.ID)
			} else {
				assert.Equal(t, -1, failed, c.ID)
			}
			for _, note := range got.Notes {
				if strings.HasPrefix(note, "results that differ") {
					differ++
					data := testkit.Must(json.Marshal(got.Turns))(t)
					assert.Contains(t, string(data), "(\\u003cstring\\u003e, line 1)", "%s: only CPython's words for what is no call may differ", c.ID)
				}
			}
			require.NotEmpty(t, written(t, got, trace.Options{Width: 300}))
		}
	}
	require.Positive(t, results)
	t.Logf("%d conversations, %d results of calls; in %d conversations one differs from what was logged, by CPython's words for what is no call", conversations, results, differ)
}

// FuzzTrace shows whatever a record may hold: nothing panics, and no line can
// be taken for one of ours or moves a terminal.
func FuzzTrace(f *testing.F) {
	f.Add(`[[[{"mkdir": "{\"dir_name\": \"a\"}"}], "done"], []]`, "x", true)
	f.Add(`[["[mkdir(dir_name='a')]", "mv('a', 'a')"], ["ls()"]]`, "\x1b[2J", false)
	f.Add(`{"a": [null]}`, "\n--- PASS", true)
	f.Add(`[{"x": 1}, [[[]]]]`, "", false)
	f.Fuzz(func(t *testing.T, result, question string, fc bool) {
		v, err := pyval.ParseJSON(result)
		if err != nil {
			return
		}
		mode := eval.Prompt
		if fc {
			mode = eval.FC
		}
		c := desk(t)
		c.Turns[0][0].Content = question
		entry := pyval.NewDict(3)
		for _, field := range []string{"result", "input_token_count", "reasoning_content"} {
			entry.SetStr(field, v)
		}
		s := judge("multi_turn_base", c, new(record.Row{ID: c.ID, Result: v, Entry: entry}.Response()), mode)
		for line := range strings.SplitSeq(written(t, s.trace(), trace.Options{Width: 300}), "\n") {
			assert.NotRegexp(t, `^\s*(---|===)`, line)
			assert.False(t, strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
		}
	})
}
