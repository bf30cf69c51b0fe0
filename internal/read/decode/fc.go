package decode

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// FC is decode_ast of upstream's OpenAI-compatible handlers in function-calling
// mode: result is a list of {name: arguments as JSON text}. If a dict has
// several entries, the first counts.
func FC(result pyval.Value) (pyval.Value, error) {
	items, err := iterate(result)
	if err != nil {
		return nil, err
	}
	out := pyval.MakeList(len(items))
	for i, item := range items {
		d, ok := item.(*pyval.Dict)
		if !ok {
			return nil, attributeError(item, "keys")
		}
		if d.Len() == 0 {
			return nil, &Error{Class: "IndexError", Msg: "list index out of range"}
		}
		name, text := d.At(0)
		s, ok := text.(pyval.Str)
		if !ok {
			return nil, &Error{Class: "TypeError", Msg: "the JSON object must be str, bytes or bytearray, not " + pyval.TypeName(text)}
		}
		args, err := loadJSON(s)
		if err != nil {
			return nil, err
		}
		out.Items[i] = pyval.Pair(name, args)
	}
	return out, nil
}

func loadJSON(s pyval.Str) (pyval.Value, error) {
	v, err := pyval.ParseJSON(string(s))
	if err == nil {
		return v, nil
	}
	class := uncaught(err)
	if class == "" {
		class = "JSONDecodeError"
	}
	return nil, &Error{Class: class, Msg: err.Error(), Err: err}
}

// iterate returns the items that Python's for loop iterates over. Of a str's
// characters one is enough, because upstream fails at the first.
func iterate(v pyval.Value) ([]pyval.Value, error) {
	if v.Kind() == pyval.KindStr && v != pyval.Str("") {
		return []pyval.Value{v}, nil
	}
	items, err := pyval.Iterate(v)
	if raised, ok := errors.AsType[*pyval.Exception](err); ok {
		return nil, &Error{Class: raised.Class, Msg: raised.Msg}
	}
	return items, err
}

func attributeError(v pyval.Value, name string) error {
	return &Error{Class: "AttributeError", Msg: "'" + pyval.TypeName(v) + "' object has no attribute '" + name + "'"}
}
