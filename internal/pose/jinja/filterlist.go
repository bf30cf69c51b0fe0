package jinja

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// path returns the member of v at a dotted path.
func (f *frame) path(line int, v, path object) object {
	if n, ok := path.(pyval.Int); ok {
		return f.item(line, check(line, v), n)
	}
	for part := range strings.SplitSeq(f.str(line, path), ".") {
		var key object = pyval.Str(part)
		if n, err := strconv.Atoi(part); err == nil {
			key = pyval.MakeInt(int64(n))
		}
		v = f.item(line, check(line, v), key)
	}
	return v
}

// filterMap, like select and reject, takes what is false for an empty list.
func filterMap(c *call) object {
	if !truth(c.of) {
		return &generator{}
	}
	var out []object
	if path, ok := c.kw["attribute"]; ok && len(c.pos) == 0 {
		for _, item := range c.items() {
			c.step(c.line)
			got := c.path(c.line, item, path)
			if isUndefined(got) && c.kw["default"] != nil {
				got = c.kw["default"]
			}
			out = append(out, got)
		}
		return &generator{items: out}
	}
	if len(c.pos) == 0 {
		fail(c.line, "map requires a filter argument")
	}
	name, r := c.named("filter")
	for _, item := range c.items() {
		c.step(c.line)
		out = append(out, c.apply(c.line, name, r, item, c.args))
	}
	return &generator{items: out}
}

// named takes the first argument away, which names a filter or a test.
func (c *call) named(kind string) (string, routine) {
	name, ok := c.pos[0].(pyval.Str)
	if !ok {
		fail(c.line, "expected the name of a %s", kind)
	}
	c.pos = c.pos[1:]
	return string(name), routineOf(c.line, kind, string(name))
}

// chosen returns the filter select or reject, which tests a value itself or a
// member of it; without the name of a test it tests for truth.
func chosen(want, member bool) routine {
	return takesAny(func(c *call) object {
		if !truth(c.of) {
			return &generator{}
		}
		var path object
		if member {
			if len(c.pos) == 0 {
				fail(c.line, "Missing parameter for attribute name")
			}
			path, c.pos = c.pos[0], c.pos[1:]
		}
		name, r := "", takesAny(func(c *call) object { return c.of })
		if len(c.pos) > 0 {
			name, r = c.named("test")
		}
		var out []object
		for _, item := range c.items() {
			c.step(c.line)
			of := item
			if member {
				of = c.path(c.line, item, path)
			}
			if truth(c.apply(c.line, name, r, of, c.args)) == want {
				out = append(out, item)
			}
		}
		return &generator{items: out}
	})
}

// A keyed item is one with what it is sorted by.
type keyed struct {
	key  pyval.Value
	item object
}

// keyed returns the items with their values of the attribute, in lower case
// unless case counts.
func (f *frame) keyed(line int, items []object, attribute object, exact bool) []keyed {
	out := make([]keyed, len(items))
	for i, item := range items {
		f.step(line)
		v := item
		if attribute != nil && attribute.Kind() != pyval.KindNone {
			v = f.path(line, item, attribute)
		}
		key := plain(line, v)
		if s, ok := key.(pyval.Str); ok && !exact {
			f.r.spend(line, len(s))
			key = pyval.Str(pyval.Lower(string(s)))
		}
		out[i] = keyed{key, item}
	}
	return out
}

func (f *frame) sorted(line int, items []keyed, reverse bool) []object {
	slices.SortStableFunc(items, func(a, b keyed) int {
		f.weigh(line, a.key)
		f.step(line)
		x, y := a.key, b.key
		if reverse {
			x, y = y, x
		}
		less, err := pyval.Order("<", x, y)
		if must(line, less, err) {
			return -1
		}
		if more, _ := pyval.Order("<", y, x); more {
			return 1
		}
		return 0
	})
	out := make([]object, len(items))
	for i, k := range items {
		out[i] = k.item
	}
	return out
}

func filterSort(c *call) object {
	return c.list(c.line, c.sorted(c.line, c.keyed(c.line, c.items(), c.got[2], c.flag(1)), c.flag(0)))
}

func filterDictSort(c *call) object {
	d, ok := check(c.line, c.of).(*pyval.Dict)
	if !ok {
		fail(c.line, "AttributeError: '%s' object has no attribute 'items'", typeName(c.of))
	}
	by := pyval.MakeInt(0)
	if c.got[1] != nil && c.str(c.line, c.got[1]) == "value" {
		by = pyval.MakeInt(1)
	}
	return c.list(c.line, c.sorted(c.line, c.keyed(c.line, c.pairs(c.line, d), by, c.flag(0)), c.flag(2)))
}

func filterUnique(c *call) object {
	seen := pyval.NewDict(0)
	var out []object
	for _, k := range c.keyed(c.line, c.items(), c.got[1], c.flag(0)) {
		c.weigh(c.line, k.key)
		_, twice := seen.Get(k.key)
		must(c.line, 0, seen.Set(k.key, pyval.None))
		if !twice {
			out = append(out, k.item)
		}
	}
	return &generator{items: out}
}

// extreme returns the filter min or max.
func extreme(op string) routine {
	return takes(0, "case_sensitive attribute", func(c *call) object {
		keys := c.keyed(c.line, c.items(), c.got[1], c.flag(0))
		if len(keys) == 0 {
			return &undefined{hint: "No aggregated item, sequence was empty."}
		}
		best := keys[0]
		for _, k := range keys[1:] {
			if c.compare(c.line, op, k.key, best.key) {
				best = k
			}
		}
		return best.item
	})
}

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
		"odd":   leaving(1),
		"even":  leaving(0),
		"eq":    comparing("=="), "equalto": comparing("=="), "ne": comparing("!="), "in": comparing("in"),
		"lt": comparing("<"), "lessthan": comparing("<"), "le": comparing("<="),
		"gt": comparing(">"), "greaterthan": comparing(">"), "ge": comparing(">="),
		"sameas": takes(1, "other", isSame), "lower": isCase(pyval.Lower), "upper": isCase(upper),
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
	case *function, *macro, *undefined:
		return true
	}
	return false
}

func comparing(op string) routine {
	return takes(1, "other", func(c *call) object { return pyval.Bool(c.compare(c.line, op, c.of, c.got[0])) })
}

// leaving returns the test whether a division by two leaves a rest.
func leaving(rest int64) routine {
	return takes(0, "", func(c *call) object {
		n, err := pyval.Operate("%", plain(c.line, c.of), pyval.MakeInt(2))
		return pyval.Bool(pyval.Equal(must(c.line, n, err), pyval.MakeInt(rest)))
	})
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
