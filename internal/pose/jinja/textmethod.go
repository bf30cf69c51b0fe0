package jinja

import (
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A textFunc is a method of a str.
type textFunc func(f *frame, line int, s string, a args) object

var textMethods map[string]textFunc

func init() {
	textMethods = map[string]textFunc{
		"capitalize": plainText(capitalized), "casefold": plainText(pyval.Lower), "lower": plainText(pyval.Lower),
		"swapcase": plainText(swapped), "title": plainText(title), "upper": plainText(upper),
		"strip": stripping(strings.TrimFunc), "lstrip": stripping(strings.TrimLeftFunc), "rstrip": stripping(strings.TrimRightFunc),
		"split": splitting(false), "rsplit": splitting(true), "splitlines": textSplitLines,
		"partition": partition(strings.Index), "rpartition": partition(strings.LastIndex),
		"startswith": fixing(strings.HasPrefix), "endswith": fixing(strings.HasSuffix),
		"removeprefix": cutting(strings.TrimPrefix), "removesuffix": cutting(strings.TrimSuffix),
		"find": finding(strings.Index, false), "rfind": finding(strings.LastIndex, false),
		"index": finding(strings.Index, true), "rindex": finding(strings.LastIndex, true),
		"replace": textReplace, "join": textJoin, "count": textCount, "format": textFormat,
		"ljust": padding(0), "rjust": padding(2), "center": padding(1), "zfill": textZeros,
		"isalpha": asking(func(s string) bool { return all(s, unicode.IsLetter) }),
		"isdigit": asking(func(s string) bool { return all(s, isDigit) }), "isdecimal": asking(func(s string) bool { return all(s, unicode.IsDigit) }),
		"isnumeric": asking(func(s string) bool { return all(s, isNumeric) }), "isalnum": asking(func(s string) bool { return all(s, isAlnum) }),
		"isspace": asking(func(s string) bool { return all(s, pyval.IsSpace) }),
		"isupper": asking(func(s string) bool { return cased(s, unicode.IsUpper, unicode.IsLower) }),
		"islower": asking(func(s string) bool { return cased(s, unicode.IsLower, unicode.IsUpper) }),
	}
}

func plainText(do func(string) string) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		a.bind(line, "the method", 0)
		return pyval.Str(do(s))
	}
}

func asking(do func(string) bool) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		a.bind(line, "the method", 0)
		return pyval.Bool(do(s))
	}
}

// word returns an argument that must be a str.
func word(line int, v object) string {
	s, ok := check(line, v).(pyval.Str)
	if !ok {
		fail(line, "TypeError: must be str, not %s", typeName(v))
	}
	return string(s)
}

func absent(v object) bool { return v == nil || v.Kind() == pyval.KindNone }

func stripping(trim func(string, func(rune) bool) string) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		got := a.bind(line, "strip()", 0, "chars")
		if absent(got[0]) {
			return pyval.Str(trim(s, pyval.IsSpace))
		}
		chars := word(line, got[0])
		return pyval.Str(trim(s, func(r rune) bool { return strings.ContainsRune(chars, r) }))
	}
}

func cutting(do func(s, part string) string) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		return pyval.Str(do(s, word(line, a.bind(line, "the method", 1, "part")[0])))
	}
}

// fixing returns the method startswith or endswith, for one text or any of a
// tuple.
func fixing(has func(s, part string) bool) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		part := a.bind(line, "the method", 1, "part")[0]
		if t, ok := part.(*pyval.Tuple); ok {
			for _, item := range t.Items {
				if has(s, word(line, item)) {
					return pyval.Bool(true)
				}
			}
			return pyval.Bool(false)
		}
		return pyval.Bool(has(s, word(line, part)))
	}
}

func (f *frame) texts(line int, parts []string) object {
	f.r.spend(line, stepCost*len(parts))
	out := pyval.MakeList(len(parts))
	for i, part := range parts {
		out.Items[i] = pyval.Str(part)
	}
	return out
}

// splitting returns the method split, or rsplit, which counts from the end.
func splitting(right bool) textFunc {
	return func(f *frame, line int, s string, a args) object {
		got := a.bind(line, "split()", 0, "sep", "maxsplit")
		most := -1
		if got[1] != nil {
			n, ok := pyval.IntOf(plain(line, got[1]))
			if !ok {
				fail(line, "TypeError: '%s' object cannot be interpreted as an integer", typeName(got[1]))
			}
			most = clamp(n)
		}
		if absent(got[0]) {
			return f.texts(line, splitBlanks(s, most, right))
		}
		sep := word(line, got[0])
		if sep == "" {
			fail(line, "ValueError: empty separator")
		}
		parts := strings.Split(s, sep)
		if extra := len(parts) - 1 - most; most >= 0 && extra > 0 {
			if right {
				parts = append([]string{strings.Join(parts[:extra+1], sep)}, parts[extra+1:]...)
			} else {
				parts = append(parts[:most:most], strings.Join(parts[most:], sep))
			}
		}
		return f.texts(line, parts)
	}
}

// splitBlanks splits at no more than most runs of white space.
func splitBlanks(s string, most int, right bool) []string {
	if most < 0 {
		return words(s)
	}
	var out []string
	for {
		if right {
			s = strings.TrimRightFunc(s, pyval.IsSpace)
		} else {
			s = strings.TrimLeftFunc(s, pyval.IsSpace)
		}
		i := strings.IndexFunc(s, pyval.IsSpace)
		if right {
			i = strings.LastIndexFunc(s, pyval.IsSpace)
		}
		if s == "" || i < 0 || len(out) == most {
			break
		}
		_, n := pyval.DecodeRune(s[i:])
		if right {
			out, s = append([]string{s[i+n:]}, out...), s[:i]
		} else {
			out, s = append(out, s[:i]), s[i+n:]
		}
	}
	switch {
	case s == "":
	case right:
		out = append([]string{s}, out...)
	default:
		out = append(out, s)
	}
	return out
}

func textSplitLines(f *frame, line int, s string, a args) object {
	return f.texts(line, textLines(s, given(a.bind(line, "splitlines()", 0, "keepends")[0])))
}

func partition(index func(s, sep string) int) textFunc {
	return func(_ *frame, line int, s string, a args) object {
		sep := word(line, a.bind(line, "partition()", 1, "sep")[0])
		if sep == "" {
			fail(line, "ValueError: empty separator")
		}
		parts := [3]string{s, "", ""}
		if i := index(s, sep); i >= 0 {
			parts = [3]string{s[:i], sep, s[i+len(sep):]}
		} else if index("xx", "x") == 1 { // from the right
			parts = [3]string{"", "", s}
		}
		return pyval.NewTuple(pyval.Str(parts[0]), pyval.Str(parts[1]), pyval.Str(parts[2]))
	}
}

func finding(index func(s, part string) int, strict bool) textFunc {
	return func(f *frame, line int, s string, a args) object {
		got := a.bind(line, "find()", 1, "sub", "start", "end")
		part, from := word(line, got[0]), 0
		if got[1] != nil || got[2] != nil {
			cut, before := f.between(line, s, got[1], got[2])
			s, from = cut, before
		}
		i := index(s, part)
		if i >= 0 {
			n, _ := pyval.Length(pyval.Str(s[:i]))
			return pyval.MakeInt(int64(from + n))
		}
		if strict {
			fail(line, "ValueError: substring not found")
		}
		return pyval.MakeInt(-1)
	}
}

// between returns s[from:to] and how many characters precede it.
func (f *frame) between(line int, s string, from, to object) (string, int) {
	sp := span{step: 1}
	if !absent(from) {
		sp.low, sp.hasLow = clamp(f.integer(line, from)), true
	}
	if !absent(to) {
		sp.high, sp.hasHigh = clamp(f.integer(line, to)), true
	}
	n, _ := pyval.Length(pyval.Str(s))
	before, _ := sp.bounds(n)
	return string(f.slice(line, pyval.Str(s), sp).(pyval.Str)), before
}

func (f *frame) integer(line int, v object) pyval.Int {
	n, ok := pyval.IntOf(plain(line, v))
	if !ok {
		fail(line, "TypeError: '%s' object cannot be interpreted as an integer", typeName(v))
	}
	return n
}

func textReplace(f *frame, line int, s string, a args) object {
	got := a.bind(line, "replace()", 2, "old", "new", "count")
	before, after, most := word(line, got[0]), word(line, got[1]), -1
	if got[2] != nil {
		most = clamp(f.integer(line, got[2]))
	}
	n := strings.Count(s, before)
	if most >= 0 {
		n = min(n, most)
	}
	f.r.spend(line, len(s)+n*len(after))
	return pyval.Str(strings.Replace(s, before, after, most))
}

func textJoin(f *frame, line int, s string, a args) object {
	items := f.iterate(line, check(line, a.bind(line, "join()", 1, "iterable")[0]))
	for i, item := range items {
		if _, ok := item.(pyval.Str); !ok {
			fail(line, "TypeError: sequence item %d: expected str instance, %s found", i, typeName(item))
		}
	}
	return filterJoin(f, line, &generator{items: items}, args{pos: []object{pyval.Str(s)}})
}

func textCount(_ *frame, line int, s string, a args) object {
	return pyval.MakeInt(int64(strings.Count(s, word(line, a.bind(line, "count()", 1, "sub")[0]))))
}

// padding returns the method ljust, center or rjust.
func padding(side int) textFunc {
	return func(f *frame, line int, s string, a args) object {
		got := a.bind(line, "padding", 0, "width", "fillchar")
		width, fill := 80, " "
		if got[0] != nil {
			width = f.count(line, got[0], maxOutput)
		}
		if got[1] != nil {
			fill = word(line, got[1])
		}
		n, _ := pyval.Length(pyval.Str(s))
		f.r.spend(line, width*len(fill))
		lack := max(width-n, 0)
		left := [3]int{0, lack/2 + lack&width&1, lack}[side]
		return pyval.Str(strings.Repeat(fill, left) + s + strings.Repeat(fill, lack-left))
	}
}

func textZeros(f *frame, line int, s string, a args) object {
	width := f.count(line, a.bind(line, "zfill()", 1, "width")[0], maxOutput)
	f.r.spend(line, width)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	n, _ := pyval.Length(pyval.Str(sign + s))
	return pyval.Str(sign + strings.Repeat("0", max(width-n, 0)) + s)
}
