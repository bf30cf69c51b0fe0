package variant

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// opaque gives functions and parameters meaningless names, also in descriptions
// and questions.
func (m *maker) opaque() string {
	called := func(m eval.Message) bool { return len(m.Calls) > 0 }
	if slices.ContainsFunc(m.c.Turns, func(turn []eval.Message) bool { return slices.ContainsFunc(turn, called) }) {
		return "its question has calls"
	}
	// Made only when the case is posed or its answer judged, because a run has
	// many.
	swap := sync.OnceValue(func() *swaps { return newSwaps(m.c, m.random()) })
	m.tools(func(doc *pyval.Dict) *pyval.Dict { return swap().document(doc) })
	m.pose = append(m.pose, func(c *eval.Case) { swap().rest(c) })
	m.back = func(calls pyval.Value) pyval.Value {
		return eachCall(calls, func(name string, args *pyval.Dict) (string, *pyval.Dict) {
			return swap().function(name), swap().swapKeys(args)
		})
	}
	return ""
}

// swaps holds names and their replacements. Each map holds both directions:
// swapping twice restores the original, and so no two answers are mapped to the
// same one. A model that uses an original name, which it was not shown, then
// calls no known function.
type swaps struct {
	functions, params map[string]string
	// mentions are the names that are replaced in texts, longest first.
	mentions [][2]string
}

func newSwaps(c *eval.Case, random *rand.Rand) *swaps {
	s := &swaps{functions: map[string]string{}, params: map[string]string{}}
	said, taken := said(c), map[string]bool{}
	for _, doc := range c.Tools {
		name := text(doc, "name")
		if other := s.put(s.functions, name, "f", random, taken, said); other != "" {
			flat := func(name string) string { return strings.ReplaceAll(name, ".", "_") } // for providers that refuse dots
			if plain := flat(name); plain != name && s.functions[plain] == "" {
				s.functions[plain], s.functions[flat(other)] = flat(other), plain
				s.mention(plain, flat(other))
			}
		}
		for key := range properties(doc).All() {
			s.put(s.params, pyval.Text(key), "p", random, taken, said)
		}
	}
	slices.SortStableFunc(s.mentions, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	return s
}

// put adds a name and a meaningless one with as many dots to a map, and returns
// the other name; "" if the name is kept.
func (s *swaps) put(names map[string]string, name, kind string, random *rand.Rand, taken, said map[string]bool) string {
	if names[name] != "" || name == "" || said[name] {
		return ""
	}
	const letters = "bcdfghjkmnpqrstvwxz"
	for {
		var parts []string
		for range strings.Count(name, ".") + 1 {
			parts = append(parts, fmt.Sprintf("%s%c%c%02d", kind, letters[random.IntN(len(letters))], letters[random.IntN(len(letters))], random.IntN(100)))
		}
		if other := strings.Join(parts, "."); !taken[other] && !said[other] {
			taken[other], names[name], names[other] = true, other, name
			s.mention(name, other)
			return other
		}
	}
}

// mention replaces a name in texts if it looks like a name; otherwise it may
// be an ordinary word there.
func (s *swaps) mention(name, other string) {
	if strings.ContainsAny(name, "_.0123456789") || strings.ContainsFunc(name[1:], unicode.IsUpper) {
		s.mentions = append(s.mentions, [2]string{name, other})
	}
}

// said returns the words of what an answer may say, and of the values that
// documents list. A name that is one of them is kept, because replacing it in a
// text might replace a value.
func said(c *eval.Case) map[string]bool {
	said := map[string]bool{}
	if c.Answer != nil {
		for _, item := range c.Answer.Items {
			expected, _ := item.(*pyval.Dict)
			for _, params := range expected.All() {
				accepted, _ := params.(*pyval.Dict)
				for _, values := range accepted.All() {
					addWords(said, values)
				}
			}
		}
	}
	for _, doc := range c.Tools {
		for _, param := range properties(doc).All() {
			if d, ok := param.(*pyval.Dict); ok {
				for _, key := range []string{"enum", "default"} {
					v, _ := d.GetStr(key)
					addWords(said, v)
				}
			}
		}
	}
	return said
}

func addWords(said map[string]bool, v pyval.Value) {
	switch v := v.(type) {
	case pyval.Str:
		said[string(v)] = true
		for _, word := range strings.FieldsFunc(string(v), func(r rune) bool { return !nameRune(r) && r != '.' }) {
			said[word], said[strings.Trim(word, ".")] = true, true
		}
	case *pyval.List:
		for _, item := range v.Items {
			addWords(said, item)
		}
	case *pyval.Dict:
		for key, item := range v.All() {
			addWords(said, key)
			addWords(said, item)
		}
	}
}

func nameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// document returns a function's document with its other names.
func (s *swaps) document(doc *pyval.Dict) *pyval.Dict {
	out, _ := s.described(doc).(*pyval.Dict)
	out.SetStr("name", pyval.Str(s.function(text(doc, "name"))))
	params := out.Child("parameters")
	if params == nil {
		return out
	}
	if props := params.Child("properties"); props != nil {
		params.SetStr("properties", s.swapKeys(props))
	}
	v, _ := params.GetStr("required")
	if required, ok := v.(*pyval.List); ok {
		params.SetStr("required", required.Map(s.paramKey))
	}
	return out
}

func (s *swaps) function(name string) string { return cmp.Or(s.functions[name], name) }

func (s *swaps) paramKey(key pyval.Value) pyval.Value {
	if name, ok := key.(pyval.Str); ok && s.params[string(name)] != "" {
		return pyval.Str(s.params[string(name)])
	}
	return key
}

func (s *swaps) swapKeys(d *pyval.Dict) *pyval.Dict {
	out := pyval.NewDict(d.Len())
	for key, value := range d.All() {
		_ = out.Set(s.paramKey(key), value) // a dict's key is hashable
	}
	return out
}

// described returns a document with names replaced in its descriptions, at any
// depth.
func (s *swaps) described(v pyval.Value) pyval.Value {
	d, ok := v.(*pyval.Dict)
	if !ok {
		return v
	}
	out := pyval.NewDict(d.Len())
	for key, value := range d.All() {
		if about, ok := value.(pyval.Str); ok && pyval.Text(key) == "description" {
			value = pyval.Str(s.mentioned(string(about)))
		}
		_ = out.Set(key, s.described(value)) // a dict's key is hashable
	}
	return out
}

// mentioned returns a text with the names in it replaced, where they are words
// of their own.
func (s *swaps) mentioned(in string) string {
	for _, pair := range s.mentions {
		var out strings.Builder
		for {
			before, after, found := strings.Cut(in, pair[0])
			out.WriteString(before)
			if !found {
				break
			}
			last, _ := utf8.DecodeLastRuneInString(before)
			next, _ := utf8.DecodeRuneInString(after)
			if nameRune(last) || last == '.' || nameRune(next) {
				out.WriteString(pair[0])
			} else {
				out.WriteString(pair[1])
			}
			in = after
		}
		in = out.String()
	}
	return in
}

// rest renames what the posed case has besides its tools: names in messages,
// and the calls of the possible answer, {function: {parameter: values}}. The
// first release distinguishes calls of one function by a suffix of its name.
func (s *swaps) rest(c *eval.Case) {
	turns := c.Turns
	c.Turns = make([][]eval.Message, len(turns))
	for i, turn := range turns {
		for _, m := range turn {
			m.Content = s.mentioned(m.Content)
			c.Turns[i] = append(c.Turns[i], m)
		}
	}
	if c.Answer == nil {
		return
	}
	c.Answer = c.Answer.Map(func(item pyval.Value) pyval.Value {
		expected, ok := item.(*pyval.Dict)
		if !ok {
			return item
		}
		out := pyval.NewDict(expected.Len())
		for key, params := range expected.All() {
			if d, ok := params.(*pyval.Dict); ok { // one possible answer of V1 has a stray key
				params = s.swapKeys(d)
			}
			out.SetStr(s.expectedName(pyval.Text(key)), params)
		}
		return out
	})
}

func (s *swaps) expectedName(key string) string {
	best := ""
	for name := range s.functions {
		if strings.Contains(key, name) && (len(name) > len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	return strings.Replace(key, best, s.functions[best], 1)
}
