package number_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenClean: of the recorded runs, no server is blamed but those whose
// answers show their fault.
func TestGoldenClean(t *testing.T) {
	t.Parallel()
	// Tokens at names and joined arguments are a server's; and one recording holds
	// its server's errors.
	guilty := map[string]int{"v4/gpt-oss-120b": 5, "v4/servers_conversations/v0.10.2": 25, "v1/gemini-1.5-pro-preview-0514": 6}
	runs, answers := 0, 0
	for _, top := range []string{"v1", "v4"} {
		folders, err := record.FindAll(testkit.Shared(t, "recorded", top))
		require.NoError(t, err)
		for _, f := range folders {
			all, err := tally.ReadAll([]string{f.Dir}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true})
			require.NoError(t, err, f.Dir)
			for _, r := range all {
				b, err := r.Blame()
				require.NoError(t, err)
				runs, answers = runs+1, answers+r.Len()
				want := 0
				for name, n := range guilty {
					want += n * one(strings.Contains(filepath.ToSlash(f.Dir), "/"+name+"/"))
				}
				if !assert.Equal(t, want, b.Parts[tally.Server].Cases, "%s: %s", f.Dir, b) {
					t.Logf("%+v", b.Signs)
				}
			}
		}
	}
	t.Logf("%d runs, %d answers", runs, answers)
	assert.Positive(t, runs)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
