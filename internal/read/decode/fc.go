package decode

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// FC is decode_ast of upstream's OpenAI-compatible handlers in function-calling
// mode: result is a list of {name: arguments as JSON text}. Of a dict with
// several entries the first counts.
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

// iterate gives what Python's for loop walks over: the items of a list, the
// keys of a dict, the characters of a str. Of the latter two one is enough,
// since the first stops upstream.
func iterate(v pyval.Value) ([]pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Tuple:
		return v.Items, nil
	case *pyval.Dict:
		return v.Keys(), nil
	case pyval.Str:
		if v == "" {
			return nil, nil
		}
		return []pyval.Value{v}, nil
	}
	return nil, &Error{Class: "TypeError", Msg: "'" + pyval.TypeName(v) + "' object is not iterable"}
}

func attributeError(v pyval.Value, name string) error {
	return &Error{Class: "AttributeError", Msg: "'" + pyval.TypeName(v) + "' object has no attribute '" + name + "'"}
}
