package dialect

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// xlamCalls reads a JSON list of calls, or an object with tool_calls; items
// that are not objects are skipped. It returns nil if the answer is not JSON.
func xlamCalls(result pyval.Value) []jsonCall {
	v, err := decode.LoadJSON(str(result))
	if err != nil {
		return nil
	}
	if d, ok := v.(*pyval.Dict); ok {
		v = get(d, "tool_calls", &pyval.List{})
	}
	return lenientCalls(iterate(v))
}

func xlamDecode(result pyval.Value, _ Grammar) pyval.Value {
	found := xlamCalls(result)
	if found == nil {
		return result
	}
	return pyval.NewList(each(found, func(c jsonCall) pyval.Value { return call(c.name, c.args) })...)
}

// xlamExecute writes calls with a blank after each comma. A text that is not
// JSON is passed on, and then the format check refuses it.
func xlamExecute(result pyval.Value, _ Grammar) []string {
	found := xlamCalls(result)
	if found == nil {
		pyval.Check(&HandedOn{Value: result})
	}
	return spacedTexts(found)
}
