package doctor

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// A question is one request with its right answer, which is right by
// construction: all that it holds stands in the question.
type question struct {
	name string
	turn []eval.Message
	// tools are the function documents.
	tools []*pyval.Dict
	want  why.Answer
	need  need
}

// A need is the part of a server that a question asks for.
type need int

const (
	needsCalls    need = iota // every case that wants a call
	needsParallel             // several calls in one answer
	needsTalk                 // results and earlier turns
	needsSilence              // no call
	needsNothing              // no case of a dataset
	needsShape                // what a document holds: calls, if the dataset has it
)

// The questions by name that have a part of their own elsewhere.
const (
	severalCalls = "several calls"
	aSystem      = "a system message"
	aLongAnswer  = "a long answer"

	aLongArgument = "a long argument"
)

// short is how many of the questions are asked before each run.
const short = 8

// A doc is a function's document.
type doc struct {
	*pyval.Dict
	name     string
	props    *pyval.Dict
	required []string
	// own says that no dataset has it.
	own bool
}

func docOf(d *pyval.Dict) *doc {
	name, _ := d.Text("name")
	out := &doc{Dict: d, name: name, props: d.Child("parameters").Child("properties")}
	for _, v := range d.Child("parameters").List("required") {
		out.required = append(out.required, pyval.Text(v))
	}
	return out
}

// A kind tells some parameters by their names and schemas.
type kind func(key string, schema *pyval.Dict) bool

// all returns the parameters of a kind.
func (d *doc) all(is kind) (out []string) {
	for k, v := range d.props.All() {
		if schema, _ := v.(*pyval.Dict); schema != nil && is(pyval.Text(k), schema) {
			out = append(out, pyval.Text(k))
		}
	}
	return out
}

// find returns the first parameter of a kind; "" if there is none.
func (d *doc) find(is kind) string { return strings.Join(d.all(is)[:min(1, len(d.all(is)))], "") }

// A drawing makes questions of a dataset's documents. Where the dataset has none
// that fits, its own are taken.
type drawing struct {
	docs []*doc
	list []*question
	// made counts the values, so that each is another.
	made int
}

// drawn returns the questions for the documents of a dataset, in the order in
// which they are asked; the first ones decide.
func drawn(documents []*pyval.Dict) []*question {
	d := &drawing{}
	seen := map[string]bool{}
	for i, document := range append(slices.Clone(documents), own()...) {
		const longest = 64 // servers refuse longer names
		f := docOf(document)
		if f.own = i >= len(documents); f.name != "" && len(f.name) <= longest && f.plain() && !seen[f.name] {
			seen[f.name] = true
			d.docs = append(d.docs, f)
		}
	}
	slices.SortStableFunc(d.docs, func(a, b *doc) int { // the dataset's before the own, and then the simplest
		return cmp.Or(one(a.own)-one(b.own), a.props.Len()*one(!a.own)-b.props.Len()*one(!b.own))
	})
	for i := range probes {
		d.put(&probes[i])
	}
	return d.list
}

// put adds the question of a probe.
func (d *drawing) put(p *probe) {
	q := &question{name: p.name, need: p.need, turn: slices.Clone(p.before)}
	var calls []wish
	if p.calls != nil {
		calls = p.calls(d)
	}
	var tools []*doc
	if p.tools != nil {
		tools = p.tools(d)
	}
	result, each := pyval.MakeList(0), []string(nil)
	for i := range calls {
		c := &calls[i]
		if !slices.Contains(tools, c.f) {
			tools = append(tools, c.f)
		}
		each = append(each, c.told("{name} {args}"))
		result.Items = append(result.Items, pyval.Object(c.f.name, c.args))
		if p.need == needsShape && c.f.own {
			q.need = needsNothing
		}
	}
	if q.need == needsShape {
		q.need = needsCalls
	}
	text := p.text
	switch {
	case len(calls) > 1:
		text = fmt.Sprintf("Make these %d calls at once, in this order, with exactly these arguments: %s", len(calls), strings.Join(each, "; "))
	case len(calls) == 1:
		text = calls[0].told(cmp.Or(text, "Call {name} with exactly these arguments: {args}"))
	}
	q.want = why.Read(result)
	q.want.Text = p.said
	q.turn = append(q.turn, eval.Message{Role: "user", Content: text})
	if p.safe != "" {
		tools = append(tools, d.docs[len(d.docs)-1])
		q.turn = append(q.turn,
			eval.Message{Role: "assistant", Calls: []eval.ToolCall{{ID: "call_1", Name: "read_safe", Arguments: "{}"}}},
			eval.Message{Role: "tool", CallID: "call_1", Name: "read_safe", Content: fmt.Sprintf(`{"code_word": %q}`, p.safe)})
	}
	for _, f := range tools {
		q.tools = append(q.tools, f.Dict)
	}
	d.list = append(d.list, q)
}

// A wish is a call that a question asks for.
type wish struct {
	f    *doc
	args *pyval.Dict
	// key is the parameter whose value the question tells in its own words.
	key string
}

// told fills the call into a text.
func (w *wish) told(text string) string {
	args := w.args.Clone()
	args.Delete(pyval.Str(w.key))
	return strings.NewReplacer("{name}", strings.ReplaceAll(w.f.name, ".", "_"), "{key}", w.key, "{args}", jsonOf(args)).Replace(text)
}

// plain reports whether arguments can be made for what a document requires.
func (d *doc) plain() bool {
	for _, key := range d.required {
		if schema := d.props.Child(key); schema == nil || !made(schema) {
			return false
		}
	}
	return d.props != nil
}

func typeOf(schema *pyval.Dict) string {
	kind, _ := schema.Text("type")
	return strings.ToLower(kind)
}

func (d *drawing) next() int {
	d.made++
	return d.made
}

// word is a text that is no word of a language.
func (d *drawing) word() pyval.Value {
	words := []string{"QUARTZ", "AMBER", "BASALT", "COBALT", "DELTA", "EMBER", "FALCON", "HERON", "IVORY", "KAPPA"}
	n := d.next()
	return pyval.Str(fmt.Sprintf("%s-%d", words[n%len(words)], 7000+37*n))
}

// made reports whether values of a schema can be made.
func made(schema *pyval.Dict) bool {
	return slices.Contains([]string{"string", "any", "integer", "float", "number", "boolean", "array", "tuple", "dict", "object"}, typeOf(schema))
}

// value makes a value: the last of those that the document lists.
func (d *drawing) value(schema *pyval.Dict) pyval.Value {
	if listed := schema.List("enum"); len(listed) > 0 {
		return listed[len(listed)-1]
	}
	switch typeOf(schema) {
	case "integer":
		return pyval.MakeInt(int64(d.next() + 11))
	case "float", "number":
		return pyval.Float(float64(d.next()) + 0.25)
	case "boolean":
		return pyval.Bool(d.next()%2 == 0)
	case "array", "tuple":
		items := schema.Child("items")
		if items == nil || !made(items) {
			return pyval.NewList(d.word(), d.word())
		}
		return pyval.NewList(d.value(items), d.value(items))
	case "dict", "object":
		out := pyval.NewDict(0)
		for k, v := range schema.Child("properties").All() {
			const most = 4
			if inner, ok := v.(*pyval.Dict); ok && made(inner) && out.Len() < most {
				out.SetStr(pyval.Text(k), d.value(inner))
			}
		}
		if out.Len() == 0 {
			out.SetStr("note", d.word())
		}
		return out
	}
	return d.word()
}

// arguments makes arguments for what a document requires, and for more.
func (d *drawing) arguments(f *doc, more kind) *pyval.Dict {
	out := pyval.NewDict(0)
	for k, v := range f.props.All() {
		key := pyval.Text(k)
		schema, _ := v.(*pyval.Dict)
		if slices.Contains(f.required, key) || schema != nil && made(schema) && more(key, schema) {
			out.SetStr(key, d.value(schema))
		}
	}
	return out
}

// first returns the first document that fits.
func (d *drawing) first(fits func(f *doc) bool) *doc {
	at := slices.IndexFunc(d.docs, fits)
	return d.docs[max(at, 0)]
}

func jsonOf(v pyval.Value) string {
	text, _ := pyval.JSON(v, pyval.JSONUnicode)
	return text
}

// Questions writes the questions about a dataset's documents with their right
// answers, one a line in JSON.
func Questions(w io.Writer, documents []*pyval.Dict) error {
	out := bufio.NewWriter(w)
	for _, q := range drawn(documents) {
		calls, tools := pyval.MakeList(0), pyval.MakeList(0)
		for _, c := range q.want.Calls {
			calls.Items = append(calls.Items, pyval.Object("name", pyval.Str(c.Name), "arguments", c.Args))
		}
		for _, t := range q.tools {
			tools.Items = append(tools.Items, t)
		}
		fmt.Fprintln(out, jsonOf(pyval.Object("name", pyval.Str(q.name), "messages", provider.ChatMessages(q.turn, provider.PlainText), "tools", tools,
			"answer", pyval.Object("calls", calls, "text", pyval.Str(q.want.Text)))))
	}
	return out.Flush()
}
