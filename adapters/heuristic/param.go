package heuristic

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A form is a type of values, whatever the document's language calls it.
type form uint8

const (
	text form = iota
	whole
	fractional
	truth
	list
	object
	anything
)

// forms are the documents' type names in lower case.
var forms = map[string]form{
	"string": text, "char": text, "integer": whole, "int": whole, "long": whole, "short": whole, "byte": whole, "bigint": whole,
	"float": fractional, "double": fractional, "number": fractional, "boolean": truth, "bool": truth,
	"array": list, "tuple": list, "arraylist": list, "list": list, "set": list, "queue": list, "stack": list,
	"dict": object, "object": object, "hashmap": object, "hashtable": object, "any": anything,
}

// A param is what a function document says of one parameter.
type param struct {
	name     string
	form     form
	source   string   // the type as the document spells it
	lower    string   // the description in lower case
	options  []string // texts in quotes in the description
	required bool
	preset   pyval.Value // the default; nil for none
	enum     []pyval.Value
	cues     map[string]float64 // stems that speak for this parameter, with their weights
	leads    map[string]bool    // words right before an argument that do
	tastes   tastes
	fraction bool // percentages are wanted as fractions
	unit     unit
	items    *param
	props    []*param
}

// A tool is what a function document says.
type tool struct {
	doc    *pyval.Dict
	name   string
	params *pyval.Dict // properties
	must   map[string]bool
	stems  map[string]float64 // words of the document with their weights
	order  []string           // the stems as they were found
}

func readTools(docs []*pyval.Dict) []*tool {
	out := make([]*tool, 0, len(docs))
	for _, doc := range docs[:min(len(docs), maxTools)] {
		t := &tool{doc: doc, name: textField(doc, "name"), stems: map[string]float64{}}
		schema := dictField(doc, "parameters")
		t.params, t.must = dictField(schema, "properties"), required(schema)
		t.weigh()
		out = append(out, t)
	}
	return out
}

// weigh notes the document's words: the name's count most.
func (t *tool) weigh() {
	for key, val := range t.params.All() {
		t.add(nameWords(pyval.Text(key)), 1)
		if doc, ok := val.(*pyval.Dict); ok {
			t.addText(textField(doc, "description"), 0.5)
			for _, option := range listField(doc, "enum") {
				t.addText(pyval.Text(option), 0.7)
			}
		}
	}
	t.addText(textField(t.doc, "description"), 1.5)
	t.add(nameWords(t.name), 3)
}

func (t *tool) add(words []string, weight float64) {
	for _, w := range words {
		if s := stem(w); !stopStems[s] && len(s) > 1 {
			t.note(s, weight)
		}
	}
}

func (t *tool) addText(text string, weight float64) {
	for _, tok := range tokens(clip(text, maxDoc)) {
		if !tok.isStop() && !stopStems[tok.stem] {
			t.note(tok.stem, weight)
		}
	}
}

// note raises a stem's weight.
func (t *tool) note(stem string, weight float64) {
	old, ok := t.stems[stem]
	if !ok {
		t.order = append(t.order, stem)
	}
	t.stems[stem] = max(weight, old)
}

// read reads the tool's parameters in full; only tools that are called need it.
func (t *tool) read() []*param { return readParams(t.params, t.must, 0) }

func readParams(props *pyval.Dict, must map[string]bool, depth int) []*param {
	if depth > maxDepth {
		return nil
	}
	out := make([]*param, 0, props.Len())
	for key, val := range props.All() {
		doc, ok := val.(*pyval.Dict)
		if !ok {
			doc = &pyval.Dict{}
		}
		p := readParam(pyval.Text(key), doc, depth)
		p.required = must[p.name]
		out = append(out, p)
	}
	return out
}

func readParam(name string, doc *pyval.Dict, depth int) *param {
	p := &param{name: name, source: textField(doc, "type"), leads: map[string]bool{}}
	description := clip(textField(doc, "description"), maxDoc)
	p.lower = strings.ToLower(description)
	p.form = forms[strings.ToLower(p.source)]
	p.enum = listField(doc, "enum")
	if preset, ok := doc.GetStr("default"); ok {
		p.preset = preset
	}
	switch p.form {
	case object:
		p.props = readParams(dictField(doc, "properties"), required(doc), depth+1)
	case list:
		if depth < maxDepth {
			p.items = readParam(name, dictField(doc, "items"), depth+1)
			p.items.lower = p.lower
		}
		if len(p.enum) == 0 && p.items != nil {
			p.enum = p.items.enum
		}
	}
	if p.form == text && len(p.enum) == 0 {
		p.options = quotations(description)
	}
	p.study()
	return p
}

// study draws conclusions from name and description.
func (p *param) study() {
	words := nameWords(p.name)
	p.cues = make(map[string]float64, 2*len(words)+16)
	for _, tok := range tokens(p.lower) {
		if !tok.isStop() && !stopStems[tok.stem] {
			p.cues[tok.stem] = 1
		}
		p.measure(tok.stem)
	}
	for _, w := range words {
		s := stem(w)
		if !stopStems[s] || len(words) == 1 {
			p.cues[s] = 3
		}
		if len(p.leads) == 0 {
			for _, alias := range aliases[s] {
				p.leads[alias] = true
			}
		}
		p.measure(s)
	}
	p.fraction = p.wantsFraction()
	p.tastes = p.findTastes(words)
}

// quotations are the texts in quotes in a description: often the values it
// allows.
func quotations(description string) []string {
	if !strings.ContainsAny(description, "'\"`") {
		return nil
	}
	var out []string
	q := &question{text: description, tokens: tokens(description)}
	for i := 0; i < len(q.tokens); i++ {
		if m, n := readQuoted(q, i); n > 0 && len(m.text) < 40 {
			out = append(out, m.text)
			i += n - 1
		}
	}
	return out
}

// measure notes the unit a word names; the last one, the name's, counts.
func (p *param) measure(stem string) {
	if u, ok := units[stem]; ok && len(stem) > 1 {
		p.unit = u
	}
}

// wantsFraction reports whether ten percent is 0.1 here.
func (p *param) wantsFraction() bool {
	for _, cue := range []string{"fraction", "decimal", "between 0 and 1", "0 to 1", "e.g. 0.", "example 0.", "such as 0.", "share"} {
		if strings.Contains(p.lower, cue) {
			return true
		}
	}
	return p.form == fractional && !strings.Contains(p.lower, "percent") && !strings.Contains(p.lower, "%") && !strings.Contains(p.name, "percent")
}

// aliasList gives words that stand beside an argument in place of the
// parameter's own: "from" before an origin. One parameter word a line.
var aliasList = []string{
	"origin from", "source from", "start from between since", "begin from", "departure from", "from from",
	"destination to", "target to into", "end to until and", "arrival to", "to to", "until until till",
	"location in at near", "city in at near", "country in", "place in at near", "region in", "state in",
	"author by", "artist by", "composer by", "creator by", "language in into", "year in", "date on for", "time at by",
	"duration for", "days for next last past", "limit top first most", "count top first", "amount $ € £", "price $ € £ under below for",
	"budget $ € £", "cost $ € £", "salary $ € £", "principal $ € £", "investment $ € £", "topic about on", "subject about", "name called named",
	"title called titled named", "max up most under below maximum", "min least over above minimum", "age old", "people for guest party",
}

// aliases are aliasList by stem.
var aliases = func() map[string][]string {
	out := map[string][]string{}
	for _, line := range aliasList {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			out[stem(words[0])] = append(out[stem(words[0])], w)
		}
	}
	return out
}()

// tastes are how well each kind of mention suits a parameter; 0 is not at all.
type tastes [phrase + 1]float64

// tasteWords change a text parameter's tastes.
var tasteWords = []struct {
	words  map[string]bool
	tastes tastes
}{
	{set("date day birthday birthdate deadline yyyy"), tastes{date: 6, quoted: 1, phrase: 0.3}},
	{set("time hh clock"), tastes{clock: 6, date: 2, quoted: 1, phrase: 0.3}},
	{set("id code path file filename url email mail number symbol plate barcode key hash formula isbn sku expression equation function"),
		tastes{code: 5, quoted: 4, name: 2, number: 2, phrase: 0.5}},
	{set("city location country place name person author artist composer team company player destination origin state region brand airport street"),
		tastes{name: 5, quoted: 4, code: 1.5, phrase: 0.8}},
}

// findTastes looks at the name first, then at the description.
func (p *param) findTastes(words []string) tastes {
	switch p.form {
	case whole, fractional:
		return tastes{number: 4}
	case anything:
		return tastes{code: 4, quoted: 4, number: 2.5, name: 2, phrase: 0.5}
	case list:
		if p.items != nil {
			return p.items.tastes
		}
	case truth, object:
		return tastes{}
	}
	for _, t := range tasteWords {
		for _, w := range words {
			if t.words[strings.ToLower(w)] {
				return t.tastes
			}
		}
	}
	if strings.Contains(p.lower, "email") || strings.Contains(p.lower, "url") || strings.Contains(p.lower, "path") {
		return tasteWords[2].tastes
	}
	if strings.Contains(p.lower, "yyyy") {
		return tasteWords[0].tastes
	}
	if strings.Contains(p.lower, "hh:mm") {
		return tasteWords[1].tastes
	}
	if strings.Contains(p.lower, "digit") || strings.Contains(p.lower, "number") {
		return tastes{quoted: 4, code: 4, number: 3, name: 2, phrase: 0.5}
	}
	return tastes{quoted: 4, name: 3, code: 2, number: 0.5, phrase: 1}
}

func textField(d *pyval.Dict, key string) string {
	v, _ := d.GetStr(key)
	s, _ := v.(pyval.Str)
	return string(s)
}

func dictField(d *pyval.Dict, key string) *pyval.Dict {
	v, _ := d.GetStr(key)
	if field, ok := v.(*pyval.Dict); ok {
		return field
	}
	return &pyval.Dict{}
}

func listField(d *pyval.Dict, key string) []pyval.Value {
	v, _ := d.GetStr(key)
	if field, ok := v.(*pyval.List); ok {
		return field.Items
	}
	return nil
}

func required(schema *pyval.Dict) map[string]bool {
	out := map[string]bool{}
	for _, name := range listField(schema, "required") {
		out[pyval.Text(name)] = true
	}
	return out
}
