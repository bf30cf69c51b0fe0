package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A probe makes the question about one thing that a document or an answer can
// hold.
type probe struct {
	name string
	need need
	put  func(d *drawing, name string, need need)
}

func required(f *doc, is func(key string, s *pyval.Dict) bool) string {
	return f.find(func(key string, s *pyval.Dict) bool { return slices.Contains(f.required, key) && is(key, s) })
}

func optional(f *doc) []string {
	return keysOf(f, func(key string, s *pyval.Dict) bool {
		return !slices.Contains(f.required, key) && made(s)
	})
}

func hasOptional(f *doc) bool { return takesText(f) && len(optional(f)) > 0 }

func standard(key string, s *pyval.Dict) bool {
	v, ok := s.GetStr("default")
	return ok && pyval.TypeName(v) == "str" && v != pyval.Value(pyval.Str("")) && typeOf(s) == "string"
}

func objects(key string, s *pyval.Dict) bool {
	return typeOf(s) == "array" && s.Child("items").Child("properties") != nil && s.Child("items").Child("properties").Len() > 0
}

func listOf(kinds ...string) func(key string, s *pyval.Dict) bool {
	return func(_ string, s *pyval.Dict) bool {
		return typeOf(s) == "array" && slices.Contains(kinds, typeOf(s.Child("items")))
	}
}

func inner(_ string, s *pyval.Dict) bool {
	return (typeOf(s) == "dict" || typeOf(s) == "object") && s.Child("properties") != nil && s.Child("properties").Len() > 0
}

func listed(_ string, s *pyval.Dict) bool { return len(s.List("enum")) > 1 && typeOf(s) == "string" }

func named(is func(key string) bool) func(f *doc) bool {
	return func(f *doc) bool { return required(f, func(key string, _ *pyval.Dict) bool { return is(key) }) != "" }
}

// having asks for all parameters that are of a kind.
func having(is func(key string, s *pyval.Dict) bool) func(d *drawing, name string, need need) {
	return single(func(f *doc) bool { return f.find(is) != "" }, func(f *doc) []string { return keysOf(f, is) })
}

// saying is a question whose text is given, about functions that take a text.
func saying(text string, answer string) func(d *drawing, name string, need need) {
	return func(d *drawing, name string, need need) {
		d.ask(name, need, text, nil, d.first(takesText))
		d.last().want.Text = answer
	}
}

func (d *drawing) last() *question { return d.list[len(d.list)-1] }

// theOne begins a question that does not name its function.
const theOne = "Call the function that you are offered with exactly these arguments: "

// twin returns another function that wants one text under the same name.
func (d *drawing) twin(f *doc) *doc {
	if len(f.required) != 1 || !takesText(f) {
		return nil
	}
	at := slices.IndexFunc(d.docs, func(o *doc) bool {
		return o.name != f.name && len(o.required) == 1 && o.required[0] == f.required[0] && takesText(o)
	})
	if at < 0 {
		return nil
	}
	return d.docs[at]
}

// calling is a call of a function that takes a text.
func (d *drawing) calling(skip int) wish {
	f := d.first(func(f *doc) bool {
		skip -= one(takesText(f))
		return takesText(f) && skip < 0
	})
	return wish{f, d.arguments(f)}
}

func theText(s string) []pyval.Value { return []pyval.Value{pyval.Str(s)} }

var longText = strings.TrimSpace(strings.Repeat("The harbour office keeps one crate for every ship that leaves before noon, and each crate has a number, a scale and a label. ", 5))

const ascii = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$. "

// probes are the questions in the order in which they are asked; the first ones
// are asked before each run.
var probes = []probe{
	{"a call", needsCalls, func(d *drawing, name string, need need) {
		// The function is not named, so that the same question fits another one.
		f := d.first(func(f *doc) bool { return d.twin(f) != nil })
		c := wish{f, d.arguments(f)}
		d.ask(name, need, theOne+jsonOf(c.args), []wish{c})
	}},
	{severalCalls, needsParallel, func(d *drawing, name string, need need) {
		d.ask(name, need, "", []wish{d.calling(0), d.calling(0), d.calling(0)})
	}},
	{"two functions", needsParallel, func(d *drawing, name string, need need) {
		d.ask(name, need, "", []wish{d.calling(1), d.calling(2)})
	}},
	{"no call", needsSilence, saying("Call no function. Answer with this one word: goodbye", "goodbye")},
	{"numbers", needsShape, holding(ofType("float", "number", "integer"), pyval.MakeInt(-7))},
	{"nested arguments", needsShape, having(inner)},
	{"texts", needsCalls, holding(free, theText(`Tom & Anna's "big" <day>: a, b; 50% off + tea`)...)},
	{aSystem, needsTalk, func(d *drawing, name string, need need) {
		d.talk(name, need, []eval.Message{{Role: "system", Content: "The code word of this house is FALCON-8842."}}, "with the code word of this house", "FALCON-8842")
	}},
	{"a text", needsTalk, func(d *drawing, name string, need need) {
		d.ask(name, need, "Answer with the code word LINDEN-7750 and nothing else.", nil)
		d.last().want.Text = "LINDEN-7750"
	}},
	{"large numbers", needsShape, holding(ofType("integer"), pyval.MakeInt(1234567890123))},
	{"seventeen digits", needsNothing, holding(ofType("integer"), pyval.MakeInt(12345678901234567))},
	{"fractions", needsShape, holding(ofType("float", "number"), pyval.Float(0.00025))},
	{"booleans", needsShape, having(ofType("boolean"))},
	{"digits in texts", needsCalls, holding(free, theText("00742")...)},
	{"words that look like values", needsCalls, holding(free, theText("none")...)},
	{"lines", needsCalls, holding(free, theText("alpha\nbeta")...)},
	{"blanks", needsNothing, holding(free, theText("  Paris, France: 2  ")...)},
	{"characters", needsCalls, holding(free, theText("Zürich, 東京, naïve 🚲 Ωmega")...)},
	{"underscores in names", needsShape, single(named(func(key string) bool { return strings.Contains(key, "_") }), nil)},
	{"capitals in names", needsShape, single(named(func(key string) bool { return key != strings.ToLower(key) }), nil)},
	{"a long name", needsCalls, func(d *drawing, name string, need need) {
		f := slices.MaxFunc(d.docs, func(a, b *doc) int { return len(a.name)*one(takesText(a)) - len(b.name)*one(takesText(b)) })
		d.ask(name, need, "", []wish{{f, d.arguments(f)}})
	}},
	{"names beyond ASCII", needsShape, single(named(func(key string) bool { return strings.Trim(key, ascii) != "" }), nil)},
	{"capitals and dots", needsShape, single(func(f *doc) bool {
		return f.name != strings.ToLower(f.name) && strings.Contains(f.name, ".") && takesText(f)
	}, nil)},
	{"parameters left out", needsShape, single(func(f *doc) bool { return takesText(f) && len(optional(f)) > 1 }, nil)},
	{"an optional argument", needsShape, single(hasOptional, optional)},
	{"a value of a list", needsShape, having(listed)},
	{"a default", needsShape, func(d *drawing, name string, need need) {
		f := d.first(func(f *doc) bool { return takesText(f) && f.find(standard) != "" })
		key, args := f.find(standard), d.arguments(f)
		text := fmt.Sprintf(theOne+"%s, and give %s the default value that its description states.", jsonOf(args), key)
		v, _ := f.props.Child(key).GetStr("default")
		args.SetStr(key, v)
		d.ask(name, need, text, []wish{{f, args}})
	}},
	{"a call without arguments", needsParallel, func(d *drawing, name string, need need) {
		f := d.first(func(f *doc) bool { return len(f.required) == 0 })
		d.ask(name, need, "", []wish{{f, d.arguments(f)}, d.calling(0)})
	}},
	{"a list", needsShape, having(listOf("integer", "float", "number"))},
	{"a list of texts", needsShape, having(listOf("string"))},
	{"a list of objects", needsShape, having(objects)},
	{"many functions", needsCalls, func(d *drawing, name string, need need) {
		const many = 24
		c := d.calling(3)
		d.ask(name, need, "", []wish{c}, d.docs[:min(many, len(d.docs))]...)
	}},
	{"the same question, other functions", needsCalls, func(d *drawing, name string, need need) {
		q := d.list[0]
		d.ask(name, need, q.turn[0].Content, []wish{{d.twin(docOf(q.tools[0])), q.want.Calls[0].Args}})
	}},
	{"a similar question", needsCalls, func(d *drawing, name string, need need) {
		c := wish{docOf(d.list[0].tools[0]), d.list[0].want.Calls[0].Args.Clone()}
		key, v := c.args.At(0)
		was := pyval.Text(v)
		c.args.SetStr(pyval.Text(key), pyval.Str(was[:len(was)-1]+string('0'+('9'-was[len(was)-1]))))
		d.ask(name, need, theOne+jsonOf(c.args), []wish{c})
	}},
	{"a call beside a sentence", needsTalk, func(d *drawing, name string, need need) {
		d.ask(name, need, "Write the sentence 'I do it now.' and, in the same answer, call {call}", []wish{d.calling(0)})
		d.last().want.Text = "I do it now."
	}},
	{aLongArgument, needsCalls, holding(free, theText(longText)...)},
	{"a result", needsTalk, func(d *drawing, name string, need need) {
		d.ask(name, need, "", nil, d.docs[len(d.docs)-1])
		d.last().turn, d.last().want.Text = safe("Read the code word in the safe and tell me it, and nothing else.", "HERON-3357"), "HERON-3357"
	}},
	{"a result to pass on", needsTalk, func(d *drawing, name string, need need) {
		d.talk(name, need, nil, "with the code word in the safe, which you read first", "GRANITE-5519")
		q := d.last()
		q.turn, q.tools = safe(q.turn[0].Content, "GRANITE-5519"), append(q.tools, d.docs[len(d.docs)-1].Dict)
	}},
	{"a late turn", needsTalk, func(d *drawing, name string, need need) {
		before := []eval.Message{{Role: "user", Content: "My word is MERLIN-6120."}, {Role: "assistant", Content: "Noted."}, {Role: "user", Content: "My number is 58."}, {Role: "assistant", Content: "Noted."}}
		d.talk(name, need, before, "with my word, which I told you first", "MERLIN-6120")
	}},
	{aLongAnswer, needsCalls, func(d *drawing, name string, need need) {
		const most = 1000
		var b strings.Builder
		for i := range most {
			fmt.Fprintf(&b, "%d ", i+1)
		}
		d.ask(name, need, "Write the numbers from 1 to 1000 in digits, with a blank between them and nothing else. Leave none out.", nil)
		d.last().want.Text = strings.TrimSpace(b.String())
	}},
}

// talk asks for a call whose text stands in what was said before.
func (d *drawing) talk(name string, need need, before []eval.Message, with, word string) {
	f := d.first(func(f *doc) bool { return len(f.required) == 1 && takesText(f) })
	args := pyval.Object(f.required[0], pyval.Str(word))
	d.ask(name, need, fmt.Sprintf("Call the function %s, for its parameter %s, %s.", strings.ReplaceAll(f.name, ".", "_"), f.required[0], with), []wish{{f, args}})
	q := d.last()
	q.turn = append(slices.Clone(before), q.turn...)
}

// safe is a conversation in which a function has told a code word.
func safe(question, word string) []eval.Message {
	return []eval.Message{
		{Role: "user", Content: question},
		{Role: "assistant", Calls: []eval.ToolCall{{ID: "call_1", Name: "read_safe", Arguments: "{}"}}},
		{Role: "tool", CallID: "call_1", Name: "read_safe", Content: fmt.Sprintf(`{"code_word": %q}`, word)},
	}
}

// own are the documents that are asked for where a dataset has none that fits.
// The last is the one whose results conversations hold.
func own() (out []*pyval.Dict) {
	param := func(kind string, more ...any) *pyval.Dict {
		return pyval.Object(append([]any{"type", pyval.Str(kind), "description", pyval.Str("As it is given.")}, more...)...)
	}
	function := func(name, does string, needed int, pairs ...any) {
		props, keys := pyval.Object(pairs...), pyval.MakeList(0)
		for k := range props.All() {
			if len(keys.Items) < needed {
				keys.Items = append(keys.Items, k)
			}
		}
		out = append(out, pyval.Object("name", pyval.Str(name), "description", pyval.Str(does), "parameters",
			pyval.Object("type", pyval.Str("dict"), "properties", props, "required", keys)))
	}
	listed := pyval.NewList(pyval.Str("Loud"), pyval.Str("veryQuiet"))
	function("place_label", "Puts a label on the crate.", 1, "code", param("string"))
	function("print_label", "Prints a label for the crate.", 1, "code", param("string"))
	function("write_note", "Writes a note.", 1, "text", param("string"), "tone", param("string", "default", pyval.Str("friendly")), "copies", param("integer"))
	function("lamp.switchRoom", "Switches the lamp of a room.", 2, "room_name", param("string"), "lampOn", param("boolean"))
	function("set_heating", "Sets the heating.", 3, "degrees", param("float"), "minutes", param("integer"), "fan", param("string", "enum", listed))
	function("add_items", "Adds items to the order.", 1, "items", param("array", "items", param("dict", "properties", pyval.Object("name", param("string"), "count", param("integer")))))
	function("makeBooking", "Makes a booking.", 2, "größe", param("string"), "länge", param("string"))
	function("reserve_seats", "Reserves seats.", 2, "guest", param("dict", "properties", pyval.Object("name", param("string"), "code", param("integer"))), "seats", param("array", "items", param("integer")))
	function("pack_crates", "Packs crates.", 2, "labels", param("array", "items", param("string")), "weights", param("array", "items", param("float")))
	function("refresh_list", "Refreshes the list of crates.", 0, "deep", param("boolean"))
	function("Archive_findNewestDocumentOfReaderInBranchLibrary_Version2026", "Finds a reader's newest document.", 1, "reader", param("string"))
	function("read_safe", "Reads the code word in the safe.", 0)
	return out
}
