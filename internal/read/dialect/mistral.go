package dialect

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// readMistral keeps the calls of a text that is a JSON list, and gives each an
// id for the history.
func readMistral(text string, _ []*pyval.Dict, id func() string) (Reading, error) {
	v, err := decode.LoadJSON(text)
	if err != nil {
		return Reading{Kept: pyval.Str(text), Message: message(pyval.Str(text))}, nil
	}
	items, err := decode.Iterate(v)
	if err != nil {
		return Reading{}, err
	}
	found, err := namedCalls(items, "arguments", anything)
	if err != nil {
		return Reading{}, err
	}
	r := Reading{Kept: found, CallIDs: make([]string, len(items))}
	for i, item := range items {
		r.CallIDs[i] = id()
		item.(*pyval.Dict).SetStr("id", pyval.Str(r.CallIDs[i])) // namedCalls refuses other objects
	}
	written, err := pyval.JSON(v, 0)
	if err != nil {
		return Reading{}, err
	}
	r.Message = message(pyval.Str("[TOOL_CALLS]" + written))
	return r, nil
}

// mistralTexts writes calls that were kept; their arguments may be JSON text.
func mistralTexts(result pyval.Value, _ Grammar) ([]string, error) {
	list, err := keptCalls(result)
	if err != nil {
		return nil, err
	}
	return decode.FCExecute(list)
}
