package dialect

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

func fcDecode(result pyval.Value, _ Grammar) (pyval.Value, error) { return decode.FC(result) }

func fcExecute(result pyval.Value, _ Grammar) ([]string, error) { return decode.FCExecute(result) }

// geminiDecode treats an answer that is not a list as a list of one item.
func geminiDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	if result.Kind() != pyval.KindList {
		result = pyval.NewList(result)
	}
	return decode.FC(result)
}

// objectTexts writes calls whose arguments are objects.
func objectTexts(result pyval.Value, _ Grammar) ([]string, error) { return plainTexts(result) }

var errNoName = errors.New("list index out of range")

// objectDecode keeps arguments as they are.
func objectDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	items, err := decode.Iterate(result)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, item := range items {
		d, ok := item.(*pyval.Dict)
		switch {
		case !ok:
			return nil, decode.NoAttribute(item, "keys")
		case d.Len() == 0:
			return nil, errNoName
		}
		c, err := call(d.At(0))
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, c)
	}
	return out, nil
}
