package dialect

import (
	"errors"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A gap is the error of text between the marks of calls that is not read.
type gap struct {
	want string
	at   int // in the text that was to be read
}

func (g *gap) Error() string { return "expected " + g.want }

// malformed is the error for marks that hold no calls; at is where it shows.
func malformed(what string, at int) error { return &gap{what, at} }

// jsonEnd returns the length of the object or list that a text begins with, 0 if
// it does not begin with one or ends before it does. Texts within may have
// Python's quotes.
func jsonEnd(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '{', c == '[':
			depth++
		case depth == 0:
			return 0
		case c == '"', c == '\'':
			quote = c
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// jsonPrefix reads the object or list that a text begins with, as JSON or else
// as a Python literal, and returns how much of the text it takes. An expression is
// not evaluated: what its operators drop would be lost.
func jsonPrefix(text string) (pyval.Value, int, error) {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	n := jsonEnd(text[start:])
	if n == 0 {
		return nil, 0, malformed("JSON", start)
	}
	v, err := decode.LoadJSON(text[start : start+n])
	if err != nil {
		if v, err = pycall.Literal(text[start : start+n]); err != nil {
			return nil, 0, malformed("JSON", start)
		}
	}
	return v, start + n, nil
}

// jsonArguments reads the arguments of the function that the head names. A head
// without a name is followed by jsonObjects.
func jsonArguments(text, name string, tools schemas) ([]jsonCall, int, error) {
	if name == "" {
		return jsonObjects(text, name, tools)
	}
	args, used, err := jsonPrefix(text)
	if err != nil || args.Kind() != pyval.KindDict {
		return nil, 0, malformed("arguments as a JSON object", 0)
	}
	return []jsonCall{{pyval.Str(name), args}}, used, goesOn(text, used)
}

// goesOn returns an error if the text behind a JSON value is a piece of more: if
// it goes on with a mark of JSON's, or closes what it has not opened.
func goesOn(text string, used int) error {
	rest := strings.TrimLeft(text[used:], " \t\r\n")
	if rest == "" || wordMark().MatchString(rest) {
		return nil
	}
	at := len(text) - len(rest)
	if strings.IndexByte(`{}[]"':,`, rest[0]) >= 0 {
		return malformed("the end", at)
	}
	depth := 0
	for i := 0; i < len(rest) && rest[i] != '<'; i++ {
		switch rest[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return malformed("the end", at)
			}
		}
	}
	return nil
}

// wordMark is a mark of Mistral's.
var wordMark = pattern.Of(`^\[/?[A-Z_]+\]`)

// separator is what stands between objects in a row.
var separator = pattern.Of(`^[\s,;]*`)

// jsonObjects reads calls that are objects, or lists of objects, in a row.
func jsonObjects(text, _ string, _ schemas) ([]jsonCall, int, error) {
	return inRow(text, callsOf)
}

// keyedObjects reads objects that have functions' names for keys.
func keyedObjects(text, _ string, _ schemas) ([]jsonCall, int, error) {
	return inRow(text, func(v pyval.Value) ([]jsonCall, bool) {
		var out []jsonCall
		for _, item := range objectsOf(v) {
			d, ok := item.(*pyval.Dict)
			if !ok {
				return nil, false
			}
			for name, args := range d.All() {
				out = append(out, jsonCall{name, args})
			}
		}
		return out, true
	})
}

func inRow(text string, calls func(pyval.Value) ([]jsonCall, bool)) (out []jsonCall, used int, err error) {
	for {
		next := used + len(separator().FindString(text[used:]))
		v, n, err := jsonPrefix(text[next:])
		if err != nil && used > 0 {
			return out, used, goesOn(text, next)
		}
		if err != nil {
			return nil, 0, err
		}
		found, ok := calls(v)
		if !ok {
			return out, used, malformed("objects with name and arguments alone", next)
		}
		out, used = append(out, found...), next+n
	}
}

// The names that models have for a function's name and its arguments.
var (
	nameKeys     = []string{"name", "tool_name", "function"}
	argumentKeys = []string{"arguments", "parameters", "args"}
)

// callsOf returns the calls that a JSON value is.
func callsOf(v pyval.Value) (out []jsonCall, ok bool) {
	for _, item := range objectsOf(v) {
		d, isDict := item.(*pyval.Dict)
		if !isDict {
			return nil, false
		}
		found := make([]jsonCall, 1)
		if inner := within(d); inner != nil {
			found, ok = callsOf(inner)
		} else {
			found[0], ok = callOf(d)
		}
		if !ok {
			return nil, false
		}
		out = append(out, found...)
	}
	return out, true
}

// within returns the calls, or the call, that an object is only around.
func within(d *pyval.Dict) pyval.Value {
	for _, key := range []string{"tool_calls", "tool_call", "function"} {
		switch inner := get(d, key, nil).(type) {
		case *pyval.List, *pyval.Dict:
			if !only(d, []string{key}, []string{"role", "content"}) {
				return nil
			}
			return inner
		}
	}
	return nil
}

// only reports whether all keys of an object are known: those of the lists, of
// each of them at most one, and what identifies a call.
func only(d *pyval.Dict, known, beside []string) bool {
	named := 0
	for key := range d.All() {
		switch name := pyval.Text(key); {
		case slices.Contains(known, name):
			named++
		case slices.Contains(beside, name), slices.Contains([]string{"id", "type", "index", "call_id", "tool_call_id"}, name):
		default:
			return false
		}
	}
	return named <= 1
}

// callOf returns the call that an object is. Arguments may be missing, or be
// JSON text; a list is kept.
func callOf(d *pyval.Dict) (jsonCall, bool) {
	name, ok := first(d, nameKeys).(pyval.Str)
	if !ok || !only(d, nameKeys, argumentKeys) || !only(d, argumentKeys, nameKeys) {
		return jsonCall{}, false
	}
	args := first(d, argumentKeys)
	if text, ok := args.(pyval.Str); ok {
		var err error
		if args, err = decode.LoadJSON(string(text)); err != nil {
			return jsonCall{}, false
		}
	}
	if args == nil || args.Kind() == pyval.KindNone {
		args = pyval.NewDict(0)
	}
	return jsonCall{name, args}, true
}

func first(d *pyval.Dict, keys []string) pyval.Value {
	for _, key := range keys {
		if v, ok := d.GetStr(key); ok {
			return v
		}
	}
	return nil
}

// pythonCalls reads Python calls, or JSON objects, up to an end mark, which may
// also be in a text.
func pythonCalls(end string) body {
	return func(text, name string, tools schemas) (found []jsonCall, used int, err error) {
		const most = 20 // end marks within a call
		for n := 0; n < most; n++ {
			size := strings.Index(text[used:], end)
			closed := size >= 0
			if !closed {
				size = len(text) - used
			}
			inner := text[:used+size]
			calls, fault := pythonList(inner, name, tools)
			if fault == nil {
				return calls, len(inner), nil
			}
			if err == nil {
				err = fault
			}
			if used = len(inner) + len(end); !closed {
				break
			}
		}
		return nil, 0, err
	}
}

func pythonList(text, name string, tools schemas) ([]jsonCall, error) {
	if found, used, err := jsonObjects(text, name, tools); err == nil && strings.TrimSpace(text[used:]) == "" {
		return found, nil
	}
	v, err := pycall.ParseWhole(strings.Trim(text, "`\n "))
	if err != nil {
		at := 0
		if fault, ok := errors.AsType[*pycall.Error](err); ok {
			at = fault.Offset + strings.Index(text, strings.Trim(text, "`\n "))
		}
		return nil, malformed("Python calls with named arguments", at)
	}
	var out []jsonCall
	for _, item := range v.(*pyval.List).Items { // ParseWhole returns calls
		n, args := item.(*pyval.Dict).At(0)
		out = append(out, jsonCall{n, tools.typed(pyval.Text(n), args.(*pyval.Dict))})
	}
	return out, nil
}
