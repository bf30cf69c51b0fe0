package jinja

import (
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A test is the right side of `is`.
type test func(f *frame, line int, v object, a args) bool

// tests are the tests that templates may name.
var tests map[string]test

func init() {
	tests = map[string]test{
		"defined":   func(_ *frame, _ int, v object, _ args) bool { return !isUndefined(v) },
		"undefined": func(_ *frame, _ int, v object, _ args) bool { return isUndefined(v) },
		"none":      ofKind(pyval.KindNone), "string": ofKind(pyval.KindStr), "mapping": ofKind(pyval.KindDict),
		"boolean": ofKind(pyval.KindBool), "integer": ofKind(pyval.KindInt), "float": ofKind(pyval.KindFloat),
		"number":   ofKind(pyval.KindInt, pyval.KindFloat, pyval.KindBool, pyval.KindComplex),
		"iterable": isIterable, "sequence": isSequence, "callable": isCallable,
		"true":  func(_ *frame, _ int, v object, _ args) bool { return v == object(pyval.Bool(true)) },
		"false": func(_ *frame, _ int, v object, _ args) bool { return v == object(pyval.Bool(false)) },
		"odd":   func(_ *frame, line int, v object, _ args) bool { return remainder(line, v, pyval.MakeInt(2)) == 1 },
		"even":  func(_ *frame, line int, v object, _ args) bool { return remainder(line, v, pyval.MakeInt(2)) == 0 },
		"divisibleby": func(_ *frame, line int, v object, a args) bool {
			return remainder(line, v, plain(line, a.bind(line, "divisibleby", 1, "num")[0])) == 0
		},
		"eq": comparing("=="), "equalto": comparing("=="), "ne": comparing("!="), "in": comparing("in"),
		"lt": comparing("<"), "lessthan": comparing("<"), "le": comparing("<="),
		"gt": comparing(">"), "greaterthan": comparing(">"), "ge": comparing(">="),
		"sameas": isSame, "lower": isCase(pyval.Lower), "upper": isCase(upper),
		"filter": func(_ *frame, _ int, v object, _ args) bool { return known(filters, v) },
		"test":   func(_ *frame, _ int, v object, _ args) bool { return known(tests, v) },
	}
}

func isUndefined(v object) bool {
	_, ok := v.(*undefined)
	return ok
}

func ofKind(kinds ...pyval.Kind) test {
	return func(_ *frame, _ int, v object, _ args) bool {
		for _, k := range kinds {
			if v.Kind() == k {
				return true
			}
		}
		return false
	}
}

func isIterable(_ *frame, _ int, v object, _ args) bool {
	switch v.(type) {
	case *undefined, *generator:
		return true
	case pyval.Value:
		return v.Kind() == pyval.KindStr || v.Kind() == pyval.KindBytes || sized(v)
	}
	return false
}

func isSequence(_ *frame, _ int, v object, _ args) bool {
	return v.Kind() == pyval.KindStr || v.Kind() == pyval.KindBytes || isUndefined(v) || sized(v) && v.Kind() != pyval.KindSet
}

func sized(v object) bool {
	p, ok := v.(pyval.Value)
	if !ok {
		return false
	}
	_, ok = pyval.Len(p)
	return ok
}

func isCallable(_ *frame, _ int, v object, _ args) bool {
	switch v.(type) {
	case *function, *macro, *loop, *undefined:
		return true
	}
	return false
}

func comparing(op string) test {
	return func(f *frame, line int, v object, a args) bool {
		return f.compare(line, op, v, a.bind(line, "the test", 1, "other")[0])
	}
}

func remainder(line int, v object, by pyval.Value) int {
	n, err := pyval.Operate("%", plain(line, v), by)
	switch n := must(line, n, err).(type) {
	case pyval.Int:
		if n.Big().CmpAbs(big.NewInt(1)) <= 0 {
			return n.Sign()
		}
	case pyval.Float:
		if n == 0 || n == 1 {
			return int(n)
		}
	}
	return -1
}

// isSame implements Python's `is`, as far as values show.
func isSame(_ *frame, line int, v object, a args) bool {
	other := a.bind(line, "sameas", 1, "other")[0]
	switch v.Kind() {
	case pyval.KindNone, pyval.KindBool, pyval.KindInt, pyval.KindStr:
		x, y := v.(pyval.Value), other
		p, ok := y.(pyval.Value)
		return ok && pyval.SameType(x, p) && pyval.Equal(x, p)
	}
	return v == other
}

func isCase(do func(string) string) test {
	return func(f *frame, line int, v object, _ args) bool {
		s := f.str(line, v)
		return s == do(s) && pyval.Lower(s) != upper(s)
	}
}

func known[T any](table map[string]T, v object) bool {
	s, ok := v.(pyval.Str)
	_, in := table[string(s)]
	return ok && in
}
