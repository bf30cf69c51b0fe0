package source_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/jscall"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// inner drops the first and the last character, as upstream's ast_parse does
// before it parses JavaScript.
func inner(s string) string {
	if s == "" {
		return s
	}
	_, first := utf8.DecodeRuneInString(s)
	if first == len(s) {
		return ""
	}
	_, last := utf8.DecodeLastRuneInString(s)
	return s[first : len(s)-last]
}

// outcome writes a result or an exception's class.
func outcome(v pyval.Value, err error) string {
	var e *grammar.Error
	if errors.As(err, &e) {
		return "raises " + e.Class
	}
	if err != nil {
		return "untyped error " + err.Error()
	}
	return pyval.Repr(v)
}

// recorded writes a golden row's result the same way.
func recorded(t *testing.T, row *pyval.Dict, field string) string {
	result := testkit.Field(row, field).(*pyval.Dict)
	if out, ok := result.GetStr("out"); ok {
		return pyval.Repr(testkit.Tagged(t, out))
	}
	return "raises " + testkit.Text(result, "exc")
}

func TestGoldenJavaScriptParse(t *testing.T) {
	rows, differ := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "decode", "javascript.jsonl"), func(line int, row *pyval.Dict) {
		in := testkit.Text(row, "in")
		if testkit.Flag(row, "tag") {
			return // the tag is looked for before this parser is called
		}
		rows++
		got, want := outcome(jscall.Parse(inner(in))), recorded(t, row, "ast_parse")
		if got != want {
			differ++
			t.Errorf("line %d: %.200q\n got %.300q\nwant %.300q", line, in, got, want)
		}
	})
	t.Logf("%d of %d rows equal", rows-differ, rows)
}

func TestGoldenJavaScriptConvert(t *testing.T) {
	rows, differ := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "decode", "javascript_type_converter.jsonl"), func(line int, row *pyval.Dict) {
		rows++
		in := pyval.Text(testkit.Tagged(t, testkit.Field(row, "in")))
		typ, nested := testkit.Text(row, "expected_type"), testkit.Text(row, "nested_type")
		got, want := outcome(jscall.Convert(in, typ, nested)), recorded(t, row, "result")
		if got != want {
			differ++
			t.Errorf("line %d: %.200q as %s of %q\n got %.300q\nwant %.300q", line, in, typ, nested, got, want)
		}
	})
	t.Logf("%d of %d rows equal", rows-differ, rows)
}

// Prompt-mode rows hold the whole way from a model's text to calls. The text
// in `raw` is stripped and bracketed before it is parsed.
func TestGoldenJavaScriptVerdictText(t *testing.T) {
	rows, differ := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "verdict", "simple_javascript.jsonl"), func(line int, row *pyval.Dict) {
		if testkit.Text(row, "mode") != "prompt" {
			return
		}
		rows++
		raw := strings.Trim(testkit.Text(row, "raw"), "`\n ")
		if !strings.HasPrefix(raw, "[") {
			raw = "[" + raw
		}
		if !strings.HasSuffix(raw, "]") {
			raw += "]"
		}
		got, want := "raises", "raises"
		if v, err := jscall.Parse(inner(raw)); err == nil {
			got = pyval.Repr(v)
		}
		if decoded, ok := row.GetStr("decoded"); ok {
			want = pyval.Repr(testkit.Tagged(t, decoded))
		}
		if got != want {
			differ++
			t.Errorf("line %d: %.200q\n got %.300q\nwant %.300q", line, raw, got, want)
		}
	})
	t.Logf("%d of %d rows equal", rows-differ, rows)
}
