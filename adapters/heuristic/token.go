package heuristic

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sort tells tokens apart.
type sort uint8

const (
	word sort = iota
	digits
	mark
)

// A token is a word, a run of digits, or a mark.
type token struct {
	sort       sort
	text       string // as written
	stem       string // lower case without its ending; "" for marks
	start, end int    // in bytes
	opens      bool   // begins a sentence
	space      bool   // stands after a blank
}

// tokens reads a text from left to right.
func tokens(text string) []token {
	out := make([]token, 0, len(text)/5+1)
	opens, space, listed := true, true, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		t := token{start: i, opens: opens, space: space}
		switch {
		case unicode.IsSpace(r):
			opens = opens || r == '\n'
			space = true
			i += size
			continue
		case unicode.Is(unicode.Han, r):
			t.end = hanEnd(text, i, size)
			i += size
		case unicode.IsLetter(r):
			t.end = wordEnd(text, i)
			i = t.end
		case r >= '0' && r <= '9':
			t.sort, t.end = digits, digitsEnd(text, i, listed)
			i = t.end
		default:
			t.sort, t.end = mark, i+size
			listed = r == '[' || listed && r != ']'
			i += size
		}
		t.text = text[t.start:t.end]
		if t.sort != mark {
			t.stem = stem(t.text)
		}
		opens = t.sort == mark && (strings.ContainsRune(".?!;。？！；", r) || opens)
		space = false
		out = append(out, t)
	}
	return out
}

// hanEnd is the end of the pair of Chinese characters at i: Chinese has no
// blanks, and overlapping pairs do for words.
func hanEnd(text string, i, size int) int {
	next, n := utf8.DecodeRuneInString(text[i+size:])
	if unicode.Is(unicode.Han, next) {
		return i + size + n
	}
	return i + size
}

// wordEnd is the end of the word at i: letters, and an apostrophe inside it.
// A possessive 's is left to the marks.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r) && !unicode.Is(unicode.Han, r), unicode.IsMark(r):
		case r == '\'' && hasLetter(text[i+1:]) && !possessive(text[i+1:]):
		default:
			return i
		}
		i += size
	}
	return i
}

func hasLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

func possessive(text string) bool { return text[0] == 's' && !hasLetter(text[1:]) }

// digitsEnd is the end of the number at i. A comma belongs to it before three
// digits, unless it separates the members of a list; a point before any.
func digitsEnd(text string, i int, listed bool) int {
	start := i
	for i < len(text) {
		switch c := text[i]; {
		case isDigit(c):
		case c == ',' && !listed && digitRun(text[start:]) <= 3 && digitRun(text[i+1:]) == 3:
		case c == '.' && digitRun(text[i+1:]) > 0 && !strings.Contains(text[start:i], "."):
		default:
			return i
		}
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digitRun(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// endings are taken off words, the first that fits; what is left must have
// three letters.
var endings = []struct{ end, put string }{
	{"ies", "y"}, {"sses", "ss"}, {"ches", "ch"}, {"shes", "sh"}, {"xes", "x"}, {"ss", "ss"}, {"us", "us"}, {"is", "is"}, {"s", ""},
	{"ations", "at"}, {"ation", "at"}, {"ing", ""}, {"ated", "at"}, {"ed", ""}, {"ly", ""}, {"or", ""}, {"er", ""}, {"al", ""},
}

// stem is a word in lower case without its ending. It is light: it only has to
// bring the words of a question and those of a document together.
func stem(word string) string {
	w := strings.ToLower(word)
	if w[0] < 'a' || w[0] > 'z' {
		return w
	}
	for range 2 { // "calculators", "generations"
		for _, e := range endings {
			if len(w)-len(e.end) >= 3 && strings.HasSuffix(w, e.end) {
				w = w[:len(w)-len(e.end)] + e.put
				break
			}
		}
	}
	return strings.TrimSuffix(w, "e")
}

// nameWords splits an identifier: snake_case, dots and camelCase.
func nameWords(name string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		from, before := 0, rune(0)
		for i, r := range part {
			if i > from && unicode.IsUpper(r) && !unicode.IsUpper(before) {
				out = append(out, part[from:i])
				from = i
			}
			before = r
		}
		out = append(out, part[from:])
	}
	return out
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// stops are words, in lower case, that say nothing of the matter at hand.
var stops = set(`a an the this that these those it its they them their there here i me my mine we us our you your he she his her him
	is are was were be been being am do does did doing done have has had having can could will would shall should may might must
	not no and or but if then than so as of in on at to for from by with about into over under between within without
	what which who whom whose when where why how much many any some all each every both few more most other such only own same very
	just also too please pls thanks thank hi hello hey ok want wants need needs like let lets give tell show get find know help using use used
	specified given provided based value values parameter parameters optional required default string number integer float boolean list array
	e g i.e eg etc one it's i'm i'd i've what's that's don't whether up down out off`)

// stopStems are the stems of stops.
var stopStems = func() map[string]bool {
	out := map[string]bool{}
	for w := range stops {
		out[stem(w)] = true
	}
	return out
}()

// isStop reports whether a token says nothing of the matter at hand.
func (t *token) isStop() bool { return t.sort != word || stops[strings.ToLower(t.text)] }
