package jinja

import (
	"math/big"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// routines are the filters and the tests that templates may name, by kind.
var routines = map[string]map[string]routine{}

// The tests are the right sides of `is`.
func init() {
	routines["test"] = map[string]routine{
		"defined":   about(func(v object) bool { return !isUndefined(v) }),
		"undefined": about(isUndefined),
		"none":      ofKind(pyval.KindNone), "string": ofKind(pyval.KindStr), "mapping": ofKind(pyval.KindDict),
		"boolean": ofKind(pyval.KindBool), "integer": ofKind(pyval.KindInt), "float": ofKind(pyval.KindFloat),
		"number":   ofKind(pyval.KindInt, pyval.KindFloat, pyval.KindBool, pyval.KindComplex),
		"iterable": about(isIterable), "sequence": about(isSequence), "callable": about(isCallable),
		"true":  about(func(v object) bool { return v == object(pyval.Bool(true)) }),
		"false": about(func(v object) bool { return v == object(pyval.Bool(false)) }),
		"odd":   takes(0, "", func(c *call) object { return pyval.Bool(c.remainder(pyval.MakeInt(2)) == 1) }),
		"even":  takes(0, "", func(c *call) object { return pyval.Bool(c.remainder(pyval.MakeInt(2)) == 0) }),
		"divisibleby": takes(1, "num", func(c *call) object {
			return pyval.Bool(c.remainder(plain(c.line, c.got[0])) == 0)
		}),
		"eq": comparing("=="), "equalto": comparing("=="), "ne": comparing("!="), "in": comparing("in"),
		"lt": comparing("<"), "lessthan": comparing("<"), "le": comparing("<="),
		"gt": comparing(">"), "greaterthan": comparing(">"), "ge": comparing(">="),
		"sameas": takes(1, "other", isSame), "lower": isCase(pyval.Lower), "upper": isCase(upper),
		"filter": about(func(v object) bool { return known("filter", v) }),
		"test":   about(func(v object) bool { return known("test", v) }),
	}
}

// about returns a test of a value alone.
func about(is func(v object) bool) routine {
	return takes(0, "", func(c *call) object { return pyval.Bool(is(c.of)) })
}

func isUndefined(v object) bool {
	_, ok := v.(*undefined)
	return ok
}

func ofKind(kinds ...pyval.Kind) routine {
	return about(func(v object) bool { return slices.Contains(kinds, v.Kind()) })
}

func isIterable(v object) bool {
	switch v.(type) {
	case *undefined, *generator:
		return true
	case pyval.Value:
		return v.Kind() == pyval.KindStr || v.Kind() == pyval.KindBytes || sized(v)
	}
	return false
}

func isSequence(v object) bool {
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

func isCallable(v object) bool {
	switch v.(type) {
	case *function, *macro, *loop, *undefined:
		return true
	}
	return false
}

func comparing(op string) routine {
	return takes(1, "other", func(c *call) object { return pyval.Bool(c.compare(c.line, op, c.of, c.got[0])) })
}

func (c *call) remainder(by pyval.Value) int {
	n, err := pyval.Operate("%", plain(c.line, c.of), by)
	switch n := must(c.line, n, err).(type) {
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
func isSame(c *call) object {
	switch c.of.Kind() {
	case pyval.KindNone, pyval.KindBool, pyval.KindInt, pyval.KindStr:
		p, ok := c.got[0].(pyval.Value)
		return pyval.Bool(ok && pyval.SameType(c.of.(pyval.Value), p) && pyval.Equal(c.of.(pyval.Value), p))
	}
	return pyval.Bool(c.of == c.got[0])
}

func isCase(do func(string) string) routine {
	return takes(0, "", func(c *call) object {
		s := c.subject()
		return pyval.Bool(s == do(s) && pyval.Lower(s) != upper(s))
	})
}

func known(kind string, v object) bool {
	s, ok := v.(pyval.Str)
	_, in := routines[kind][string(s)]
	return ok && in
}
