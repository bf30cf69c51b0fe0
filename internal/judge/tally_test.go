package judge_test

import (
	"fmt"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A tally counts the rows of one golden file and reports differences.
type tally struct {
	t *testing.T
	// rows were judged from the calls they give, raws from their raw answer.
	rows, raws int
	// raised are rows on which upstream raised, equal those whose `error`
	// is equal.
	raised, equal int
	// failed are raw answers that do not decode: upstream's text is then an
	// exception's, most often CPython's own, and need not be equal; alike
	// are those whose text is equal nevertheless.
	failed, alike int
	differences   int
}

const shownMost = 30

func (c *tally) differ(label, format string, args ...any) {
	c.t.Helper()
	if c.differences++; c.differences <= shownMost {
		c.t.Errorf("%s: %s", label, clip(fmt.Sprintf(format, args...)))
	} else {
		c.t.Fail()
	}
}

func clip(s string) string {
	if len(s) > 1500 {
		return s[:1500] + "..."
	}
	return s
}

// compare compares the verdict on a row's calls with the row.
func (c *tally) compare(label string, row *pyval.Dict, got eval.Verdict) {
	c.t.Helper()
	c.rows++
	if raised, ok := testkit.Field(row, "raised").(*pyval.Dict); ok {
		c.raised++
		if got.Status != eval.Fail || got.ErrorType != judge.Unusable {
			c.differ(label, "upstream raised %s, got %s", pyval.Repr(raised), show(got))
		}
		return
	}
	if c.compareType(label, row, got) {
		c.compareDetail(label, row, got)
	}
}

// compareRaw compares the verdict on a row's raw answer with the row.
func (c *tally) compareRaw(label string, row *pyval.Dict, got eval.Verdict) {
	c.t.Helper()
	c.raws++
	decoded := testkit.Field(row, "decoded") != nil || testkit.Flag(row, "decoded_ok")
	switch same := c.compareType(label, row, got); {
	case !same:
	case decoded || got.Passed():
		c.compareDetail(label, row, got)
	default:
		c.failed++
		if sameDetail(c.t, row, got) {
			c.alike++
		}
	}
}

func (c *tally) compareType(label string, row *pyval.Dict, got eval.Verdict) bool {
	c.t.Helper()
	if got.Passed() == testkit.Flag(row, "valid") && got.ErrorType == testkit.Text(row, "error_type") {
		return true
	}
	c.differ(label, "got %s, want valid=%v %q %s", show(got), testkit.Flag(row, "valid"),
		testkit.Text(row, "error_type"), pyval.Repr(testkit.Field(row, "error")))
	return false
}

func (c *tally) compareDetail(label string, row *pyval.Dict, got eval.Verdict) {
	c.t.Helper()
	if !sameDetail(c.t, row, got) {
		c.differ(label, "error differs: got %.700s, want %.700s", show(got), pyval.Repr(testkit.Field(row, "error")))
		return
	}
	c.equal++
}

// sameDetail compares texts too: Python's == does not tell 1 from 1.0.
func sameDetail(t *testing.T, row *pyval.Dict, got eval.Verdict) bool {
	t.Helper()
	want := testkit.Tagged(t, testkit.Field(row, "error"))
	if got.Detail == nil {
		return want == pyval.Value(pyval.None)
	}
	return pyval.Repr(want) == pyval.Repr(got.Detail)
}

func (c *tally) log(name string) {
	c.t.Helper()
	c.t.Logf("%s: %d rows compared from calls and %d from raw answers, %d raised upstream, %d error values equal, %d decoding failures (%d with upstream's text), %d differences",
		name, c.rows, c.raws, c.raised, c.equal, c.failed, c.alike, c.differences)
}

func show(v eval.Verdict) string {
	if v.Detail == nil {
		return v.Status.String()
	}
	return fmt.Sprintf("%s %q %s", v.Status, v.ErrorType, pyval.Repr(v.Detail))
}
