package heuristic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/heuristic"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestScore prints the baseline's score on the dataset of -dataset. The score
// is a yardstick and not asserted, except that a baseline gets something right.
func TestScore(t *testing.T) {
	data := testkit.Must(fixtures.Open(testkit.Suite.Dataset, testkit.Suite.Data))(t)
	right, asked := 0, 0
	for _, cat := range categories.All() {
		if !data.Has(cat) {
			continue
		}
		cases := testkit.Must(data.Cases(cat))(t)
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			n := score(t, cat, cases, mode)
			right, asked = right+n, asked+len(cases)
			t.Logf("%s %s %s: %d of %d", data.Name, cat.Name, mode, n, len(cases))
		}
	}
	require.Positive(t, right, "of %d", asked)
}

func score(t *testing.T, cat *eval.Category, cases []*eval.Case, mode eval.Mode) int {
	t.Helper()
	right := 0
	s := eval.SettingsFor(mode)
	for _, c := range cases {
		resp := testkit.Must(heuristic.New().Generate(t.Context(), eval.Pose(c, 0, s)))(t)
		if _, v := cat.Verdict(c, resp.Result, s); v.Passed() {
			right++
		}
	}
	return right
}
