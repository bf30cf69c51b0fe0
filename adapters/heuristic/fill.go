package heuristic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A form is a sort of values that types have in common.
type form uint8

const (
	text form = iota
	whole
	fractional
	truth
	list
	object
)

// forms has the forms of types by their names in lower case; other types are
// text.
var forms = map[string]form{
	"integer": whole, "int": whole, "long": whole, "short": whole, "byte": whole, "bigint": whole,
	"float": fractional, "double": fractional, "number": fractional, "boolean": truth,
	"array": list, "arraylist": list, "list": list, "tuple": list, "queue": list, "stack": list, "set": list,
	"dict": object, "object": object, "hashmap": object, "hashtable": object,
}

func formOf(doc *pyval.Dict) form { return forms[strings.ToLower(textField(doc, "type"))] }

// prepositions are words that precede an argument instead of its parameter's
// name.
var prepositions = map[string][]string{
	"origin": {"from"}, "start": {"from"}, "departure": {"from"}, "destination": {"to"}, "end": {"to", "until"}, "target": {"to"},
	"location": {"in", "at"}, "city": {"in"}, "place": {"in", "at"}, "author": {"by"}, "artist": {"by"}, "date": {"on"}, "year": {"in"},
	"days": {"for", "next"}, "duration": {"for"}, "price": {"under", "below"}, "title": {"called"}, "name": {"called", "named"},
}

// A filling assigns a question's mentions to parameters.
type filling struct {
	question string // in lower case
	mentions []*mention
	complete bool
}

// fill returns a call of a tool; complete reports whether all required
// arguments were found.
func fill(t *tool, question string) (c decode.Call, complete bool) {
	f := &filling{strings.ToLower(question), mentions(question), true}
	c = decode.Call{Name: t.name, Types: map[string]*pyval.Dict{}}
	for key, v := range t.schema.Child("properties").All() {
		c.Types[pyval.Text(key)], _ = v.(*pyval.Dict)
	}
	c.Args = f.object(t.schema, 0)
	return c, f.complete
}

// object fills the properties of a schema, the required ones first.
func (f *filling) object(schema *pyval.Dict, depth int) *pyval.Dict {
	out := &pyval.Dict{}
	if depth > maxDepth {
		return out
	}
	required := schema.List("required")
	properties := schema.Child("properties")
	found := map[string]pyval.Value{}
	for _, must := range []bool{true, false} {
		for key, v := range properties.All() {
			doc, _ := v.(*pyval.Dict)
			if doc == nil || slices.ContainsFunc(required, func(r pyval.Value) bool { return pyval.Equal(r, key) }) != must {
				continue
			}
			if value := f.value(pyval.Text(key), doc, must, depth); value != nil {
				found[pyval.Text(key)] = value
			} else if must {
				f.complete = false
			}
		}
	}
	for key := range properties.All() { // in the document's order
		if value := found[pyval.Text(key)]; value != nil {
			out.SetStr(pyval.Text(key), value)
		}
	}
	return out
}

// value returns a parameter's value, nil if the question does not mention one.
func (f *filling) value(param string, doc *pyval.Dict, must bool, depth int) pyval.Value {
	cues := f.cues(param)
	form := formOf(doc)
	if options := doc.List("enum"); len(options) > 0 && form != list {
		return f.option(options)
	}
	switch form {
	case truth:
		if !must && cues == nil {
			return nil
		}
		if cues == nil {
			return pyval.Bool(false)
		}
		const near = 20
		before := f.question[max(0, cues[0]-near):cues[0]]
		denies := func(word string) bool { return strings.Contains(before, word) }
		return pyval.Bool(!slices.ContainsFunc([]string{"no ", "not ", "n't ", "without "}, denies))
	case object:
		if !must {
			return nil
		}
		return f.object(doc, depth+1)
	case list:
		if !must && cues == nil {
			return nil
		}
		return f.several(doc.Child("items"), textField(doc, "description"))
	}
	m := f.nearest(cues, form, must)
	if m == nil {
		return nil
	}
	m.taken = true
	return m.as(form, textField(doc, "description"))
}

// option returns the allowed value that the question names, nil if it names
// none.
func (f *filling) option(options []pyval.Value) pyval.Value {
	for _, o := range options {
		words := strings.ReplaceAll(strings.ToLower(pyval.Text(o)), "_", " ")
		if words != "" && len(f.find(words)) > 0 {
			return o
		}
	}
	return nil
}

// several returns the first mentions in a row that have the form of the items.
func (f *filling) several(items *pyval.Dict, description string) pyval.Value {
	const gap = 9 // bytes, as in ", or "
	out := &pyval.List{}
	end := -1
	for _, m := range f.mentions {
		if m.taken || !m.suits(formOf(items)) || end >= 0 && m.at-end > gap {
			continue
		}
		if v := m.as(formOf(items), description); v != nil {
			m.taken, end = true, m.at+len(m.text)
			out.Items = append(out.Items, v)
		}
	}
	if len(out.Items) == 0 {
		return nil
	}
	return out
}

// cues returns the places of words that announce a parameter's value: the words
// of its name, and prepositions.
func (f *filling) cues(param string) (out []int) {
	for _, w := range words(param) {
		s := stem(w)
		for _, cue := range append([]string{s}, prepositions[strings.ToLower(w)]...) {
			if !stopWords[s] {
				out = append(out, f.find(cue[:min(len(cue), cueLength)])...)
			}
		}
	}
	return out
}

// cueLength is how many letters of a cue must match: "molarity" matches
// "molar".
const cueLength = 5

// find returns the places of the words that begin with a cue.
func (f *filling) find(cue string) (out []int) {
	for from := 0; ; {
		at := strings.Index(f.question[from:], cue)
		if at < 0 {
			return out
		}
		at += from
		if at == 0 || strings.ContainsRune(" \n\t,.(\"'-", rune(f.question[at-1])) {
			out = append(out, at)
		}
		from = at + len(cue)
	}
}

// nearest returns the mention nearest to a cue; the distance of one before the
// cue counts twice. Without a cue it returns the first mention if a value is
// required.
func (f *filling) nearest(cues []int, form form, must bool) *mention {
	var best *mention
	least := 0
	for i, m := range f.mentions {
		if m.taken || !m.suits(form) {
			continue
		}
		cost := i
		if len(cues) > 0 {
			cost = f.distance(cues, m.at)
		} else if !must {
			continue
		}
		if best == nil || cost < least {
			best, least = m, cost
		}
	}
	const near = 60
	if !must && least > near {
		return nil
	}
	return best
}

func (f *filling) distance(cues []int, at int) int {
	least := len(f.question) * 2
	for _, cue := range cues {
		d := at - cue
		if d < 0 {
			d *= -2
		}
		least = min(least, d)
	}
	return least
}

// suits reports whether a mention can be a value of a form.
func (m *mention) suits(form form) bool {
	switch form {
	case whole, fractional:
		return m.kind == number
	case text:
		return m.kind != number
	}
	return false
}

// as returns the mention as a value of a form; nil if it is none.
func (m *mention) as(form form, description string) pyval.Value {
	switch form {
	case whole:
		if n, err := strconv.ParseInt(m.digits(), 10, 64); err == nil {
			return pyval.MakeInt(n)
		}
		return nil
	case fractional:
		f, err := strconv.ParseFloat(m.digits(), 64)
		if err != nil {
			return nil
		}
		if strings.HasSuffix(m.text, "%") && !strings.Contains(strings.ToLower(description), "percent") {
			f /= 100
		}
		return pyval.Float(f)
	}
	return pyval.Str(m.text)
}
