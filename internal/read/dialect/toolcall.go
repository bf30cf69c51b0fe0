package dialect

import (
	"errors"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// errNotCalls is upstream's error for an answer that is something else.
var errNotCalls = &decode.Error{Class: "ValueError", Msg: "the answer is not a list of function calls"}

// toolBlocks returns the texts of the <tool_call> blocks, whose marks are on
// lines of their own.
func toolBlocks(text string) []string { return between(text, "<tool_call>\n", "\n</tool_call>") }

// toolObjects returns the blocks that are JSON; others are skipped.
func toolObjects(text string) []pyval.Value {
	var out []pyval.Value
	for _, block := range toolBlocks(text) {
		if v, err := decode.LoadJSON(block); err == nil {
			out = append(out, v)
		}
	}
	return out
}

// readTools puts the blocks into the history as calls, without the text around
// them; reasons says whether reasoning is separated from the answer.
func readTools(reasons bool) reader {
	return func(text string, _ []*pyval.Dict, _ func() string) Reading {
		r := Reading{Reasons: reasons}
		said, found := text, toolObjects(text)
		if reasons {
			r.Reasoning, said = thought(text)
		}
		r.Kept, r.Message = pyval.Str(said), message(pyval.Str(said))
		if len(found) > 0 {
			r.Message = message(pyval.Str(""))
			r.Message.SetStr("tool_calls", pyval.NewList(found...))
		}
		if reasons {
			r.Message.SetStr("reasoning_content", pyval.Str(r.Reasoning))
		}
		return r
	}
}

// toolCalls returns the calls of a text's blocks, each of which must be an
// object with arguments that are one.
func toolCalls(result pyval.Value) pyval.Value {
	found := toolObjects(str(result))
	if slices.ContainsFunc(found, notObject) {
		pyval.Check(errNotCalls)
	}
	return pyval.NewList(each(found, func(v pyval.Value) pyval.Value {
		name := member(v, "name")
		return call(name, dictOf(member(v, "arguments"), "items"))
	})...)
}

func notObject(v pyval.Value) bool { return v.Kind() != pyval.KindDict }

// namedCalls returns {name: arguments} of objects with a name and, under a key,
// arguments.
func namedCalls(objects []pyval.Value, key string) *pyval.List {
	return pyval.NewList(each(objects, func(v pyval.Value) pyval.Value {
		name := member(v, "name")
		return call(name, member(v, key))
	})...)
}

// A caller finds the calls of a result.
type caller func(result pyval.Value) pyval.Value

func (c caller) decode(result pyval.Value, _ Grammar) pyval.Value { return c(result) }

// execute writes name(key=value,key=value).
func (c caller) execute(result pyval.Value, _ Grammar) []string { return plainTexts(c(result)) }

// plainTexts writes calls whose arguments must be objects: upstream's
// convert_to_function_call.
func plainTexts(calls pyval.Value) []string {
	out := []string{}
	for _, item := range iterate(calls) {
		for name, args := range dictOf(item, "items").All() {
			out = append(out, jsonText(jsonCall{name, args}))
		}
	}
	return out
}

// calls makes a dialect from a function that finds its calls.
func calls(name, doc string, c caller, r reader) *Dialect {
	return &Dialect{Name: name, Doc: doc, decode: c.decode, execute: c.execute, read: r}
}

// readArch keeps the calls themselves. A block that is not JSON is read as a
// Python literal and put into the history as it was written.
func readArch(text string, _ []*pyval.Dict, _ func() string) Reading {
	var written, read []pyval.Value
	for _, block := range toolBlocks(text) {
		v, err := decode.LoadJSON(block)
		if written = append(written, v); err != nil {
			v, written[len(written)-1] = literal(block), pyval.Str(block)
		}
		read = append(read, v)
	}
	if len(read) == 0 {
		return plainReading(text)
	}
	m := message(pyval.None)
	m.SetStr("tool_calls", pyval.NewList(written...))
	return Reading{Kept: namedCalls(read, "arguments"), Message: m}
}

// keptCalls returns calls that the reader found; anything except a list of
// objects is an error.
func keptCalls(result pyval.Value) pyval.Value {
	list, ok := result.(*pyval.List)
	if !ok || slices.ContainsFunc(list.Items, notObject) {
		pyval.Check(errNotCalls)
	}
	return list
}

// falconCalls reads the first <tool_call> block, whose end may be missing: an
// object or a list, perhaps in a fence.
func falconCalls(result pyval.Value) pyval.Value {
	_, block, ok := strings.Cut(str(result), "<tool_call>")
	if !ok {
		pyval.Check(errors.New("no <tool_call> in the answer"))
	}
	block, _, _ = strings.Cut(block, "<tool_call>")
	block, _, _ = strings.Cut(block, "</tool_call>")
	s := pyval.Strip(block)
	s = strings.TrimPrefix(strings.TrimPrefix(s, "```json"), "```")
	return namedCalls(objectsOf(load(pyval.Strip(strings.TrimSuffix(s, "```")))), "arguments")
}

// objectsOf returns the items of a list, or a single object.
func objectsOf(v pyval.Value) []pyval.Value {
	if list, ok := v.(*pyval.List); ok {
		return list.Items
	}
	return []pyval.Value{v}
}
