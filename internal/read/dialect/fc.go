package dialect

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

func fcDecode(result pyval.Value, _ Grammar) pyval.Value { return pyval.Must(decode.FC(result)) }

func fcExecute(result pyval.Value, _ Grammar) []string { return pyval.Must(decode.FCExecute(result)) }

// asList treats an answer that is not a list as a list of one item, whatever it
// is.
func asList(result pyval.Value, _ Grammar) pyval.Value {
	if result.Kind() != pyval.KindList {
		result = pyval.NewList(result)
	}
	return result
}

// geminiDecode treats an answer that is not a list as a list of one item.
func geminiDecode(result pyval.Value, g Grammar) pyval.Value { return fcDecode(asList(result, g), g) }

// objectTexts writes calls whose arguments are objects.
func objectTexts(result pyval.Value, _ Grammar) []string { return plainTexts(result) }

var errNoName = errors.New("list index out of range")

// objectDecode keeps arguments as they are.
func objectDecode(result pyval.Value, _ Grammar) pyval.Value {
	return pyval.NewList(each(iterate(result), func(item pyval.Value) pyval.Value {
		d := dictOf(item, "keys")
		if d.Len() == 0 {
			pyval.Check(errNoName)
		}
		return call(d.At(0))
	})...)
}

// novaDecode keeps a list as it is and refuses everything else.
func novaDecode(result pyval.Value, _ Grammar) pyval.Value {
	if result.Kind() != pyval.KindList {
		pyval.Check(errNotCalls)
	}
	return result
}

func novaExecute(result pyval.Value, g Grammar) []string { return fcExecute(novaDecode(result, g), g) }
