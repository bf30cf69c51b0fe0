package heuristic

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind tells mentions apart.
type kind uint8

const (
	number kind = iota
	date
	clock
	quoted // text in quotes
	code   // an identifier, path, address: a word that is no word
	name   // words in capitals
	phrase // other words in a row
)

// A mention is a part of the question that may become an argument.
type mention struct {
	kind        kind
	text        string // as written, without quotes
	first, last int    // tokens
	group       int    // mentions in one enumeration have the same

	num     float64 // of a number
	digits  string  // a number's digits where it is nothing but digits
	percent bool
	unit    string // stem of the word after a number
	spelled bool   // a number in words
	city    string // of a name such as "Denver, Colorado": what stands before the comma

	day          day // of a date
	hour, minute int // of a time of day
}

// A question is a text with what was found in it.
type question struct {
	text     string
	tokens   []token
	mentions []mention
	stems    map[string]bool
}

// within reports whether there is a token i.
func (q *question) within(i int) bool { return i >= 0 && i < len(q.tokens) }

// is reports whether token i is the given text, in whatever case.
func (q *question) is(i int, text string) bool {
	return q.within(i) && strings.EqualFold(q.tokens[i].text, text)
}

// glued reports whether token i follows the one before it without a blank.
func (q *question) glued(i int) bool { return q.within(i) && i > 0 && !q.tokens[i].space }

// readers find mentions. The first that reads something at a token wins; each
// returns how many tokens it took.
var readers = []func(q *question, i int) (mention, int){
	readQuoted, readDate, readClock, readFormula, readCode, readNumber, readName,
}

func readQuestion(text string) *question {
	text = unwrap(text)
	q := &question{text: text, tokens: tokens(text), stems: map[string]bool{}}
	for i := range q.tokens {
		if t := &q.tokens[i]; !t.isStop() {
			q.stems[t.stem] = true
		}
	}
	for i := 0; i < len(q.tokens); {
		i += q.readMention(i)
	}
	q.enumerate()
	return q
}

// unwrap takes off quotes around the whole question.
func unwrap(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
		return text[1 : n-1]
	}
	return text
}

func (q *question) readMention(i int) int {
	for _, read := range readers {
		m, n := read(q, i)
		if n == 0 {
			continue
		}
		m.first, m.last = i, min(i+n, len(q.tokens))-1
		if m.text == "" {
			m.text = q.text[q.tokens[m.first].start:q.tokens[m.last].end]
		}
		q.mentions = append(q.mentions, m)
		return n
	}
	return 1
}

// quotes are the marks that open a quotation, with those that close it.
var quotes = map[string]string{"'": "'", `"`: `"`, "`": "`", "“": "”", "‘": "’", "「": "」", "《": "》", "«": "»", "„": "“"}

// maxQuote bounds a quotation, in tokens.
const maxQuote = 64

func readQuoted(q *question, i int) (mention, int) {
	closing := quotes[q.tokens[i].text]
	if closing == "" || !q.tokens[i].space && i > 0 && q.tokens[i-1].sort != mark {
		return mention{}, 0
	}
	for j := i + 2; j < len(q.tokens) && j < i+maxQuote; j++ {
		if q.tokens[j].text == closing && !(q.glued(j+1) && q.tokens[j+1].sort != mark) {
			return mention{kind: quoted, text: q.text[q.tokens[i].end:q.tokens[j].start]}, j + 1 - i
		}
	}
	return mention{}, 0
}

// readCode reads a word up to the next blank that is no ordinary word.
func readCode(q *question, i int) (mention, int) {
	if i > 0 && q.glued(i) && !strings.ContainsAny(q.tokens[i-1].text, "([{=:\"'`") {
		return mention{}, 0
	}
	if q.tokens[i].sort == mark && !strings.Contains("/#@.~\\_", q.tokens[i].text) {
		return mention{}, 0
	}
	end := q.chunkEnd(i)
	text := q.text[q.tokens[i].start:q.tokens[end-1].end]
	if !isCode(text) {
		return mention{}, 0
	}
	return mention{kind: code, text: text}, end - i
}

// chunkEnd is the end of the chunk between blanks and brackets at i, without
// the marks that end a sentence.
func (q *question) chunkEnd(i int) int {
	end := i + 1
	for q.glued(end) && !strings.ContainsAny(q.tokens[end].text, "=()[]{}\"'`,;，。、？") {
		end++
	}
	for end > i+1 && strings.ContainsAny(q.tokens[end-1].text, ".:?!…") {
		end--
	}
	return end
}

// readFormula reads an expression such as 3x^2 + 2x - 1, with ** for powers as
// in Python.
func readFormula(q *question, i int) (mention, int) {
	if q.tokens[i].sort == mark || q.glued(i) && !strings.ContainsAny(q.tokens[i-1].text, "=(:") {
		return mention{}, 0
	}
	end := q.chunkEnd(i)
	first := q.text[q.tokens[i].start:q.tokens[end-1].end]
	if !strings.Contains(first, "^") && !strings.Contains(first, "**") || !strings.ContainsFunc(first, unicode.IsLetter) {
		return mention{}, 0
	}
	for q.within(end+1) && strings.Contains("+-*/", q.tokens[end].text) && q.tokens[end+1].sort != mark {
		end = q.chunkEnd(end + 1)
	}
	text := q.text[q.tokens[i].start:q.tokens[end-1].end]
	return mention{kind: code, text: strings.ReplaceAll(text, "^", "**")}, end - i
}

// isCode reports whether a chunk is an identifier rather than a word or number.
func isCode(text string) bool {
	letters, numerals, inner := 0, 0, false
	for i, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			return false
		case r >= '0' && r <= '9':
			numerals++
		case unicode.IsLetter(r):
			inner = inner || i > 0 && unicode.IsUpper(r) && isLower(text[:i])
			letters++
		}
	}
	switch {
	case strings.ContainsAny(text, "@_\\") || strings.Contains(text, "://"):
		return letters > 0
	case strings.ContainsAny(text, "$€£%°^*+"):
		return false
	case letters == 0:
		return numerals >= 6 && strings.Contains(text, "-")
	case numerals == 0:
		return inner || strings.HasPrefix(text, "#") || letters > 2 && strings.ContainsAny(text[1:], "./") && !strings.ContainsAny(text, " ")
	}
	return !isDigit(text[0]) || numerals > 2 && strings.ContainsAny(text, "-/") && strings.ToLower(text) != text
}

// isLower reports whether a text ends in a lower-case letter.
func isLower(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLower(r)
}

// links may stand between the words of a name.
var links = set("of de la le van von der du & - ' .")

// calendar words have capitals but are no names.
var calendar = set("monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays " +
	"january february march april june july august september october november december")

// readName reads words in capitals. A sentence's first word has its capital
// for another reason.
func readName(q *question, i int) (mention, int) {
	lower := strings.ToLower(q.tokens[i].text)
	if q.glued(i) && q.tokens[i-1].sort == digits {
		return mention{}, 0 // a unit
	}
	if !q.capital(i) || stops[lower] || calendar[lower] || q.tokens[i].opens && !isAcronym(q.tokens[i].text) && !q.is(i+1, "'") {
		return mention{}, 0
	}
	n := 1
	for more := 1; more > 0; n += more {
		more = q.nameGoesOn(i + n)
	}
	return q.withRegion(i, n)
}

// nameGoesOn is how many tokens at i continue a name: a capital, or one or two
// links before one.
func (q *question) nameGoesOn(i int) int {
	for n := 0; n <= 2; n++ {
		switch {
		case q.capital(i + n):
			if q.tokens[i+n].opens && q.tokens[i+n].space {
				return 0
			}
			return n + 1
		case !q.within(i + n), !links[q.tokens[i+n].text], !q.tokens[i+n].space && !q.glued(i+n+1):
			return 0
		}
	}
	return 0
}

// withRegion adds the state or country after a city's comma.
func (q *question) withRegion(i, n int) (mention, int) {
	m := mention{kind: name}
	if !q.is(i+n, ",") || !q.capital(i+n+1) {
		return m, n
	}
	for words := 2; words > 0; words-- {
		last := i + n + words
		if q.within(last) && regions[q.text[q.tokens[i+n+1].start:q.tokens[last].end]] {
			m.city = q.text[q.tokens[i].start:q.tokens[i+n-1].end]
			return m, n + 1 + words
		}
	}
	return m, n
}

func (q *question) capital(i int) bool {
	if !q.within(i) || q.tokens[i].sort != word {
		return false
	}
	r, _ := utf8.DecodeRuneInString(q.tokens[i].text)
	return unicode.IsUpper(r)
}

func isAcronym(text string) bool { return len(text) > 1 && strings.ToUpper(text) == text }

// commas separate the members of an enumeration.
var commas = set(", and or & + / 、 和 plus")

// maxGap is how many tokens may stand between two members.
const maxGap = 3

// enumerate gives members of one enumeration the same group: they are of one
// kind, with nothing but commas and their units between them.
func (q *question) enumerate() {
	for i := range q.mentions {
		q.mentions[i].group = i
		for back := 1; back <= 2 && back <= i; back++ { // a name may have its country after it
			if q.enumerated(&q.mentions[i-back], &q.mentions[i]) {
				q.mentions[i].group = q.mentions[i-back].group
				break
			}
		}
	}
}

func (q *question) enumerated(a, b *mention) bool {
	gap := q.tokens[a.last+1 : b.first]
	if a.kind != b.kind || len(gap) == 0 || len(gap) > maxGap {
		return false
	}
	if a.unit != "" && a.unit == b.unit && gap[0].stem == a.unit {
		gap = gap[1:]
	}
	return len(gap) > 0 && !slices.ContainsFunc(gap, func(t token) bool { return !commas[strings.ToLower(t.text)] })
}

// members are the mentions of a group in order.
func (q *question) members(group int) []*mention {
	var out []*mention
	for i := range q.mentions {
		if q.mentions[i].group == group {
			out = append(out, &q.mentions[i])
		}
	}
	return out
}
