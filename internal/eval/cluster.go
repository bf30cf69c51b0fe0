package eval

import (
	"cmp"
	"strings"
)

// Clusters groups cases into clusters. Add fills it, Of looks a case up.
type Clusters struct {
	parent map[string]string
	asked  map[string]string // a base by the text of its question
	bases  map[*Case]string
}

// New returns Clusters without cases, with room for some.
func New(cases int) *Clusters {
	return &Clusters{parent: map[string]string{}, asked: make(map[string]string, cases), bases: make(map[*Case]string, cases)}
}

// Add adds a case to the cluster of its base and joins that with the cluster of
// its question. A case that was added before is ignored.
func (cs *Clusters) Add(cat *Category, c *Case) {
	if _, known := cs.bases[c]; known {
		return
	}
	base := Key(cat, c)
	cs.bases[c] = base
	if text := question(c); text != "" {
		cs.join(base, text)
	}
}

// Of returns the cluster of a case that was added: the base of the first case
// in it. A case that was not added is a cluster of its own.
func (cs *Clusters) Of(c *Case) string {
	base, known := cs.bases[c]
	if !known {
		return c.ID
	}
	return cs.root(base)
}

// root returns the base that a cluster goes by.
func (cs *Clusters) root(key string) string {
	for {
		up, known := cs.parent[key]
		if !known {
			return key
		}
		if above, known := cs.parent[up]; known {
			cs.parent[key] = above
		}
		key = up
	}
}

// join puts a base into one cluster with all others that ask the same question.
func (cs *Clusters) join(base, text string) {
	asked, known := cs.asked[text]
	if !known {
		cs.asked[text] = base
		return
	}
	if a, b := cs.root(asked), cs.root(base); a != b {
		cs.parent[b] = a
	}
}

// question returns the text of all turns of a case.
func question(c *Case) string {
	if len(c.Turns) == 1 && len(c.Turns[0]) == 1 { // as most, which need no copy
		return c.Turns[0][0].Content
	}
	var b strings.Builder
	for _, turn := range c.Turns {
		for _, m := range turn {
			b.WriteString(m.Role + "\x00" + m.Content + "\x00")
		}
	}
	return b.String()
}

// Key returns the name of what a case shares with others, by its id; the id
// itself if it shares nothing. Cases of one cluster tend to go right or wrong
// together:
//
//   - a memory's questions about one scenario, whatever the memory;
//   - live questions with the same function document, whose number is the
//     second of the three in the id;
//   - the variants of a multi-turn conversation;
//   - the same question with web search results with and without snippets;
//   - the same question in several prompt formats.
func Key(cat *Category, c *Case) string {
	if s := c.Scene; s != nil && s.Scenario != "" {
		return "scenario:" + s.Scenario
	}
	if cat.Rule == Varied {
		if at := strings.LastIndexByte(c.ID, ':'); at >= 0 {
			return "format:" + c.ID[at+1:]
		}
	}
	rest, ok := strings.CutPrefix(c.ID, cat.Name+"_")
	if !ok {
		return c.ID
	}
	if base := cmp.Or(cat.Base, cat.Source); base != "" {
		return base + ":" + rest
	}
	if numbers := strings.Split(rest, "-"); cat.SharedTools && len(numbers) == 3 {
		return cat.Name + ":" + numbers[1]
	}
	return c.ID
}

// Unit says what the clusters of a category are: cases that are drawn together.
func Unit(cat *Category) string {
	switch {
	case cat.Memory != "":
		return "scenario"
	case cat.MultiTurn() && !cat.Web:
		return "conversation"
	case cat.SharedTools:
		return "question family"
	case cat.Web, cat.Rule == Varied:
		return "question"
	}
	return "case"
}
