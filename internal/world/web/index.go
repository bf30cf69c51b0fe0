package web

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// An index ranks pages by BM25 over their words; a word of the title counts
// for several.
type index struct {
	docs []document
	// in is how many documents have a word.
	in      map[string]int
	average float64
}

type document struct {
	page   *source
	text   string
	counts map[string]int
	length float64
}

// A hit is a page that a search found.
type hit struct {
	page    *source
	snippet string
	score   float64
}

const (
	titleWeight = 3
	mostHits    = 30
	bmK, bmB    = 1.2, 0.75
)

func newIndex(pages []*source) *index {
	x := &index{in: map[string]int{}}
	for _, p := range pages {
		if p.status != 200 || p.location != "" {
			continue
		}
		d := document{page: p, text: strings.Join(strings.Fields(websearch.Text(p.body.String())), " "), counts: map[string]int{}}
		for _, word := range words(d.text + " " + p.site) {
			d.counts[word]++
		}
		for _, word := range words(p.title) {
			d.counts[word] += titleWeight
		}
		for word, n := range d.counts {
			x.in[word]++
			d.length += float64(n)
		}
		x.average += d.length
		x.docs = append(x.docs, d)
	}
	x.average /= float64(max(len(x.docs), 1))
	return x
}

// search finds the pages that have any of the words, best first; equal ones in
// the order of their addresses.
func (x *index) search(keywords string) []hit {
	asked := slices.DeleteFunc(words(keywords), func(word string) bool { return x.in[word] == 0 })
	slices.Sort(asked)
	asked = slices.Compact(asked)
	var hits []hit
	for i := range x.docs {
		if score := x.score(&x.docs[i], asked); score > 0 {
			hits = append(hits, hit{x.docs[i].page, snippet(x.docs[i].text, asked), score})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.page.address(), b.page.address()))
	})
	return hits[:min(len(hits), mostHits)]
}

// score is rounded, so that the order is the same on every machine.
func (x *index) score(d *document, asked []string) float64 {
	sum := 0.0
	for _, word := range asked {
		n := float64(d.counts[word])
		if n == 0 {
			continue
		}
		in := float64(x.in[word])
		rarity := math.Log(1 + (float64(len(x.docs))-in+0.5)/(in+0.5))
		sum += rarity * n * (bmK + 1) / (n + bmK*(1-bmB+bmB*d.length/x.average))
	}
	const digits = 1e6
	return math.Round(sum*digits) / digits
}

// snippet is the part of a text that has most of the words, about as long as
// search engines show.
func snippet(text string, asked []string) string {
	const length = 30 // words
	fields := strings.Fields(text)
	best, at := -1, 0
	for i := 0; i < len(fields); i += length / 3 {
		n := 0
		part := words(strings.Join(fields[i:min(i+length, len(fields))], " "))
		for _, word := range asked {
			if slices.Contains(part, word) {
				n++
			}
		}
		if n > best {
			best, at = n, i
		}
	}
	end := min(at+length, len(fields))
	out := strings.Join(fields[at:end], " ")
	if at > 0 {
		out = "... " + out
	}
	if end < len(fields) {
		out += " ..."
	}
	return out
}

// stopwords say nothing about a page.
var stopwords = setOf("a an and are as at be by did do does for from had has have how in is it its of on or that the their this to was were what when where which who whose will with")

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// words are a text's words in lower case, without stopwords, and in the
// singular if that is easy.
func words(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	out := fields[:0]
	for _, word := range fields {
		if stopwords[word] {
			continue
		}
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			word = word[:len(word)-1]
		}
		out = append(out, word)
	}
	return out
}
