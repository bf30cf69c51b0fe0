package engine

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// The texts of log rows are upstream's, because upstream's tools read them.
const (
	logDecodedText = "Successfully decoded model response."
	logEmptyText   = "Empty response from the model. Proceed to next turn."
	logErrorText   = "Error decoding the model response. Proceed to next turn."
	logQuitText    = "Model has been forced to quit after 20 steps."
)

func row(role string) *pyval.Dict {
	d := pyval.NewDict(3)
	d.SetStr("role", pyval.Str(role))
	return d
}

func said(role, content string) *pyval.Dict {
	d := row(role)
	d.SetStr("content", pyval.Str(content))
	return d
}

// logState adds a copy of the state of the instances, which later calls change.
func (t *talk) logState() {
	states := pyval.NewList()
	for _, class := range t.env.Classes() {
		instance, ok := t.env.Instance(class)
		if of, _ := t.Library.Class(class); !ok || of.Stateless {
			continue
		}
		state := row("state_info")
		state.SetStr("class_name", pyval.Str(class))
		state.SetStr("content", pyval.DeepCopy(sim.Describe(instance)))
		states.Items = append(states.Items, state)
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
			d.SetStr("tool_calls", plainCalls(m.Calls))
		}
		if m.Role == "tool" {
			d.SetStr("tool_call_id", pyval.Str(m.CallID))
		}
		out.Items = append(out.Items, d)
	}
	return out
}

func plainCalls(calls []eval.ToolCall) *pyval.List {
	out := pyval.NewList()
	for _, call := range calls {
		d := pyval.NewDict(3)
		d.SetStr("id", pyval.Str(call.ID))
		d.SetStr("name", pyval.Str(call.Name))
		d.SetStr("arguments", pyval.Str(call.Arguments))
		out.Items = append(out.Items, d)
	}
	return out
}

func logAnswer(log *pyval.List, resp *eval.Response) {
	answer := row("assistant")
	answer.SetStr("content", resp.Result)
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
		entry.SetStr("model_response_decoded", strs(calls))
		log.Items = append(log.Items, entry)
	}
}

func strs(texts []string) *pyval.List {
	out := pyval.NewList()
	for _, text := range texts {
		out.Items = append(out.Items, pyval.Str(text))
	}
	return out
}

func logResults(log *pyval.List, results []string) {
	for _, result := range results {
		log.Items = append(log.Items, said("tool", result))
	}
}

func logQuit(log *pyval.List) {
	log.Items = append(log.Items, said("handler_log", logQuitText))
}
