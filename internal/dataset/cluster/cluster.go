// Package cluster knows which cases are not independent: those that share a
// base, by their ids, and those that ask the same question, which tend to
// go right or wrong together whatever their ids.
package cluster

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// Clusters are the clusters of some cases. Add makes them, Of looks them up.
type Clusters struct {
	parent map[string]string
	bases  map[*eval.Case]string
}

// New is without any case.
func New() *Clusters {
	return &Clusters{parent: map[string]string{}, bases: map[*eval.Case]string{}}
}

// Add adds a case: to the cluster of its base, and that to the one of its
// question. A case that was added stays where it is.
func (cs *Clusters) Add(cat *eval.Category, c *eval.Case) {
	if _, known := cs.bases[c]; known {
		return
	}
	base := Key(cat, c)
	cs.bases[c] = base
	if text := question(c); text != "" {
		cs.join(base, text)
	}
}

// Of returns the cluster of a case that was added: the base of the first of its
// cases. A case that was not is like no other.
func (cs *Clusters) Of(c *eval.Case) string {
	base, known := cs.bases[c]
	if !known {
		return c.ID
	}
	return cs.root(base)
}

// root is what stands for a cluster.
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

// join makes one cluster of a base and all that ask a question.
func (cs *Clusters) join(base, text string) {
	const mark = "\x00" // no base begins so
	asked, known := cs.parent[mark+text]
	if !known {
		cs.parent[mark+text] = cs.root(base)
		return
	}
	if a, b := cs.root(asked), cs.root(base); a != b {
		cs.parent[b] = a
	}
}

// question is all that the turns of a case say.
func question(c *eval.Case) string {
	var b strings.Builder
	for _, turn := range c.Turns {
		for _, m := range turn {
			b.WriteString(m.Role + "\x00" + m.Content + "\x00")
		}
	}
	return b.String()
}
