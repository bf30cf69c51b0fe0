package why

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A subject is what a transformation changes.
type subject uint8

const (
	theAnswer subject = iota
	aName             // of a function
	theArguments
	aKey   // a parameter's name, or an object's key
	aValue // of a parameter, or within one
	leftOut
)

// A site is a place of an expected answer that a transformation may change.
type site struct {
	of subject
	// text is a name, a key, or a value that is a text; value is nil for names.
	text  string
	value pyval.Value
	doc   *pyval.Dict // the schema of a value or of a parameter that is left out
	// calls is how many calls the answer has, texts counting as none.
	calls int
	// needed says that the document requires the parameter.
	needed bool
	has    traits
}

// traits are what a site has that a transformation may depend on: a bit for each
// of the list.
type traits uint64

// A position is where in an answer a walk through it is.
type position struct {
	call, calls int
	key         string
	doc         *pyval.Dict
	// depth counts the lists and objects around the site, the innermost of which
	// is a list.
	depth       int
	list        bool
	first, last bool
	needed      bool
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// norm returns the letters and digits of a text in small letters.
func norm(text string) string {
	return strings.Map(func(r rune) rune {
		if isWord(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func beyondASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0
}

func documented(p *position, key string) bool {
	if p.doc == nil {
		return false
	}
	v, ok := p.doc.GetStr(key)
	return ok && v != pyval.None
}

// traitList are the traits, in words that follow what was done.
var traitList = []struct {
	said string
	is   func(p *position, v pyval.Value, text string) bool
}{
	{"in the first of several calls", func(p *position, _ pyval.Value, _ string) bool { return p.call == 0 && p.calls > 1 }},
	{"in calls after the first", func(p *position, _ pyval.Value, _ string) bool { return p.call > 0 }},
	{"within lists", func(p *position, _ pyval.Value, _ string) bool { return p.list }},
	{"within objects", func(p *position, _ pyval.Value, _ string) bool { return p.depth > 0 && !p.list }},
	{"where the document does not require it", func(p *position, _ pyval.Value, _ string) bool { return p.doc != nil && !p.needed }},
	{"where the document has a default", func(p *position, _ pyval.Value, _ string) bool { return documented(p, "default") }},
	{"where the document lists the values", func(p *position, _ pyval.Value, _ string) bool { return documented(p, "enum") }},
	{"where the name has `_`", func(p *position, _ pyval.Value, _ string) bool { return strings.Contains(p.key, "_") }},
	{"where the name has capitals", func(p *position, _ pyval.Value, _ string) bool { return p.key != strings.ToLower(p.key) }},
	{"where the name has letters beyond ASCII", func(p *position, _ pyval.Value, _ string) bool { return beyondASCII(p.key) }},
	{"of the first parameter", func(p *position, _ pyval.Value, _ string) bool { return p.first }},
	{"of the last parameter", func(p *position, _ pyval.Value, _ string) bool { return p.last }},
	{"where the value is null", func(_ *position, v pyval.Value, _ string) bool { return v == pyval.None }},
	{"where the value is a boolean", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "bool") }},
	{"where the value is false, 0 or empty", func(_ *position, v pyval.Value, _ string) bool { return v != nil && !pyval.Truth(v) }},
	{"where the value is an integer", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "int") }},
	{"where the value is a float", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "float") }},
	{"where the number is below 0", func(_ *position, v pyval.Value, _ string) bool {
		return isNumber(v) && strings.HasPrefix(pyval.Text(v), "-")
	}},
	{"where the number has 16 digits or more", func(_ *position, v pyval.Value, _ string) bool { return isNumber(v) && len(pyval.Text(v)) > 15 }},
	{"where the value is a list", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "list") }},
	{"where the list holds objects", func(_ *position, v pyval.Value, _ string) bool {
		l, ok := v.(*pyval.List)
		return ok && slices.ContainsFunc(l.Items, func(v pyval.Value) bool { return isType(v, "dict") })
	}},
	{"where the value is an object", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "dict") }},
	{"where the value is a text", func(_ *position, v pyval.Value, _ string) bool { return isType(v, "str") }},
	{"where the text is a number", func(_ *position, _ pyval.Value, s string) bool { return digits(s) }},
	{"where the text has letters beyond ASCII", func(_ *position, _ pyval.Value, s string) bool { return beyondASCII(s) }},
	{"where the text has line breaks", func(_ *position, _ pyval.Value, s string) bool { return strings.Contains(s, "\n") }},
	{"where the text has quotes", func(_ *position, _ pyval.Value, s string) bool { return strings.ContainsAny(s, `"'`) }},
	{"where the text has brackets", func(_ *position, _ pyval.Value, s string) bool { return strings.ContainsAny(s, "{}[]<>()") }},
	{"where the text has commas", func(_ *position, _ pyval.Value, s string) bool { return strings.Contains(s, ",") }},
	{"where the text has blanks", func(_ *position, _ pyval.Value, s string) bool { return strings.Contains(s, " ") }},
	{"where it has more than 20 characters", func(_ *position, _ pyval.Value, s string) bool { return len(s) > 20 }},
	{"where it has more than 32 characters", func(_ *position, _ pyval.Value, s string) bool { return len(s) > 32 }},
	{"where it has more than 100 characters", func(_ *position, _ pyval.Value, s string) bool { return len(s) > 100 }},
}

func isType(v pyval.Value, name string) bool { return v != nil && pyval.TypeName(v) == name }

func traitsOf(p *position, v pyval.Value, text string) (out traits) {
	for i, t := range traitList {
		if t.is(p, v, text) {
			out |= 1 << i
		}
	}
	return out
}

// words are what a trait says of a place, or of a whole answer that has such a
// place; "" for none.
func (t traits) words(whole bool) string {
	if t == 0 {
		return ""
	}
	said := traitList[bits.TrailingZeros64(uint64(t))].said
	if whole {
		said = ofWhole.Replace(said)
	}
	return ", " + said
}

// ofWhole turns the words on a place into those on an answer.
var ofWhole = strings.NewReplacer(
	"in the first of several calls", "where several calls are wanted", "in calls after the first", "where several calls are wanted",
	"within lists", "where lists are wanted", "within objects", "where objects are wanted",
	"the document does not require it", "an optional parameter is wanted", "the document", "a document",
	"of the first parameter", "where parameters are wanted", "of the last parameter", "where parameters are wanted",
	"it has", "a name or value has", "the list", "a list", "the name", "a name", "the number", "a number", "the text", "a text", "the value", "a value",
)

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789.-") == "" }

func isNumber(v pyval.Value) bool { return isType(v, "int") || isType(v, "float") }

func container(v pyval.Value) bool { return isType(v, "dict") || isType(v, "list") }

func emptied(v pyval.Value) bool {
	n, ok := pyval.Len(v)
	return ok && n == 0 && container(v)
}
