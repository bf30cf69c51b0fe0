package variant

import (
	"cmp"
	_ "embed" // for the domains
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A pool holds the tools that distractors are taken from.
type pool struct{ tools []pooled }

// A pooled tool has the words that say what it is about.
type pooled struct {
	doc   *pyval.Dict
	name  string
	words []string
}

// newPool takes each tool once if it is about something: a tool that may answer
// any question, such as a search, is not a distractor.
func newPool(docs []*pyval.Dict) *pool {
	p := &pool{}
	known := map[string]bool{}
	for _, doc := range docs {
		name := underscored(text(doc, "name"))
		if name == "" || known[name] || properties(doc) == nil {
			continue
		}
		known[name] = true
		t := pooled{doc: doc, name: name, words: content(text(doc, "name") + " " + text(doc, "description"))}
		if len(t.words) >= leastWords && !slices.ContainsFunc(t.words, func(w string) bool { return anything[w] }) {
			p.tools = append(p.tools, t)
		}
	}
	slices.SortFunc(p.tools, func(a, b pooled) int { return cmp.Compare(a.name, b.name) })
	return p
}

// leastWords is how many words must say what a distractor is about.
const leastWords = 2

// distractors adds tools that have no word in common with the question and with
// the case's own tools. They come after those: a different order is another
// variant.
func (m *maker) distractors() string {
	own := len(allTools(m.c))
	if own+m.spec.N > MaxTools {
		return fmt.Sprintf("there would be more than %d tools", MaxTools)
	}
	if foreign(m.c) {
		return "the question is in another script than the tools, so their words cannot be compared"
	}
	p := m.set.pools[m.cat.Language]
	picked := p.pick(m.c, m.spec.N, m.draw())
	if picked == nil {
		return fmt.Sprintf("the dataset has fewer than %d tools of other domains", m.spec.N)
	}
	m.pose = append(m.pose, func(c *eval.Case) {
		tools := slices.Clone(c.Tools)
		for _, i := range picked {
			tools = append(tools, p.tools[i].doc)
		}
		if len(c.Tools) == 1 {
			c.Answer = named(c.Answer, text(c.Tools[0], "name"))
		}
		c.Tools = tools
	})
	return ""
}

// named returns a possible answer under the name of the case's only tool. Some
// answers of the first release use another name, which does not matter while
// there is one tool.
func named(answer *pyval.List, name string) *pyval.List {
	if answer == nil {
		return nil
	}
	return answer.Map(func(item pyval.Value) pyval.Value {
		if d, ok := item.(*pyval.Dict); ok && d.Len() == 1 {
			if key, params := d.At(0); !strings.Contains(pyval.Text(key), name) {
				return pyval.Pair(pyval.Str(name), params)
			}
		}
		return item
	})
}

// pick returns the positions of n tools; nil if fewer fit.
func (p *pool) pick(c *eval.Case, n int, d *draw) []int32 {
	about, names, said := map[string]bool{}, map[string]bool{}, ""
	for _, turn := range c.Turns {
		for _, m := range turn {
			addContent(about, m.Content)
			said += strings.ToLower(m.Content) + "\n"
		}
	}
	for _, doc := range allTools(c) {
		names[underscored(text(doc, "name"))] = true
		addContent(about, text(doc, "name")+" "+text(doc, "description"))
	}
	if c.Rule == eval.Irrelevance {
		widen(about)
	}
	size := len(p.tools)
	if size == 0 {
		return nil
	}
	// A step that has no divisor in common with the size reaches each tool
	// once.
	at, step := d.below(size), 1+d.below(size)
	for gcd(step, size) != 1 {
		step++
	}
	out := make([]int32, 0, n)
	for range size {
		t := &p.tools[at]
		told := c.Rule == eval.Irrelevance && Told(said, t.name)
		if !told && !names[t.name] && !slices.ContainsFunc(t.words, func(w string) bool { return about[w] }) {
			if out = append(out, int32(at)); len(out) == n {
				return out
			}
		}
		at = (at + step) % size
	}
	return nil
}

// Told reports whether the words of a function's name stand in a question in
// small letters, not counting short ones. Their endings may differ.
func Told(question, name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '.' })
	return !slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 3 && !strings.Contains(question, w[:len(w)-min(len(w)/4, 2)])
	})
}

// domains are words of one domain, a line each: a tool for one of them may
// answer a question about another.
var domains = sync.OnceValue(func() (out [][]string) {
	for line := range strings.Lines(domainLines) {
		out = append(out, stemmed(line))
	}
	return out
})

//go:embed domains.txt
var domainLines string

// widen adds to words all words of their domains. Where no call is right, no
// added tool may come near to an answer.
func widen(about map[string]bool) {
	var near []string
	for _, words := range domains() {
		if slices.ContainsFunc(words, func(w string) bool { return about[w] }) {
			near = append(near, words...)
		}
	}
	for _, w := range near {
		about[w] = true
	}
}

// foreign reports whether more than a tenth of the questions' letters are not
// Latin, as the tools' are.
func foreign(c *eval.Case) bool {
	letters, others := 0, 0
	for _, turn := range c.Turns {
		for _, m := range turn {
			for _, r := range m.Content {
				if unicode.IsLetter(r) {
					letters++
					if !unicode.Is(unicode.Latin, r) {
						others++
					}
				}
			}
		}
	}
	const part = 10
	return others*part > letters
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func addContent(words map[string]bool, text string) {
	for _, w := range content(text) {
		words[w] = true
	}
}

// content returns the words that say what a text is about, without endings. For
// a text in another script these are its letters.
func content(text string) []string {
	var out []string
	add := func(word string) {
		if w := stem(strings.ToLower(word)); len(w) >= 3 && !generic[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, p := range split(field) {
			add(p)
		}
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

// generic are words that nearly any tool or question has, as stem returns them.
var generic = stems(wordsets["generic"])

// anything are the words of tools that may serve any question.
var anything = stems(wordsets["anything"])

func stems(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range stemmed(list) {
		out[w] = true
	}
	return out
}
