package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

func TestLine(t *testing.T) {
	talk := &eval.Talk{
		InputTokens: [][]int{{1, 2}, {3}}, OutputTokens: [][]int{{4, 5}, {6}},
		Latency: [][]time.Duration{{time.Second, 250 * time.Millisecond}, {0}}, Reasoning: [][]string{{"", ""}, {""}},
		Log: pyval.NewList(pyval.Str("é")),
	}
	thought := *talk
	thought.Reasoning = [][]string{{"why", ""}, {""}}
	for _, c := range []struct {
		resp *eval.Response
		want string
	}{
		{&eval.Response{Result: pyval.None, Latency: time.Second, TTFT: 250 * time.Millisecond}, `{"id": "x", "result": null, "input_token_count": 0, "output_token_count": 0, "latency": 1.0, "ttft": 0.25}`},
		{&eval.Response{Result: pyval.None, InputTokens: 1, Latency: time.Second}, `{"id": "x", "result": null, "input_token_count": 1, "output_token_count": 0, "latency": 1.0}`},
		{&eval.Response{Result: pyval.Str("t"), Reasoning: "why"}, `{"id": "x", "result": "t", "input_token_count": 0, "output_token_count": 0, "latency": 0.0, "reasoning_content": "why"}`},
		{&eval.Response{Result: pyval.NewList(), Talk: talk}, `{"id": "x", "result": [], "input_token_count": [[1, 2], [3]], "output_token_count": [[4, 5], [6]], "latency": [[1.0, 0.25], [0.0]], "inference_log": ["\u00e9"]}`},
		{&eval.Response{Result: pyval.NewList(), Talk: &thought}, `{"id": "x", "result": [], "input_token_count": [[1, 2], [3]], "output_token_count": [[4, 5], [6]], "latency": [[1.0, 0.25], [0.0]], "inference_log": ["\u00e9"], "reasoning_content": [["why", ""], [""]]}`},
	} {
		line, err := record.Line("x", c.resp, "")
		require.NoError(t, err)
		assert.Equal(t, c.want+"\n", string(line))
	}
}

// TestTalkRead adds up what a conversation took.
func TestTalkRead(t *testing.T) {
	for _, c := range []struct {
		count, latency string
		tokens         int
		took           time.Duration
	}{
		{"5", "1.5", 5, 1500 * time.Millisecond},
		{"[[1, 2], [3]]", "[[1.0, 0.5], []]", 6, 1500 * time.Millisecond},
		{`[["x", null, 2], 3]`, `"1.5"`, 5, 0},
		{"[[[[[1]]]], [[[7]]], -4, 1e300]", "-1", 0, 0},
		{"999999999", "[[[7]]]", 999999999, 0},
		{"1000000000", "1e9", 0, 0},
	} {
		v, err := pyval.ParseJSON(`{"input_token_count": ` + c.count + `, "latency": ` + c.latency + `}`)
		require.NoError(t, err)
		resp := record.Row{Entry: v.(*pyval.Dict)}.Response()
		assert.Equal(t, c.tokens, resp.InputTokens, c.count)
		assert.Equal(t, c.took, resp.Latency, c.latency)
	}
}

// TestMode tells modes from single answers and from conversations.
func TestMode(t *testing.T) {
	for results, want := range map[string]eval.Mode{
		`"f()"`:                               eval.Prompt,
		`[]`:                                  eval.FC,
		`[{"f": "{}"}]`:                       eval.FC,
		`[["[f()]", "Done."], ["Done."]]`:     eval.Prompt,
		`[[[{"f": "{}"}], "Done."], []]`:      eval.FC,
		`[["Done."], [[]]]`:                   eval.FC,
		`"Error during inference: no answer"`: eval.Prompt,
	} {
		v, err := pyval.ParseJSON(results)
		require.NoError(t, err)
		answers := record.Answers{{"x": record.Row{Result: v}}}
		assert.Equal(t, want, answers.Mode(), results)
	}
}
