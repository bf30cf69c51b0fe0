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

// named returns a text argument that names a filter or a test.
func named(line int, v object, what string) string {
	s, ok := v.(pyval.Str)
	if !ok {
		fail(line, "expected the name of a %s", what)
	}
	return string(s)
}

// filterMap, like select and reject, takes what is false for an empty list.
func filterMap(f *frame, line int, v object, a args) object {
	if !truth(v) {
		return &generator{}
	}
	var out []object
	if path, ok := a.kw["attribute"]; ok && len(a.pos) == 0 {
		for _, item := range f.iterate(line, v) {
			f.step(line)
			got := f.path(line, item, path)
			if _, none := got.(*undefined); none && a.kw["default"] != nil {
				got = a.kw["default"]
			}
			out = append(out, got)
		}
		return &generator{items: out}
	}
	if len(a.pos) == 0 {
		fail(line, "map requires a filter argument")
	}
	name := named(line, a.pos[0], "filter")
	do := filters[name]
	if do == nil {
		fail(line, "No filter named '%s'.", name)
	}
	a.pos = a.pos[1:]
	for _, item := range f.iterate(line, v) {
		f.step(line)
		out = append(out, do(f, line, item, a))
	}
	return &generator{items: out}
}

// chosen returns the filter select or reject, which tests a value itself or a
// member of it.
func chosen(want, member bool) filter {
	return func(f *frame, line int, v object, a args) object {
		if !truth(v) {
			return &generator{}
		}
		var path object
		if member {
			if len(a.pos) == 0 {
				fail(line, "Missing parameter for attribute name")
			}
			path, a.pos = a.pos[0], a.pos[1:]
		}
		check := predicate(line, &a)
		var out []object
		for _, item := range f.iterate(line, v) {
			f.step(line)
			of := item
			if member {
				of = f.path(line, item, path)
			}
			if check(f, line, of, a) == want {
				out = append(out, item)
			}
		}
		return &generator{items: out}
	}
}

// predicate returns the test that the first argument names, or truth if there
// is none.
func predicate(line int, a *args) test {
	if len(a.pos) == 0 {
		return func(_ *frame, _ int, v object, _ args) bool { return truth(v) }
	}
	name := named(line, a.pos[0], "test")
	t := tests[name]
	if t == nil {
		fail(line, "No test named '%s'.", name)
	}
	a.pos = a.pos[1:]
	return t
}

// A keyed item is one with what it is sorted by.
type keyed struct {
	key  pyval.Value
	item object
}

// keys returns the items with their values of the attribute, in lower case
// unless case counts.
func (f *frame) keys(line int, items []object, attribute object, exact bool) []keyed {
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

func given(v object) bool { return v != nil && truth(v) }

func filterSort(f *frame, line int, v object, a args) object {
	got := a.bind(line, "sort", 0, "reverse", "case_sensitive", "attribute")
	return f.list(line, f.sorted(line, f.keys(line, f.iterate(line, v), got[2], given(got[1])), given(got[0])))
}

func filterDictSort(f *frame, line int, v object, a args) object {
	got := a.bind(line, "dictsort", 0, "case_sensitive", "by", "reverse")
	d, ok := check(line, v).(*pyval.Dict)
	if !ok {
		fail(line, "AttributeError: '%s' object has no attribute 'items'", typeName(v))
	}
	by := pyval.MakeInt(0)
	if got[1] != nil && f.str(line, got[1]) == "value" {
		by = pyval.MakeInt(1)
	}
	return f.list(line, f.sorted(line, f.keys(line, f.pairs(line, d), by, given(got[0])), given(got[2])))
}

func filterUnique(f *frame, line int, v object, a args) object {
	got := a.bind(line, "unique", 0, "case_sensitive", "attribute")
	seen := pyval.NewDict(0)
	var out []object
	for _, k := range f.keys(line, f.iterate(line, v), got[1], given(got[0])) {
		f.weigh(line, k.key)
		_, twice := seen.Get(k.key)
		must(line, 0, seen.Set(k.key, pyval.None))
		if !twice {
			out = append(out, k.item)
		}
	}
	return &generator{items: out}
}

func filterGroupBy(f *frame, line int, v object, a args) object {
	got := a.bind(line, "groupby", 1, "attribute", "default", "case_sensitive")
	items := f.iterate(line, v)
	keys := f.keys(line, items, got[0], given(got[2]))
	f.sorted(line, keys, false)
	var out []object
	for i := 0; i < len(keys); {
		members := &pyval.List{}
		start := i
		for ; i < len(keys) && f.equal(line, keys[i].key, keys[start].key); i++ {
			members.Items = append(members.Items, plain(line, keys[i].item))
		}
		key := plain(line, f.path(line, keys[start].item, got[0]))
		f.made(line, members)
		out = append(out, &group{pair: pyval.NewTuple(key, members)})
	}
	return &generator{items: out}
}

// extreme returns the filter min or max.
func extreme(op string) filter {
	return func(f *frame, line int, v object, a args) object {
		got := a.bind(line, "min or max", 0, "case_sensitive", "attribute")
		keys := f.keys(line, f.iterate(line, v), got[1], given(got[0]))
		if len(keys) == 0 {
			return &undefined{hint: "No aggregated item, sequence was empty."}
		}
		best := keys[0]
		for _, k := range keys[1:] {
			if f.compare(line, op, k.key, best.key) {
				best = k
			}
		}
		return best.item
	}
}

func filterSum(f *frame, line int, v object, a args) object {
	got := a.bind(line, "sum", 0, "attribute", "start")
	var total pyval.Value = pyval.MakeInt(0)
	if got[1] != nil {
		total = plain(line, got[1])
	}
	for _, item := range f.iterate(line, v) {
		f.step(line)
		if got[0] != nil && got[0].Kind() != pyval.KindNone {
			item = f.path(line, item, got[0])
		}
		if total.Kind() == pyval.KindStr {
			fail(line, "TypeError: sum() can't sum strings [use ''.join(seq) instead]")
		}
		sum, err := pyval.Operate("+", total, plain(line, item))
		total = must(line, sum, err)
		f.weigh(line, total)
	}
	return total
}

func filterBatch(f *frame, line int, v object, a args) object {
	got := a.bind(line, "batch", 1, "linecount", "fill_with")
	n := f.count(line, got[0], 1<<20)
	if n == 0 {
		fail(line, "batch needs a size of at least 1")
	}
	var out []object
	for part := range slices.Chunk(f.iterate(line, v), n) {
		row := f.list(line, part)
		for fill := len(part); got[1] != nil && got[1].Kind() != pyval.KindNone && fill < n; fill++ {
			f.step(line)
			row.Items = append(row.Items, plain(line, got[1]))
		}
		out = append(out, f.made(line, row))
	}
	return &generator{items: out}
}

func filterSlice(f *frame, line int, v object, a args) object {
	got := a.bind(line, "slice", 1, "slices", "fill_with")
	n := f.count(line, got[0], 100000)
	if n == 0 {
		fail(line, "slice needs a number of at least 1")
	}
	items := f.iterate(line, v)
	var out []object
	for i, at := 0, 0; i < n; i++ {
		size := len(items) / n
		if i < len(items)%n {
			size++
		}
		row := f.list(line, items[at:at+size])
		if got[1] != nil && got[1].Kind() != pyval.KindNone && i >= len(items)%n {
			row.Items = append(row.Items, plain(line, got[1]))
		}
		at += size
		out = append(out, f.made(line, row))
	}
	return &generator{items: out}
}
