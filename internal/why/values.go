package why

import (
	"fmt"
	"html"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

// object compares the keys and values of arguments, or of an object in them.
func (d *differ) object(want, came *pyval.Dict, keys string) {
	rest := map[string]pyval.Value{}
	for k, v := range came.All() {
		if !want.Has(pyval.Text(k)) {
			rest[pyval.Text(k)] = v
		}
	}
	for k, v := range want.All() {
		key := pyval.Text(k)
		if w, ok := came.GetStr(key); ok {
			d.value(v, w)
			continue
		}
		other := renamed(key, rest)
		if other == "" {
			d.missing(key, v, want, came, keys)
			continue
		}
		d.key(key, other, keys)
		d.value(v, rest[other])
		delete(rest, other)
	}
	for key, v := range rest {
		shown := compact(pyval.Object(key, v))
		if v == pyval.None {
			d.add(true, Parser, keys+" that were left out arrive as null", compact(want), shown, anyCall)
		} else {
			d.add(true, Parser, keys+" arrive that were not given", compact(want), shown, anyCall)
		}
	}
}

// renamed returns the key among others that is most likely the one that is
// missing; "" if there is none.
func renamed(key string, others map[string]pyval.Value) string {
	for other := range others {
		if a, b := norm(key), norm(other); a == b || a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) || ascii(key) == ascii(other) {
			return other
		}
	}
	return ""
}

func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && isWord(r) {
			return r
		}
		return -1
	}, text)
}

func (d *differ) key(want, came, keys string) {
	kind := "names of " + keys + " are changed, as in " + quote(came)
	applies := anyCall
	switch {
	case came == strings.ToLower(want):
		kind = keys + "' names arrive in small letters"
		applies = func(a Answer) bool { return hasKey(a, func(k string) bool { return k != strings.ToLower(k) }) }
	case strings.HasPrefix(want, came):
		kind = "names of " + keys + " are cut"
		applies = func(a Answer) bool { return hasKey(a, func(k string) bool { return len(k) > len(came) }) }
	}
	d.add(true, Parser, kind, want, came, applies)
}

func hasKey(a Answer, is func(key string) bool) bool {
	return slices.ContainsFunc(a.Calls, func(c Call) bool {
		return c.Args != nil && slices.ContainsFunc(c.Args.Keys(), func(k pyval.Value) bool { return is(pyval.Text(k)) })
	})
}

func (d *differ) missing(key string, v pyval.Value, want, came *pyval.Dict, keys string) {
	kind, known := keys+" are lost", false
	switch {
	case v == pyval.None:
		kind, known = keys+" with null are lost", true
	case v == pyval.Value(pyval.Bool(false)), v == pyval.Value(pyval.Str("")), pyval.Equal(v, pyval.MakeInt(0)):
		kind, known = keys+" with false, 0 or an empty text are lost", true
	case isEmptyDamage(v):
		kind, known = "empty lists and objects are lost", true
	case container(v):
		kind, known = "lists and objects are lost", true
	case came.Len() < want.Len() && strings.IndexFunc(key, func(r rune) bool { return r > unicode.MaxASCII }) >= 0:
		kind, known = keys+" with names beyond ASCII are lost", true
	}
	d.add(known, Parser, kind, compact(pyval.Object(key, v)), compact(came), anyCall)
}

func container(v pyval.Value) bool {
	switch v.(type) {
	case *pyval.Dict, *pyval.List:
		return true
	}
	return false
}

func isEmptyDamage(v pyval.Value) bool {
	n, ok := pyval.Len(v)
	return ok && n == 0 && container(v)
}

func isNumber(v pyval.Value) bool {
	switch v.(type) {
	case pyval.Int, pyval.Float:
		return true
	}
	return false
}

// holds reports whether a value in an answer's arguments, at any depth, is of
// a sort.
func holds(is func(pyval.Value) bool) applying {
	return func(a Answer) bool {
		return slices.ContainsFunc(a.Calls, func(c Call) bool {
			return c.Args != nil && leaf(c.Args, is)
		})
	}
}

// leaf reports whether a value within a value is of a sort.
func leaf(v pyval.Value, is func(pyval.Value) bool) bool {
	switch v := v.(type) {
	case *pyval.Dict:
		for _, w := range v.All() {
			if is(w) || leaf(w, is) {
				return true
			}
		}
	case *pyval.List:
		for _, w := range v.Items {
			if is(w) || leaf(w, is) {
				return true
			}
		}
	}
	return false
}

// value compares a value with the one that came.
func (d *differ) value(want, came pyval.Value) {
	if Same(want, came) {
		return
	}
	a, isText := want.(pyval.Str)
	b, toText := came.(pyval.Str)
	switch {
	case isText && toText:
		d.text(string(a), string(b))
		return
	case isText:
		d.fromText(a, came)
		return
	case toText:
		d.toText(want, b)
		return
	}
	w, isObject := want.(*pyval.Dict)
	l, isList := want.(*pyval.List)
	switch c := came.(type) {
	case *pyval.Dict:
		if isObject && (c.Len() > 0 || w.Len() == 0) {
			d.object(w, c, "keys of objects")
			return
		}
	case *pyval.List:
		if isList && (len(c.Items) > 0 || len(l.Items) == 0) {
			d.list(l.Items, c.Items)
			return
		}
	}
	d.other(want, came)
}

// other compares values of which neither is a text and not both are filled
// objects or lists.
func (d *differ) other(want, came pyval.Value) {
	known, kind, sort := true, "", func(v pyval.Value) bool { return pyval.TypeName(v) == pyval.TypeName(want) }
	list, wrapped := came.(*pyval.List)
	_, whole := want.(pyval.Int)
	_, float := came.(pyval.Float)
	switch {
	case came == pyval.None:
		kind = "values arrive as null"
	case isEmptyDamage(came) && container(want):
		kind = "objects and lists within arguments arrive empty"
		sort = container
	case wrapped && len(list.Items) == 1 && Same(list.Items[0], want):
		kind = "values arrive within lists"
	case whole && float && pyval.Equal(want, came):
		kind = "integers arrive as floats"
	case isNumber(want) && isNumber(came) && pyval.Equal(want, came):
		kind = "whole floats arrive as integers"
	case isNumber(want) && isNumber(came):
		kind, known = "another number arrives", false
		if rounded(want, came) {
			kind, known = "numbers are rounded", true
		}
	case pyval.TypeName(want) != pyval.TypeName(came):
		kind = fmt.Sprintf("%s arrives as %s", pyval.ATypeName(want), pyval.ATypeName(came))
	default:
		kind, known = "another value arrives", false
	}
	d.add(known, Parser, kind, compact(want), compact(came), holds(sort))
}

// rounded reports whether a number is near another one and has fewer digits.
func rounded(want, came pyval.Value) bool {
	const near = .01
	figures := func(v pyval.Value) int {
		return len(strings.Trim(strings.NewReplacer(".", "", "-", "").Replace(pyval.Text(v)), "0"))
	}
	x, errX := pyval.FloatFromText(pyval.Text(want))
	y, errY := pyval.FloatFromText(pyval.Text(came))
	return errX == nil && errY == nil && figures(came) < figures(want) && math.Abs(float64(x-y)) <= near*math.Abs(float64(x))
}

// fromText compares a text with a value that is none.
func (d *differ) fromText(want pyval.Str, came pyval.Value) {
	known, kind, sort := true, "texts arrive as "+pyval.ATypeName(came), isText
	switch v, err := pyval.ParseJSON(strings.ToLower(string(want))); {
	case isNumber(came) && strings.Trim(string(want), "0123456789.-+eE") == "":
		kind, sort = "texts of digits arrive as numbers", func(v pyval.Value) bool { s, ok := v.(pyval.Str); return ok && digits(string(s)) }
	case came == pyval.None || pyval.TypeName(came) == "bool":
		kind = `texts such as "true" or "none" arrive as booleans or null`
		sort = func(v pyval.Value) bool {
			s, ok := v.(pyval.Str)
			return ok && slices.Contains([]string{"true", "false", "none", "null"}, strings.ToLower(string(s)))
		}
	case err == nil && Same(v, came):
		kind = "texts that are JSON arrive as values"
	}
	d.add(known, Parser, kind, compact(want), compact(came), holds(sort))
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789.-") == "" }

func isText(v pyval.Value) bool { return pyval.TypeName(v) == "str" }

// toText compares a value with the text that came.
func (d *differ) toText(want pyval.Value, came pyval.Str) {
	kind, sort := pyval.ATypeName(want)+" arrives as a text", func(v pyval.Value) bool { return pyval.TypeName(v) == pyval.TypeName(want) }
	switch {
	case isNumber(want) || pyval.TypeName(want) == "bool":
		kind = "numbers or booleans arrive as texts"
		sort = func(v pyval.Value) bool { return isNumber(v) || pyval.TypeName(v) == "bool" }
	case container(want):
		kind, sort = "objects or lists arrive as texts", container
	case want == pyval.None:
		kind = "null arrives as a text"
	}
	d.add(true, Parser, kind, compact(want), compact(came), holds(sort))
}

func (d *differ) list(want, came []pyval.Value) {
	n := min(len(want), len(came))
	for i := range n {
		d.value(want[i], came[i])
	}
	if len(came) != len(want) {
		d.add(len(came) < len(want), Parser, "lists arrive with more or fewer items", compact(pyval.NewList(want...)), compact(pyval.NewList(came...)),
			holds(func(v pyval.Value) bool { _, ok := v.(*pyval.List); return ok }))
	}
}

// unquoted reads a text as what stands between the quotes of a JSON text.
func unquoted(text string) string {
	if v, err := pyval.ParseJSON(`"` + text + `"`); err == nil {
		s, _ := v.(pyval.Str)
		return string(s)
	}
	return ""
}

func jsonText(s string) string { return strings.Trim(compact(pyval.Str(s)), `"`) }

// ways are what is done to texts: the name, and whether it leads from one text
// to the other.
var ways = []struct {
	kind string
	is   func(want, came string) bool
}{
	{"white space at the ends of texts is lost", func(a, b string) bool { return strings.TrimSpace(a) == b }},
	{"texts arrive escaped for HTML", func(a, b string) bool { return html.UnescapeString(b) == a && html.UnescapeString(a) == a }},
	{"texts arrive escaped for URLs", func(a, b string) bool { s, err := url.QueryUnescape(b); return err == nil && s == a }},
	{"texts arrive escaped twice", func(a, b string) bool {
		return unquoted(b) == a || jsonText(a) == b || strings.ReplaceAll(a, "\n", `\n`) == b
	}},
	{"escapes in texts are resolved twice", func(a, b string) bool { return unquoted(a) == b }},
	{"texts arrive in small letters", func(a, b string) bool { return strings.ToLower(a) == b }},
	{"texts arrive in capitals", func(a, b string) bool { return strings.ToUpper(a) == b }},
	{"texts arrive with other capitals", strings.EqualFold},
	{"characters of texts are replaced by U+FFFD or ?", func(a, b string) bool {
		return strings.Count(b, "\uFFFD")+strings.Count(b, "?") > strings.Count(a, "\uFFFD")+strings.Count(a, "?")
	}},
	{"blanks in texts are lost or changed", func(a, b string) bool { return squeeze(a) == squeeze(b) }},
	{"characters beyond ASCII are changed", func(a, b string) bool { return a != ascii(a) && ascii(a) == ascii(b) && norm(a) != norm(b) }},
	{"punctuation in texts is changed", func(a, b string) bool { return norm(a) == norm(b) }},
}

// text compares a text with the one that came.
func (d *differ) text(want, came string) {
	at := strings.Index(came, want)
	switch {
	case want != "" && at >= 0 && (len(want) > 2 || Mark(came) != ""):
		before, after := came[:at], came[at+len(want):]
		kind := "texts are followed by " + quote(after)
		if before != "" {
			if kind = "texts are preceded by " + quote(before); after != "" {
				kind = "texts stand between " + quote(before) + " and " + quote(after)
			}
		}
		d.add(Mark(came) != "" || strings.TrimFunc(before+after, func(r rune) bool { return !isWord(r) }) == "", Parser, kind, compact(pyval.Str(want)), compact(pyval.Str(came)), holds(isText))
		return
	}
	for _, w := range ways {
		if w.is(want, came) {
			d.add(true, Parser, w.kind, compact(pyval.Str(want)), compact(pyval.Str(came)), holds(func(v pyval.Value) bool {
				s, ok := v.(pyval.Str)
				return ok && (w.kind != ways[5].kind || strings.ToLower(string(s)) != string(s))
			}))
			return
		}
	}
	if came != "" && len(came) < len(want) && strings.HasPrefix(want, came) {
		d.add(true, Parser, "the ends of texts are cut", compact(pyval.Str(want)), compact(pyval.Str(came)), holds(isText))
		return
	}
	if came == "" {
		d.add(true, Parser, "texts arrive empty", compact(pyval.Str(want)), `""`, holds(isText))
		return
	}
	d.add(false, Parser, "another text arrives as a value", compact(pyval.Str(want)), compact(pyval.Str(came)), holds(isText))
}
