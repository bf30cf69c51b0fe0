package dialect

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// readMistral keeps the calls of a text that is a JSON list, and gives each an
// id for the history.
func readMistral(text string, _ []*pyval.Dict, id func() string) Reading {
	v, err := decode.LoadJSON(text)
	if err != nil {
		return plainReading(text)
	}
	items := iterate(v)
	r := Reading{Kept: namedCalls(items, "arguments"), CallIDs: make([]string, len(items))}
	for i, item := range items {
		r.CallIDs[i] = id()
		item.(*pyval.Dict).SetStr("id", pyval.Str(r.CallIDs[i])) // namedCalls refuses other objects
	}
	r.Message = message(pyval.Str("[TOOL_CALLS]" + pyval.Must(pyval.JSON(v, 0))))
	return r
}

// mistralTexts writes calls that were kept; their arguments may be JSON text.
func mistralTexts(result pyval.Value, g Grammar) []string { return fcExecute(keptCalls(result), g) }
