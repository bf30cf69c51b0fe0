package read_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A tally compares decodings.
type tally struct{ *testkit.Comparison }

func (g tally) differs(in, format string, args ...any) {
	g.Helper()
	g.Errorf("%.200q: %s", in, fmt.Sprintf(format, args...))
}

// outcome compares one recorded outcome with ours; false where upstream failed.
func (g tally) outcome(what, in string, want *pyval.Dict, got pyval.Value, err error) bool {
	g.Helper()
	out, decoded := want.GetStr("out")
	if !decoded {
		if err == nil {
			g.differs(in, "%s: got %q, upstream raises %q", what, pyval.Repr(got), pyval.Repr(want))
			return false
		}
		var e *decode.Error
		if errors.As(err, &e) && e.Class == testkit.Text(want, "exc") {
			g.Note("exceptions of the same class")
		}
		return false
	}
	expected := testkit.Tagged(g, out)
	switch {
	case err != nil:
		g.differs(in, "%s: %q, want %q", what, err, pyval.Repr(expected))
	case pyval.Repr(got) != pyval.Repr(expected): // types, order and signs of zeros, too
		g.differs(in, "%s: got %q, want %q", what, pyval.Repr(got), pyval.Repr(expected))
	default:
		return true
	}
	return false
}

func (g tally) decoded(in string, want *pyval.Dict, got pyval.Value, err error) {
	g.Helper()
	if !g.outcome("decode_ast", in, want, got, err) {
		return
	}
	if calls := decode.IsCalls(got); calls != testkit.Flag(want, "fc_format") {
		g.differs(in, "IsCalls is %v", calls)
	}
	if empty := decode.IsEmpty(got); empty != testkit.Flag(want, "empty") {
		g.differs(in, "IsEmpty is %v", empty)
	}
}

func texts(s []string) pyval.Value {
	list := &pyval.List{}
	for _, text := range s {
		list.Items = append(list.Items, pyval.Str(text))
	}
	return list
}

func (g tally) text(f decode.Format) {
	row := g.Row
	in, tag := textOf(g, row), testkit.Flag(row, "tag")
	got, err := decode.AST(in, f, tag)
	g.outcome("ast_parse", in, testkit.Field(row, "ast_parse").(*pyval.Dict), got, err)
	got, err = decode.Prompt(in, f, tag)
	g.decoded(in, testkit.Field(row, "decode_ast").(*pyval.Dict), got, err)
	if want, ok := testkit.Field(row, "decode_execute").(*pyval.Dict); ok {
		calls, err := promptExecute(in, tag)
		g.outcome("decode_execute", in, want, texts(calls), err)
	}
}

func textOf(t testing.TB, row *pyval.Dict) string {
	t.Helper()
	s, ok := testkit.Tagged(t, testkit.Field(row, "in")).(pyval.Str)
	if !ok {
		t.Fatal("row without a text")
	}
	return string(s)
}

// refused is a row that upstream evaluates as code, which must fail here.
func (g tally) refused(row *pyval.Dict) {
	in := textOf(g, row)
	if got, err := decode.AST(in, decode.Python, false); err == nil {
		g.differs(in, "evaluates names: %q", pyval.Repr(got))
	}
	if got, err := promptExecute(in, false); err == nil {
		g.differs(in, "evaluates names: %q", got)
	}
}

func recursion(row *pyval.Dict) bool {
	want, _ := testkit.Field(row, "ast_parse").(*pyval.Dict)
	return want != nil && testkit.Text(want, "exc") == "RecursionError"
}

func TestGoldenDecodeText(t *testing.T) {
	for _, f := range []decode.Format{decode.Python, decode.JSON, decode.VerboseXML, decode.ConciseXML, decode.Java, decode.JavaScript} {
		t.Run(string(f), func(t *testing.T) {
			testkit.Compare(t, testkit.GoldenFile(t, "decode", string(f)+".jsonl"), func(c *testkit.Comparison) {
				if testkit.Flag(c.Row, "eval_names") {
					c.Note("that upstream evaluates")
					tally{c}.refused(c.Row)
					return
				}
				if recursion(c.Row) {
					c.Note("of upstream's RecursionErrors")
				}
				tally{c}.text(f)
			})
		})
	}
}

func (g tally) calls() {
	row := g.Row
	result := testkit.Field(row, "in")
	in := pyval.Repr(result)
	got, err := decode.FC(result)
	g.decoded(in, testkit.Field(row, "decode_ast").(*pyval.Dict), got, err)
	calls, err := decode.FCExecute(result)
	g.outcome("decode_execute", in, testkit.Field(row, "decode_execute").(*pyval.Dict), texts(calls), err)
}

func TestGoldenDecodeFunctionCalling(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "decode", "fc.jsonl"), func(c *testkit.Comparison) { tally{c}.calls() })
}
