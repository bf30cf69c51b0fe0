package variant

import (
	"cmp"
	_ "embed" // for the words
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// distractors adds tools that have no word in common with the question and with
// the case's own tools. They come after those: a different order is another
// variant.
func (m *maker) distractors() string {
	if len(ownTools(m.c))+m.spec.N > MaxTools {
		return fmt.Sprintf("there would be more than %d tools", MaxTools)
	}
	question := questionOf(m.c)
	switch {
	case foreign(question):
		return "the question is in another script than the tools, so their words cannot be compared"
	case misnamed(m.c):
		return "its answer calls the only tool by another name"
	}
	picked := m.set.pools[m.cat.Language].pick(m, question)
	if picked == nil {
		return fmt.Sprintf("the dataset has fewer than %d tools of other domains", m.spec.N)
	}
	m.pose = append(m.pose, func(c *eval.Case) { c.Tools = slices.Concat(c.Tools, picked) })
	return ""
}

// ownTools returns a case's function documents, including those that a later
// turn adds.
func ownTools(c *eval.Case) []*pyval.Dict {
	out := slices.Clone(c.Tools)
	if c.Scene != nil {
		for turn := range c.Turns {
			out = append(out, c.Scene.HeldOut[turn]...)
		}
	}
	return out
}

// misnamed reports whether the possible answer calls the case's only tool by
// another name, as some answers of the first release do: that matters once there
// are others.
func misnamed(c *eval.Case) bool {
	if c.Answer == nil || len(c.Tools) > 1 {
		return false
	}
	return slices.ContainsFunc(c.Answer.Items, func(item pyval.Value) bool {
		d, ok := item.(*pyval.Dict)
		if !ok || d.Len() != 1 {
			return false
		}
		key, _ := d.At(0)
		return !strings.Contains(pyval.Text(key), text(c.Tools[0], "name"))
	})
}

// A pool holds the tools that distractors are taken from, with the words that
// say what each is about.
type pool struct {
	docs  []*pyval.Dict
	words [][]string
}

// newPool takes each tool once if two words or more say what it is about. A tool
// that may answer any question, such as a search, is not a distractor.
func newPool(docs []*pyval.Dict) *pool {
	p := &pool{}
	known := map[string]bool{}
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, func(a, b *pyval.Dict) int { return cmp.Compare(flatName(a), flatName(b)) })
	for _, doc := range docs {
		name, words := flatName(doc), content(text(doc, "name")+" "+text(doc, "description"))
		if name == "" || known[name] || properties(doc) == nil || len(words) < 2 || anyOf(words, anything) {
			continue
		}
		known[name] = true
		p.docs, p.words = append(p.docs, doc), append(p.words, words)
	}
	return p
}

func flatName(doc *pyval.Dict) string { return strings.ReplaceAll(text(doc, "name"), ".", "_") }

// pick returns as many tools as the variant wants; nil if fewer fit.
func (p *pool) pick(m *maker, question string) (out []*pyval.Dict) {
	names, about := map[string]bool{}, map[string]bool{}
	add := func(text string) {
		for _, w := range content(text) {
			about[w] = true
		}
	}
	add(question)
	for _, doc := range ownTools(m.c) {
		names[flatName(doc)] = true
		add(text(doc, "name") + " " + text(doc, "description"))
	}
	for _, i := range m.random().Perm(len(p.docs)) {
		if names[flatName(p.docs[i])] || anyOf(p.words[i], about) {
			continue
		}
		if out = append(out, p.docs[i]); len(out) == m.spec.N {
			return out
		}
	}
	return nil
}

func questionOf(c *eval.Case) string {
	var said strings.Builder
	for _, turn := range c.Turns {
		for _, m := range turn {
			said.WriteString(m.Content + "\n")
		}
	}
	return said.String()
}

// foreign reports whether more than a tenth of a text's letters are not Latin,
// as the tools' are.
func foreign(text string) bool {
	letters, others := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				others++
			}
		}
	}
	return 10*others > letters
}

// content returns the words that say what a text is about, without endings.
func content(text string) (out []string) {
	for _, word := range words(text) {
		if w := stem(word); len(w) >= 3 && !generic[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// words returns the words of a text in small letters. A capital after a small
// letter begins a word.
func words(text string) (out []string) {
	last := ' '
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case !unicode.IsLetter(last), unicode.IsUpper(r) && unicode.IsLower(last):
			out = append(out, string(unicode.ToLower(r)))
		default:
			out[len(out)-1] += string(unicode.ToLower(r))
		}
		last = r
	}
	return out
}

// stem cuts off the commonest endings, so that "books" and "booking" are
// "book".
func stem(w string) string {
	for _, end := range []string{"ations", "ation", "ings", "ing", "ies", "ers", "ed", "er", "es", "s", "e", "y"} {
		if short, ok := strings.CutSuffix(w, end); ok && len(short) >= 4 {
			return short
		}
	}
	return w
}

//go:embed words.txt
var wordLines string

// generic are the stems of words that nearly any tool or question has, and
// anything those of tools that may serve any question.
var generic, anything = func() (a, b map[string]bool) {
	first, second, _ := strings.Cut(wordLines, "\n")
	return stems(first), stems(second)
}()

func stems(line string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(line) {
		out[stem(w)] = true
	}
	return out
}

func anyOf(words []string, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return set[w] })
}
