package jinja

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A filter turns a value into another one.
type filter func(f *frame, line int, v object, a args) object

// filters are the filters that templates may name.
var filters map[string]filter

func init() {
	filters = map[string]filter{
		"abs": filterAbs, "attr": filterAttr, "batch": filterBatch, "capitalize": onText(capitalized),
		"center": textMethod("center"), "count": filterLength, "d": filterDefault, "default": filterDefault,
		"dictsort": filterDictSort, "e": filterEscape, "escape": filterEscape, "first": filterFirst, "float": filterFloat,
		"forceescape": filterForceEscape, "format": filterFormat,
		"groupby": filterGroupBy, "indent": filterIndent, "int": filterInt, "items": filterItems,
		"join": filterJoin, "last": filterLast, "length": filterLength, "list": filterList,
		"lower": onText(pyval.Lower), "map": filterMap, "max": extreme(">"), "min": extreme("<"),
		"reject": chosen(false, false), "rejectattr": chosen(false, true), "replace": filterReplace,
		"reverse": filterReverse, "round": filterRound, "safe": filterSafe, "select": chosen(true, false),
		"selectattr": chosen(true, true), "slice": filterSlice, "sort": filterSort, "string": filterString,
		"sum": filterSum, "title": onText(titled), "tojson": filterJSON, "trim": filterTrim,
		"unique": filterUnique, "upper": onText(upper), "wordcount": filterWordCount,
	}
}

func onText(do func(string) string) filter {
	return func(f *frame, line int, v object, a args) object {
		a.bind(line, "the filter", 0)
		s := f.str(line, v)
		f.r.spend(line, len(s))
		return like(v, do(s))
	}
}

func textMethod(name string) filter {
	return func(f *frame, line int, v object, a args) object {
		return textMethods[name](f, line, f.str(line, v), a)
	}
}

func filterAbs(_ *frame, line int, v object, _ args) object {
	n := plain(line, v)
	neg, err := pyval.Order("<", n, pyval.MakeInt(0))
	if must(line, neg, err) {
		n, err = pyval.Unary("-", n)
		return must(line, n, err)
	}
	return n
}

func filterAttr(_ *frame, line int, v object, a args) object {
	name := plain(line, a.bind(line, "attr", 1, "name")[0])
	if m := method(line, v, pyval.Text(name)); m != nil {
		return m
	}
	if got := ownAttribute(v, pyval.Text(name)); got != nil {
		return got
	}
	return missing(check(line, v), pyval.Repr(name))
}

func filterDefault(_ *frame, line int, v object, a args) object {
	got := a.bind(line, "default", 0, "default_value", "boolean")
	_, none := v.(*undefined)
	if none || got[1] != nil && truth(got[1]) && !truth(v) {
		if got[0] == nil {
			return pyval.Str("")
		}
		return got[0]
	}
	return v
}

func filterFirst(f *frame, line int, v object, _ args) object {
	if items := f.iterate(line, v); len(items) > 0 {
		return items[0]
	}
	return &undefined{hint: "No first item, sequence was empty."}
}

func filterLast(f *frame, line int, v object, _ args) object {
	if items := f.iterate(line, v); len(items) > 0 {
		return items[len(items)-1]
	}
	return &undefined{hint: "No last item, sequence was empty."}
}

func filterLength(f *frame, line int, v object, _ args) object {
	return pyval.MakeInt(int64(f.length(line, v)))
}

func filterList(f *frame, line int, v object, _ args) object {
	return f.list(line, f.iterate(line, v))
}

func filterString(f *frame, line int, v object, _ args) object {
	return like(v, f.str(line, v))
}

func filterItems(f *frame, line int, v object, _ args) object {
	switch d := v.(type) {
	case *undefined:
		return &generator{}
	case *pyval.Dict:
		return &generator{items: f.pairs(line, d)}
	}
	fail(line, "TypeError: Can only get item pairs from a mapping.")
	return nil
}

// pairs returns a dict's items.
func (f *frame) pairs(line int, d *pyval.Dict) []object {
	f.r.spend(line, stepCost*d.Len())
	out := make([]object, 0, d.Len())
	for key, val := range d.All() {
		out = append(out, pyval.NewTuple(key, val))
	}
	return out
}

func filterJoin(f *frame, line int, v object, a args) object {
	got := a.bind(line, "join", 0, "d", "attribute")
	sep := ""
	if got[0] != nil {
		sep = f.str(line, got[0])
	}
	var b strings.Builder
	for i, item := range f.iterate(line, v) {
		if i > 0 {
			b.WriteString(sep)
		}
		if got[1] != nil {
			item = f.path(line, item, got[1])
		}
		s := f.str(line, item)
		f.r.spend(line, stepCost+len(s)+len(sep))
		b.WriteString(s)
	}
	return pyval.Str(b.String())
}

func filterReplace(f *frame, line int, v object, a args) object {
	got := a.bind(line, "replace", 2, "old", "new", "count")
	pos := []object{pyval.Str(f.str(line, got[0])), pyval.Str(f.str(line, got[1]))}
	if got[2] != nil && got[2].Kind() != pyval.KindNone {
		pos = append(pos, got[2])
	}
	return textMethods["replace"](f, line, f.str(line, v), args{pos: pos})
}

func filterTrim(f *frame, line int, v object, a args) object {
	got := a.bind(line, "trim", 0, "chars")
	if got[0] == nil {
		return like(v, pyval.Strip(f.str(line, v)))
	}
	return textMethods["strip"](f, line, f.str(line, v), args{pos: got})
}

func filterReverse(f *frame, line int, v object, _ args) object {
	items := f.iterate(line, v)
	out := make([]object, len(items))
	for i, item := range items {
		out[len(items)-1-i] = item
	}
	if s, ok := v.(pyval.Str); ok {
		f.r.spend(line, len(s))
		return filterJoin(f, line, &generator{items: out}, args{})
	}
	return &generator{items: out}
}

func filterIndent(f *frame, line int, v object, a args) object {
	got := a.bind(line, "indent", 0, "width", "first", "blank")
	pad := strings.Repeat(" ", 4)
	if got[0] != nil {
		if s, ok := got[0].(pyval.Str); ok {
			pad = string(s)
		} else {
			pad = strings.Repeat(" ", f.count(line, got[0], 1000))
		}
	}
	flag := func(v object) bool { return v != nil && truth(v) }
	lines := strings.Split(f.str(line, v), "\n")
	f.r.spend(line, len(lines)*(stepCost+len(pad)))
	for i, s := range lines {
		if i == 0 && flag(got[1]) || i > 0 && (s != "" || flag(got[2])) {
			lines[i] = pad + s
		}
	}
	return pyval.Str(strings.Join(lines, "\n"))
}

// count returns v as an int from 0 to most.
func (f *frame) count(line int, v object, most int) int {
	n, ok := pyval.IntOf(plain(line, v))
	if !ok {
		fail(line, "TypeError: '%s' object cannot be interpreted as an integer", typeName(v))
	}
	if c := clamp(n); c <= most {
		return max(c, 0)
	}
	fail(line, "%s is more than the %d that are allowed", n.String(), most)
	return 0
}

func filterWordCount(f *frame, line int, v object, _ args) object {
	return pyval.MakeInt(int64(len(words(f.str(line, v)))))
}

func filterJSON(f *frame, line int, v object, a args) object {
	got := a.bind(line, "tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys")
	val := plain(line, v)
	f.weigh(line, val)
	l := pyval.JSONLayout{Format: pyval.JSONUnicode, Sort: got[3] != nil && truth(got[3])}
	if got[0] != nil && truth(got[0]) || got[0] == nil && f.r.options.ASCII {
		l.Format = 0
	}
	f.indentation(line, &l, got[1])
	if got[2] != nil && got[2].Kind() != pyval.KindNone {
		parts := f.iterate(line, got[2])
		if len(parts) != 2 {
			fail(line, "ValueError: separators must be two texts")
		}
		l.Item, l.Key = f.str(line, parts[0]), f.str(line, parts[1])
	}
	s, err := l.Write(val)
	return pyval.Str(must(line, s, err))
}

func (f *frame) indentation(line int, l *pyval.JSONLayout, v object) {
	switch v := v.(type) {
	case nil, pyval.NoneType:
	case pyval.Str:
		l.Lines, l.Indent = true, string(v)
	default:
		l.Lines, l.Indent = true, strings.Repeat(" ", f.count(line, v, 100))
	}
}
