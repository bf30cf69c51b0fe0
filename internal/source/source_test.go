package source_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/source/jscall"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// languages are those with a converter: parse reads a text, convert an
// argument's.
var languages = []struct {
	name    string
	parse   func(string) (pyval.Value, error)
	convert func(text, typ, nested string) (pyval.Value, error)
	seeds   []string // texts of calls
	values  []string // texts of arguments
	types   []string
}{
	{"java", javacall.Parse, javacall.Convert, []string{
		`Clock.setAlarm(hour=7, label="wake up", repeat=true)`, `f(a=new A<B>() {{ put("x", 1) }}, b=new int[]{1, 2})`,
		`class A { void m() { f(a = /* c */ 'x'); } }`, `f(a=(x) -> x, b=A::new, c="\{d}", e=é)`, `if (x instanceof A(B b)) f(1`,
	}, []string{
		"5", `new ArrayList<>(Arrays.asList("a", 1))`, `new HashMap<>() {{ put("a", 1_000); }}`, "new int[]{1, ٣, nan}",
	}, []string{"integer", "double", "Array", "ArrayList", "HashMap"}},
	{"javascript", jscall.Parse, jscall.Convert, []string{
		"turn(a=1, b=\"x\", c=[1, {k: 2}])", "a.b(c=x => {return}, d=`x${y}`)", "{a: 1}.f(b=2)", "f(a=/x/g, b=<p>{q}</p>)",
		"class A { static x = 1; get b() {} }", "for (let x of y) f(x); import a from 'b'", "f(a=[1, 2)", "(a, {b = 1}) => c", "f(\xff)",
	}, []string{
		"[1, 'a']", "[[1], [2, 3]]", "new Array([1], [2])", "{a: 1, b: [2]}", "5n", "٣.٥", "{: ,:}", "[\n[1]]",
	}, []string{"array", "dict", "Bigint", "float", "any"}},
}

// outcome writes a result or an exception's class.
func outcome(v pyval.Value, err error) string {
	var e *grammar.Error
	switch {
	case errors.As(err, &e):
		return "raises " + e.Class
	case err != nil:
		return "untyped error " + err.Error()
	}
	return pyval.Repr(v)
}

// compare compares an outcome with a row's: a value under "out" or the class under
// "exc".
func compare(c *testkit.Comparison, in, got string, want *pyval.Dict) {
	c.Helper()
	w := "raises " + testkit.Text(want, "exc")
	if out, ok := want.GetStr("out"); ok {
		w = pyval.Repr(testkit.Tagged(c, out))
	}
	c.Same(in, w, got)
}

// cut drops the first and the last character, as upstream's ast_parse does.
func cut(s string) string {
	r := []rune(s)
	if len(r) < 2 {
		return ""
	}
	return string(r[1 : len(r)-1])
}

// bracketed is what upstream's default_decode_ast_prompting hands on.
func bracketed(s string) string {
	s = strings.Trim(s, "`\n ")
	if !strings.HasPrefix(s, "[") {
		s = "[" + s
	}
	if !strings.HasSuffix(s, "]") {
		s += "]"
	}
	return s
}

func TestGoldenParse(t *testing.T) {
	for _, l := range languages {
		testkit.Compare(t, testkit.GoldenFile(t, "decode", l.name+".jsonl"), func(c *testkit.Comparison) {
			if testkit.Flag(c.Row, "tag") {
				c.Note("with a tag, which is looked for before this parser is called")
				return
			}
			in := testkit.Text(c.Row, "in")
			compare(c, in, outcome(l.parse(cut(in))), c.Row.Child("ast_parse"))
			compare(c, in, outcome(l.parse(cut(bracketed(in)))), c.Row.Child("decode_ast"))
		})
	}
}

// TestGoldenVerdictPrompts goes the whole way from a model's text to calls.
func TestGoldenVerdictPrompts(t *testing.T) {
	for _, l := range languages {
		testkit.Compare(t, testkit.GoldenFile(t, "verdict", "simple_"+l.name+".jsonl"), func(c *testkit.Comparison) {
			if testkit.Text(c.Row, "mode") != "prompt" {
				c.Note("of the other mode")
				return
			}
			in := testkit.Text(c.Row, "raw")
			got, want := outcome(l.parse(cut(bracketed(in)))), &pyval.Dict{}
			if decoded, ok := c.Row.GetStr("decoded"); ok {
				want.SetStr("out", decoded)
			} else if strings.HasPrefix(got, "raises ") { // the rows name no class
				got = "raises "
			}
			compare(c, in, got, want)
		})
	}
}

func TestGoldenConvert(t *testing.T) {
	for _, l := range languages {
		testkit.Compare(t, testkit.GoldenFile(t, "decode", l.name+"_type_converter.jsonl"), func(c *testkit.Comparison) {
			in := pyval.Text(testkit.Tagged(t, testkit.Field(c.Row, "in")))
			typ, nested := testkit.Text(c.Row, "expected_type"), testkit.Text(c.Row, "nested_type")
			compare(c, typ+" "+nested+": "+in, outcome(l.convert(in, typ, nested)), c.Row.Child("result"))
		})
	}
}

// FuzzParse reads any text: it ends with a value or an exception, and what is
// read stands in the text.
func FuzzParse(f *testing.F) {
	for i, l := range languages {
		for _, s := range l.seeds {
			f.Add(i, s)
		}
	}
	f.Fuzz(func(t *testing.T, i int, s string) {
		l := languages[uint(i)%2]
		v, err := l.parse(s)
		if (v == nil) == (err == nil) {
			t.Fatalf("%s %q: %v, %v", l.name, s, v, err)
		}
		list, ok := v.(*pyval.List)
		if l.name != "javascript" || !ok { // Java's values are written anew
			return
		}
		name, params := list.Items[0].(*pyval.Dict).At(0)
		texts := []pyval.Value{name}
		for _, val := range params.(*pyval.Dict).All() {
			texts = append(texts, val)
		}
		for _, text := range texts {
			if !strings.Contains(s, string(text.(pyval.Str))) {
				t.Fatalf("%q: no %v", s, text)
			}
		}
	})
}

func FuzzConvert(f *testing.F) {
	for i, l := range languages {
		for _, s := range l.values {
			for _, typ := range l.types {
				f.Add(i, s, typ, "integer")
			}
		}
	}
	f.Fuzz(func(t *testing.T, i int, s, typ, nested string) {
		if v, err := languages[uint(i)%2].convert(s, typ, nested); (v == nil) == (err == nil) {
			t.Fatalf("%q %q %q: %v, %v", s, typ, nested, v, err)
		}
	})
}
