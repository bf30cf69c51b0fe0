package jinja

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// upper returns Python's s.upper().
func upper(s string) string { return cases.Upper(language.Und).String(s) }

// capitalized returns Python's s.capitalize().
func capitalized(s string) string {
	_, n := pyval.DecodeRune(s)
	return titleCase(s[:n]) + pyval.Lower(s[n:])
}

func titleCase(s string) string {
	if s == "ß" {
		return "Ss"
	}
	return strings.Map(unicode.ToTitle, s)
}

// titled implements the filter title: a letter after a blank, a hyphen or an
// opening bracket is made a capital, every other one is not.
func titled(s string) string {
	var b strings.Builder
	start := true
	for i := 0; i < len(s); {
		r, n := pyval.DecodeRune(s[i:])
		if start {
			b.WriteString(upper(s[i : i+n]))
		} else {
			b.WriteString(pyval.Lower(s[i : i+n]))
		}
		start = pyval.IsSpace(r) || strings.ContainsRune("-({[<", r)
		i += n
	}
	return b.String()
}

// title returns Python's s.title(): each letter that does not follow a letter
// is made a capital.
func title(s string) string {
	var b strings.Builder
	letter := false
	for i := 0; i < len(s); {
		r, n := pyval.DecodeRune(s[i:])
		if letter {
			b.WriteString(pyval.Lower(s[i : i+n]))
		} else {
			b.WriteString(titleCase(s[i : i+n]))
		}
		letter = unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
		i += n
	}
	return b.String()
}

// all reports whether s is not empty and each of its characters satisfies is.
func all(s string, is func(r rune) bool) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !is(r) }) < 0
}

// cased reports whether some character of s satisfies is and none satisfies
// other or is in title case.
func cased(s string, is, other func(r rune) bool) bool {
	return strings.IndexFunc(s, is) >= 0 && strings.IndexFunc(s, other) < 0 && strings.IndexFunc(s, unicode.IsTitle) < 0
}

func isDigit(r rune) bool   { return unicode.Is(unicode.Nd, r) || strings.ContainsRune("²³¹", r) }
func isNumeric(r rune) bool { return unicode.IsNumber(r) }
func isAlnum(r rune) bool   { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// textMethods are the methods of a str.
var textMethods map[string]routine

func init() {
	textMethods = map[string]routine{
		"capitalize": plainText(capitalized), "lower": plainText(pyval.Lower), "title": plainText(title), "upper": plainText(upper),
		"strip": stripping(strings.TrimFunc), "lstrip": stripping(strings.TrimLeftFunc), "rstrip": stripping(strings.TrimRightFunc),
		"split": splitting(false), "rsplit": splitting(true), "splitlines": takes(0, "keepends", textSplitLines),
		"startswith": fixing(strings.HasPrefix), "endswith": fixing(strings.HasSuffix),
		"removeprefix": cutting(strings.TrimPrefix), "removesuffix": cutting(strings.TrimSuffix),
		"find": finding(strings.Index, false), "rfind": finding(strings.LastIndex, false),
		"index": finding(strings.Index, true), "rindex": finding(strings.LastIndex, true),
		"replace": takes(2, "old new count", textReplace), "join": takes(1, "iterable", textJoin),
		"count": takes(1, "sub", textCount), "format": takesAny(textFormat),
		"isalpha": asking(func(s string) bool { return all(s, unicode.IsLetter) }),
		"isdigit": asking(func(s string) bool { return all(s, isDigit) }), "isdecimal": asking(func(s string) bool { return all(s, unicode.IsDigit) }),
		"isnumeric": asking(func(s string) bool { return all(s, isNumeric) }), "isalnum": asking(func(s string) bool { return all(s, isAlnum) }),
		"isspace": asking(func(s string) bool { return all(s, pyval.IsSpace) }),
		"isupper": asking(func(s string) bool { return cased(s, unicode.IsUpper, unicode.IsLower) }),
		"islower": asking(func(s string) bool { return cased(s, unicode.IsLower, unicode.IsUpper) }),
	}
}

func plainText(do func(string) string) routine {
	return takes(0, "", func(c *call) object { return pyval.Str(do(c.subject())) })
}

func asking(do func(string) bool) routine {
	return takes(0, "", func(c *call) object { return pyval.Bool(do(c.subject())) })
}

// word returns an argument that must be a str.
func word(line int, v object) string {
	s, ok := check(line, v).(pyval.Str)
	if !ok {
		fail(line, "TypeError: must be str, not %s", typeName(v))
	}
	return string(s)
}

func stripping(trim func(string, func(rune) bool) string) routine {
	return takes(0, "chars", func(c *call) object {
		if !c.given(0) {
			return pyval.Str(trim(c.subject(), pyval.IsSpace))
		}
		chars := c.word(0)
		return pyval.Str(trim(c.subject(), func(r rune) bool { return strings.ContainsRune(chars, r) }))
	})
}

func cutting(do func(s, part string) string) routine {
	return takes(1, "part", func(c *call) object { return pyval.Str(do(c.subject(), c.word(0))) })
}

// fixing returns the method startswith or endswith, for one text or any of a
// tuple.
func fixing(has func(s, part string) bool) routine {
	return takes(1, "part", func(c *call) object {
		parts := c.got
		if t, ok := c.got[0].(*pyval.Tuple); ok {
			parts = objects(t.Items)
		}
		return pyval.Bool(slices.ContainsFunc(parts, func(part object) bool { return has(c.subject(), word(c.line, part)) }))
	})
}

func (c *call) texts(parts []string) object {
	c.r.spend(c.line, stepCost*len(parts))
	return pyval.Texts(parts)
}

// separator returns the first argument, which must not be empty.
func (c *call) separator() string {
	sep := c.word(0)
	if sep == "" {
		fail(c.line, "ValueError: empty separator")
	}
	return sep
}

// splitting returns the method split, or rsplit, which counts from the end.
func splitting(right bool) routine {
	return takes(0, "sep maxsplit", func(c *call) object {
		most := max(clamp(c.integer(c.line, c.or(1, pyval.MakeInt(-1)))), -1)
		if !c.given(0) {
			return c.texts(splitBlanks(c.subject(), most, right))
		}
		sep := c.separator()
		if !right {
			return c.texts(strings.SplitN(c.subject(), sep, splits(most)))
		}
		parts := strings.Split(c.subject(), sep)
		if extra := len(parts) - 1 - most; most >= 0 && extra > 0 {
			parts = append([]string{strings.Join(parts[:extra+1], sep)}, parts[extra+1:]...)
		}
		return c.texts(parts)
	})
}

// splits returns how many parts no more than most splits make, -1 for any
// number.
func splits(most int) int {
	if most < 0 {
		return -1
	}
	return most + 1
}

// splitBlanks splits at no more than most runs of white space.
func splitBlanks(s string, most int, right bool) []string {
	trim, next := strings.TrimLeftFunc, strings.IndexFunc
	if right {
		trim, next = strings.TrimRightFunc, strings.LastIndexFunc
	}
	var out []string
	for s = trim(s, pyval.IsSpace); s != ""; s = trim(s, pyval.IsSpace) {
		i := next(s, pyval.IsSpace)
		if i < 0 || len(out) == most {
			out = append(out, s)
			break
		}
		_, n := pyval.DecodeRune(s[i:])
		part, rest := s[:i], s[i+n:]
		if right {
			part, rest = rest, part
		}
		out, s = append(out, part), rest
	}
	if right {
		slices.Reverse(out)
	}
	return out
}

func textSplitLines(c *call) object { return c.texts(pyval.SplitLines(c.subject(), c.flag(0))) }

func finding(index func(s, part string) int, strict bool) routine {
	return takes(1, "sub start end", func(c *call) object {
		s, part, from := c.subject(), c.word(0), 0
		if c.got[1] != nil || c.got[2] != nil {
			s, from = c.between()
		}
		i := index(s, part)
		if i >= 0 {
			n, _ := pyval.Length(pyval.Str(s[:i]))
			return pyval.MakeInt(int64(from + n))
		}
		if strict {
			fail(c.line, "ValueError: substring not found")
		}
		return pyval.MakeInt(-1)
	})
}

// between returns the part of the text from the second argument to the third,
// and how many characters precede it.
func (c *call) between() (string, int) {
	sp := span{step: 1}
	if c.given(1) {
		sp.low, sp.hasLow = clamp(c.integer(c.line, c.got[1])), true
	}
	if c.given(2) {
		sp.high, sp.hasHigh = clamp(c.integer(c.line, c.got[2])), true
	}
	s := pyval.Str(c.subject())
	n, _ := pyval.Length(s)
	before, _ := sp.bounds(n)
	return string(c.slice(c.line, s, sp).(pyval.Str)), before
}

func (f *frame) integer(line int, v object) pyval.Int {
	n, ok := pyval.IntOf(plain(line, v))
	if !ok {
		fail(line, "TypeError: '%s' object cannot be interpreted as an integer", typeName(v))
	}
	return n
}

func textReplace(c *call) object {
	s, before, after, most := c.subject(), c.word(0), c.word(1), -1
	if c.got[2] != nil {
		most = clamp(c.integer(c.line, c.got[2]))
	}
	n := strings.Count(s, before)
	if most >= 0 {
		n = min(n, most)
	}
	c.r.spend(c.line, len(s)+n*len(after))
	return pyval.Str(strings.Replace(s, before, after, most))
}

func textJoin(c *call) object {
	items := c.iterate(c.line, check(c.line, c.got[0]))
	for i, item := range items {
		if _, ok := item.(pyval.Str); !ok {
			fail(c.line, "TypeError: sequence item %d: expected str instance, %s found", i, typeName(item))
		}
	}
	return c.joined(items, c.subject(), nil)
}

func textCount(c *call) object {
	return pyval.MakeInt(int64(strings.Count(c.subject(), c.word(0))))
}
