package variant

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Set is the variants of a run.
type Set struct {
	Specs []Spec
	// Seed decides, together with a case's id, how the case is varied.
	Seed uint64
	// Tools returns the function documents of all cases of a language, from
	// which distractors are taken.
	Tools func(eval.Language) ([]*pyval.Dict, error)

	pools map[eval.Language]*pool
}

// A LeftOut says how many cases of a category a variant leaves out, and why.
type LeftOut struct {
	Variant  string `json:"variant"`
	Category string `json:"category"`
	Why      string `json:"why"`
	Cases    int    `json:"cases"`
}

// Category returns the category of a variant of another's cases: answers are
// decoded as there, mapped back, and judged by its judge as answers to the
// original. It counts in no score.
func Category(plain *eval.Category, variant string) *eval.Category {
	out := *plain
	out.Name = Label(plain.Name, variant)
	out.Variant, out.Plain = variant, plain
	out.Unscored = true
	out.Decode = func(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
		calls, err := plain.Decode(c.Plain(), result, s)
		if err == nil && c.Variation != nil && c.Variation.Back != nil {
			calls = c.Variation.Back(calls)
		}
		return calls, err
	}
	out.Judge = func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
		return plain.Judge(c.Plain(), decoded, err, s)
	}
	return &out
}

// Vary makes a variant of a category's cases. The category is nil if no case
// could be varied.
func (s *Set) Vary(spec Spec, cat *eval.Category, cases []*eval.Case) (*eval.Category, []*eval.Case, []LeftOut, error) {
	if spec.kind.unfit != nil {
		if why := spec.kind.unfit(cat); why != "" {
			return nil, nil, []LeftOut{{spec.String(), cat.Name, why, len(cases)}}, nil
		}
	}
	if spec.kind.counts && s.pools[cat.Language] == nil {
		tools, err := s.Tools(cat.Language)
		if err != nil {
			return nil, nil, nil, err
		}
		if s.pools == nil {
			s.pools = map[eval.Language]*pool{}
		}
		s.pools[cat.Language] = newPool(tools)
	}
	var out []*eval.Case
	var left []LeftOut
	for _, c := range cases {
		v, why := s.one(spec, cat, c)
		if v != nil {
			out = append(out, v)
			continue
		}
		at := slices.IndexFunc(left, func(l LeftOut) bool { return l.Why == why })
		if at < 0 {
			at = len(left)
			left = append(left, LeftOut{spec.String(), cat.Name, why, 0})
		}
		left[at].Cases++
	}
	if len(out) == 0 {
		return nil, nil, left, nil
	}
	return Category(cat, spec.String()), out, left, nil
}

// A maker makes one variation: pose changes the copy of the case that the model
// sees.
type maker struct {
	set  *Set
	spec Spec
	cat  *eval.Category
	c    *eval.Case // the original

	pose []func(c *eval.Case)
	back func(calls pyval.Value) pyval.Value
}

func (s *Set) one(spec Spec, cat *eval.Category, c *eval.Case) (varied *eval.Case, why string) {
	m := &maker{set: s, spec: spec, cat: cat, c: c}
	switch {
	case c.Sent != nil:
		return nil, "its tools are sent as their owner wrote them"
	case len(c.Tools) == 0:
		return nil, "there are no tools"
	}
	if why := spec.kind.vary(m); why != "" {
		return nil, why
	}
	out := *c
	out.ID = Label(c.ID, spec.String())
	out.Variation = &eval.Variation{Variant: spec.String(), Original: c, Back: m.back, Pose: func() *eval.Case {
		posed := out
		for _, change := range m.pose {
			change(&posed)
		}
		return &posed
	}}
	return &out, ""
}

// random returns the source of everything random in a variation.
func (m *maker) random() *rand.Rand {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, m.set.Seed) // a hash takes everything
	_, _ = h.Write([]byte(m.spec.kind.name + "\x00" + m.c.ID))
	return rand.New(rand.NewPCG(h.Sum64(), m.set.Seed))
}

// tools changes each function document of a case.
func (m *maker) tools(change func(doc *pyval.Dict) *pyval.Dict) {
	m.pose = append(m.pose, func(c *eval.Case) {
		c.Tools = slices.Clone(c.Tools)
		for i, doc := range c.Tools {
			c.Tools[i] = change(doc)
		}
	})
}

// eachCall changes the calls of a list; anything of another shape is kept.
func eachCall(v pyval.Value, change func(name string, args *pyval.Dict) (string, *pyval.Dict)) pyval.Value {
	switch v := v.(type) {
	case *pyval.List:
		return v.Map(func(item pyval.Value) pyval.Value { return eachCall(item, change) })
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, args := range v.All() {
			name, isText := key.(pyval.Str)
			if d, ok := args.(*pyval.Dict); ok && isText {
				other, changed := change(string(name), d)
				key, args = pyval.Str(other), changed
			}
			_ = out.Set(key, args) // a dict's key is hashable
		}
		return out
	}
	return v
}

// text returns the text under a key; "" if there is none.
func text(d *pyval.Dict, key string) string {
	s, _ := d.Text(key)
	return s
}

// properties returns the parameters of a function document; nil if it has none.
func properties(doc *pyval.Dict) *pyval.Dict { return doc.Child("parameters").Child("properties") }

// withProperties returns a copy of a document with other parameters.
func withProperties(doc, props *pyval.Dict) *pyval.Dict {
	out, params := doc.Clone(), doc.Child("parameters").Clone()
	params.SetStr("properties", props)
	out.SetStr("parameters", params)
	return out
}
