package judge_test

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// compareCalls compares the verdict on a row's calls with the row.
func compareCalls(c *testkit.Comparison, got eval.Verdict) {
	c.Helper()
	raised, ok := testkit.Field(c.Row, "raised").(*pyval.Dict)
	if !ok {
		compareVerdict(c, got, true)
		return
	}
	c.Note("that upstream raises on")
	if got.Status != eval.Fail || got.ErrorType != judge.Unusable {
		c.Errorf("upstream raised %s, got %s", pyval.Repr(raised), show(got))
	}
}

// compareRaw compares the verdict on a row's raw answer with the row. If the answer
// does not decode, upstream's text is an exception's, most often CPython's own, and
// need not be equal.
func compareRaw(c *testkit.Comparison, got eval.Verdict) {
	c.Helper()
	c.Note("judged from the raw answer")
	decoded := testkit.Field(c.Row, "decoded") != nil || testkit.Flag(c.Row, "decoded_ok")
	compareVerdict(c, got, decoded || got.Passed())
}

// compareVerdict compares texts of details, too: Python's == does not tell 1 from 1.0.
func compareVerdict(c *testkit.Comparison, got eval.Verdict, details bool) {
	c.Helper()
	valid, kind := testkit.Flag(c.Row, "valid"), testkit.Text(c.Row, "error_type")
	want := pyval.Repr(testkit.Tagged(c, testkit.Field(c.Row, "error")))
	detail := got.Detail
	if detail == nil {
		detail = pyval.None
	}
	if got.Passed() != valid || got.ErrorType != kind || details && pyval.Repr(detail) != want {
		c.Errorf("%s %s: got %.700s, want valid=%v %q %.700s", testkit.Text(c.Row, "id"), testkit.Text(c.Row, "op"), show(got), valid, kind, want)
	}
}

func show(v eval.Verdict) string {
	if v.Detail == nil {
		return v.Status.String()
	}
	return fmt.Sprintf("%s %q %s", v.Status, v.ErrorType, pyval.Repr(v.Detail))
}
