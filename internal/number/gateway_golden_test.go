package number_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenGateway: of the recorded runs of models, only those are named whose
// answers hold their servers' errors: the false-alarm rate of the rule.
func TestGoldenGateway(t *testing.T) {
	t.Parallel()
	holding := map[string]int{"gemini-1.5-pro-preview-0514": 20} // "Internal error occurred."
	runs, answers, signs := 0, 0, 0
	for _, top := range []string{"v1", "v4"} {
		folders, err := record.FindAll(testkit.Shared(t, "recorded", top))
		require.NoError(t, err)
		for _, f := range folders {
			all, err := tally.ReadAll([]string{f.Dir}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true})
			require.NoError(t, err, f.Dir)
			for _, r := range all {
				r.Parameters = map[string]string{"adapter": "openai"} // as if it had been asked here
				g, n := r.Gateway(), 0
				for _, result := range r.All() {
					if result.Gateway != "" {
						n++
					}
				}
				runs, answers, signs = runs+1, answers+r.Len(), signs+n
				t.Logf("%s: %d signs in %d answers: %v", f.Dir, n, r.Len(), g)
				if g == nil {
					continue
				}
				assert.GreaterOrEqual(t, g.Answers, 1)
				assert.Contains(t, holding, filepath.Base(filepath.Dir(f.Dir)), "%s", g)
			}
		}
	}
	t.Logf("%d runs, %d answers, %d with a sign", runs, answers, signs)
}
