package javacall_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// tally counts rows and reports differences, the first of them in full.
type tally struct{ rows, equal int }

func (c *tally) compare(t *testing.T, in string, got pyval.Value, err error, want *pyval.Dict) {
	t.Helper()
	c.rows++
	g, w := outcome(got, err), expected(t, want)
	if g == w {
		c.equal++
	} else if c.rows-c.equal <= 200 {
		t.Errorf("%.300q:\n got %.300q\nwant %.300q", in, g, w)
	}
}

func (c *tally) compareFailure(t *testing.T, in string, err error) {
	t.Helper()
	if c.rows++; err == nil {
		t.Errorf("%.300q: parsed, upstream raises", in)
		return
	}
	c.equal++
}

func (c *tally) log(t *testing.T, file string) {
	t.Helper()
	t.Logf("%s: %d of %d equal", file, c.equal, c.rows)
}

func outcome(v pyval.Value, err error) string {
	var raised *grammar.Error
	switch {
	case errors.As(err, &raised):
		return "raises " + raised.Class
	case err != nil:
		return "fails: " + err.Error()
	}
	return pyval.Repr(v)
}

func expected(t *testing.T, want *pyval.Dict) string {
	t.Helper()
	if class := testkit.Text(want, "exc"); class != "" {
		return "raises " + class
	}
	return pyval.Repr(testkit.Tagged(t, testkit.Field(want, "out")))
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
	var plain, prompt tally
	testkit.Rows(t, testkit.GoldenFile(t, "decode", "java.jsonl"), func(_ int, row *pyval.Dict) {
		if testkit.Flag(row, "tag") {
			return
		}
		in := testkit.Text(row, "in")
		got, err := javacall.Parse(cut(in))
		plain.compare(t, in, got, err, testkit.Field(row, "ast_parse").(*pyval.Dict))
		got, err = javacall.Parse(cut(bracketed(in)))
		prompt.compare(t, in, got, err, testkit.Field(row, "decode_ast").(*pyval.Dict))
	})
	plain.log(t, "decode/java.jsonl, ast_parse without tag")
	prompt.log(t, "decode/java.jsonl, decode_ast without tag")
}

func TestGoldenVerdictPrompts(t *testing.T) {
	var c tally
	testkit.Rows(t, testkit.GoldenFile(t, "verdict", "simple_java.jsonl"), func(_ int, row *pyval.Dict) {
		if testkit.Text(row, "mode") != "prompt" {
			return
		}
		in := testkit.Text(row, "raw")
		got, err := javacall.Parse(cut(bracketed(in)))
		decoded, ok := row.GetStr("decoded")
		if !ok {
			c.compareFailure(t, in, err)
			return
		}
		want := pyval.NewDict(1)
		want.SetStr("out", decoded)
		c.compare(t, in, got, err, want)
	})
	c.log(t, "verdict/simple_java.jsonl, mode prompt")
}

func TestGoldenConvert(t *testing.T) {
	var c tally
	testkit.Rows(t, testkit.GoldenFile(t, "decode", "java_type_converter.jsonl"), func(_ int, row *pyval.Dict) {
		in, typ, nested := testkit.Text(row, "in"), testkit.Text(row, "expected_type"), testkit.Text(row, "nested_type")
		got, err := javacall.Convert(in, typ, nested)
		c.compare(t, typ+" "+nested+": "+in, got, err, testkit.Field(row, "result").(*pyval.Dict))
	})
	c.log(t, "decode/java_type_converter.jsonl")
}
