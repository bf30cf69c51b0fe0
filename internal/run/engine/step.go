package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// step asks once and executes the calls of the answer; more reports whether there were any.
func (t *talk) step(ctx context.Context, turn, step int, log *pyval.List) (more bool, err error) {
	req := &eval.Request{
		ID: t.c.ID, Trial: t.trial, Turn: turn, Step: step, Conversation: true,
		Messages: slices.Clip(t.messages), Mode: t.Settings.Mode,
	}
	if !t.SystemPrompt() {
		req.Tools, req.Schemas, req.Sent, req.Documented = t.tools, &t.schemas, t.sent, t.documented
	}
	chars := req.Chars()
	t.documented = req.Documented
	if req.Before = t.before; !t.thinks {
		req.Since = chars - t.chars
	}
	t.chars = chars
	resp, err := t.ask(ctx, req)
	if err != nil {
		return false, &eval.InfraError{Kind: eval.InfraKind(err), Err: fmt.Errorf("turn %d, step %d: %w", turn+1, step+1, err)}
	}
	t.note(resp)
	message := resp.AsMessage()
	message.Calls = slices.Clone(message.Calls)
	for i := range message.Calls { // results refer to calls by id, which not every provider gives
		if message.Calls[i].ID == "" {
			message.Calls[i].ID = fmt.Sprintf("call_%d", t.calls+i)
		}
	}
	t.calls += len(message.Calls)
	t.messages = append(t.messages, message)
	logAnswer(log, resp)
	var calls, results []string // err says why no calls could be read, or is one of infrastructure
	if s := t.c.Scene.Script; s != nil {
		calls, results, err = s.Execute(t.c, resp.Result, t.Settings)
	} else if calls, err = decoded(resp.Result, t.Settings); err == nil && !multiturn.IsEmpty(calls) {
		results = t.env.Execute(calls)
	}
	if broken, ok := errors.AsType[*eval.InfraError](err); ok {
		return false, &eval.InfraError{Kind: broken.Kind, Err: fmt.Errorf("turn %d, step %d: %w", turn+1, step+1, broken.Err)}
	}
	logDecoded(log, calls, err, resp.Result)
	if err != nil || multiturn.IsEmpty(calls) {
		return false, nil
	}
	if o := t.env.Outage(); o != nil {
		return false, &eval.InfraError{Kind: o.Kind, Err: fmt.Errorf("turn %d, step %d: %w", turn+1, step+1, o.Err)}
	}
	logResults(log, results)
	t.feedBack(message, calls, results)
	return true, nil
}

// note records an answer and what it took.
func (t *talk) note(resp *eval.Response) {
	turn := len(t.result.Items) - 1
	steps := t.result.Items[turn].(*pyval.List)
	steps.Items = append(steps.Items, resp.Result)
	t.cutOff, t.malformed = t.cutOff || resp.CutOff, t.malformed || resp.Malformed
	t.finish = cmp.Or(t.finish, resp.Finish)
	t.before, t.thinks = resp.InputTokens, t.thinks || resp.Reasoning != "" || strings.Contains(pyval.Text(resp.Result), "</think>")
	a := &t.account
	a.InputTokens[turn] = append(a.InputTokens[turn], resp.InputTokens)
	a.OutputTokens[turn] = append(a.OutputTokens[turn], resp.OutputTokens)
	a.Latency[turn] = append(a.Latency[turn], resp.Latency)
	a.TTFT[turn] = append(a.TTFT[turn], resp.TTFT)
	a.Reasoning[turn] = append(a.Reasoning[turn], resp.Reasoning)
}

// feedBack gives the model the results of its calls: in one message for each
// call made in a field, or in a single message if the calls are in the text.
func (t *talk) feedBack(answer eval.Message, calls, results []string) {
	switch {
	case t.Manner != nil && t.Manner.ToolMessages:
		for i, result := range results {
			t.messages = append(t.messages, eval.Message{Role: "tool", Content: result, Name: calls[i]})
		}
		return
	case t.Manner != nil, t.Settings.Mode == eval.Prompt: // upstream's format_execution_results_prompting
		list := pyval.NewList()
		for i := range results {
			list.Items = append(list.Items, pyval.Object("role", pyval.Str("tool"), "name", pyval.Str(calls[i]), "content", pyval.Str(results[i])))
		}
		t.messages = append(t.messages, eval.Message{Role: "user", Content: pyval.Repr(list)})
		return
	}
	for i := range min(len(results), len(answer.Calls)) {
		call := answer.Calls[i]
		t.messages = append(t.messages, eval.Message{Role: "tool", Content: results[i], CallID: call.ID, Name: call.Name})
	}
}

// decoded returns an answer's calls as Python texts, like upstream's decode_execute.
func decoded(result pyval.Value, s eval.Settings) ([]string, error) {
	if s.Dialect == "" && s.Mode == eval.Prompt && result.Kind() != pyval.KindStr {
		return nil, decode.NoAttribute(result, "strip")
	}
	return multiturn.Execute(result, s)
}

// errorText returns Python's text of a decoding error, for the log.
func errorText(result pyval.Value, err error) string {
	var e *decode.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	switch e.Class {
	case "JSONDecodeError", "RecursionError", "ValueError":
		if text, cause := brokenArguments(result); cause != nil {
			return pyval.JSONException(text, cause).Msg
		}
	case "SyntaxError":
		return e.Msg + " (<unknown>, line 1)"
	case "AssertionError":
		return "" // upstream's assertions have no text
	}
	return e.Msg
}

// brokenArguments returns the first arguments that are not JSON, and the error.
func brokenArguments(result pyval.Value) (string, error) {
	list, _ := result.(*pyval.List)
	if list == nil {
		return "", nil
	}
	for _, item := range list.Items {
		call, _ := item.(*pyval.Dict)
		if call == nil {
			continue
		}
		for _, args := range call.All() {
			if text, ok := args.(pyval.Str); ok {
				if _, err := pyval.ParseJSON(string(text)); err != nil {
					return string(text), err
				}
			}
		}
	}
	return "", nil
}

// The texts of log rows are upstream's, because upstream's tools read them.
const (
	logDecodedText = "Successfully decoded model response."
	logEmptyText   = "Empty response from the model. Proceed to next turn."
	logErrorText   = "Error decoding the model response. Proceed to next turn."
	logQuitText    = "Model has been forced to quit after 20 steps."
)

func said(role, content string) *pyval.Dict {
	return pyval.Object("role", pyval.Str(role), "content", pyval.Str(content))
}

// logState adds a copy of the state of the instances, which later calls change.
func (t *talk) logState() {
	states := pyval.NewList()
	for _, class := range t.env.Classes() {
		instance, ok := t.env.Instance(class)
		if of, _ := t.Library.Class(class); !ok || of.Stateless {
			continue
		}
		states.Items = append(states.Items, pyval.Object(
			"role", pyval.Str("state_info"), "class_name", pyval.Str(class), "content", pyval.DeepCopy(sim.Describe(instance))))
	}
	if len(states.Items) > 0 {
		t.account.Log.Items = append(t.account.Log.Items, states)
	}
}

func plainMessages(messages []eval.Message) *pyval.List {
	out := pyval.NewList()
	for _, m := range messages {
		d := said(m.Role, m.Content)
		if len(m.Calls) > 0 {
			calls := pyval.NewList()
			for _, call := range m.Calls {
				calls.Items = append(calls.Items, pyval.Object("id", pyval.Str(call.ID), "name", pyval.Str(call.Name), "arguments", pyval.Str(call.Arguments)))
			}
			d.SetStr("tool_calls", calls)
		}
		if m.Role == "tool" {
			d.SetStr("tool_call_id", pyval.Str(m.CallID))
		}
		out.Items = append(out.Items, d)
	}
	return out
}

func logAnswer(log *pyval.List, resp *eval.Response) {
	answer := pyval.Object("role", pyval.Str("assistant"), "content", resp.Result)
	if resp.Reasoning != "" {
		answer.SetStr("reasoning_content", pyval.Str(resp.Reasoning))
	}
	log.Items = append(log.Items, answer)
}

func logDecoded(log *pyval.List, calls []string, err error, result pyval.Value) {
	if err != nil {
		failed := said("handler_log", logErrorText)
		failed.SetStr("error", pyval.Str(errorText(result, err)))
		log.Items = append(log.Items, failed)
		return
	}
	texts := []string{logDecodedText}
	if multiturn.IsEmpty(calls) {
		texts = append(texts, logEmptyText)
	}
	for _, text := range texts {
		entry := said("handler_log", text)
		entry.SetStr("model_response_decoded", pyval.Texts(calls))
		log.Items = append(log.Items, entry)
	}
}

func logResults(log *pyval.List, results []string) {
	for _, result := range results {
		log.Items = append(log.Items, said("tool", result))
	}
}
