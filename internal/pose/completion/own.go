package completion

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Writer writes conversations for one model. It is safe for concurrent use.
type Writer interface {
	// Write returns the text that the model continues. An error means that the
	// conversation cannot be written. If the tools are to be shown as they are
	// written, sent holds them.
	Write(messages []eval.Message, tools, sent []*pyval.Dict) (string, error)
	// Manner returns how conversations are held with the model.
	Manner() eval.Manner
	// Body returns the fields of the request that belong to the text.
	Body(text string) *pyval.Dict
	// Context returns how many tokens the model's context has, 0 if that is not
	// known.
	Context() int
}

// An own writes conversations with the model's own chat template.
type own struct {
	src       *source
	templates map[string]*jinja.Template
	tokens    *pyval.Dict
	wording   *tool.Wording
	mode      eval.Mode
}

// Own returns a Writer that uses the model's own chat template, from a file or
// a model's folder. In function-calling mode the template gets tools as it does
// from servers, in OpenAI's form.
func Own(path string, mode eval.Mode, w *tool.Wording, o jinja.Options) (Writer, error) {
	src, err := find(path)
	if err != nil {
		return nil, err
	}
	t := &own{src: src, tokens: src.tokens(), wording: w, mode: mode}
	if t.templates, err = src.parse(o); err != nil {
		return nil, err
	}
	if t.choose(true) == nil || t.choose(false) == nil {
		return nil, fmt.Errorf("%s has several chat templates, but none is named default", src.file)
	}
	return t, nil
}

// choose returns the template for a conversation with or without tools.
func (t *own) choose(tools bool) *jinja.Template {
	if named := t.templates["tool_use"]; named != nil && tools {
		return named
	}
	if named := t.templates["default"]; named != nil {
		return named
	}
	return t.templates[""]
}

// Write renders the template.
func (t *own) Write(messages []eval.Message, tools, sent []*pyval.Dict) (string, error) {
	vars := t.tokens.Clone()
	list, err := t.tools(tools, sent)
	if err != nil {
		return "", err
	}
	calls := 0
	numbered := func(raw *pyval.Dict) (*pyval.Dict, []pyval.Value) { return answer(raw, &calls) }
	vars.SetStr("messages", pyval.ListOf(conversation(messages, numbered, functionName)))
	vars.SetStr("tools", list)
	vars.SetStr("documents", pyval.None)
	vars.SetStr("add_generation_prompt", pyval.Bool(true))
	text, err := t.choose(list.Kind() == pyval.KindList).Render(vars)
	if err != nil {
		return "", eval.Infra("chat_template", "%w", err)
	}
	return text, nil
}

// tools returns the tools for the template, None if there are none, as servers
// do.
func (t *own) tools(docs, sent []*pyval.Dict) (pyval.Value, error) {
	switch {
	case len(docs) == 0:
		return pyval.None, nil
	case sent != nil:
		return tool.Written(sent, tool.OpenAICompletions)
	}
	if t.wording == nil {
		return nil, eval.Infra("config", "the texts of tool schemas are missing: the adapter was opened without a dataset's prompts.json")
	}
	list, err := t.wording.Convert(docs, tool.OpenAICompletions)
	if err != nil {
		return nil, &eval.InfraError{Kind: "tool_schema", Err: err}
	}
	for _, item := range list.Items {
		if f, ok := item.(*pyval.Dict).GetStr("function"); ok {
			f.(*pyval.Dict).Delete(pyval.Str("response")) // no server passes it on
		}
	}
	return list, nil
}

// Manner says that results are sent back as tool messages if the dialect reads
// calls, that is, in function-calling mode.
func (t *own) Manner() eval.Manner {
	if t.mode == eval.Prompt {
		return eval.Manner{SystemPrompt: true}
	}
	return eval.Manner{ToolMessages: true}
}

// Body keeps the server from adding a second beginning-of-text token.
func (t *own) Body(text string) *pyval.Dict {
	out := pyval.NewDict(1)
	if bos := str(t.tokens, "bos_token"); bos != "" && strings.HasPrefix(text, bos) {
		out.SetStr("add_special_tokens", pyval.Bool(false))
	}
	return out
}

// Context returns the number in config.json.
func (t *own) Context() int { return t.src.context }

// answer returns an assistant's message with its calls in the form of Chat
// Completions, and their ids.
func answer(raw *pyval.Dict, calls *int) (*pyval.Dict, []pyval.Value) {
	raw = markedCalls(raw)
	v, _ := raw.GetStr("tool_calls")
	list, ok := v.(*pyval.List)
	if !ok {
		return raw, nil
	}
	out, wrapped := raw.Clone(), pyval.MakeList(len(list.Items))
	ids := make([]pyval.Value, len(list.Items))
	for i, call := range list.Items {
		ids[i] = pyval.Str(fmt.Sprintf("call%05d", *calls)) // nine letters and digits, as Mistral's templates require
		*calls++
		d := pyval.Object("type", pyval.Str("function"), "id", ids[i], "function", function(call))
		wrapped.Items[i] = d
	}
	out.SetStr("tool_calls", wrapped)
	return out, ids
}

// function returns a call's name and arguments, wherever the dialect has them.
func function(call pyval.Value) pyval.Value {
	d, ok := call.(*pyval.Dict)
	if !ok {
		return call
	}
	if inner, ok := d.GetStr("function"); ok {
		return inner
	}
	return d
}

// functionName returns the name in a call's text such as f(a=1).
func functionName(call string) string {
	if i := strings.IndexByte(call, '('); i > 0 {
		return call[:i]
	}
	return call
}
