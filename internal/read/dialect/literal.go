package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// llamaCalls reads Llama 3.1's own form: with a ";" anywhere, JSON objects
// between them; else one Python literal, an object or a list.
func llamaCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	s = strings.ReplaceAll(s, "<|python_tag|>", "")
	var objects []pyval.Value
	if strings.Contains(s, ";") {
		for part := range strings.SplitSeq(s, ";") {
			v, err := decode.LoadJSON(part)
			if err != nil {
				return nil, err
			}
			objects = append(objects, v)
		}
	} else {
		v, err := literal(s)
		if err != nil {
			return nil, err
		}
		if objects = []pyval.Value{v}; v.Kind() != pyval.KindDict {
			if objects, err = decode.Iterate(v); err != nil {
				return nil, err
			}
		}
	}
	return namedCalls(objects, "parameters", anything)
}
