package judge

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Faults say what is wrong with a call. Each is checked independently, whereas
// AST stops at the first. A call without faults is one that AST accepts.
type Faults struct {
	// Function: the call is of another function, or documents and possible
	// answer do not say which function is expected.
	Function bool
	// Missing: a parameter is not given although the document requires it or
	// the possible answer wants it.
	Missing bool
	// Unexpected: a parameter is given although the document or the possible
	// answer does not have it.
	Unexpected bool
	// Type: a value has the wrong type, or cannot be read as its type.
	Type bool
	// Value: a value is not among the accepted ones.
	Value bool
	// First is the parameter with the first of these faults, in the order
	// above.
	First Parameter
}

// A Parameter is a parameter at fault. The zero Parameter means none.
type Parameter struct {
	Name string
	// Value is the given value; nil if there was none.
	Value pyval.Value
}

// An Inspection compares each of an answer's calls with each expected call.
type Inspection struct {
	docs        []*pyval.Dict
	calls, want []pyval.Value
	o           Options
}

// Inspect compares the calls of an answer that AST judges with the same
// arguments. It returns false if the answer is not a list of calls.
func Inspect(docs []*pyval.Dict, decoded pyval.Value, answer *pyval.List, o Options) (*Inspection, bool) {
	list, ok := decoded.(*pyval.List)
	if !ok || !o.isCalls(list) {
		return nil, false
	}
	n := &Inspection{docs: docs, calls: list.Items, o: o}
	if answer != nil {
		n.want = answer.Items
	}
	if !o.manyDocs() { // upstream looks only at the first
		n.want = n.want[:min(1, len(n.want))]
	}
	return n, true
}

// Made returns the number of calls in the answer.
func (n *Inspection) Made() int { return len(n.calls) }

// Wanted returns the number of expected calls.
func (n *Inspection) Wanted() int { return len(n.want) }

// InOrder reports whether only the first call and the first expected call are
// compared, instead of matching calls with expected calls.
func (n *Inspection) InOrder() bool { return !n.o.parallel() }

// parallel reports whether upstream matches calls with expected ones.
func (o *Options) parallel() bool {
	return o.Rule.Parallel() || o.Release == eval.V1 && o.manyDocs()
}

// manyDocs reports whether the document is looked up by the expected call's
// name.
func (o *Options) manyDocs() bool {
	return o.Rule.Parallel() || o.Rule == eval.Multiple
}

// read returns what an expected call's document and possible answer say, and the
// arguments of a call; ok is false if the call is of another function. Both
// count from 0.
func (n *Inspection) read(call, expected int) (s signature, accepted, arguments pyval.Value, ok bool) {
	s, err := readSignature(n.document(n.want[expected]))
	wanted, unread := firstEntry(n.want[expected])
	if err != nil || unread != nil {
		return s, nil, nil, false
	}
	arguments, ok = called(n.calls[call], s.name, &n.o)
	return s, wanted.accepted, arguments, ok
}

// document returns the document of the expected function; nil if there is none.
func (n *Inspection) document(answer pyval.Value) (doc *pyval.Dict) {
	switch {
	case n.o.parallel():
		judged(func() (flaw *fault) {
			doc, flaw = n.o.describe(n.docs, answer)
			return flaw
		})
	case n.o.manyDocs():
		doc, _ = describe(n.docs, answer)
	case len(n.docs) > 0:
		doc = n.docs[0]
	}
	return doc
}

// Faults compares a call with an expected call; both count from 0. It does what
// simple does, but does not stop at a fault.
func (n *Inspection) Faults(call, expected int) Faults {
	s, accepted, value, ok := n.read(call, expected)
	if !ok {
		return Faults{Function: true}
	}
	arguments, ok := value.(*pyval.Dict)
	if !ok {
		return Faults{Missing: true}
	}
	var f Faults
	missing := judged(func() *fault {
		if flaw := missingRequired(s.required, value); flaw != nil {
			return flaw
		}
		return missingOptional(accepted, arguments)
	})
	if missing != nil {
		f.Missing, f.First = true, Parameter{Name: paramName(missing.param)}
	}
	for i := range arguments.Len() {
		param, value := arguments.At(i)
		f.add(param, value, func() *fault { return argument(s.properties, accepted, param, value, &n.o) })
	}
	return f
}

// Parameters returns the parameters at fault when a call is compared with an
// expected one, each with its fault, by name; ok is false if the call is of
// another function or has no arguments to compare.
func (n *Inspection) Parameters(call, expected int) (at map[string]Faults, ok bool) {
	s, accepted, value, isCalled := n.read(call, expected)
	arguments, isDict := value.(*pyval.Dict)
	if !isCalled || !isDict {
		return nil, false
	}
	at = missing(s.required, accepted, arguments)
	for i := range arguments.Len() {
		param, value := arguments.At(i)
		var f Faults
		if f.add(param, value, func() *fault { return argument(s.properties, accepted, param, value, &n.o) }); f != (Faults{}) {
			at[paramName(param)] = f
		}
	}
	return at, true
}

// missing returns all parameters at which missingRequired or missingOptional
// would stop.
func missing(required []pyval.Value, accepted pyval.Value, arguments *pyval.Dict) map[string]Faults {
	at := map[string]Faults{}
	note := func(param pyval.Value) {
		at[paramName(param)] = Faults{Missing: true, First: Parameter{Name: paramName(param)}}
	}
	for _, param := range required {
		if _, given := arguments.Get(param); !given {
			note(param)
		}
	}
	wanted, ok := accepted.(*pyval.Dict)
	if !ok {
		return at
	}
	for param, values := range wanted.All() {
		_, given := arguments.Get(param)
		if leave, err := optional(values); !given && err == nil && !leave {
			note(param)
		}
	}
	return at
}

func (f *Faults) add(param, value pyval.Value, rule func() *fault) {
	flaw := judged(rule)
	if flaw == nil {
		return
	}
	lower := f.Missing || f.Unexpected
	switch {
	case flaw.errorType == "simple_function_checker:unexpected_param":
		f.Unexpected = true
	case flaw.errorType == Unusable, strings.HasPrefix(flaw.errorType, "type_error:"):
		lower = lower || f.Type
		f.Type = true
	default:
		lower = lower || f.Type || f.Value
		f.Value = true
	}
	if !lower {
		f.First = Parameter{Name: paramName(param), Value: value}
	}
}

func paramName(param pyval.Value) string {
	name, _ := param.(pyval.Str)
	return string(name)
}
