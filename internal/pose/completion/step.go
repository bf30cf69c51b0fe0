package completion

import (
	"cmp"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The forms of function documents.

// wrapped returns unchanged documents under the key "function", None if there
// are none.
func wrapped(_ *Handler, docs []*pyval.Dict, _ []eval.Message) (pyval.Value, error) {
	if len(docs) == 0 {
		return pyval.None, nil
	}
	out := pyval.MakeList(len(docs))
	for i, doc := range docs {
		d := pyval.Object("type", pyval.Str("function"), "function", doc)
		out.Items[i] = d
	}
	return out, nil
}

// brief returns documents with a name, a description and the parameters'
// properties.
func brief(_ *Handler, docs []*pyval.Dict, _ []eval.Message) (pyval.Value, error) {
	out := pyval.MakeList(len(docs))
	for i, doc := range docs {
		d := pyval.NewDict(3)
		for _, key := range []string{"name", "description"} {
			if v, ok := doc.GetStr(key); ok {
				d.SetStr(key, v)
			}
		}
		d.SetStr("parameters", object(object(doc, "parameters"), "properties"))
		out.Items[i] = d
	}
	return out, nil
}

func object(d *pyval.Dict, key string) *pyval.Dict {
	return cmp.Or(d.Child(key), pyval.NewDict(0))
}

// flat returns documents whose parameters are their properties, each with its
// own "required" and with its default in the description. An object is replaced
// by its properties. Upstream changes its documents in place, so that the
// default is repeated for every answer that the model has given before.
func flat(h *Handler, docs []*pyval.Dict, messages []eval.Message) (pyval.Value, error) {
	times := 1
	for _, m := range messages {
		if _, wrote := m.Raw.(*pyval.Dict); wrote {
			times++
		}
	}
	list, err := brief(h, docs, nil)
	if err != nil {
		return nil, err
	}
	copied := pyval.DeepCopy(list).(*pyval.List)
	for i, item := range copied.Items {
		flatten(object(item.(*pyval.Dict), "parameters"), object(docs[i], "parameters"), times)
	}
	return copied, nil
}

// flatten changes the parameters of one document.
func flatten(params, schema *pyval.Dict, times int) {
	for _, key := range params.Keys() {
		param := object(params, pyval.Text(key))
		inner, ok := param.GetStr("properties")
		if props, isObject := inner.(*pyval.Dict); ok && isObject {
			params.SetStr(pyval.Text(key), props)
			require(props, param)
		}
	}
	require(params, schema)
	for range times {
		for _, key := range params.Keys() {
			param := object(params, pyval.Text(key))
			v, ok := param.GetStr("default")
			description, told := param.GetStr("description")
			if s, isText := description.(pyval.Str); ok && told && isText {
				param.SetStr("description", s+pyval.Str("default is '"+pyval.Text(v)+"'"))
			}
		}
	}
}

// require marks the parameters that a schema requires.
func require(params, schema *pyval.Dict) {
	for _, name := range schema.List("required") {
		if p, ok := params.Get(name); ok {
			if d, ok := p.(*pyval.Dict); ok {
				d.SetStr("required", pyval.Bool(true))
			}
		}
	}
}

// The steps.

// asUser turns system messages into messages of the user.
func asUser(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	for i, m := range list {
		if str(m, "role") == "system" {
			list[i] = changed(m, "role", "user")
		}
	}
	return list
}

// merged joins consecutive user messages.
func merged(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	var out []*pyval.Dict
	for _, m := range list {
		if n := len(out); n > 0 && str(m, "role") == "user" && str(out[n-1], "role") == "user" {
			out[n-1] = changed(out[n-1], "content", str(out[n-1], "content")+"\n\n"+str(m, "content"))
			continue
		}
		out = append(out, m)
	}
	return out
}

// asModel gives the assistant's messages of the dataset the role "model".
func asModel(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	for i, m := range list {
		if str(m, "role") == "assistant" && !m.Has(ownMark) {
			list[i] = changed(m, "role", "model")
		}
	}
	return list
}

// withoutSystem leaves out a system message at the beginning.
func withoutSystem(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	if hasSystem(list) {
		return list[1:]
	}
	return list
}

func hasSystem(list []*pyval.Dict) bool { return len(list) > 0 && str(list[0], "role") == "system" }

func changed(m *pyval.Dict, key, text string) *pyval.Dict {
	m = m.Clone()
	m.SetStr(key, pyval.Str(text))
	return m
}

// unlessSystem adds a system message if there is none: one text if there are
// functions, another if there are not; for "" it adds none.
func unlessSystem(with, without string) step {
	return func(h *Handler, list []*pyval.Dict, tools pyval.Value) []*pyval.Dict {
		key := without
		if pyval.Truth(tools) {
			key = with
		}
		if key == "" || hasSystem(list) {
			return list
		}
		return append([]*pyval.Dict{message("system", h.texts[key])}, list...)
	}
}

// toolsInSystem adds the documents to the system message, one per line.
func toolsInSystem(_ *Handler, list []*pyval.Dict, tools pyval.Value) []*pyval.Dict {
	var b strings.Builder
	for _, doc := range tools.(*pyval.List).Items {
		text, err := pyval.JSON(doc, 0)
		if err != nil { // impossible: documents came from JSON
			continue
		}
		b.WriteString(text + "\n")
	}
	list[0] = changed(list[0], "tools", b.String())
	return list
}

// toolsFirst puts a message before all others that has the tools and no text.
func toolsFirst(_ *Handler, list []*pyval.Dict, tools pyval.Value) []*pyval.Dict {
	if !pyval.Truth(tools) {
		return list
	}
	m := message("system", "")
	m.SetStr("tools", tools)
	return append([]*pyval.Dict{m}, list...)
}

// quotedResults writes results as JSON.
func quotedResults(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	for i, m := range list {
		if str(m, "role") == "tool" {
			list[i] = changed(m, "content", string(pyval.AppendJSONString(nil, str(m, "content"), 0)))
		}
	}
	return list
}

// parsedResults adds the value of a result that is JSON.
func parsedResults(_ *Handler, list []*pyval.Dict, _ pyval.Value) []*pyval.Dict {
	for _, m := range list {
		if str(m, "role") != "tool" {
			continue
		}
		if v, err := pyval.ParseJSON(str(m, "content")); err == nil {
			m.SetStr("parsed", v)
		}
	}
	return list
}

// markedCalls moves the calls that Mistral's dialect writes in the text of an
// answer into their own field, because their results refer to them.
func markedCalls(raw *pyval.Dict) *pyval.Dict {
	text, marked := strings.CutPrefix(str(raw, "content"), "[TOOL_CALLS]")
	v, err := pyval.ParseJSON(text)
	list, ok := v.(*pyval.List)
	if !marked || err != nil || !ok {
		return raw
	}
	calls := pyval.MakeList(len(list.Items))
	for i, item := range list.Items {
		written, ok := item.(*pyval.Dict)
		if !ok {
			return raw
		}
		function, call := written.Clone(), pyval.NewDict(2)
		if id, ok := written.GetStr("id"); ok {
			call.SetStr("id", id)
			function.Delete(pyval.Str("id"))
		}
		call.SetStr("function", function)
		calls.Items[i] = call
	}
	out := changed(raw, "content", "")
	out.SetStr("tool_calls", calls)
	return out
}
