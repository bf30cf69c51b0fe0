package evaluate_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenLadder climbs with real models' recorded answers: the top of the
// ladder is the published number of right answers in every category whose
// answers are compared with possible answers.
func TestGoldenLadder(t *testing.T) {
	for _, c := range []struct {
		name, dir, categories string
		dataset               *fixtures.Dataset
	}{
		{"v4", filepath.Join(testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), "result"), "single_turn", official(t)},
		{"v1", testkit.Shared(t, "recorded", "v1"), "simple,java,javascript,multiple_function,parallel_function,parallel_multiple_function,relevance", v1Dataset(t)},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := evaluate.Run(tally.Folders{Dataset: c.dataset, ResultDir: c.dir, Categories: c.categories}, "")
			require.NoError(t, err)
			compared, failed, explained := 0, 0, 0
			for _, m := range report.Models {
				got := m.Findings(true)
				for _, cat := range m.Parts {
					failed += len(cat.Results) - cat.Correct()
					rungs, ok := got.Ladder.Categories[cat.Category.Name]
					require.Equal(t, cat.Category.Compares(), ok, cat.Category.Name)
					if ok {
						top := rungs.Levels[len(rungs.Levels)-1]
						assert.Equal(t, cat.Correct(), top.Reached, "%s of %s", cat.Category.Name, m.Name)
						assert.Equal(t, len(cat.Results), rungs.Total, "%s of %s", cat.Category.Name, m.Name)
						assert.InDelta(t, cat.Accuracy(), top.Rate, 0, "%s of %s", cat.Category.Name, m.Name)
						compared++
					}
				}
				explained += got.Taxonomy.Total()
				for _, n := range got.Outside {
					explained += n
				}
				assert.NotContains(t, got.Taxonomy, "unexplained")
			}
			assert.Positive(t, compared)
			assert.Equal(t, failed, explained)
			t.Logf("%d categories of %d models: the top is the number of right answers; %d wrong answers, all with a kind", compared, len(report.Models), failed)
		})
	}
}
