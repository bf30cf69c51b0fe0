package pyliteral

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	// maxChain bounds how many constants a constant may depend on in a chain.
	maxChain = 100
	// maxWork bounds the total size of all values: constants that double one
	// another grow fast.
	maxWork = 1 << 23
)

// typeNames are the builtins whose names may be values.
var typeNames = []string{"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}

// A reader turns constants into values.
type reader struct {
	module *Module
	known  map[string]pyval.Value
	// sizes are the sizes of the known values, including all that is in them.
	sizes map[string]int
	chain []string
	work  int
	// bound holds the loop variables of the list comprehensions around.
	bound map[string]pyval.Value
}

// constant is the value of a name of the module.
func (r *reader) constant(name string) (pyval.Value, error) {
	if v, ok := r.known[name]; ok {
		return v, r.charge(r.sizes[name])
	}
	a, ok := r.module.assigned[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("%s is not a constant of the module", name)
	case a.changed:
		return nil, fmt.Errorf("line %d: %s is changed after it was assigned", a.line, name)
	case slices.Contains(r.chain, name):
		return nil, fmt.Errorf("line %d: %s depends on itself", a.line, name)
	case len(r.chain) >= maxChain:
		return nil, fmt.Errorf("line %d: %s depends on a chain of more than %d constants", a.line, name, maxChain)
	}
	e, err := pycall.Expression("(" + a.src + "\n)")
	if err != nil {
		var fault *pycall.Error
		if errors.As(err, &fault) {
			at := strings.Count(a.src[:min(max(fault.Offset-1, 0), len(a.src))], "\n")
			return nil, fmt.Errorf("line %d: %s: %s", a.line+at, name, fault.Msg)
		}
		return nil, fmt.Errorf("line %d: %s: %w", a.line, name, err)
	}
	r.chain = append(r.chain, name)
	outer := r.bound
	r.bound = nil
	before := r.work
	v, err := r.value(e)
	r.bound = outer
	r.chain = r.chain[:len(r.chain)-1]
	if err != nil {
		return nil, within(a.line, name, err)
	}
	r.known[name], r.sizes[name] = v, r.work-before
	return v, nil
}

// A refusal says which part of an expression is not read.
type refusal struct{ what string }

func (e *refusal) Error() string { return e.what + ": only literals and other constants are read" }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// within adds the place of a refusal.
func within(line int, name string, err error) error {
	var plain *refusal
	if errors.As(err, &plain) {
		return fmt.Errorf("line %d: %s: %w", line, name, err)
	}
	return err
}

// spend takes a value's size off the budget of all constants.
func (r *reader) spend(v pyval.Value) error {
	n, _ := pyval.Len(v)
	return r.charge(n + 1)
}

func (r *reader) charge(n int) error {
	if r.work += n; r.work > maxWork {
		return errors.New("the constants are too large")
	}
	return nil
}

// size counts all that is in a value.
func size(v pyval.Value) int {
	total, _ := pyval.Len(v)
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			total += size(item)
		}
	case *pyval.Tuple:
		for _, item := range v.Items {
			total += size(item)
		}
	case *pyval.Dict:
		for _, item := range v.All() {
			total += size(item)
		}
	}
	return total + 1
}

func (r *reader) value(e *pycall.Expr) (pyval.Value, error) {
	v, err := r.made(e)
	if err != nil {
		return nil, err
	}
	return v, r.spend(v)
}

func (r *reader) made(e *pycall.Expr) (pyval.Value, error) {
	switch e.Kind {
	case pycall.ExprConst:
		return e.Value, nil
	case pycall.ExprName:
		return r.name(e.Text)
	case pycall.ExprList:
		items, err := r.items(e.Parts)
		return pyval.NewList(items...), err
	case pycall.ExprTuple:
		items, err := r.items(e.Parts)
		return pyval.NewTuple(items...), err
	case pycall.ExprDict:
		return r.dict(e)
	case pycall.ExprUnary:
		return r.signed(e)
	case pycall.ExprBinary:
		return r.sum(e)
	case pycall.ExprJoined:
		return r.joined(e.Parts)
	case pycall.ExprListComp:
		return r.each(e)
	}
	return nil, refuse("a %s", e.Kind)
}

func (r *reader) name(name string) (pyval.Value, error) {
	if v, ok := r.bound[name]; ok {
		return v, r.charge(size(v))
	}
	if !r.module.Has(name) && slices.Contains(typeNames, name) {
		return pyval.Str(name), nil
	}
	if !r.module.Has(name) {
		return nil, refuse("the name %.100q, which the module does not assign", name)
	}
	return r.constant(name)
}

// items returns the values of a display; a starred one is replaced by its
// items.
func (r *reader) items(parts []*pycall.Expr) ([]pyval.Value, error) {
	out := make([]pyval.Value, 0, len(parts))
	for _, part := range parts {
		if part.Kind != pycall.ExprStarred {
			v, err := r.value(part)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
			continue
		}
		more, err := r.list(part.Parts)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// list returns the items of a part that must be a list or a tuple.
func (r *reader) list(parts []*pycall.Expr) ([]pyval.Value, error) {
	if len(parts) == 0 {
		return nil, refuse("an unpacked value")
	}
	v, err := r.value(parts[0])
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Tuple:
		return v.Items, nil
	}
	return nil, refuse("a loop over %s", pyval.ATypeName(v))
}

func (r *reader) dict(e *pycall.Expr) (pyval.Value, error) {
	parts := make([]pyval.Value, len(e.Parts))
	for i, part := range e.Parts {
		if part.Kind == pycall.ExprStarred {
			return nil, refuse("an unpacked mapping")
		}
		var err error
		if parts[i], err = r.value(part); err != nil {
			return nil, err
		}
	}
	v, err := e.Compose(parts)
	if err != nil {
		return nil, refuse("a dict with such a key (%v)", err)
	}
	return v, nil
}

// signed is a number with a sign.
func (r *reader) signed(e *pycall.Expr) (pyval.Value, error) {
	v, err := r.value(e.Parts[0])
	if err != nil {
		return nil, err
	}
	number := v.Kind() == pyval.KindInt || v.Kind() == pyval.KindFloat
	switch {
	case number && e.Op == "+":
		return v, nil
	case number && e.Op == "-":
		return e.Compose([]pyval.Value{v})
	}
	return nil, refuse("the operator %s before %s", e.Op, pyval.ATypeName(v))
}

// sum concatenates texts, lists or tuples.
func (r *reader) sum(e *pycall.Expr) (pyval.Value, error) {
	if e.Op != "+" {
		return nil, refuse("the operator %s", e.Op)
	}
	left, err := r.value(e.Parts[0])
	if err != nil {
		return nil, err
	}
	right, err := r.value(e.Parts[1])
	if err != nil {
		return nil, err
	}
	switch left.Kind() {
	case pyval.KindStr, pyval.KindList, pyval.KindTuple:
		if left.Kind() == right.Kind() {
			return e.Compose([]pyval.Value{left, right})
		}
	}
	return nil, refuse("%s + %s", pyval.TypeName(left), pyval.TypeName(right))
}

// joined is an f-string whose values are names of texts.
func (r *reader) joined(parts []*pycall.Expr) (pyval.Value, error) {
	var out strings.Builder
	for _, part := range parts {
		if part.Kind == pycall.ExprFormatted {
			if part.Op != "" || len(part.Parts) != 1 || part.Parts[0].Kind != pycall.ExprName {
				return nil, refuse("an f-string with more than names in it")
			}
			part = part.Parts[0]
		}
		v, err := r.value(part)
		if err != nil {
			return nil, err
		}
		text, ok := v.(pyval.Str)
		if !ok {
			return nil, refuse("an f-string with %s in it", pyval.ATypeName(v))
		}
		out.WriteString(string(text))
	}
	return pyval.Str(out.String()), nil
}

// each is a list comprehension with one loop over a list, one name and no
// condition.
func (r *reader) each(e *pycall.Expr) (pyval.Value, error) {
	if len(e.Parts) != 2 || len(e.Parts[1].Parts) != 2 || e.Parts[1].Op != "" || e.Parts[1].Parts[0].Kind != pycall.ExprName {
		return nil, refuse("a list with conditions or several loops")
	}
	element, name := e.Parts[0], e.Parts[1].Parts[0].Text
	through, err := r.list(e.Parts[1].Parts[1:])
	if err != nil {
		return nil, err
	}
	outer := r.bound
	defer func() { r.bound = outer }()
	out := make([]pyval.Value, 0, len(through))
	for _, v := range through {
		r.bound = map[string]pyval.Value{name: v}
		for known, v := range outer {
			if known != name {
				r.bound[known] = v
			}
		}
		made, err := r.value(element)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return pyval.NewList(out...), nil
}
