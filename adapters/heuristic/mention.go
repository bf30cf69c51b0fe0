package heuristic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// A mention is a part of a question that may become an argument.
type mention struct {
	kind  kind
	text  string
	at    int
	taken bool
}

// A kind is what a mention looks like.
type kind uint8

const (
	quoted kind = iota + 1
	date
	code
	number
	name
)

// patterns matches mentions, each kind in a group of its own; the first that
// matches at a place counts.
var patterns = pattern.Of(`["“]([^"”]+)["”]|'([^']{2,}?)'(?:\W|$)` + // quoted
	`|(\d{4}-\d{2}-\d{2}|(?i)\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + months + `)[a-z]*,? \d{4})` + // a date
	`|((?-i:https?://\S+\w|[\w.+-]*[A-Za-z_][\w.+-]*[@/_][\w@/_.+-]*\w|/[\w/.-]+\w|` + // addresses, paths
	`#[\w-]+|\b[a-z]+\p{Lu}\w*|\b[A-Z]+-?\d[\w-]*|\b\d+-\d[\d-]*|\b\w+\.[a-z]{2,4}\b))` + // identifiers, files
	`|(-?\d+(?:,\d{3})*(?:\.\d+)?%?)` + // a number
	`|(\p{Lu}(?:[\p{L}-]|['’]\p{L}{2})*(?: \p{Lu}(?:[\p{L}-]|['’]\p{L}{2})*)*)`) // a name

const months = `jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec`

var writtenDate = pattern.Of(`(?i)^(\d{1,2})\D*? (` + months + `)\D* (\d{4})$`)

// iso returns a date in the form 2026-01-31.
func iso(text string) string {
	parts := writtenDate().FindStringSubmatch(text)
	if parts == nil {
		return text
	}
	month := slices.Index(strings.Split(months, "|"), strings.ToLower(parts[2])) + 1
	day, _ := strconv.Atoi(parts[1])
	return fmt.Sprintf("%s-%02d-%02d", parts[3], month, day)
}

// kindOf is the kind of a group of patterns.
var kindOf = [...]kind{1: quoted, 2: quoted, 3: date, 4: code, 5: number, 6: name}

// numberWords are small numbers as words.
var numberWords = pattern.Of(`(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred)\b`)

var numbers = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
	"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100",
}

// mentions returns the mentions in a question, in order.
func mentions(question string) []*mention {
	spelled := numberWords().ReplaceAllStringFunc(question, func(w string) string {
		digits := numbers[strings.ToLower(w)]
		return digits + strings.Repeat(" ", len(w)-len(digits)) // the rest stays where it is
	})
	var out []*mention
	for _, at := range patterns().FindAllStringSubmatchIndex(spelled, -1) {
		for group := 1; group < len(kindOf); group++ {
			if at[2*group] < 0 {
				continue
			}
			m := &mention{kind: kindOf[group], text: spelled[at[2*group]:at[2*group+1]], at: at[2*group]}
			if m.kind == date {
				m.text = iso(m.text)
			}
			if m.kind != name || m.text != "I" && !opensSentence(spelled, m.at) || strings.Contains(m.text, " ") {
				out = append(out, m)
			}
		}
	}
	return out
}

// opensSentence reports whether a place begins a sentence, so that a capital
// letter there does not mark a name.
func opensSentence(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \n\t\"'(")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;")
}

// sentenceEnd parts a question where each part may ask for a call.
var sentenceEnd = pattern.Of(`[.?!;]\s+|\n|, and (?:also )?|\b[Aa]lso,? |\bthen `)

func (m *mention) digits() string {
	return strings.TrimSuffix(strings.ReplaceAll(m.text, ",", ""), "%")
}
