package multiturn_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenBuiltins judges conversations whose calls have Python's builtins
// around an argument, or are one.
func TestGoldenBuiltins(t *testing.T) {
	d, n, differ := official(t), &tally{T: t}, map[string]int{}
	testkit.Rows(t, testkit.GoldenFile(t, "inserted", "conversations.jsonl"), func(_ int, row *pyval.Dict) {
		n.rows++
		if testkit.Flag(row, "valid") {
			n.valid++
		}
		c := d.cases[testkit.Text(row, "id")]
		got := multiturn.Judge(c, testkit.Field(row, "result"), eval.SettingsFor(eval.Prompt))
		if got.Passed() == testkit.Flag(row, "valid") && got.ErrorType == testkit.Text(row, "error_type") {
			n.equal++
			return
		}
		differ[testkit.Text(row, "kind")]++
		n.differs(testkit.Text(row, "id"), "%s: %s: got %v %q, want valid %v %q", testkit.Text(row, "kind"), testkit.Text(row, "call"), got.Status, got.ErrorType, testkit.Flag(row, "valid"), testkit.Text(row, "error_type"))
	})
	for _, kind := range slices.Sorted(maps.Keys(differ)) {
		t.Logf("%-20s %d differ", kind, differ[kind])
	}
	n.report("inserted/conversations")
}
