package eval_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestOriginReleases: the table has each release once, the newest first.
func TestOriginReleases(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"v4", "v3", "v2", "v1"}, eval.Releases())
	hex := regexp.MustCompile(`^[0-9a-f]{40} [0-9a-f]{64}$`)
	for _, name := range eval.Releases() {
		commit, digest := eval.Named(name)
		assert.Regexp(t, hex, commit+" "+digest)
		o, ok := eval.Known(digest)
		require.True(t, ok)
		assert.Equal(t, commit, o.Commit)
		assert.Equal(t, name == "v4" || name == "v1", o.IsOfficial(name))
	}
	for _, name := range []string{"", "v9", "pinned"} {
		commit, digest := eval.Named(name)
		assert.Empty(t, commit+digest, name)
	}
	_, ok := eval.Known(strings.Repeat("0", 64))
	assert.False(t, ok)
}

func TestOriginTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		origin        eval.Origin
		said, warning string
	}{
		{eval.Origin{}, "", ""},
		{eval.Origin{State: eval.Own}, "", ""},
		{eval.Origin{State: eval.Official, Release: "v4", Commit: "6ea57973c7"}, "official, commit 6ea5797", ""},
		{eval.Origin{State: eval.Commit, Commit: "58f57e9124", Date: "2025-08-25"}, "upstream's commit 58f57e9 of 2025-08-25", "commit 58f57e9 of 2025-08-25, not those of the published figures"},
		{eval.Origin{State: eval.Altered, Release: "v4", Differing: []string{"a", "b", "c", "d", "e"}}, "altered", "official data of v4 was altered, so this is not the benchmark's score and cannot be ranked among published models: a, b, c, d and 1 more"},
		{eval.Origin{State: eval.Altered, Release: "v4"}, "altered", "its digest is not an official one"},
	} {
		assert.Equal(t, c.said, c.origin.String())
		if c.warning == "" {
			assert.Empty(t, c.origin.Warning())
		}
		assert.Contains(t, c.origin.Warning(), c.warning)
	}
}
