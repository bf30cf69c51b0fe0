package sim

import (
	"errors"
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDigits is how many decimal digits CPython converts between int and str.
const maxDigits = 4300

// maxNesting is about where CPython 3.11 gives up on nested values.
const maxNesting = 960

// Recursion is what Python raises for nesting or recursion without end.
var Recursion = Raise("RecursionError", "maximum recursion depth exceeded")

// Shown is a result that only exists as text, upstream's dicts with a Decimal
// or an mpf in them: a value that stands in for it, and Python's repr.
type Shown struct {
	pyval.Value
	Text string
}

// ResultText returns the text that upstream's execute_multi_turn_func_call
// makes of a method's result: a str as it is, a dict as JSON if possible,
// anything else as str(). It raises what str() raises.
func ResultText(v pyval.Value) string {
	if shown, ok := v.(Shown); ok {
		return shown.Text
	}
	if d, ok := v.(*pyval.Dict); ok {
		printable(v, 0)
		if text, err := pyval.JSON(d, 0); err == nil {
			return text
		}
	}
	return str(v)
}

// IsError reports whether a result's text says that the call failed: something
// was raised, or the answer is a dict with the key "error".
func IsError(text string) bool {
	if strings.HasPrefix(text, raisedPrefix) || strings.HasPrefix(text, `{"error":`) {
		return true
	}
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"error":`) {
		return false
	}
	v, err := pyval.ParseJSON(text)
	d, ok := v.(*pyval.Dict)
	return err == nil && ok && d.Has("error")
}

// printable raises for what Python cannot turn into text.
func printable(v pyval.Value, depth int) {
	if depth > maxNesting {
		panic(Recursion)
	}
	switch v := v.(type) {
	case pyval.Int:
		printableInt(v)
	case *pyval.List:
		printableAll(v.Items, depth+1)
	case *pyval.Tuple:
		printableAll(v.Items, depth+1)
	case *pyval.Dict:
		for key, val := range v.All() {
			printable(key, depth+1)
			printable(val, depth+1)
		}
	case *pyval.Set:
		for item := range v.All() {
			printable(item, depth+1)
		}
	}
}

func printableAll(items []pyval.Value, depth int) {
	for _, item := range items {
		printable(item, depth)
	}
}

// printableInt refuses ints of more than 4300 digits.
func printableInt(n pyval.Int) {
	if _, small := n.Int64(); small {
		return
	}
	size := n.Big()
	digits := int(float64(size.BitLen()) * math.Log10(2))
	if digits < maxDigits-1 || digits <= maxDigits+1 && len(size.Abs(size).String()) <= maxDigits {
		return
	}
	panic(Raise("ValueError", "Exceeds the limit (4300 digits) for integer string conversion; "+
		"use sys.set_int_max_str_digits() to increase the limit"))
}

// A Describer is an instance whose public attributes are not all plain values.
type Describer interface {
	// Describe is State with Python's text in place of such attributes.
	Describe() *pyval.Dict
}

// Describe returns an instance's state as upstream writes it into its files:
// what JSON cannot hold is Python's text of it.
func Describe(i Instance) *pyval.Dict {
	state := i.State()
	if d, ok := i.(Describer); ok {
		state = d.Describe()
	}
	if plain, ok := plain(state).(*pyval.Dict); ok {
		return plain
	}
	return state
}

// plain is upstream's make_json_serializable. Dicts and lists that can be
// written as they are stay the same.
func plain(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		return plainDict(v)
	case *pyval.List:
		return plainList(v)
	case pyval.NoneType, pyval.Bool, pyval.Int, pyval.Float, pyval.Str:
		return v
	}
	if _, err := pyval.AppendJSON(nil, v, 0); err == nil {
		return v
	}
	text, err := pyval.Try(func() string { return str(v) })
	if err != nil {
		text = pyval.TypeName(v)
	}
	return pyval.Str(text)
}

func plainDict(d *pyval.Dict) pyval.Value {
	out := d
	for key, v := range d.All() {
		p := plain(v)
		if unchanged(p, v) {
			continue
		}
		if out == d {
			out = d.Clone()
		}
		_ = out.Set(key, p) // the key is there already
	}
	return out
}

func plainList(l *pyval.List) pyval.Value {
	out := l
	for i, v := range l.Items {
		p := plain(v)
		if unchanged(p, v) {
			continue
		}
		if out == l {
			out = pyval.NewList(append([]pyval.Value(nil), l.Items...)...)
		}
		out.Items[i] = p
	}
	return out
}

// unchanged reports whether plain left a value as it was: a container is the
// same one, and anything else changes only into text.
func unchanged(p, v pyval.Value) bool {
	switch v.(type) {
	case *pyval.Dict, *pyval.List:
		return p == v
	}
	return pyval.SameType(p, v)
}

// An Exception is what upstream raises in Python. A method raises one by
// panicking with it, and other errors by pyval.Check; On and New turn both into
// errors.
type Exception = pyval.Exception

// Raise returns an Exception, to panic with or to return.
func Raise(class, msg string) *Exception { return &Exception{Class: class, Msg: msg} }

// AsException turns any error into the exception it stands for.
func AsException(err error) *Exception {
	if e, ok := errors.AsType[*Exception](err); ok {
		return e
	}
	if e, ok := errors.AsType[*pycall.Error](err); ok {
		return Raise(e.Class, e.Msg)
	}
	return Raise("Exception", err.Error())
}

// IsClass reports whether an error is an exception of the class.
func IsClass(err error, class string) bool { return err != nil && AsException(err).Class == class }

// An Outage is an error that kept something outside, such as a server of
// embeddings, from answering a call. The model does not see it: the case ends
// with an infrastructure error.
type Outage struct {
	// Kind is a short word for tables, as an eval.InfraError has it.
	Kind string
	Err  error
}

// OutageOf makes an Outage from an error: an eval.InfraError has its own kind,
// others get the one given.
func OutageOf(kind string, err error) *Outage {
	if o, ok := errors.AsType[*Outage](err); ok {
		return o
	}
	if infra, ok := errors.AsType[*eval.InfraError](err); ok {
		return &Outage{Kind: infra.Kind, Err: infra.Err}
	}
	return &Outage{Kind: kind, Err: err}
}

// Error returns the cause's text.
func (o *Outage) Error() string { return o.Err.Error() }

// Unwrap returns the cause.
func (o *Outage) Unwrap() error { return o.Err }
