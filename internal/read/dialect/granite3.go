package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// readMarked keeps the calls themselves if there are any. find returns the
// texts that should be their JSON; if one of them is not JSON, the whole answer
// is a text.
func readMarked(find func(text string) []string) reader {
	return func(text string, _ []*pyval.Dict, _ func() string) (Reading, error) {
		plain := Reading{Kept: pyval.Str(text), Message: message(pyval.Str(text))}
		var items []pyval.Value
		for _, block := range find(text) {
			v, err := decode.LoadJSON(block)
			if err != nil {
				return plain, nil
			}
			items = append(items, objectsOf(v)...)
		}
		found, err := markedCalls(items)
		if err != nil {
			return Reading{}, err
		}
		if found != nil {
			plain.Kept = found
		}
		return plain, nil
	}
}

// markedCalls returns the calls of objects that have only name and arguments; a
// text among the objects is a Python literal. For anything else it returns nil.
func markedCalls(items []pyval.Value) (*pyval.List, error) {
	objects := make([]pyval.Value, len(items))
	for i, v := range items {
		if text, ok := v.(pyval.Str); ok {
			var err error
			if v, err = literal(string(text)); err != nil {
				return nil, err
			}
		}
		objects[i] = v
	}
	if len(objects) == 0 {
		return nil, nil
	}
	for _, v := range objects {
		if d, ok := v.(*pyval.Dict); !ok || d.Len() != 2 {
			return nil, nil
		}
	}
	found, err := namedCalls(objects, "arguments", anything)
	if err != nil {
		return nil, nil
	}
	return found, nil
}

// granite3Text returns all text after the first mark that opens calls, without
// a closing mark at the end.
func granite3Text(text string) []string {
	for _, mark := range []string{"<tool_call>", "<|tool_call|>"} {
		if _, rest, ok := strings.Cut(text, mark); ok {
			return []string{pyval.Strip(strings.TrimSuffix(pyval.Strip(rest), "</tool_call>"))}
		}
	}
	return nil
}

// phiTexts returns the texts between marks or, if no mark is closed, the text
// after the first. Objects without brackets are made a list.
func phiTexts(text string) []string {
	const open = "<|tool_call|>"
	out := between(text, open, "<|/tool_call|>")
	if _, rest, ok := strings.Cut(text, open); ok && len(out) == 0 {
		out = []string{rest}
	}
	for i, block := range out {
		if block = strings.Trim(block, " \t\r\n"); strings.HasPrefix(block, "{") {
			out[i] = "[" + block + "]"
		}
	}
	return out
}

// behind returns the text after a mark; all of it if there is no mark.
func behind(text, mark string) string {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[i+len(mark):]
	}
	return text
}
