package jinja

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The filters each turn a value into another one.
func init() {
	lower, length, escape := onText(pyval.Lower), takes(0, "", filterLength), takes(0, "", filterEscape)
	otherwise := takes(0, "default_value boolean", filterDefault)
	routines["filter"] = map[string]routine{
		"abs": takes(0, "", filterAbs), "attr": takes(1, "name", filterAttr), "batch": takes(1, "linecount fill_with", filterBatch),
		"capitalize": onText(capitalized), "center": byMethod("center"), "count": length, "d": otherwise, "default": otherwise,
		"dictsort": takes(0, "case_sensitive by reverse", filterDictSort), "e": escape, "escape": escape,
		"first": takes(0, "", filterFirst), "float": takes(0, "default", filterFloat), "forceescape": takes(0, "", filterForceEscape),
		"format": takesAny(filterFormat), "groupby": takes(1, "attribute default case_sensitive", filterGroupBy),
		"indent": takes(0, "width first blank", filterIndent), "int": takes(0, "default base", filterInt),
		"items": takes(0, "", filterItems), "join": takes(0, "d attribute", filterJoin), "last": takes(0, "", filterLast),
		"length": length, "list": takes(0, "", filterList), "lower": lower, "map": takesAny(filterMap),
		"max": extreme(">"), "min": extreme("<"), "reject": chosen(false, false), "rejectattr": chosen(false, true),
		"replace": takes(2, "old new count", filterReplace), "reverse": takes(0, "", filterReverse),
		"round": takes(0, "precision method", filterRound), "safe": takes(0, "", filterSafe), "select": chosen(true, false),
		"selectattr": chosen(true, true), "slice": takes(1, "slices fill_with", filterSlice),
		"sort": takes(0, "reverse case_sensitive attribute", filterSort), "string": takes(0, "", filterString),
		"sum": takes(0, "attribute start", filterSum), "title": onText(titled),
		"tojson": takes(0, "ensure_ascii indent separators sort_keys", filterJSON), "trim": takes(0, "chars", filterTrim),
		"unique": takes(0, "case_sensitive attribute", filterUnique), "upper": onText(upper), "wordcount": takes(0, "", filterWordCount),
	}
}

func onText(do func(string) string) routine {
	return takes(0, "", func(c *call) object {
		s := c.subject()
		c.r.spend(c.line, len(s))
		return like(c.of, do(s))
	})
}

// byMethod returns the filter that is a method of str.
func byMethod(name string) routine {
	return takesAny(func(c *call) object { return c.textMethod(name, c.args) })
}

func (c *call) textMethod(name string, a args) object {
	return c.apply(c.line, name, textMethods[name], pyval.Str(c.subject()), a)
}

func filterAbs(c *call) object {
	n := plain(c.line, c.of)
	neg, err := pyval.Order("<", n, pyval.MakeInt(0))
	if must(c.line, neg, err) {
		n, err = pyval.Unary("-", n)
		return must(c.line, n, err)
	}
	return n
}

func filterAttr(c *call) object {
	name := plain(c.line, c.got[0])
	if m := method(c.of, pyval.Text(name)); m != nil {
		return m
	}
	if got := ownAttribute(c.of, pyval.Text(name)); got != nil {
		return got
	}
	return missing(check(c.line, c.of), pyval.Repr(name))
}

func filterDefault(c *call) object {
	if isUndefined(c.of) || c.flag(1) && !truth(c.of) {
		return c.or(0, pyval.Str(""))
	}
	return c.of
}

func filterFirst(c *call) object {
	if items := c.items(); len(items) > 0 {
		return items[0]
	}
	return &undefined{hint: "No first item, sequence was empty."}
}

func filterLast(c *call) object {
	if items := c.items(); len(items) > 0 {
		return items[len(items)-1]
	}
	return &undefined{hint: "No last item, sequence was empty."}
}

func filterLength(c *call) object { return pyval.MakeInt(int64(c.length(c.line, c.of))) }

func filterList(c *call) object { return c.list(c.line, c.items()) }

func filterString(c *call) object { return like(c.of, c.subject()) }

func filterItems(c *call) object {
	switch d := c.of.(type) {
	case *undefined:
		return &generator{}
	case *pyval.Dict:
		return &generator{items: c.pairs(c.line, d)}
	}
	fail(c.line, "TypeError: Can only get item pairs from a mapping.")
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

func filterJoin(c *call) object {
	return c.joined(c.items(), c.str(c.line, c.or(0, pyval.Str(""))), c.got[1])
}

// joined returns the texts of the items, or of their attribute if there is one.
func (c *call) joined(items []object, sep string, attribute object) object {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		if attribute != nil {
			item = c.path(c.line, item, attribute)
		}
		s := c.str(c.line, item)
		c.r.spend(c.line, stepCost+len(s)+len(sep))
		b.WriteString(s)
	}
	return pyval.Str(b.String())
}

func filterReplace(c *call) object {
	pos := []object{pyval.Str(c.str(c.line, c.got[0])), pyval.Str(c.str(c.line, c.got[1]))}
	if c.given(2) {
		pos = append(pos, c.got[2])
	}
	return c.textMethod("replace", args{pos: pos})
}

func filterTrim(c *call) object {
	if c.got[0] == nil {
		return like(c.of, pyval.Strip(c.subject()))
	}
	return c.textMethod("strip", args{pos: c.got})
}

func filterReverse(c *call) object {
	items := slices.Clone(c.items())
	slices.Reverse(items)
	if s, ok := c.of.(pyval.Str); ok {
		c.r.spend(c.line, len(s))
		return c.joined(items, "", nil)
	}
	return &generator{items: items}
}

func filterIndent(c *call) object {
	pad, isText := c.got[0].(pyval.Str)
	if !isText {
		pad = pyval.Str(strings.Repeat(" ", c.count(c.line, c.or(0, pyval.MakeInt(4)), 1000)))
	}
	lines := strings.Split(c.subject(), "\n")
	c.r.spend(c.line, len(lines)*(stepCost+len(pad)))
	for i, s := range lines {
		if i == 0 && c.flag(1) || i > 0 && (s != "" || c.flag(2)) {
			lines[i] = string(pad) + s
		}
	}
	return pyval.Str(strings.Join(lines, "\n"))
}

// count returns v as an int from 0 to most.
func (f *frame) count(line int, v object, most int) int {
	n := f.integer(line, v)
	if c := clamp(n); c <= most {
		return max(c, 0)
	}
	fail(line, "%s is more than the %d that are allowed", n.String(), most)
	return 0
}

func filterWordCount(c *call) object { return pyval.MakeInt(int64(len(words(c.subject())))) }

func filterJSON(c *call) object {
	val := plain(c.line, c.of)
	c.weigh(c.line, val)
	l := pyval.JSONLayout{Format: pyval.JSONUnicode, Sort: c.flag(3)}
	if truth(c.or(0, pyval.Bool(c.r.options.ASCII))) {
		l.Format = 0
	}
	if indent, ok := c.got[1].(pyval.Str); ok {
		l.Lines, l.Indent = true, string(indent)
	} else if c.given(1) {
		l.Lines, l.Indent = true, strings.Repeat(" ", c.count(c.line, c.got[1], 100))
	}
	if c.given(2) {
		parts := c.iterate(c.line, c.got[2])
		if len(parts) != 2 {
			fail(c.line, "ValueError: separators must be two texts")
		}
		l.Item, l.Key = c.str(c.line, parts[0]), c.str(c.line, parts[1])
	}
	s, err := l.Write(val)
	return pyval.Str(must(c.line, s, err))
}
