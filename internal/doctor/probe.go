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
	// calls are the right answer's.
	calls func(d *drawing) []wish
	// text is the question, with {name}, {key} and {args} of the first call; "" asks
	// for the calls.
	text string
	// said is the right answer's text.
	said string
	// tools are functions beside those that are called.
	tools func(d *drawing) []*doc
	// before is what was said before, and safe the code word that a function has told
	// since.
	before []eval.Message
	safe   string
}

func nothing(string, *pyval.Dict) bool { return false }

func ofType(names ...string) kind {
	return func(_ string, s *pyval.Dict) bool {
		return slices.Contains(names, typeOf(s)) && len(s.List("enum")) == 0
	}
}

// free are the parameters that take any text.
var free = ofType("string")

func standard(_ string, s *pyval.Dict) bool {
	v, ok := s.GetStr("default")
	return ok && pyval.TypeName(v) == "str" && v != pyval.Value(pyval.Str("")) && typeOf(s) == "string"
}

func listOf(is kind) kind {
	return func(key string, s *pyval.Dict) bool {
		return typeOf(s) == "array" && s.Child("items") != nil && is(key, s.Child("items"))
	}
}

func holdsFields(_ string, s *pyval.Dict) bool {
	return s.Child("properties") != nil && s.Child("properties").Len() > 0
}

// requires returns the first required parameter of a kind; "" if there is none.
func (d *doc) requires(is kind) string {
	return d.find(func(key string, s *pyval.Dict) bool { return slices.Contains(d.required, key) && is(key, s) })
}

func takesText(f *doc) bool { return f.requires(free) != "" }

func takesOneText(f *doc) bool { return len(f.required) == 1 && takesText(f) }

func optional(f *doc) []string {
	return f.all(func(key string, s *pyval.Dict) bool { return !slices.Contains(f.required, key) && made(s) })
}

// single asks for a call of the first document that fits, with the parameters of a
// kind.
func single(fits func(f *doc) bool, more kind) func(d *drawing) []wish {
	return func(d *drawing) []wish {
		f := d.first(fits)
		return []wish{{f: f, args: d.arguments(f, more)}}
	}
}

// having asks for all parameters that are of a kind.
func having(is kind) func(d *drawing) []wish {
	return single(func(f *doc) bool { return f.find(is) != "" }, is)
}

// naming asks for a function that requires a parameter with such a name.
func naming(is func(key string) bool) func(d *drawing) []wish {
	return single(func(f *doc) bool { return f.requires(func(key string, _ *pyval.Dict) bool { return is(key) }) != "" }, nothing)
}

// holding asks for a call whose first parameter of a kind has a given value.
func holding(is kind, value pyval.Value) func(d *drawing) []wish {
	return func(d *drawing) []wish {
		f := d.first(func(f *doc) bool { return f.find(is) != "" })
		args := d.arguments(f, func(key string, _ *pyval.Dict) bool { return key == f.find(is) })
		args.SetStr(f.find(is), value)
		return []wish{{f: f, args: args}}
	}
}

// telling asks for a call with a text that stands in what was said before.
func telling(word pyval.Str) func(d *drawing) []wish {
	return func(d *drawing) []wish {
		f := d.first(takesOneText)
		return []wish{{f, pyval.Object(f.required[0], word), f.required[0]}}
	}
}

// texts asks for calls of functions that take a text: the first has the number 0.
func texts(numbers ...int) func(d *drawing) []wish {
	return func(d *drawing) (out []wish) {
		for _, skip := range numbers {
			f := d.first(func(f *doc) bool {
				skip -= one(takesText(f))
				return takesText(f) && skip < 0
			})
			out = append(out, wish{f: f, args: d.arguments(f, nothing)})
		}
		return out
	}
}

// twin returns another function that wants one text under the same name.
func (d *drawing) twin(f *doc) *doc {
	at := slices.IndexFunc(d.docs, func(o *doc) bool {
		return takesOneText(f) && o.name != f.name && takesOneText(o) && o.required[0] == f.required[0]
	})
	if at < 0 {
		return nil
	}
	return d.docs[at]
}

var longText = strings.TrimSpace(strings.Repeat("The harbour office keeps one crate for every ship that leaves before noon, and each crate has a number, a scale and a label. ", 5))

func counted() string {
	var n [1000]int
	for i := range n {
		n[i] = i + 1
	}
	return strings.Trim(fmt.Sprint(n), "[]")
}

const (
	ascii = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$. "
	// theOne begins a question that does not name its function, so that it fits
	// another one, too.
	theOne  = "Call the function that you are offered with exactly these arguments: {args}"
	passing = "Call the function {name}, for its parameter {key}, "
)

func spoken(role, content string) eval.Message { return eval.Message{Role: role, Content: content} }

// probes are the questions in the order in which they are asked; the first ones
// are asked before each run.
var probes = []probe{
	{name: "a call", need: needsCalls, text: theOne, calls: func(d *drawing) []wish {
		return single(func(f *doc) bool { return d.twin(f) != nil }, nothing)(d)
	}},
	{name: severalCalls, need: needsParallel, calls: texts(0, 0, 0)},
	{name: "two functions", need: needsParallel, calls: texts(1, 2)},
	{name: "no call", need: needsSilence, text: "Call no function. Answer with this one word: goodbye", said: "goodbye", tools: func(d *drawing) []*doc { return []*doc{d.first(takesText)} }},
	{name: "numbers", need: needsShape, calls: holding(ofType("float", "number", "integer"), pyval.MakeInt(-7))},
	{name: "nested arguments", need: needsShape, calls: having(func(key string, s *pyval.Dict) bool {
		return (typeOf(s) == "dict" || typeOf(s) == "object") && holdsFields(key, s)
	})},
	{name: "texts", need: needsCalls, calls: holding(free, pyval.Str(`Tom & Anna's "big" <day>: a, b; 50% off + tea`))},
	{name: aSystem, need: needsTalk, text: passing + "with the code word of this house.", calls: telling("FALCON-8842"),
		before: []eval.Message{spoken("system", "The code word of this house is FALCON-8842.")}},
	{name: "a text", need: needsTalk, text: "Answer with the code word LINDEN-7750 and nothing else.", said: "LINDEN-7750"},
	{name: "large numbers", need: needsShape, calls: holding(ofType("integer"), pyval.MakeInt(1234567890123))},
	{name: "seventeen digits", need: needsNothing, calls: holding(ofType("integer"), pyval.MakeInt(12345678901234567))},
	{name: "fractions", need: needsShape, calls: holding(ofType("float", "number"), pyval.Float(0.00025))},
	{name: "booleans", need: needsShape, calls: having(ofType("boolean"))},
	{name: "digits in texts", need: needsCalls, calls: holding(free, pyval.Str("00742"))},
	{name: "words that look like values", need: needsCalls, calls: holding(free, pyval.Str("none"))},
	{name: "lines", need: needsCalls, calls: holding(free, pyval.Str("alpha\nbeta"))},
	{name: "blanks", need: needsNothing, calls: holding(free, pyval.Str("  Paris, France: 2  "))},
	{name: "characters", need: needsCalls, calls: holding(free, pyval.Str("Zürich, 東京, naïve 🚲 Ωmega"))},
	{name: "underscores in names", need: needsShape, calls: naming(func(key string) bool { return strings.Contains(key, "_") })},
	{name: "capitals in names", need: needsShape, calls: naming(func(key string) bool { return key != strings.ToLower(key) })},
	{name: "a long name", need: needsCalls, calls: func(d *drawing) []wish {
		f := slices.MaxFunc(d.docs, func(a, b *doc) int { return len(a.name)*one(takesText(a)) - len(b.name)*one(takesText(b)) })
		return []wish{{f: f, args: d.arguments(f, nothing)}}
	}},
	{name: "names beyond ASCII", need: needsShape, calls: naming(func(key string) bool { return strings.Trim(key, ascii) != "" })},
	{name: "capitals and dots", need: needsShape, calls: single(func(f *doc) bool {
		return f.name != strings.ToLower(f.name) && strings.Contains(f.name, ".") && takesText(f)
	}, nothing)},
	{name: "parameters left out", need: needsShape, calls: single(func(f *doc) bool { return takesText(f) && len(optional(f)) > 1 }, nothing)},
	{name: "an optional argument", need: needsShape, calls: single(func(f *doc) bool { return takesText(f) && len(optional(f)) > 0 }, func(string, *pyval.Dict) bool { return true })},
	{name: "a value of a list", need: needsShape, calls: having(func(_ string, s *pyval.Dict) bool {
		return len(s.List("enum")) > 1 && typeOf(s) == "string"
	})},
	{name: "a default", need: needsShape, text: theOne + ", and give {key} the default value that its description states.", calls: func(d *drawing) []wish {
		f := d.first(func(f *doc) bool { return takesText(f) && f.find(standard) != "" })
		w := wish{f, d.arguments(f, nothing), f.find(standard)}
		v, _ := f.props.Child(w.key).GetStr("default")
		w.args.SetStr(w.key, v)
		return []wish{w}
	}},
	{name: "a call without arguments", need: needsParallel, calls: func(d *drawing) []wish {
		return slices.Concat(single(func(f *doc) bool { return len(f.required) == 0 }, nothing)(d), texts(0)(d))
	}},
	{name: "a list", need: needsShape, calls: having(listOf(ofType("integer", "float", "number")))},
	{name: "a list of texts", need: needsShape, calls: having(listOf(ofType("string")))},
	{name: "a list of objects", need: needsShape, calls: having(listOf(holdsFields))},
	{name: "many functions", need: needsCalls, calls: texts(3), tools: func(d *drawing) []*doc {
		const many = 24
		return d.docs[:min(many, len(d.docs)):min(many, len(d.docs))]
	}},
	{name: "the same question, other functions", need: needsCalls, text: theOne, calls: func(d *drawing) []wish {
		q := d.list[0]
		return []wish{{f: d.twin(docOf(q.tools[0])), args: q.want.Calls[0].Args}}
	}},
	{name: "a similar question", need: needsCalls, text: theOne, calls: func(d *drawing) []wish {
		w := wish{f: docOf(d.list[0].tools[0]), args: d.list[0].want.Calls[0].Args.Clone()}
		key, v := w.args.At(0)
		was := pyval.Text(v)
		w.args.SetStr(pyval.Text(key), pyval.Str(was[:len(was)-1]+string('0'+('9'-was[len(was)-1]))))
		return []wish{w}
	}},
	{name: "a call beside a sentence", need: needsTalk, calls: texts(0), said: "I do it now.",
		text: "Write the sentence 'I do it now.' and, in the same answer, call {name} with exactly these arguments: {args}"},
	{name: aLongArgument, need: needsCalls, calls: holding(free, pyval.Str(longText))},
	{name: "a result", need: needsTalk, text: "Read the code word in the safe and tell me it, and nothing else.", safe: "HERON-3357", said: "HERON-3357"},
	{name: "a result to pass on", need: needsTalk, text: passing + "with the code word in the safe, which you read first.", calls: telling("GRANITE-5519"), safe: "GRANITE-5519"},
	{name: "a late turn", need: needsTalk, text: passing + "with my word, which I told you first.", calls: telling("MERLIN-6120"), before: []eval.Message{
		spoken("user", "My word is MERLIN-6120."), spoken("assistant", "Noted."), spoken("user", "My number is 58."), spoken("assistant", "Noted."),
	}},
	{name: aLongAnswer, need: needsCalls, said: counted(),
		text: "Write the numbers from 1 to 1000 in digits, with a blank between them and nothing else. Leave none out."},
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
