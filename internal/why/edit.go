package why

import (
	"fmt"
	"html"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// An edit is what was done to one site, in words that do not hold the instance.
type edit struct {
	said string
	// known says that servers do such things and models do not, or rarely.
	known bool
	// changes reports whether the same would change another site of the subject;
	// nil for all.
	changes func(s *site) bool
	// details are what the instance may have in common with others; if bound, it is
	// nothing without that.
	details []detail
	bound   bool
}

// A detail is a parameter of an edit: a length, a prefix, a letter.
type detail struct {
	said    string
	changes func(s *site) bool // nil if it is the edit's own
}

func quote(text string) string { return "`" + say.Plain(text, 40) + "`" }

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && isWord(r) {
			return r
		}
		return -1
	}, text)
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

// ways are the rules that lead from one text to another: what each says, and what
// it makes of a text. Others are derived from the texts themselves.
var ways = []struct {
	said string
	to   func(text string) string
}{
	{"arrive in small letters", strings.ToLower},
	{"arrive in capitals", strings.ToUpper},
	{"begin with a capital", func(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }},
	{"lose the white space at their ends", strings.TrimSpace},
	{"arrive escaped for HTML", html.EscapeString},
	{"arrive escaped for URLs", url.QueryEscape},
	{"arrive escaped for URLs", url.PathEscape},
	{"arrive escaped twice", jsonText},
	{"arrive escaped twice", func(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }},
	{"have their escapes resolved twice", unquoted},
	{"lose their blanks", squeeze},
	{"arrive backwards", func(s string) string {
		r := []rune(s)
		slices.Reverse(r)
		return string(r)
	}},
}

// textEdit says how one text became another.
func textEdit(want, came string) edit {
	switch {
	case came == "":
		return edit{said: "arrive empty", known: true}
	case html.UnescapeString(came) == want && html.UnescapeString(want) == want: // servers differ in what they escape
		return edit{said: "arrive escaped for HTML", known: true, changes: func(s *site) bool { return html.EscapeString(s.text) != s.text }}
	}
	for _, w := range ways {
		if w.to(want) == came {
			return edit{said: w.said, known: true, changes: func(s *site) bool { return w.to(s.text) != s.text }}
		}
	}
	if strings.EqualFold(want, came) {
		return edit{said: "arrive with other capitals", known: true}
	}
	if e, ok := affixed(want, came); ok {
		return e
	}
	if e, ok := cut(want, came); ok {
		return e
	}
	if e, ok := replaced(want, came); ok {
		return e
	}
	at := shared(want, came)
	switch {
	case at > 2 && len(want) > at+1 && hashed().MatchString(came[at:]):
		return edit{said: "end in digits of a hash", known: true, details: []detail{{fmt.Sprintf("after %d characters", at), func(s *site) bool { return len(s.text) > len(came) }}}}
	case strings.Count(came, "\uFFFD")+strings.Count(came, "?") > strings.Count(want, "\uFFFD")+strings.Count(want, "?"):
		return edit{said: "have characters replaced by U+FFFD or ?", known: true, changes: func(s *site) bool { return beyondASCII(s.text) }}
	case want != ascii(want) && ascii(want) == ascii(came) && norm(want) != norm(came):
		return edit{said: "have characters beyond ASCII changed", known: true, changes: func(s *site) bool { return beyondASCII(s.text) }}
	case norm(want) == norm(came):
		return edit{said: "are written in another way", known: true, changes: func(s *site) bool { return norm(s.text) != s.text }}
	}
	return edit{said: "are replaced by others", details: []detail{{said: "such as " + quote(came)}}}
}

// affixed: something stands before or behind the text.
func affixed(want, came string) (e edit, ok bool) {
	at := strings.Index(came, want)
	if want == "" || at < 0 || len(want) <= 2 && Mark(came) == "" {
		return e, false
	}
	before, after := came[:at], came[at+len(want):]
	if after != "" && strings.TrimLeft(after, ":_.-#") != after && digits(strings.TrimLeft(after, ":_.-#")) {
		after = strings.TrimRight(after, "0123456789") + "N"
	}
	e.known = Mark(came) != "" || strings.TrimFunc(before+after, func(r rune) bool { return !isWord(r) || r == 'N' }) == "" || !strings.Contains(before+after, " ")
	switch {
	case before == "":
		e.said, e.details = "are followed by something", []detail{{said: quote(after)}}
	case after == "":
		e.said, e.details = "are preceded by something", []detail{{said: quote(before)}}
	default:
		e.said, e.details = "stand between other characters", []detail{{said: quote(before) + " and " + quote(after)}}
	}
	return e, true
}

// cut: only the beginning or the end of the text arrives.
func cut(want, came string) (e edit, ok bool) {
	n, rest := len(came), ""
	switch {
	case strings.HasPrefix(want, came):
		e.said, rest = "are cut", want[n:]
	case strings.HasSuffix(want, came):
		e.said, rest = "lose their beginning", want[:len(want)-n]
	default:
		return e, false
	}
	e.known = true
	e.details = []detail{{fmt.Sprintf("after %d characters", n), func(s *site) bool { return len(s.text) > n }}}
	edge := rest[:1]
	if e.said != "are cut" {
		e.details[0].said = fmt.Sprintf("but for the last %d characters", n)
		edge = rest[len(rest)-1:]
	}
	if !isWord(rune(edge[0])) {
		e.details = append(e.details, detail{"at " + quote(edge), func(s *site) bool { return strings.Contains(s.text, edge) }})
	}
	const few = 4
	if lost := len(rest); lost <= few {
		e.details = append(e.details, detail{fmt.Sprintf("by %s", say.Count(lost, "character", "characters")), func(s *site) bool { return len(s.text) > lost }})
	}
	return e, true
}

// hashed is the end of a name that a gateway shortened.
var hashed = pattern.Of(`^\w?[_.-]?[0-9a-f]{6,}$`)

// shared returns how many bytes two texts begin with in common.
func shared(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// replaced: each of some characters became the same others, or nothing.
func replaced(want, came string) (e edit, ok bool) {
	const most = 8
	at := shared(want, came)
	for from := at; from >= max(0, at-2); from-- {
		for n := 1; n <= most/2 && from+n <= len(want); n++ {
			for m := 0; m <= most && from+m <= len(came); m++ {
				a, b := want[from:from+n], came[from:from+m]
				if a == b || n > 1 && strings.ContainsFunc(a, isWord) || strings.ReplaceAll(want, a, b) != came {
					continue
				}
				said := "have characters replaced"
				if b == "" {
					said = "lose characters"
				}
				words := quote(a) + " by " + quote(b)
				if b == "" {
					words = quote(a)
				}
				return edit{said: said, known: true, bound: true, details: []detail{{words, func(s *site) bool { return strings.Contains(s.text, a) }}}}, true
			}
		}
	}
	return e, false
}

func ofType(names ...string) func(s *site) bool {
	return func(s *site) bool {
		return slices.ContainsFunc(names, func(n string) bool { return isType(s.value, n) })
	}
}

// valueEdit says how a value became another; both are no texts, or only one is,
// and not both are filled objects or lists.
func valueEdit(want, came pyval.Value) edit {
	same := ofType(pyval.TypeName(want))
	list, wrapped := came.(*pyval.List)
	own, listed := want.(*pyval.List)
	switch {
	case isType(want, "str"):
		return fromText(want.(pyval.Str), came)
	case isType(came, "str"):
		switch {
		case container(want):
			return edit{said: "that are objects or lists arrive as texts", known: true, changes: ofType("dict", "list")}
		case want == pyval.None:
			return edit{said: "that are null arrive as texts", changes: ofType("NoneType")}
		}
		return edit{said: "that are numbers or booleans arrive as texts", known: true, changes: ofType("int", "float", "bool")}
	case came == pyval.None:
		return edit{said: "arrive as null", known: true, changes: func(s *site) bool { return s.value != pyval.None }}
	case emptied(came) && container(want):
		return edit{said: "that are objects or lists arrive empty", known: true, changes: func(s *site) bool { return container(s.value) && !emptied(s.value) }}
	case wrapped && len(list.Items) == 1 && Same(list.Items[0], want):
		return edit{said: "arrive within lists", known: true}
	case listed && len(own.Items) > 0 && Same(own.Items[0], came):
		return edit{said: "that are lists arrive as their first item", known: true, changes: ofType("list")}
	case isType(want, "int") && isType(came, "float") && pyval.Equal(want, came):
		return edit{said: "that are integers arrive as floats", known: true, changes: ofType("int")}
	case isNumber(want) && isNumber(came) && pyval.Equal(want, came):
		return edit{said: "that are whole floats arrive as integers", known: true, changes: ofType("float")}
	case isType(want, "float") && isType(came, "float") && narrow(want) == came:
		return edit{said: "that are floats have the digits of 32 bits", known: true, changes: func(s *site) bool { return isType(s.value, "float") && narrow(s.value) != s.value }}
	case isNumber(want) && isNumber(came) && rounded(want, came):
		return edit{said: "that are numbers are rounded", known: true, changes: ofType("int", "float")}
	case isNumber(want) && isNumber(came) && integral(want) == integral(came) && integral(came) == pyval.Text(came):
		return edit{said: "that are numbers lose their fraction", known: true, changes: func(s *site) bool { return isNumber(s.value) && integral(s.value) != pyval.Text(s.value) }}
	case isNumber(want) && isNumber(came):
		return edit{said: "that are numbers are replaced by others", changes: ofType("int", "float")}
	case pyval.TypeName(want) == pyval.TypeName(came):
		return edit{said: "are replaced by others", changes: same}
	}
	return edit{said: fmt.Sprintf("that are %s arrive as %s", plurals[pyval.TypeName(want)], plurals[pyval.TypeName(came)]), known: true, changes: same}
}

var plurals = map[string]string{"str": "texts", "int": "integers", "float": "floats", "bool": "booleans", "NoneType": "null", "list": "lists", "dict": "objects"}

// integral is a number without its fraction.
func integral(v pyval.Value) string {
	text, _, _ := strings.Cut(pyval.Text(v), ".")
	return text
}

// narrow is a float as 32 bits hold it.
func narrow(v pyval.Value) pyval.Value {
	f, _ := v.(pyval.Float)
	return pyval.Float(float64(float32(f)))
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

// fromText says how a text became a value that is none.
func fromText(want pyval.Str, came pyval.Value) edit {
	word := func(s *site) bool {
		return slices.Contains([]string{"true", "false", "none", "null"}, strings.ToLower(s.text))
	}
	switch v, err := pyval.ParseJSON(strings.ToLower(string(want))); {
	case isNumber(came) && digits(string(want)):
		return edit{said: "that are texts of digits arrive as numbers", known: true, changes: func(s *site) bool { return digits(s.text) }}
	case (came == pyval.None || isType(came, "bool")) && word(&site{text: string(want)}):
		return edit{said: `that are texts such as "true" or "none" arrive as booleans or null`, known: true, changes: word}
	case err == nil && Same(v, came):
		return edit{said: "that are texts of JSON arrive as what they hold", known: true, changes: func(s *site) bool {
			_, err := pyval.ParseJSON(s.text)
			return err == nil
		}}
	}
	return edit{said: "that are texts arrive as " + plurals[pyval.TypeName(came)], known: true, changes: ofType("str")}
}
