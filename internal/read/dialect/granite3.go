package dialect

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// readMarked keeps the calls themselves if there are any. find returns the
// texts that should be their JSON; if one of them is not JSON, the whole answer
// is a text.
func readMarked(find func(text string) []string) reader {
	return func(text string, _ []*pyval.Dict, _ func() string) Reading {
		plain := plainReading(text)
		var items []pyval.Value
		for _, block := range find(text) {
			v, err := decode.LoadJSON(block)
			if err != nil {
				return plain
			}
			items = append(items, objectsOf(v)...)
		}
		if found := markedCalls(items); found != nil {
			plain.Kept = found
		}
		return plain
	}
}

// markedCalls returns the calls of objects that have only name and arguments; a
// text among the objects is a Python literal. For anything else it returns nil.
func markedCalls(items []pyval.Value) *pyval.List {
	objects := each(items, func(v pyval.Value) pyval.Value {
		if text, ok := v.(pyval.Str); ok {
			return literal(string(text))
		}
		return v
	})
	if len(objects) == 0 || slices.ContainsFunc(objects, func(v pyval.Value) bool {
		d, ok := v.(*pyval.Dict)
		return !ok || d.Len() != 2
	}) {
		return nil
	}
	found, err := pyval.Try(func() *pyval.List { return namedCalls(objects, "arguments") })
	if err != nil {
		return nil
	}
	return found
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
