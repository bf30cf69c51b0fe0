package dialect

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// xlamCalls reads a JSON list of calls, or an object with tool_calls; items
// that are not objects are skipped. It returns nil if the answer is not JSON.
func xlamCalls(result pyval.Value) ([]jsonCall, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	v, err := decode.LoadJSON(s)
	if err != nil {
		return nil, nil
	}
	if d, ok := v.(*pyval.Dict); ok {
		v = get(d, "tool_calls", &pyval.List{})
	}
	items, err := decode.Iterate(v)
	if err != nil {
		return nil, err
	}
	out := []jsonCall{}
	for _, item := range items {
		if d, ok := item.(*pyval.Dict); ok {
			out = append(out, jsonCall{get(d, "name", pyval.Str("")), get(d, "arguments", pyval.NewDict(0))})
		}
	}
	return out, nil
}

func xlamDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	found, err := xlamCalls(result)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return result, nil
	}
	out := &pyval.List{}
	for _, c := range found {
		d, err := call(c.name, c.args)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, d)
	}
	return out, nil
}

// xlamExecute writes calls with a blank after each comma. A text that is not
// JSON is passed on, and then the format check refuses it.
func xlamExecute(result pyval.Value, _ Grammar) ([]string, error) {
	found, err := xlamCalls(result)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, &HandedOn{Value: result}
	}
	out := []string{}
	for _, c := range found {
		s, err := spacedText(c.name, c.args)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
