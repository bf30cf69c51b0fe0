package dialect

import (
	"errors"
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
	return func(text string, _ []*pyval.Dict, _ func() string) (Reading, error) {
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
		return r, nil
	}
}

// toolCalls returns the calls of a text's blocks, each of which must be an
// object.
func toolCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	found := toolObjects(s)
	for _, v := range found {
		if v.Kind() != pyval.KindDict {
			return nil, errNotCalls
		}
	}
	return namedCalls(found, "arguments", needsObject)
}

// A demand says what type arguments must have.
type demand bool

const (
	anything    demand = false
	needsObject demand = true
)

// namedCalls returns {name: arguments} of objects with a name and, under a key,
// arguments.
func namedCalls(objects []pyval.Value, key string, d demand) (*pyval.List, error) {
	out := pyval.MakeList(len(objects))
	for i, v := range objects {
		name, err := member(v, "name")
		if err != nil {
			return nil, err
		}
		args, err := member(v, key)
		if err != nil {
			return nil, err
		}
		if d == needsObject && args.Kind() != pyval.KindDict {
			return nil, decode.NoAttribute(args, "items")
		}
		if out.Items[i], err = call(name, args); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A caller finds the calls of a result.
type caller func(result pyval.Value) (pyval.Value, error)

func (c caller) decode(result pyval.Value, _ Grammar) (pyval.Value, error) { return c(result) }

// execute writes name(key=value,key=value).
func (c caller) execute(result pyval.Value, _ Grammar) ([]string, error) {
	calls, err := c(result)
	if err != nil {
		return nil, err
	}
	return plainTexts(calls)
}

// executeSpaced writes name(key=value, key=value).
func (c caller) executeSpaced(result pyval.Value, _ Grammar) ([]string, error) {
	calls, err := c(result)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, item := range calls.(*pyval.List).Items {
		s, err := spacedText(item.(*pyval.Dict).At(0))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// plainTexts writes calls whose arguments must be objects: upstream's
// convert_to_function_call.
func plainTexts(calls pyval.Value) ([]string, error) {
	items, err := decode.Iterate(calls)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, item := range items {
		d, ok := item.(*pyval.Dict)
		if !ok {
			return nil, decode.NoAttribute(item, "items")
		}
		for name, args := range d.All() {
			s, err := decode.CallText(pyval.Text(name), args)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// calls makes a dialect from a function that finds its calls.
func calls(name, doc string, c caller, r reader) *Dialect {
	return &Dialect{Name: name, Doc: doc, Decode: c.decode, Execute: c.execute, read: r}
}

// spaced makes a dialect with a blank after each comma of the call texts; c
// must return a list of calls.
func spaced(name, doc string, c caller, r reader) *Dialect {
	return &Dialect{Name: name, Doc: doc, Decode: c.decode, Execute: c.executeSpaced, read: r}
}

// readArch keeps the calls themselves. A block that is not JSON is read as a
// Python literal and put into the history as it was written.
func readArch(text string, _ []*pyval.Dict, _ func() string) (Reading, error) {
	var written, read []pyval.Value
	for _, block := range toolBlocks(text) {
		v, err := decode.LoadJSON(block)
		if err != nil {
			written = append(written, pyval.Str(block))
			if v, err = literal(block); err != nil {
				return Reading{}, err
			}
		} else {
			written = append(written, v)
		}
		read = append(read, v)
	}
	if len(read) == 0 {
		return Reading{Kept: pyval.Str(text), Message: message(pyval.Str(text))}, nil
	}
	found, err := namedCalls(read, "arguments", anything)
	if err != nil {
		return Reading{}, err
	}
	m := message(pyval.None)
	m.SetStr("tool_calls", pyval.NewList(written...))
	return Reading{Kept: found, Message: m}, nil
}

// keptCalls returns calls that the reader found; anything except a list of
// objects is an error.
func keptCalls(result pyval.Value) (pyval.Value, error) {
	list, ok := result.(*pyval.List)
	if !ok {
		return nil, errNotCalls
	}
	for _, item := range list.Items {
		if item.Kind() != pyval.KindDict {
			return nil, errNotCalls
		}
	}
	return list, nil
}

// falconCalls reads the first <tool_call> block, whose end may be missing: an
// object or a list, perhaps in a fence.
func falconCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	_, block, ok := strings.Cut(s, "<tool_call>")
	if !ok {
		return nil, errors.New("no <tool_call> in the answer")
	}
	block, _, _ = strings.Cut(block, "<tool_call>")
	block, _, _ = strings.Cut(block, "</tool_call>")
	v, err := decode.LoadJSON(pyval.Strip(unfenced(pyval.Strip(block))))
	if err != nil {
		return nil, err
	}
	return namedCalls(objectsOf(v), "arguments", anything)
}

// unfenced removes a fence around a text.
func unfenced(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "```json"), "```")
	return strings.TrimSuffix(s, "```")
}

// objectsOf returns the items of a list, or a single object.
func objectsOf(v pyval.Value) []pyval.Value {
	if list, ok := v.(*pyval.List); ok {
		return list.Items
	}
	return []pyval.Value{v}
}
