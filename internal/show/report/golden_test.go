package report_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/report"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenRecorded makes pages of the recorded runs of both releases: every
// result of theirs is in the page.
func TestGoldenRecorded(t *testing.T) {
	data := filepath.Dir(testkit.Shared(t, "bfcl", "v4"))
	for _, test := range []struct {
		name, path  string
		runs, cases int
		options     tally.Options
	}{
		{"v1", testkit.Shared(t, "recorded", "v1"), 14, 1700, tally.Options{Replay: []string{
			testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")}}},
		{"v4", testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), 1, 4241, tally.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.Data, test.options.Answers = data, true
			runs, err := tally.ReadAll([]string{test.path}, test.options)
			require.NoError(t, err)
			require.Len(t, runs, test.runs)
			page := html(t, reportOf(t, runs, report.Options{AllowErrors: true}))
			var index struct {
				IDs, V []string
			}
			unpacked(t, blocks.FindStringSubmatch(page)[2], &index)
			assert.Len(t, index.IDs, test.cases)
			shown, want := 0, 0
			for _, letters := range index.V {
				for _, letter := range letters {
					if letter != '-' {
						shown++
					}
				}
			}
			for _, run := range runs {
				want += run.Len()
			}
			assert.Equal(t, want, shown)
			assert.Less(t, len(page), 8<<20)
			t.Logf("%d of %d results in a page of %d KB", shown, want, len(page)>>10)
		})
	}
}
