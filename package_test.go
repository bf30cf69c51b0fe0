package bfcl_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const library = "testdata/library"

// silent never calls anything.
var silent = bfcl.ModelFunc(func(context.Context, *bfcl.Request) (*bfcl.Response, error) {
	return &bfcl.Response{Text: "No."}, nil
})

// TestRefused: what cannot be run is refused in the words of the package, before
// anything is asked or written.
func TestRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("gate.yaml", []byte("{floors: {overall: 50}}"), 0o600))
	require.NoError(t, os.WriteFile("agents.yaml", []byte("{ceilings: {calls_per_solved: 5}}"), 0o600))
	for _, row := range []struct {
		name string
		opts []bfcl.Option
		says string
	}{
		{"an unknown category", []bfcl.Option{bfcl.Categories("nonsense")}, `unknown category "nonsense"`},
		{"no category", []bfcl.Option{bfcl.Categories()}, "bfcl.Categories: no names given: omit the option for all"},
		{"an empty id", []bfcl.Option{bfcl.IDs("")}, "bfcl.IDs: no names given"},
		{"an unknown id", []bfcl.Option{bfcl.IDs("nope")}, `"nope" (ids look like "simple_python_0")`},
		{"a mode", []bfcl.Option{bfcl.Mode("x")}, `unknown mode "x": use fc or prompt`},
		{"a sample of nothing", []bfcl.Option{bfcl.Sample(0)}, "bfcl.Sample: ask for at least one case, not 0"},
		{"two choices", []bfcl.Option{bfcl.Sample(5), bfcl.IDs("irrelevance_1")}, "bfcl.Sample and bfcl.IDs both choose cases: give one of them"},
		{"no trials", []bfcl.Option{bfcl.Trials(0)}, "bfcl.Trials must be at least 1, not 0"},
		{"nothing in flight", []bfcl.Option{bfcl.Concurrency(-1)}, "bfcl.Concurrency must be at least 0, not -1"},
		{"resume without a folder", []bfcl.Option{bfcl.Resume()}, "name its folder with bfcl.RunDir"},
		{"no suite", []bfcl.Option{bfcl.Suite("nowhere")}, `bfcl.Suite: there is no folder "nowhere" in "`},
		{"an empty suite", []bfcl.Option{bfcl.Suite("")}, "bfcl.Suite: the name is empty"},
		{"no data", []bfcl.Option{bfcl.Dataset("v4"), bfcl.Data("nowhere")}, "bfcl.Data: there is no folder \"nowhere\": name the one that holds v4/ and v1/, or get the data with `bfcl fetch v4`"},
		{"no gate", []bfcl.Option{bfcl.Gate("nowhere.yaml")}, "gate file: open nowhere.yaml"},
		{"a baseline alone", []bfcl.Option{bfcl.Baseline("none")}, "bfcl.Baseline needs bfcl.Gate"},
		{"no baseline", []bfcl.Option{bfcl.Gate("gate.yaml"), bfcl.Baseline("nowhere")}, "baseline: "},
		{"a gate for agents", []bfcl.Option{bfcl.Gate("agents.yaml")}, "agents.yaml:1: ceiling calls_per_solved: only agents have it, and the run is not an agent's"},
		{"a gate for other cases", []bfcl.Option{bfcl.Gate("gate.yaml"), bfcl.Categories("irrelevance")}, "gate.yaml:1: floor overall: "},
		{"a server's option", []bfcl.Option{bfcl.Temperature(1)}, "bfcl.Temperature is for models that bfcl.Open opens: your own client sets it itself"},
		{"another flag", []bfcl.Option{bfcl.Flag("max-cost", "1")}, `bfcl.Flag("max-cost") needs the model's prices`},
		{"an unknown flag", []bfcl.Option{bfcl.Flag("nope", "1")}, `bfcl.Flag: there is no flag "nope"`},
		{"the model's flag", []bfcl.Option{bfcl.Flag("model", "oracle")}, "the model is an argument"},
		{"an empty name", []bfcl.Option{bfcl.Name(" ")}, "bfcl.Name: the name is empty"},
		{"an empty option", []bfcl.Option{{}}, "an Option is empty"},
	} {
		t.Run(row.name, func(t *testing.T) {
			result, err := bfcl.Measure(t.Context(), silent, row.opts...)
			require.ErrorContains(t, err, row.says)
			assert.Nil(t, result)
		})
	}
	for _, model := range []bfcl.Model{nil, bfcl.ModelFunc(nil), (*bfcl.Opened)(nil)} {
		require.EqualError(t, testkit.Err(bfcl.Measure(t.Context(), model)), "bfcl: the model is nil")
	}
	left := testkit.Must(filepath.Glob("*"))(t)
	assert.Equal(t, []string{"agents.yaml", "gate.yaml"}, left)
}

// TestOpenRefused: what keeps a model from being asked is told when it is opened.
func TestOpenRefused(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	for name, says := range map[string]string{
		"":                "name a model, as in openai:<id>",
		"nope":            "a model that is not in models.yaml is written adapter:id",
		"openai:m":        "the key is missing: set OPENAI_API_KEY in the environment",
		"replay:/nowhere": "/nowhere is not a folder of recorded results",
	} {
		assert.ErrorContains(t, testkit.Err(bfcl.Open(name)), says)
	}
	oracle := testkit.Must(bfcl.Open("oracle"))(t)
	require.EqualError(t, testkit.Err(oracle.Generate(t.Context(), &bfcl.Request{})), "oracle: this model answers by case, so it works only if it is given to Run or Measure directly")
	result := testkit.Must(bfcl.Measure(t.Context(), oracle, bfcl.Suite(library)))(t)
	assert.Equal(t, result.Overall.Total, result.Overall.Correct)
	heuristic := testkit.Must(bfcl.Open("heuristic"))(t)
	for _, schema := range []string{"", "[]", `{"type":`} {
		_, err := heuristic.Generate(t.Context(), &bfcl.Request{Tools: []bfcl.Tool{{Name: "f", Parameters: json.RawMessage(schema)}}})
		assert.ErrorContains(t, err, `tool 1, "f": its parameters are not a JSON Schema of an object`)
	}
	assert.ErrorContains(t, testkit.Err(heuristic.Generate(t.Context(), nil)), "the request is nil")
}

// TestRequest: a model gets its own copy of messages and tools, and what it gave
// comes back in a conversation.
func TestRequest(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var asked, returned atomic.Int64
	model := bfcl.ModelFunc(func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		asked.Add(1)
		for _, tool := range req.Tools {
			var schema struct {
				Type       string
				Properties map[string]json.RawMessage
			}
			if err := json.Unmarshal(tool.Parameters, &schema); err != nil || schema.Type != "object" {
				return nil, errors.New("no schema: " + string(tool.Parameters))
			}
		}
		for i, m := range req.Messages {
			if m.Role == bfcl.ToolRole {
				before := req.Messages[i-1]
				if m.CallID != "mine" || before.Role != bfcl.Assistant || string(before.Raw) != "signed" {
					return nil, errors.New("the call did not come back")
				}
				returned.Add(1)
				return &bfcl.Response{Text: "Done."}, nil
			}
		}
		name := req.Tools[0].Name
		for i := range req.Tools {
			req.Tools[i] = bfcl.Tool{}
		}
		return &bfcl.Response{Calls: []bfcl.Call{{ID: "mine", Name: name, Arguments: "{}"}}, Raw: json.RawMessage("signed")}, nil
	})
	result := testkit.Must(bfcl.Measure(t.Context(), model, bfcl.Categories("multi_turn_base"), bfcl.Name("m")))(t)
	assert.Zero(t, result.Errors)
	assert.Positive(t, returned.Load())
	assert.Greater(t, asked.Load(), returned.Load())
}

// TestPromptMode: the functions stand in the first message, and calls are text.
func TestPromptMode(t *testing.T) {
	calls := false
	model := bfcl.ModelFunc(func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if len(req.Tools) > 0 || req.Messages[0].Role != bfcl.System || !strings.Contains(req.Messages[0].Content, "opening_hours") {
			return nil, errors.New("the functions are not in the first message")
		}
		if calls {
			return &bfcl.Response{Calls: []bfcl.Call{{Name: "f"}}}, nil
		}
		return &bfcl.Response{Text: `[opening_hours(branch="harbour", day="Saturday")]`}, nil
	})
	opts := []bfcl.Option{bfcl.Suite(library), bfcl.Mode(bfcl.Prompt), bfcl.IDs("requests_2")}
	result := testkit.Must(bfcl.Measure(t.Context(), model, opts...))(t)
	assert.Equal(t, 1, result.Overall.Correct)
	calls = true
	_, err := bfcl.Measure(t.Context(), model, opts...)
	require.ErrorIs(t, err, bfcl.ErrUnscored)
	assert.ErrorContains(t, err, "the model returned calls in prompt mode")
}

// TestHostile: a model's misdeeds are errors of its cases. The package outside
// has them under Run.
func TestHostile(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for name, row := range map[string]struct {
		model bfcl.ModelFunc
		says  string
	}{
		"panics":  {func(context.Context, *bfcl.Request) (*bfcl.Response, error) { panic("boo") }, "infrastructure:panic: the model panicked: boo, at github.com/gobfcl/bfcl_test.TestHostile"},
		"nothing": {func(context.Context, *bfcl.Request) (*bfcl.Response, error) { return nil, nil }, "infrastructure:adapter: the model returned neither"},
		"too much": {func(context.Context, *bfcl.Request) (*bfcl.Response, error) {
			return &bfcl.Response{Calls: make([]bfcl.Call, 10_001)}, nil
		}, "infrastructure:too_large: the answer has 0 bytes and 10001 calls"},
		"a long error": {func(context.Context, *bfcl.Request) (*bfcl.Response, error) {
			return nil, errors.New(strings.Repeat("x", 1<<20))
		}, "infrastructure:adapter: xxx"},
		"out of range": {func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
			return &bfcl.Response{Text: req.Messages[len(req.Messages)].Content}, nil
		}, "infrastructure:panic: the model panicked: runtime error: index out of range [1] with length 1, at"},
	} {
		result, err := bfcl.Measure(t.Context(), row.model, bfcl.Suite(library), bfcl.Name("m"))
		require.ErrorIs(t, err, bfcl.ErrUnscored, name)
		assert.Equal(t, 7, result.Errors, name)
		assert.False(t, result.Complete)
		for _, v := range result.Verdicts {
			assert.Equal(t, bfcl.Error, v.Status)
			assert.True(t, strings.HasPrefix(v.Text, row.says), "%s: %s", name, v.Text)
			assert.Less(t, len(v.Text), 5000)
		}
	}
	odd := bfcl.ModelFunc(func(context.Context, *bfcl.Request) (*bfcl.Response, error) {
		return &bfcl.Response{Text: "\xff", Usage: bfcl.Usage{InputTokens: -5, OutputTokens: -1}}, nil
	})
	result := testkit.Must(bfcl.Measure(t.Context(), odd, bfcl.Suite(library), bfcl.Categories("no_tool_fits"), bfcl.Name("odd")))(t)
	assert.Equal(t, bfcl.Usage{}, result.Usage)
	assert.Equal(t, 2, result.Overall.Correct)
}

// TestOpened asks a server by name, by itself and in a conversation.
func TestOpened(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var last string
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		last = string(q.Text)
		return `{"model": "served", "choices": [{"finish_reason": "length", "message": {"role": "assistant", "content": "Hm.",
			"tool_calls": [{"id": "7", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1.0"}}]}}],
			"usage": {"prompt_tokens": 3, "completion_tokens": 2}}`
	})
	defer server.Close() // before goroutines are counted
	model := testkit.Must(bfcl.Open("openai:m", bfcl.BaseURL(server.URL), bfcl.MaxTokens(9)))(t)
	defer func() { require.NoError(t, model.Close()) }()
	assert.Equal(t, "openai:m", model.Name())
	tools := []bfcl.Tool{{Name: "f", Description: "F.", Parameters: json.RawMessage(`{"type": "object", "properties": {"z": {"type": "number"}, "a": {"type": "string"}}}`)}}
	first := testkit.Must(model.Generate(t.Context(), &bfcl.Request{Messages: []bfcl.Message{{Role: bfcl.User, Content: "Hello"}}, Tools: tools}))(t)
	assert.Equal(t, []bfcl.Call{{ID: "7", Name: "f", Arguments: `{"x": 1.0`}}, first.Calls)
	assert.Equal(t, bfcl.Usage{InputTokens: 3, OutputTokens: 2}, first.Usage)
	assert.Equal(t, "served", first.Served)
	assert.True(t, first.CutOff)
	assert.Contains(t, last, `"max_tokens"`)
	assert.Regexp(t, `"z".*"a"`, last, "keys keep their order")
	_, err := model.Generate(t.Context(), &bfcl.Request{Tools: tools, Messages: []bfcl.Message{
		{Role: bfcl.User, Content: "Hello"}, {Role: bfcl.Assistant, Content: first.Text, Calls: first.Calls, Raw: first.Raw},
		{Role: bfcl.ToolRole, CallID: "7", Name: "f", Content: "42"},
	}})
	require.NoError(t, err)
	assert.Contains(t, last, `"tool_call_id":"7"`)
	assert.Contains(t, last, `"id":"7"`)
}

// TestOpenedTogether: a model may be asked and closed by several goroutines at a
// time. Under -race it says what is shared without a lock.
func TestOpenedTogether(t *testing.T) {
	model := testkit.Must(bfcl.Open("heuristic"))(t)
	ask := &bfcl.Request{Messages: []bfcl.Message{{Role: bfcl.User, Content: "Hello"}}}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				assert.NoError(t, testkit.Err(model.Generate(context.Background(), ask)))
				assert.NoError(t, model.Close())
			}
		})
	}
	group.Wait()
}

func init() {
	bfcl.Match("even", func(argument json.RawMessage) error {
		var n int
		if err := json.Unmarshal(argument, &n); err != nil {
			return err
		}
		if n == 13 {
			panic("unlucky")
		}
		if n%2 != 0 {
			return errors.New("it is odd")
		}
		return nil
	})
}

// written is a suite with a tool as a team has it.
const written = `{"type": "object", "additionalProperties": false, "properties": {"number": {"type": "number", "minimum": 1.0}, "note": {"oneOf": [{"type": "string", "format": "email"}, {"type": "null"}]}}, "required": ["number"]}`

func newSuite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": "name: own\ntools: [{functions: tools.json}]\ncategories: [{name: cards, kind: simple, cases: cases.yaml}]\n",
		"tools.json": `[{"type": "function", "function": {"name": "pick", "description": "Pick a card.", "strict": true, "parameters": ` + written + `}}]`,
		"cases.yaml": "- {id: cards_0, question: Pick an even card., expect: {pick: {number: {func: even, example: 2}}}}\n" +
			"- {id: cards_1, question: Pick another., expect: {pick: {number: {func: even, example: 4}}}}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// TestMatch: a Go function judges an argument.
func TestMatch(t *testing.T) {
	picks := bfcl.ModelFunc(func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		number := `{"number": 8}`
		if strings.Contains(req.Messages[0].Content, "another") {
			number = `{"number": 7}`
		}
		return &bfcl.Response{Calls: []bfcl.Call{{Name: "pick", Arguments: number}}}, nil
	})
	result := testkit.Must(bfcl.Measure(t.Context(), picks, bfcl.Suite(newSuite(t)), bfcl.Name("picks")))(t)
	require.Len(t, result.Verdicts, 2)
	assert.Equal(t, bfcl.Pass, result.Verdicts[0].Status, result.Verdicts[0].Text)
	assert.Equal(t, bfcl.Fail, result.Verdicts[1].Status)
	assert.Contains(t, result.Verdicts[1].Text, "7 is refused by func even: it is odd")
	shaky := bfcl.ModelFunc(func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		number := `{"number": 8}`
		if strings.Contains(req.Messages[0].Content, "another") {
			number = `{"number": 13}`
		}
		return &bfcl.Response{Calls: []bfcl.Call{{Name: "pick", Arguments: number}}}, nil
	})
	result, err := bfcl.Measure(t.Context(), shaky, bfcl.Suite(newSuite(t)), bfcl.Name("shaky"))
	require.ErrorIs(t, err, bfcl.ErrUnscored)
	require.ErrorContains(t, err, "func even panicked: unlucky, at github.com/gobfcl/bfcl_test.init.0.func")
	require.Len(t, result.Verdicts, 2)
	assert.Equal(t, bfcl.Pass, result.Verdicts[0].Status, "the run goes on")
	assert.Equal(t, bfcl.Error, result.Verdicts[1].Status, "the answer is not wrong")
	assert.Equal(t, "infrastructure:matcher", result.Verdicts[1].ErrorType)
	for name, f := range map[string]func(json.RawMessage) error{"even": func(json.RawMessage) error { return nil }, "no name!": func(json.RawMessage) error { return nil }, "none": nil} {
		assert.Panics(t, func() { bfcl.Match(name, f) })
	}
}

// TestToolsAsWritten: a model of a program's own sees the tools of its suite as
// they are written there, and so does a server behind one that was opened.
func TestToolsAsWritten(t *testing.T) {
	var seen bfcl.Tool
	var body string
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		body = string(q.Text)
		return testkit.Reply("Hm.", "stop")
	})
	opened := testkit.Must(bfcl.Open("openai:m", bfcl.BaseURL(server.URL)))(t)
	defer func() { require.NoError(t, opened.Close()) }()
	wrapped := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		seen = req.Tools[0]
		return opened.Generate(ctx, req)
	})
	testkit.Must(bfcl.Measure(t.Context(), wrapped, bfcl.Suite(newSuite(t)), bfcl.IDs("cards_0"), bfcl.Name("wrapped")))(t)
	assert.Equal(t, written, string(seen.Parameters))
	assert.JSONEq(t, `{"name": "pick", "description": "Pick a card.", "strict": true, "parameters": `+written+`}`, string(seen.Definition))
	var sent struct {
		Tools []struct{ Function json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &sent))
	assert.JSONEq(t, string(seen.Definition), string(sent.Tools[0].Function))
	assert.Contains(t, body, `"minimum":1.0`)
}

// TestLinks: a test that imports the package does not link what few tests need,
// or what only this project's tests and tools do.
func TestLinks(t *testing.T) {
	t.Parallel()
	list := testkit.Must(exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output())(t)
	linked := strings.Fields(string(list))
	for _, pkg := range linked {
		for _, unwanted := range []string{
			"modernc.org/", "database/sql", "github.com/modelcontextprotocol/", "github.com/spf13/", "gotest.tools/",
			"github.com/stretchr/", "github.com/gobfcl/bfcl/internal/show/report", "github.com/gobfcl/bfcl/internal/test",
			"github.com/gobfcl/bfcl/internal/curate/fetch", "github.com/gobfcl/bfcl/full",
		} {
			assert.False(t, strings.HasPrefix(pkg, unwanted), "%s is linked", pkg)
		}
	}
	assert.Contains(t, linked, "github.com/gobfcl/bfcl/internal/run/suite")
}
