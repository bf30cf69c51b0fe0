package decode

import (
	"cmp"
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// parseJSON is upstream's parse_json_function_call: it reads the first part
// that looks like a list of objects, or else the whole text. A text that is not
// JSON has no calls; items of the list that are not objects are skipped.
func parseJSON(text string) (pyval.Value, error) {
	v, err := pyval.ParseJSON(cmp.Or(objectList().FindString(text), text))
	if err != nil {
		if class := uncaught(err); class != "" {
			return nil, &Error{Class: class, Msg: err.Error(), Err: err}
		}
		return &pyval.List{}, nil
	}
	out := &pyval.List{}
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			if err := appendJSONCall(out, item); err != nil {
				return nil, err
			}
		}
	case *pyval.Dict, pyval.Str: // Python walks over keys or characters, none of which is a dict
	default:
		return nil, &Error{Class: "TypeError", Msg: "'" + pyval.TypeName(v) + "' object is not iterable"}
	}
	return out, nil
}

// uncaught returns the class of an error of Python's json.loads that is not a
// JSONDecodeError, which upstream does not catch.
func uncaught(err error) string {
	var syntax *pyval.SyntaxError
	if errors.As(err, &syntax) {
		switch {
		case strings.HasPrefix(syntax.Msg, "nested too deeply"):
			return "RecursionError"
		case strings.HasPrefix(syntax.Msg, "integer of more than"):
			return "ValueError"
		}
	}
	return ""
}

func appendJSONCall(out *pyval.List, item pyval.Value) error {
	d, ok := item.(*pyval.Dict)
	if !ok {
		return nil
	}
	name, ok := d.GetStr("function")
	if !ok {
		return &Error{Class: "KeyError", Msg: "'function'"}
	}
	args, ok := d.GetStr("parameters")
	if !ok {
		return &Error{Class: "KeyError", Msg: "'parameters'"}
	}
	call := pyval.NewDict(1)
	if err := call.Set(name, args); err != nil {
		return &Error{Class: "TypeError", Msg: err.Error()}
	}
	out.Items = append(out.Items, call)
	return nil
}

// objectList is upstream's pattern for a list of objects.
var objectList = pattern.Of(`(?s)\[` + pyval.Blank + `*\{.*?\}` + pyval.Blank + `*\]`)

// FC is decode_ast of upstream's OpenAI-compatible handlers in function-calling
// mode: result is a list of {name: arguments as JSON text}. If a dict has
// several entries, the first counts.
func FC(result pyval.Value) (pyval.Value, error) {
	items, err := Iterate(result)
	if err != nil {
		return nil, err
	}
	out := pyval.MakeList(len(items))
	for i, item := range items {
		d, ok := item.(*pyval.Dict)
		if !ok {
			return nil, NoAttribute(item, "keys")
		}
		if d.Len() == 0 {
			return nil, &Error{Class: "IndexError", Msg: "list index out of range"}
		}
		name, text := d.At(0)
		s, ok := text.(pyval.Str)
		if !ok {
			return nil, &Error{Class: "TypeError", Msg: "the JSON object must be str, bytes or bytearray, not " + pyval.TypeName(text)}
		}
		args, err := LoadJSON(string(s))
		if err != nil {
			return nil, err
		}
		out.Items[i] = pyval.Pair(name, args)
	}
	return out, nil
}

// LoadJSON reads a JSON text as Python's json.loads does. Errors are *Error.
func LoadJSON(text string) (pyval.Value, error) {
	v, err := pyval.ParseJSON(text)
	if err == nil {
		return v, nil
	}
	class := uncaught(err)
	if class == "" {
		class = "JSONDecodeError"
	}
	return nil, &Error{Class: class, Msg: err.Error(), Err: err}
}

// Iterate returns the items that Python's for loop iterates over. Of a str's
// characters one is enough, because upstream fails at the first.
func Iterate(v pyval.Value) ([]pyval.Value, error) {
	if v.Kind() == pyval.KindStr && v != pyval.Str("") {
		return []pyval.Value{v}, nil
	}
	items, err := pyval.Iterate(v)
	if raised, ok := errors.AsType[*pyval.Exception](err); ok {
		return nil, &Error{Class: raised.Class, Msg: raised.Msg}
	}
	return items, err
}

// NoAttribute is Python's error for a value that is used as if it had an
// attribute.
func NoAttribute(v pyval.Value, name string) error {
	return &Error{Class: "AttributeError", Msg: "'" + pyval.TypeName(v) + "' object has no attribute '" + name + "'"}
}
