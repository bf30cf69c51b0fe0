package errata

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// A sight is a case as detectors see it.
type sight struct {
	cat      *eval.Category
	c        *eval.Case
	question string // of all turns
}

func newSight(cat *eval.Category, c *eval.Case) *sight {
	s := &sight{cat: cat, c: c}
	for i := range c.Turns {
		s.question += said(c, i) + "\n"
	}
	return s
}

// said returns what a turn says.
func said(c *eval.Case, turn int) (out string) {
	for _, m := range c.Turns[turn] {
		out += m.Content + "\n"
	}
	return out
}

// textsOf returns what a reader of a case sees: its questions, documents and
// scenario.
func textsOf(c *eval.Case) (out []string) {
	for i := range c.Turns {
		out = append(out, said(c, i))
	}
	for _, doc := range c.Tools {
		out = collect(out, doc)
	}
	if c.Scene != nil {
		for _, docs := range c.Scene.HeldOut {
			for _, doc := range docs {
				out = collect(out, doc)
			}
		}
		if c.Scene.Config != nil {
			out = collect(out, c.Scene.Config)
		}
	}
	return out
}

// collect adds the texts and numbers in a value, and the keys of its dicts.
func collect(out []string, v pyval.Value) []string {
	switch v := v.(type) {
	case *pyval.Dict:
		for key, value := range v.All() {
			out = collect(append(out, pyval.Text(key)), value)
		}
	case *pyval.List:
		for _, item := range v.Items {
			out = collect(out, item)
		}
	default:
		out = append(out, pyval.Text(v))
	}
	return out
}

// itemsOf returns the list under a key of a dict, and textOf its text; nil and
// "" if there is none.
func itemsOf(d *pyval.Dict, key string) []pyval.Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	if list, ok := v.(*pyval.List); ok {
		return list.Items
	}
	return nil
}

func textOf(d *pyval.Dict, key string) string {
	if d == nil {
		return ""
	}
	v, _ := d.GetStr(key)
	text, _ := v.(pyval.Str)
	return string(text)
}

// expected returns the document and the accepted values of each call of a
// possible answer.
func (s *sight) expected() iter.Seq2[*pyval.Dict, *pyval.Dict] {
	return func(yield func(doc, accepted *pyval.Dict) bool) {
		if s.c.Answer == nil {
			return
		}
		for _, item := range s.c.Answer.Items {
			name, accepted := only(item)
			if doc := document(s.c, name); doc != nil && !yield(doc, accepted) {
				return
			}
		}
	}
}

// demanded returns the parameters that must be given and whose document and
// accepted values have a defect.
func (s *sight) demanded(defect func(doc *pyval.Dict, values []pyval.Value) bool) (out []string) {
	for doc, accepted := range s.expected() {
		for param, v := range accepted.All() {
			values, ok := v.(*pyval.List)
			if ok && !optional(v) && defect(doc.Child("parameters").Child("properties").Child(pyval.Text(param)), values.Items) {
				out = append(out, fmt.Sprintf("%s: accepted is %s", pyval.Text(param), pyval.Repr(v)))
			}
		}
	}
	return out
}

// allLists reports whether each value is a list for which f holds.
func allLists(values []pyval.Value, f func(items []pyval.Value) bool) bool {
	return !slices.ContainsFunc(values, func(v pyval.Value) bool {
		list, ok := v.(*pyval.List)
		return !ok || !f(list.Items)
	})
}

// outsideEnum: no value of the document's enum is accepted.
func (s *sight) outsideEnum() []string {
	return s.demanded(func(doc *pyval.Dict, values []pyval.Value) bool {
		enum := itemsOf(doc, "enum")
		outside := func(v pyval.Value) bool {
			return !slices.ContainsFunc(enum, func(e pyval.Value) bool { return plainWords(pyval.Text(e)) == plainWords(pyval.Text(v)) })
		}
		return len(enum) > 0 && !slices.ContainsFunc(values, func(v pyval.Value) bool {
			list, ok := v.(*pyval.List)
			return !outside(v) || ok && !slices.ContainsFunc(list.Items, outside)
		})
	})
}

// integers: the question has whole numbers where a list of floats is demanded.
func (s *sight) integers() []string {
	return s.demanded(func(doc *pyval.Dict, values []pyval.Value) bool {
		return s.c.Language == eval.Python && textOf(doc.Child("items"), "type") == "float" &&
			allLists(values, func(items []pyval.Value) bool { return slices.ContainsFunc(items, s.whole) })
	})
}

// whole reports whether a float stands in the question as an integer.
func (s *sight) whole(v pyval.Value) bool {
	f, ok := v.(pyval.Float)
	if !ok || f != pyval.Float(int64(f)) {
		return false
	}
	digits := fmt.Sprint(int64(f))
	return regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(digits) + `($|[^\d.]|\.($|\D))`).MatchString(s.question)
}

// failing: a call of the reference fails.
func (s *sight) failing() (out []string) {
	if s.c.Scene == nil || s.c.Answer == nil {
		return nil
	}
	env, err := classes.All.Open(sim.Setup{Model: "errata", Entry: s.c.ID, Involved: s.c.Scene.Classes, Config: s.c.Scene.Config, World: sim.NewWorld(s.c.Scene.Long)})
	if err != nil {
		return nil
	}
	for turn, v := range s.c.Answer.Items {
		if calls, ok := v.(*pyval.List); ok {
			for _, call := range calls.Items {
				if result := env.Call(pyval.Text(call)).Text; sim.IsError(result) {
					out = append(out, fmt.Sprintf("turn %d: %s: %.200s", turn+1, pyval.Text(call), result))
				}
			}
		}
	}
	return out
}

var (
	relative = pattern.Of(`(?i)\b(today|tonight|tomorrow|yesterday|(next|last|this|coming|past) (week|month|year|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter))\b`)
	year     = pattern.Of(`\b(19|20)\d\d\b`)
)

// relativeDate: only the key knows the year.
func (s *sight) relativeDate() []string {
	words := relative().FindString(s.question)
	if words == "" || year().MatchString(s.question) {
		return nil
	}
	out := s.demanded(func(_ *pyval.Dict, values []pyval.Value) bool {
		return !slices.ContainsFunc(values, func(v pyval.Value) bool { return !year().MatchString(pyval.Text(v)) })
	})
	for i := range out {
		out[i] = fmt.Sprintf("%q: %s", words, out[i])
	}
	return out
}

var notWord = pattern.Of(`[^\p{L}\p{N}]+`)

// plainWords returns a text's words in lower case with one blank around each.
func plainWords(text string) string {
	return " " + strings.TrimSpace(notWord().ReplaceAllString(strings.ToLower(text), " ")) + " "
}

// order: all items of a demanded list stand in the question, in another order.
func (s *sight) order() []string {
	question := plainWords(s.question)
	return s.demanded(func(_ *pyval.Dict, values []pyval.Value) bool {
		return allLists(values, func(items []pyval.Value) bool {
			if strings.Contains(question, plainWords(strings.Join(collect(nil, pyval.NewList(items...)), " "))) {
				return false
			}
			var places []int
			for _, item := range items {
				places = append(places, strings.Index(question, plainWords(pyval.Text(item))))
			}
			return !slices.Contains(places, -1) && !slices.IsSorted(places)
		})
	})
}

var (
	digits = pattern.Of(`\d`)
	quoted = pattern.Of(`['"“‘][^'"”’]+['"”’]|[^.!?]\s[A-Z]`)
)

// answerable: the name of a function is told, and each value that it requires
// may stand in the question.
func (s *sight) answerable() (out []string) {
	if s.cat.Rule != eval.Irrelevance {
		return nil
	}
	question := plainWords(s.question)
	for i, name := range s.c.ToolNames() {
		parameters := s.c.Tools[i].Child("parameters")
		lacks := func(param pyval.Value) bool {
			doc := parameters.Child("properties").Child(pyval.Text(param))
			return doc != nil && !mayStand(s.question, doc)
		}
		if variant.Told(question, name) && !slices.ContainsFunc(itemsOf(parameters, "required"), lacks) {
			out = append(out, name)
		}
	}
	return out
}

// mayStand reports whether a question may hold a value of a parameter.
func mayStand(question string, doc *pyval.Dict) bool {
	if enum := itemsOf(doc, "enum"); enum != nil {
		return slices.ContainsFunc(enum, func(v pyval.Value) bool { return strings.Contains(plainWords(question), plainWords(pyval.Text(v))) })
	}
	switch textOf(doc, "type") {
	case "integer", "float", "number":
		return digits().MatchString(question)
	case "string":
		return quoted().MatchString(question) || digits().MatchString(question)
	}
	return true
}

// poses returns what a single-turn case asks: cases with the same are equal.
func poses(c *eval.Case) string {
	if len(c.Turns) != 1 || c.Answer == nil {
		return c.ID
	}
	return plainWords(c.Question() + strings.Join(c.ToolNames(), " "))
}

// contradict reports whether the keys of two cases agree in no value of a
// parameter.
func contradict(a, b *eval.Case) bool {
	if len(a.Answer.Items) != len(b.Answer.Items) {
		return true
	}
	for i := range a.Answer.Items {
		nameA, keyA := only(a.Answer.Items[i])
		nameB, keyB := only(b.Answer.Items[i])
		if nameA != nameB {
			return true
		}
		for param, v := range keyA.All() {
			x, ok := v.(*pyval.List)
			w, _ := keyB.Get(param)
			y, known := w.(*pyval.List)
			if ok && known && !slices.ContainsFunc(x.Items, func(v pyval.Value) bool {
				return slices.ContainsFunc(y.Items, func(w pyval.Value) bool { return judge.Alike(v, w) })
			}) {
				return true
			}
		}
	}
	return false
}
