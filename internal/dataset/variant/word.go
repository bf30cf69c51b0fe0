package variant

import (
	_ "embed" // for the synonyms
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// synonym makes a name of other words: each word that is in the list is
// replaced, if what the documents say selects its sense. A name without such a
// word, or whose new name is taken, gets a word put before it.
func synonym(d *draw, name string, function bool, at int, about map[string]bool) string {
	words := split(name)
	camel := isCamel(name)
	changed := false
	var out strings.Builder
	for i, w := range words {
		entry := synonyms()[strings.ToLower(w)]
		others := entry.words
		if !entry.means(about, function && i == 0) {
			out.WriteString(w)
			continue
		}
		changed = true
		other := others[d.below(len(others))]
		out.WriteString(recased(other, w, camel, i > 0 || startsUpper(w)))
	}
	if changed && at < swapTries/2 {
		return out.String()
	}
	lead := paramLeads
	if function {
		lead = functionLeads
	}
	return led(lead[(d.below(len(lead))+at)%len(lead)], out.String(), camel)
}

// The words that are put before a name without a synonym.
var (
	functionLeads = []string{"do", "run", "perform", "handle", "serve", "apply"}
	paramLeads    = []string{"given", "wanted", "stated", "chosen", "the", "this"}
)

// led returns a name with a word before it; in a dotted name, before the last
// part.
func led(word, name string, camel bool) string {
	at := strings.LastIndexByte(name, '.') + 1
	if camel && name[at:] != "" {
		return name[:at] + word + strings.ToUpper(name[at:at+1]) + name[at+1:]
	}
	return name[:at] + word + "_" + name[at:]
}

// nameless makes a meaningless name with as many dots, because providers that
// refuse dots are shown underscores.
func nameless(d *draw, name string, function bool, _ int, _ map[string]bool) string {
	const letters = "bcdfghjkmnpqrstvwxz"
	kind := "p"
	if function {
		kind = "f"
	}
	var parts []string
	for range strings.Count(name, ".") + 1 {
		parts = append(parts, fmt.Sprintf("%s%c%c%02d", kind, letters[d.below(len(letters))], letters[d.below(len(letters))], d.below(100)))
	}
	return strings.Join(parts, ".")
}

// reserved reports whether a part of a name is a keyword in one of the
// languages of calls.
func reserved(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if keywords[part] {
			return true
		}
	}
	return false
}

var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(wordsets["keyword"]) {
		out[w] = true
	}
	return out
}()

// wordsets are lists of words by their names.
var wordsets = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(wordsetLines) {
		name, words, _ := strings.Cut(line, ": ")
		out[name] = words
	}
	return out
}()

//go:embed wordsets.txt
var wordsetLines string

// split cuts a name into words and what is between words: at underscores and dots, where digits begin or end, and
// before a capital that follows a small letter.
func split(name string) (out []string) {
	from := 0
	kind := func(r rune) int {
		switch {
		case unicode.IsUpper(r):
			return 1
		case unicode.IsLetter(r):
			return 2
		case unicode.IsDigit(r):
			return 3
		}
		return 4
	}
	last := 0
	for i, r := range name {
		now := kind(r)
		if i > 0 && now != last && !(last == 1 && now == 2) {
			out = append(out, name[from:i])
			from = i
		}
		last = now
	}
	return append(out, name[from:])
}

func isCamel(name string) bool {
	return !strings.Contains(name, "_") && strings.ContainsFunc(name, unicode.IsUpper) && strings.ContainsFunc(name, unicode.IsLower)
}

func startsUpper(s string) bool { return s != "" && unicode.IsUpper([]rune(s)[0]) }

// recased writes words in the case of the word that they replace.
func recased(words, like string, camel, upper bool) string {
	fields := strings.Fields(words)
	switch {
	case len(like) > 1 && like == strings.ToUpper(like):
		return strings.ToUpper(strings.Join(fields, "_"))
	case camel:
		for i, f := range fields {
			if i > 0 || upper && startsUpper(like) {
				fields[i] = strings.ToUpper(f[:1]) + f[1:]
			}
		}
		return strings.Join(fields, "")
	case startsUpper(like):
		for i, f := range fields {
			fields[i] = strings.ToUpper(f[:1]) + f[1:]
		}
	}
	return strings.Join(fields, "_")
}

// A sense is words with the same meaning as a word of a name.
type sense struct {
	words []string
	// verb: only as the first word of a function's name. Otherwise documents
	// must have one of the words in with, if there are any, and none of without.
	verb          bool
	with, without []string
}

func (s *sense) means(about map[string]bool, first bool) bool {
	said := func(w string) bool { return about[w] }
	return len(s.words) > 0 && (!s.verb || first) &&
		(len(s.with) == 0 || slices.ContainsFunc(s.with, said)) && !slices.ContainsFunc(s.without, said)
}

// synonyms are senses by their words. The list is this project's own. A line is
// "word: synonym; synonym"; in parentheses after a word are ^ for a verb, or the
// words that must be said and, after !, those that must not.
var synonyms = sync.OnceValue(readWords)

//go:embed synonyms.txt
var synonymLines string

func readWords() map[string]sense {
	out := map[string]sense{}
	for line := range strings.Lines(strings.TrimSpace(synonymLines)) {
		word, others, _ := strings.Cut(strings.TrimSpace(line), ":")
		word, condition, _ := strings.Cut(word, " (")
		with, without, _ := strings.Cut(strings.TrimSuffix(condition, ")"), "!")
		s := sense{verb: with == "^", without: stemmed(without)}
		if !s.verb {
			s.with = stemmed(with)
		}
		for other := range strings.SplitSeq(others, ";") {
			s.words = append(s.words, strings.TrimSpace(other))
		}
		out[word] = s
	}
	return out
}

func stemmed(list string) (out []string) {
	for _, w := range strings.Fields(list) {
		out = append(out, stem(w))
	}
	return out
}
