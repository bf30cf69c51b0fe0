package bfcl_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl"
)

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
	body, err := req.ChatCompletion(map[string]any{"model": "m", "temperature": 0})
	require.NoError(t, err)
	assert.Equal(t, `{"model":"m","temperature":0,"messages":[{"role":"system","content":"Brief."},{"role":"user","content":"Find it."},`+
		`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"z\": 1}"}}]},`+
		`{"role":"tool","content":"none","tool_call_id":"c1"}],"tools":[{"type":"function","function":`+definition+`},`+
		`{"type":"function","function":{"name":"list","description":"Lists.","parameters":{"type":"object"}}}]}`, string(body))

	body, err = (&bfcl.Request{Messages: req.Messages[:1]}).ChatCompletion(nil)
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[{"role":"system","content":"Brief."}]}`, string(body), "no tools, no field")

	_, err = req.ChatCompletion(map[string]any{"x": math.NaN()})
	assert.ErrorContains(t, err, `field "x"`)
	_, err = (&bfcl.Request{Tools: []bfcl.Tool{{Name: "f", Parameters: json.RawMessage("[")}}}).ChatCompletion(nil)
	assert.ErrorContains(t, err, `tool 1, "f": its parameters are not a JSON Schema`)
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
		_, err := bfcl.ReadChatCompletion([]byte(src))
		assert.ErrorContains(t, err, want, src)
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
