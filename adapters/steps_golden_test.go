package adapters_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// otherSteps are the steps in which we differ on purpose, by handler and
// script; docs/upstream-differences.md says why.
var otherSteps = map[string]string{
	"DeepSeekAPIHandler/true/reasoned_call": "DeepSeek refuses the absence of what it once refused",
	"DeepSeekAPIHandler/true/text":          "DeepSeek refuses the absence of what it once refused",
	"QwenAPIHandler/true/two_calls":         "upstream's reading of the stream loses a text beside calls",
}

// TestGoldenSteps holds what a model gets back of its answer, and what goes
// into the result file, to upstream's handlers.
func TestGoldenSteps(t *testing.T) {
	file := testkit.GoldenFile(t, "handlers", "api_steps.jsonl")
	a := newAsker(t)
	for _, form := range completion.ChatNames() {
		a.texts[form] = map[string]string{"before": "b", "between": "c", "after": "d"}
	}
	rows, equal, listed := 0, 0, 0
	testkit.Rows(t, file, func(_ int, row *pyval.Dict) {
		rows++
		fc := testkit.Flag(row, "fc")
		name := testkit.Text(row, "model")
		which := fmt.Sprintf("%s/%t/%s", testkit.Text(row, "handler"), fc, testkit.Text(row, "script"))
		e := testkit.Must(adapters.Resolve(a.models, name))(t)
		kind := testkit.Must(adapters.Find(e))(t)
		added := provider.Items(row, "added")
		server := &wire{}
		adapter := a.openWith(t, e, server)
		mode := map[bool]eval.Mode{true: eval.FC, false: eval.Prompt}[fc]
		field := map[string]string{"openai": "messages", "responses": "input"}[kind.Name]
		server.answer = answerOf(t, row, kind.Name)
		req := &eval.Request{Mode: mode, Messages: []eval.Message{{Role: "user", Content: "What?"}}}
		resp := testkit.Must(adapter.Generate(t.Context(), req))(t)
		asked := testkit.Must(pyval.ParseJSON(server.body))(t)
		first := len(provider.Items(asked, field)) // the question, and what stands before it
		next := *req
		next.Messages = append(next.Messages, resp.AsMessage())
		next.Messages = append(next.Messages, following(added)...)
		testkit.Must(adapter.Generate(context.WithoutCancel(t.Context()), &next))(t)
		body := testkit.Must(pyval.ParseJSON(server.body))(t)
		got := pyval.NewList(provider.Items(body, field)[first:]...)
		want := pyval.NewList(added...)
		kept := pyval.Equal(resp.Result, testkit.Field(row, "kept"))
		switch {
		case kept && pyval.Equal(got, want):
			equal++
			if otherSteps[which] != "" {
				t.Errorf("%s: equal, although listed as different", which)
			}
		case otherSteps[which] != "":
			listed++
		default:
			t.Errorf("%s: sent %.600q, want %.600q; kept %q", which, pyval.Repr(got), pyval.Repr(want), pyval.Repr(resp.Result))
		}
	})
	t.Logf("%d second steps, %d equal to upstream's, %d differ on purpose", rows, equal, listed)
}

// answerOf is the provider's reply of a row. The items of a Responses reply
// come back as they were, so they stand in what was added.
func answerOf(t *testing.T, row *pyval.Dict, adapter string) string {
	t.Helper()
	if adapter == "responses" {
		items := &pyval.List{}
		for _, item := range provider.Items(row, "added") {
			if kind := provider.Text(item, "type"); kind == "reasoning" || kind == "function_call" || kind == "message" {
				items.Items = append(items.Items, item)
			}
		}
		return written(t, pyval.Object("status", pyval.Str("completed"), "output", items))
	}
	message := pyval.Object("role", pyval.Str("assistant"), "content", testkit.Field(row, "text"))
	calls := &pyval.List{}
	for i, item := range provider.Items(row, "calls") {
		call := item.(*pyval.List).Items
		calls.Items = append(calls.Items, pyval.Object("id", pyval.Str(fmt.Sprintf("call_%d", i)), "type", pyval.Str("function"),
			"function", pyval.Object("name", call[0], "arguments", call[1])))
	}
	if testkit.Flag(row, "fc") && len(calls.Items) > 0 {
		message.SetStr("tool_calls", calls)
	}
	if r := testkit.Field(row, "reasoning"); r != pyval.None {
		message.SetStr("reasoning_content", r)
	}
	return written(t, pyval.Object("choices", pyval.NewList(pyval.Object("message", message, "finish_reason", pyval.Str("stop")))))
}

func written(t *testing.T, v pyval.Value) string {
	t.Helper()
	return testkit.Must(pyval.JSON(v, 0))(t)
}

// following are the messages behind the model's own, in the suite's terms.
func following(added []pyval.Value) (out []eval.Message) {
	for _, item := range added {
		switch {
		case provider.Text(item, "role") == "tool":
			out = append(out, eval.Message{Role: "tool", Content: provider.Text(item, "content"), CallID: provider.Text(item, "tool_call_id")})
		case provider.Text(item, "role") == "user":
			out = append(out, eval.Message{Role: "user", Content: provider.Text(item, "content")})
		case provider.Text(item, "type") == "function_call_output":
			out = append(out, eval.Message{Role: "tool", Content: provider.Text(item, "output"), CallID: provider.Text(item, "call_id")})
		}
	}
	return out
}
