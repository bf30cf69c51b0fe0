package variant

import (
	"math/rand/v2"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// order shuffles the tools, the parameters of each, and its list of required
// parameters. If calls are carried out, parameters keep their order, because
// arguments without a name are bound by it.
func (m *maker) order() string {
	bound := m.cat.Executes || m.cat.MultiTurn()
	several := func(doc *pyval.Dict) bool { return properties(doc) != nil && properties(doc).Len() > 1 }
	if len(m.c.Tools) < 2 && (bound || !slices.ContainsFunc(m.c.Tools, several)) {
		return "there is nothing to reorder"
	}
	m.pose = append(m.pose, func(c *eval.Case) {
		random, tools := m.random(), make([]*pyval.Dict, len(c.Tools))
		for i, k := range permuted(random, len(c.Tools)) {
			if tools[i] = c.Tools[k]; !bound {
				tools[i] = shuffled(tools[i], random)
			}
		}
		c.Tools = tools
	})
	return ""
}

// shuffled returns a document with its parameters and its required list in
// another order.
func shuffled(doc *pyval.Dict, random *rand.Rand) *pyval.Dict {
	props := properties(doc)
	if props == nil {
		return doc
	}
	other := pyval.NewDict(props.Len())
	for _, k := range permuted(random, props.Len()) {
		key, value := props.At(k)
		_ = other.Set(key, value) // a dict's key is hashable
	}
	out := withProperties(doc, other)
	params := out.Child("parameters")
	if required := params.List("required"); required != nil {
		list := &pyval.List{}
		for _, k := range permuted(random, len(required)) {
			list.Items = append(list.Items, required[k])
		}
		params.SetStr("required", list)
	}
	return out
}

// permuted returns a permutation of n, and never the identity if there is
// another.
func permuted(random *rand.Rand, n int) []int {
	out := random.Perm(n)
	if n > 1 && slices.IsSorted(out) {
		out = append(out[1:], out[0])
	}
	return out
}
