package jinja

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The filters each turn a value into another one.
func init() {
	lower, length, escape := onText(pyval.Lower), takes(0, "", filterLength), takes(0, "", filterEscape)
	otherwise := takes(0, "default_value boolean", filterDefault)
	routines["filter"] = map[string]routine{
		"abs": takes(0, "", filterAbs), "capitalize": onText(capitalized), "count": length, "d": otherwise, "default": otherwise,
		"dictsort": takes(0, "case_sensitive by reverse", filterDictSort), "e": escape, "escape": escape,
		"first": takes(0, "", filterFirst), "float": takes(0, "default", filterFloat), "format": takesAny(filterFormat),
		"indent": takes(0, "width first blank", filterIndent), "int": takes(0, "default base", filterInt),
		"items": takes(0, "", filterItems), "join": takes(0, "d attribute", filterJoin), "last": takes(0, "", filterLast),
		"length": length, "list": takes(0, "", filterList), "lower": lower, "map": takesAny(filterMap),
		"max": extreme(">"), "min": extreme("<"), "reject": chosen(false, false), "rejectattr": chosen(false, true),
		"replace": takes(2, "old new count", filterReplace), "reverse": takes(0, "", filterReverse),
		"round": takes(0, "precision method", filterRound), "safe": takes(0, "", filterSafe), "select": chosen(true, false),
		"selectattr": chosen(true, true), "sort": takes(0, "reverse case_sensitive attribute", filterSort),
		"string": takes(0, "", filterString), "title": onText(titled),
		"tojson": takes(0, "ensure_ascii indent separators sort_keys", filterJSON), "trim": takes(0, "chars", filterTrim),
		"unique": takes(0, "case_sensitive attribute", filterUnique), "upper": onText(upper),
	}
}

func onText(do func(string) string) routine {
	return takes(0, "", func(c *call) object {
		s := c.subject()
		c.r.spend(c.line, len(s))
		return like(c.of, do(s))
	})
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

// filterInt returns int(v), or the default if v is not a number.
func filterInt(c *call) object {
	if s, ok := c.of.(pyval.Str); ok && c.got[1] != nil {
		n, ok := pyval.ParseInt(pyval.Strip(string(s)), min(max(c.count(c.line, c.got[1], 36), 2), 36))
		if ok {
			return n
		}
	}
	if v, ok := c.of.(pyval.Value); ok {
		if n, err := pyval.ToInt(v); err == nil {
			return n
		}
		if x, err := pyval.ToFloat(v); err == nil {
			if n, err := pyval.ToInt(x); err == nil {
				return n
			}
		}
	}
	return c.or(0, pyval.MakeInt(0))
}

// filterFloat returns float(v), or the default if v is not a number.
func filterFloat(c *call) object {
	if v, ok := c.of.(pyval.Value); ok {
		if x, err := pyval.ToFloat(v); err == nil {
			return x
		}
	}
	return c.or(0, pyval.Float(0))
}

// filterRound rounds a number to a number of digits, half to even.
func filterRound(c *call) object {
	v := plain(c.line, c.of)
	digits := c.count(c.line, c.or(0, pyval.MakeInt(0)), 300)
	x, ok := v.(pyval.Float)
	if n, isInt := pyval.IntOf(v); isInt {
		if c.got[1] == nil {
			return n
		}
		y, _ := n.Float64()
		x, ok = pyval.Float(y), true
	}
	if !ok {
		fail(c.line, "TypeError: type %s doesn't define __round__ method", typeName(v))
	}
	scale := math.Pow(10, float64(digits))
	switch c.str(c.line, c.or(1, pyval.Str("common"))) {
	case "common":
		y, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'f', digits, 64), 64)
		return pyval.Float(y)
	case "ceil":
		return pyval.Float(math.Ceil(float64(x)*scale) / scale)
	case "floor":
		return pyval.Float(math.Floor(float64(x)*scale) / scale)
	}
	fail(c.line, "method must be common, ceil or floor")
	return nil
}

func filterFormat(c *call) object {
	if len(c.keys) > 0 {
		c.pos = nil
		return pyval.Str(c.percent(c.line, c.subject(), plain(c.line, globalDict(c))))
	}
	return pyval.Str(c.percent(c.line, c.subject(), pyval.NewTuple(c.list(c.line, c.pos).Items...)))
}

// percent returns Python's s % v.
func (f *frame) percent(line int, s string, v pyval.Value) string {
	f.weigh(line, v)
	out, err := pycall.Format(s, v)
	f.r.spend(line, len(out))
	return must(line, out, err)
}

// textFormat returns Python's s.format(…), without format specs.
func textFormat(c *call) object {
	s := c.subject()
	var b strings.Builder
	next, at := 0, 0
	for _, m := range pyval.Braces().FindAllStringSubmatchIndex(s, -1) {
		found := s[m[0]:m[1]]
		b.WriteString(s[at:m[0]])
		at = m[1]
		switch {
		case found == "{{" || found == "}}":
			b.WriteByte(found[0])
		case m[2] < 0:
			fail(c.line, "ValueError: Single '%c' encountered in format string", found[0])
		default:
			out := c.field(s[m[2]:m[3]], &next)
			c.r.spend(c.line, len(out))
			b.WriteString(out)
		}
	}
	return pyval.Str(b.String() + s[at:])
}

func (c *call) field(field string, next *int) string {
	if strings.ContainsAny(field, ":!.[") {
		fail(c.line, "the format field {%s} is not supported: use a name or a number", field)
	}
	at := *next
	if field == "" {
		*next++
	} else if n, err := strconv.Atoi(field); err == nil {
		at = n
	} else {
		v, ok := c.kw[field]
		if !ok {
			fail(c.line, "KeyError: '%s'", field)
		}
		return c.str(c.line, v)
	}
	if at < 0 || at >= len(c.pos) {
		fail(c.line, "IndexError: Replacement index %d out of range for positional args tuple", at)
	}
	return c.str(c.line, c.pos[at])
}

// strftime returns Python's t.strftime(format) in the C locale.
func strftime(t time.Time, format string) string {
	layouts := map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'h': "Jan", 'd': "02", 'e': "_2", 'm': "01", 'y': "06", 'Y': "2006",
		'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'j': "002", 'Z': "", 'z': "",
		'F': "2006-01-02", 'T': "15:04:05", 'D': "01/02/06", 'x': "01/02/06", 'X': "15:04:05", 'R': "15:04",
		'c': "Mon Jan _2 15:04:05 2006", 'n': "\n", 't': "\t", '%': "%",
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		pad := format[i] != '-'
		if !pad && i+1 < len(format) {
			i++
		}
		s, ok := "", true
		switch c := format[i]; c {
		case 'f':
			s = fmt.Sprintf("%06d", t.Nanosecond()/1000)
		case 'w':
			s = strconv.Itoa(int(t.Weekday()))
		case 'u':
			s = strconv.Itoa((int(t.Weekday())+6)%7 + 1)
		case 's':
			s = strconv.FormatInt(t.Unix(), 10)
		default:
			var layout string
			if layout, ok = layouts[c]; ok {
				s = t.Format(layout)
			}
		}
		if !ok {
			s = format[i-1 : i+1]
		}
		if !pad {
			s = strings.TrimLeft(s, " 0")
		}
		b.WriteString(s)
	}
	return b.String()
}
