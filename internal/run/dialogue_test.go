package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

const addDoc = `{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "dict", "properties":
	{"a": {"type": "float", "description": "One."}, "b": {"type": "float", "description": "Other."}}, "required": ["a", "b"]}}`

func wording(t testing.TB) *prompt.Wording {
	t.Helper()
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	return testkit.Must(d.Wording())(t)
}

// sum returns a case of so many turns with a calculator, which appears in the
// second turn if late is set.
func sum(t testing.TB, turns int, late bool) *eval.Case {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(addDoc))(t)
	doc := v.(*pyval.Dict)
	c := &eval.Case{ID: "multi_turn_base_0", Category: "multi_turn_base", Scene: &eval.Scene{Classes: []string{"MathAPI"}}}
	for range turns {
		c.Turns = append(c.Turns, []eval.Message{{Role: "user", Content: "Add 1 and 2."}})
	}
	if late {
		c.Turns[1] = nil
		c.Scene.HeldOut = map[int][]*pyval.Dict{1: {doc}}
	} else {
		c.Tools = []*pyval.Dict{doc}
	}
	return c
}

func calls(arguments ...string) *eval.Response {
	list := make([]eval.ToolCall, len(arguments))
	for i, a := range arguments {
		list[i] = eval.ToolCall{Name: "add", Arguments: a}
	}
	return &eval.Response{Result: eval.CallsResult(list), InputTokens: 1, OutputTokens: 2}
}

func says(text string) *eval.Response {
	return &eval.Response{Result: eval.TextResult(text), InputTokens: 1, OutputTokens: 2}
}

const onePlusTwo = `{"a": 1, "b": 2}`

// run plays a case with a function that answers by turn and step.
func run(t testing.TB, l engine.Loop, c *eval.Case, answer func(req *eval.Request) *eval.Response) (*eval.Response, []*eval.Request) {
	t.Helper()
	l.Library, l.Wording = classes.Library, wording(t)
	var asked []*eval.Request
	resp, err := l.Run(t.Context(), c, 0, func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		asked = append(asked, req)
		return answer(req), nil
	})
	require.NoError(t, err)
	return resp, asked
}

func TestDialogueCallsWithoutIDs(t *testing.T) {
	resp, asked := run(t, engine.Loop{Settings: eval.SettingsFor(eval.FC)}, sum(t, 1, false), func(req *eval.Request) *eval.Response {
		if req.Step < 2 {
			return calls(onePlusTwo, onePlusTwo)
		}
		return says("3")
	})
	require.Len(t, asked, 3)
	var ids []string
	for _, m := range asked[2].Messages {
		for _, call := range m.Calls {
			ids = append(ids, call.ID)
		}
		if m.Role == "tool" {
			ids = append(ids, m.CallID+"="+m.Content)
			assert.Equal(t, "add", m.Name)
		}
	}
	assert.Equal(t, []string{"call_0", "call_1", `call_0={"result": 3}`, `call_1={"result": 3}`, "call_2", "call_3", `call_2={"result": 3}`, `call_3={"result": 3}`}, ids)
	assert.Equal(t, 3, resp.InputTokens)
	assert.Equal(t, [][]int{{2, 2, 2}}, resp.Talk.OutputTokens)
	assert.Equal(t, 0, asked[2].Turn)
	assert.Equal(t, 2, asked[2].Step)
}

func TestDialogueWhatEndsATurn(t *testing.T) {
	for _, c := range []struct {
		name   string
		mode   eval.Mode
		answer pyval.Value
		more   bool
	}{
		{"a call", eval.FC, calls(onePlusTwo).Result, true},
		{"a call that fails", eval.FC, calls(`{}`).Result, true},
		{"text", eval.FC, pyval.Str("add(a=1,b=2)"), false},
		{"nothing", eval.FC, pyval.Str(""), false},
		{"null", eval.FC, pyval.None, false},
		{"no calls", eval.FC, pyval.NewList(), false},
		{"broken arguments", eval.FC, calls(`{"a": `).Result, false},
		{"arguments are a list", eval.FC, calls(`[1, 2]`).Result, false},
		{"a broken call beside a good one", eval.FC, calls(onePlusTwo, `{`).Result, false},
		{"a call in prose", eval.Prompt, pyval.Str("I call add(a=1,b=2)"), false},
		{"a call without brackets", eval.Prompt, pyval.Str("add(a=1,b=2)"), true},
		{"fenced", eval.Prompt, pyval.Str("```[add(a=1,b=2)]```"), true},
		{"positional", eval.Prompt, pyval.Str("[add(1, 2)]"), true},
		{"an empty list", eval.Prompt, pyval.Str("[]"), false},
		{"null in prompt mode", eval.Prompt, pyval.None, false},
		{"unknown function", eval.Prompt, pyval.Str("[sub(a=1)]"), true},
	} {
		_, asked := run(t, engine.Loop{Settings: eval.SettingsFor(c.mode)}, sum(t, 1, false), func(req *eval.Request) *eval.Response {
			if req.Step > 0 {
				return says("Done.")
			}
			return &eval.Response{Result: c.answer}
		})
		assert.Equal(t, c.more, len(asked) > 1, c.name)
	}
}

func TestDialogueStepLimit(t *testing.T) {
	for _, c := range []struct{ calls, turns, steps int }{{19, 3, 20}, {20, 3, 21}, {21, 1, 21}, {1000, 1, 21}} {
		resp, asked := run(t, engine.Loop{Settings: eval.SettingsFor(eval.FC)}, sum(t, 3, false), func(req *eval.Request) *eval.Response {
			if req.Turn == 0 && req.Step < c.calls {
				return calls(onePlusTwo)
			}
			return says("Done.")
		})
		turns := resp.Result.(*pyval.List).Items
		assert.Len(t, turns, c.turns, "%d calls", c.calls)
		assert.Len(t, turns[0].(*pyval.List).Items, c.steps, "%d calls", c.calls)
		assert.Len(t, asked, c.steps+c.turns-1)
		quit := strings.Contains(pyval.Repr(resp.Talk.Log), "forced to quit")
		assert.Equal(t, c.turns == 1, quit)
	}
}

// TestDialogueHeldOut: functions that appear later are sent as tools or as
// text; adapters that are not posed to as a model always get them as tools.
func TestDialogueHeldOut(t *testing.T) {
	for _, c := range []struct {
		mode  eval.Mode
		plain bool
		tools []int
		text  bool
	}{
		{eval.FC, false, []int{0, 1, 1}, false},
		{eval.Prompt, false, []int{0, 0, 0}, true},
		{eval.Prompt, true, []int{0, 1, 1}, false},
	} {
		_, asked := run(t, engine.Loop{Settings: eval.SettingsFor(c.mode), Plain: c.plain}, sum(t, 3, true), func(req *eval.Request) *eval.Response {
			schemas, _ := req.Schemas.Of(req.Tools, func() (*pyval.List, error) { return pyval.MakeList(len(req.Tools)), nil })
			assert.Len(t, schemas.Items, len(req.Tools))
			return says("Done.")
		})
		for i, req := range asked {
			assert.Len(t, req.Tools, c.tools[i], "%s, turn %d", c.mode, i)
		}
		last := asked[1].Messages[len(asked[1].Messages)-1]
		assert.Equal(t, "user", last.Role)
		assert.NotEmpty(t, last.Content)
		assert.Equal(t, c.text, strings.Contains(last.Content, "{'name': 'add'"))
	}
}

// TestDialogueInfrastructure: an infrastructure error loses the whole
// conversation, and its text says in which turn and step.
func TestDialogueInfrastructure(t *testing.T) {
	l := engine.Loop{Library: classes.Library, Wording: wording(t), Settings: eval.SettingsFor(eval.FC)}
	cause := errors.New("boom")
	resp, err := l.Run(t.Context(), sum(t, 2, false), 0, func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		if req.Turn == 1 {
			return nil, &eval.InfraError{Kind: "server_error", Err: cause}
		}
		return says("Done."), nil
	})
	assert.Nil(t, resp)
	require.ErrorIs(t, err, cause)
	assert.Equal(t, "server_error", eval.InfraKind(err))
	assert.ErrorContains(t, err, "turn 2, step 1")

	for name, change := range map[string]func(*eval.Case){
		"no scene":      func(c *eval.Case) { c.Scene = nil },
		"unknown class": func(c *eval.Case) { c.Scene.Classes = []string{"Lamp"} },
	} {
		c := sum(t, 1, false)
		change(c)
		assert.Error(t, testkit.Err(l.Run(t.Context(), c, 0, nil)), name)
	}
}

// TestDialogueHostileAnswers: a conversation ends quickly whatever the model
// answers.
func TestDialogueHostileAnswers(t *testing.T) {
	many := make([]string, 10_000)
	for i := range many {
		many[i] = onePlusTwo
	}
	deep := strings.Repeat("[", 100_000)
	for name, answer := range map[string]pyval.Value{
		"ten thousand calls": calls(many...).Result,
		"deep arguments":     calls(`{"a": ` + deep).Result,
		"deep text":          pyval.Str("[add(a=" + deep),
		"a megabyte":         pyval.Str(strings.Repeat("add(a=1,b=2)\x00", 100_000)),
		"not UTF-8":          pyval.Str("[add(a='\xff\xfe')]"),
		"a number":           pyval.MakeInt(5),
		"dict of dicts":      pyval.NewList(pyval.NewDict(0), pyval.None),
	} {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			resp, _ := run(t, engine.Loop{Settings: eval.SettingsFor(mode)}, sum(t, 1, false), func(req *eval.Request) *eval.Response {
				if req.Step > 0 {
					return says("Done.")
				}
				return &eval.Response{Result: answer}
			})
			assert.NotNil(t, resp, name)
		}
	}
}

// TestDialogueInterleaved runs many conversations about the same case
// concurrently: none sees another's state.
func TestDialogueInterleaved(t *testing.T) {
	c := sum(t, 1, false)
	c.Scene = &eval.Scene{Classes: []string{"GorillaFileSystem"}}
	l := engine.Loop{Library: classes.Library, Wording: wording(t), Settings: eval.SettingsFor(eval.FC)}
	var wg sync.WaitGroup
	for n := range 100 {
		wg.Go(func() {
			name := fmt.Sprintf("f%d", n)
			resp, err := l.Run(t.Context(), c, 0, func(_ context.Context, req *eval.Request) (*eval.Response, error) {
				call := eval.ToolCall{Name: "touch", Arguments: fmt.Sprintf(`{"file_name": %q}`, name)}
				switch req.Step {
				case 1:
					call = eval.ToolCall{Name: "ls", Arguments: `{"a": true}`}
				case 2:
					return says("Done."), nil
				}
				return &eval.Response{Result: eval.CallsResult([]eval.ToolCall{call})}, nil
			})
			if assert.NoError(t, err) {
				assert.Contains(t, pyval.Repr(resp.Talk.Log), fmt.Sprintf(`{"current_directory_content": [%q]}`, name))
			}
		})
	}
	wg.Wait()
}

// FuzzDialogueAnswer plays two turns with a model that answers anything.
func FuzzDialogueAnswer(f *testing.F) {
	f.Add("add", onePlusTwo, "[add(a=1, b=2)]")
	f.Add("", "{", "[add(**{}), x")
	f.Add("add\x00(", `{"a": [[]]}`, "```[add(a={})]```")
	f.Fuzz(func(t *testing.T, name, arguments, text string) {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			run(t, engine.Loop{Settings: eval.SettingsFor(mode)}, sum(t, 2, false), func(req *eval.Request) *eval.Response {
				switch {
				case req.Step > 1:
					return says("Done.")
				case mode == eval.FC:
					return &eval.Response{Result: eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: arguments}})}
				}
				return says(text)
			})
		}
	})
}

// TestGrowth: each request says how many tokens the one before had and how much
// has come since, unless the model shows thoughts that a template may leave out.
func TestGrowth(t *testing.T) {
	for _, thinks := range []bool{false, true} {
		n := 100
		_, asked := run(t, engine.Loop{Settings: eval.SettingsFor(eval.FC)}, sum(t, 2, false), func(req *eval.Request) *eval.Response {
			resp := says("3")
			if req.Step == 0 {
				resp = calls(onePlusTwo)
			}
			if n += 50; thinks {
				resp.Reasoning = "hm"
			}
			resp.InputTokens = n
			return resp
		})
		require.Len(t, asked, 4)
		assert.Zero(t, asked[0].Before)
		assert.Equal(t, 150, asked[1].Before)
		assert.Equal(t, thinks, asked[1].Since == 0)
		assert.Equal(t, map[bool]int{false: 200, true: 0}[thinks], asked[2].Before, "the next turn")
		if !thinks {
			assert.Equal(t, asked[1].Chars()-asked[0].Chars(), asked[1].Since)
		}
	}
}
