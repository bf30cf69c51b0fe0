package bfcl_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// talks is a suite of conversations whose calls have results.
var talks = map[string]string{
	"suite.yaml": "name: talks\ntools: [{functions: t.yaml}]\ncategories:\n  - {name: talks, kind: multi_turn, cases: c.yaml}\n  - {name: asks, kind: multiple, cases: q.yaml}\n",
	"t.yaml":     "- {name: find, parameters: {type: object, properties: {title: {type: string}}, required: [title]}}\n- {name: hold, parameters: {type: object, properties: {id: {type: integer}}, required: [id]}}\n",
	"c.yaml": `- id: talk_0
  turns:
    - {question: "Is Low Tide there?", expect: {find: {title: Low Tide}}}
    - {question: "Put it aside.", expect: {hold: {id: 7}}}
  results:
    - {call: {find: {title: Low Tide}}, result: {id: 7}}
    - {call: hold, result: done}
`,
	"q.yaml": "- {id: ask_0, question: Hold 7., expect: {hold: {id: 7}}}\n",
}

// verdicts asks an agent and returns what became of its cases.
func verdicts(t *testing.T, agent bfcl.AgentFunc) map[string]string {
	t.Helper()
	dir, out := t.TempDir(), map[string]string{}
	for name, text := range talks {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_, err := bfcl.MeasureAgent(t.Context(), agent, bfcl.Suite(dir), bfcl.Each(func(v bfcl.Verdict) {
		out[v.ID] = string(v.Status) + " " + v.ErrorType
	}))
	if err != nil {
		require.ErrorIs(t, err, bfcl.ErrUnscored)
	}
	return out
}

// TestAgent: an agent in this program is judged by the calls that it makes,
// remembers what was before, and is heard no more when its turn is over.
func TestAgent(t *testing.T) {
	var mu sync.Mutex
	var late []string
	var last *bfcl.Turn
	got := verdicts(t, func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
		assert.Len(t, turn.Tools, 2)
		mu.Lock()
		defer mu.Unlock()
		said := turn.Messages[len(turn.Messages)-1].Content
		switch {
		case said == "Is Low Tide there?":
			result, failed := turn.Call(ctx, "find", `{"title": "Low Tide"}`)
			assert.JSONEq(t, `{"id": 7}`, result)
			assert.False(t, failed)
			turn.Memory, last = result, turn
		case turn.Memory != nil:
			result, failed := last.Call(ctx, "nothing", `{`)
			assert.True(t, failed, result)
			fallthrough
		default:
			turn.Call(ctx, "hold", `{"id": 7}`)
			late = append(late, said)
		}
		return &bfcl.Response{Text: "Done."}, nil
	})
	assert.Equal(t, map[string]string{"talk_0": "pass ", "ask_0": "pass "}, got)
	assert.ElementsMatch(t, []string{"Put it aside.", "Hold 7."}, late)
	result, failed := last.Call(t.Context(), "hold", `{"id": 7}`)
	assert.Equal(t, "This call came when no turn was open. It was not carried out.", result)
	assert.True(t, failed)
}

// TestAgentTrouble: what an agent does wrong, and what keeps it from working.
func TestAgentTrouble(t *testing.T) {
	for name, row := range map[string]struct {
		agent      bfcl.AgentFunc
		talk, asks string
	}{
		"wrong calls": {func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
			turn.Call(ctx, "hold", `{"id": 8}`)
			return &bfcl.Response{}, nil
		}, "fail simple_function_checker:wrong_func_name", "fail value_error:others"},
		"returned calls": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return &bfcl.Response{Calls: []bfcl.Call{{Name: "hold", Arguments: `{"id": 7}`}}}, nil
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
		"an error": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return nil, errors.New("down")
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
		"a panic": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			panic("no")
		}, "error infrastructure:panic", "error infrastructure:panic"},
		"nothing": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return nil, nil
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
	} {
		assert.Equal(t, map[string]string{"talk_0": row.talk, "ask_0": row.asks}, verdicts(t, row.agent), name)
	}
	require.EqualError(t, testkit.Err(bfcl.MeasureAgent(t.Context(), nil)), "bfcl.MeasureAgent: the agent is nil")
}

// TestChatCompletion: a request is written with the owner's tools as they are, and
// with calls and results as the protocol has them.
func TestChatCompletion(t *testing.T) {
	const definition = `{"name":"find","description":"<b>","parameters":{"type":"object","properties":{"z":{"minimum":1.0},"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"maximum":12345678901234567890}}},"strict":true}`
	req := &bfcl.Request{
		Messages: []bfcl.Message{
			{Role: bfcl.System, Content: "Brief."}, {Role: bfcl.User, Content: "Find it."},
			{Role: bfcl.Assistant, Calls: []bfcl.Call{{ID: "c1", Name: "find", Arguments: `{"z": 1}`}}},
			{Role: bfcl.ToolRole, CallID: "c1", Name: "find", Content: "none"},
		},
		Tools: []bfcl.Tool{{Name: "find", Definition: json.RawMessage(definition)}, {Name: "list", Description: "Lists.", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}
	body := testkit.Must(req.ChatCompletion(map[string]any{"model": "m", "temperature": 0}))(t)
	assert.Equal(t, `{"model":"m","temperature":0,"messages":[{"role":"system","content":"Brief."},{"role":"user","content":"Find it."},`+
		`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"z\": 1}"}}]},`+
		`{"role":"tool","content":"none","tool_call_id":"c1"}],"tools":[{"type":"function","function":`+definition+`},`+
		`{"type":"function","function":{"name":"list","description":"Lists.","parameters":{"type":"object"}}}]}`, string(body))

	body = testkit.Must((&bfcl.Request{Messages: req.Messages[:1]}).ChatCompletion(nil))(t)
	assert.Equal(t, `{"messages":[{"role":"system","content":"Brief."}]}`, string(body), "no tools, no field")

	assert.ErrorContains(t, testkit.Err(req.ChatCompletion(map[string]any{"x": math.NaN()})), `field "x"`)
	assert.ErrorContains(t, testkit.Err((&bfcl.Request{Tools: []bfcl.Tool{{Name: "f", Parameters: json.RawMessage("[")}}}).ChatCompletion(nil)), `tool 1, "f": its parameters are not a JSON Schema`)
}

// TestReadChatCompletion reads replies in the forms that servers have for them.
func TestReadChatCompletion(t *testing.T) {
	for src, want := range map[string]*bfcl.Response{
		`{"model":"m-1","choices":[{"finish_reason":"length","message":{"content":"Well","reasoning_content":"hm"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`: {Text: "Well", Reasoning: "hm", CutOff: true, Served: "m-1", Usage: bfcl.Usage{InputTokens: 3, OutputTokens: 2}},
		`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\": 1.0}"}}]}}]}`:                                        {Calls: []bfcl.Call{{ID: "a", Name: "f", Arguments: `{"x": 1.0}`}}},
		`{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]}}]}`:                                                                       {Calls: []bfcl.Call{{Name: "f", Arguments: `{"x": 1}`}}},
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`:                                                                  {Text: "ab"},
	} {
		got, err := bfcl.ReadChatCompletion([]byte(src))
		require.NoError(t, err, src)
		assert.Equal(t, want, got, src)
	}
	for src, want := range map[string]string{
		``:                                   "the reply is not JSON",
		`[1]`:                                "the reply is not a JSON object",
		`{"choices":[]}`:                     "no choices",
		`{"error":{"message":"overloaded"}}`: "overloaded",
		`{"choices":[{}]}`:                   "no message",
	} {
		assert.ErrorContains(t, testkit.Err(bfcl.ReadChatCompletion([]byte(src))), want, src)
	}
}

// FuzzReadChatCompletion: a server's bytes are a response or an error, and what was
// read can be asked on.
func FuzzReadChatCompletion(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}}]}`))
	f.Add([]byte(`{"choices":[{"message":5}]}`))
	f.Fuzz(func(t *testing.T, reply []byte) {
		got, err := bfcl.ReadChatCompletion(reply)
		if err != nil {
			if len(err.Error()) > 10_000 {
				t.Fatal("a long error")
			}
			return
		}
		talk := bfcl.Request{Messages: []bfcl.Message{{Role: bfcl.Assistant, Content: got.Text, Calls: got.Calls}}}
		body, err := talk.ChatCompletion(nil)
		if err != nil || !json.Valid(body) {
			t.Fatalf("%s: %v", body, err)
		}
	})
}

// TestLeftoverArguments: in `go test -model=x ./...` the package is an argument of
// the test, and flags behind it would be ignored: nothing is run.
func TestLeftoverArguments(t *testing.T) {
	for _, args := range [][]string{{"./...", "-model=oracle"}, {"-model=oracle", "./..."}, {"-categories=live", "stray"}} {
		out, err := exec.Command(os.Args[0], append([]string{"-test.run=^TestBFCL$", "-test.v"}, args...)...).CombinedOutput()
		var ended *exec.ExitError
		require.Truef(t, errors.As(err, &ended), "%v: %s", args, out)
		assert.Equal(t, 3, ended.ExitCode())
		assert.Contains(t, string(out), "for arguments of the test, which has none: name the packages first and flags after them")
		assert.NotContains(t, string(out), "TestBFCL")
	}
}
