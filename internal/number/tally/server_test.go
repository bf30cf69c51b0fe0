package tally_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
)

// TestMalformed: a score says how many answers the server could not read.
func TestMalformed(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pfff"})
	s, err := r.Score(false)
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(s.Warnings, "\n"), "could not read")
	for i := range 3 {
		r.Parts[0].Results[i].Malformed = true
	}
	s, err = r.Score(false)
	require.NoError(t, err)
	assert.Contains(t, s.Warnings[0], "an error for 3 of 4 answers because it could not read their calls")
}

// TestAgain: asking again is advised where it can help.
func TestAgain(t *testing.T) {
	for kinds, want := range map[string]string{
		"timeout":                     "ask again with `bfcl run -resume` and the same flags",
		"malformed_call":              "ask in a new run folder with -read=dialect or -mode=prompt",
		"context_full":                "give the server a longer context, because the same would happen again, and then ask again",
		"server_setup timeout":        "start the server with its tool parser, because the same",
		"malformed_call server_setup": "start the server with its tool parser",
	} {
		r := attempted(1, map[string]string{"multiple": "pppe" + strings.Repeat("e", strings.Count(kinds, " "))})
		for i, kind := range strings.Fields(kinds) {
			r.Parts[0].Results[3+i].ErrorType = "infrastructure:" + kind
		}
		_, err := r.Score(false)
		assert.ErrorContains(t, err, want, kinds)
	}
}

// TestCeiling: prompts that all end at one length are said before the numbers.
func TestCeiling(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []int
		want   string
	}{
		{"cut", []int{4096, 700, 4096, 4096, 4096, 4096}, "The prompts of 5 answers have exactly 4096 tokens"},
		{"longer ones exist", []int{4096, 4096, 4096, 4096, 4096, 4097}, ""},
		{"too few", []int{4096, 4096, 4096, 4096, 700, 800}, ""},
		{"short prompts", []int{9, 9, 9, 9, 9, 9}, ""},
		{"no counts", []int{0, 0, 0, 0, 0, 0}, ""},
	} {
		r := attempted(1, map[string]string{"multiple": "pppfff"})
		for i, n := range c.tokens {
			r.Parts[0].Results[i].InputTokens = tally.Figure(strconv.Itoa(n))
		}
		s, err := r.Score(false)
		require.NoError(t, err)
		if c.want == "" {
			for _, text := range s.Warnings {
				assert.NotContains(t, text, "tokens, and none has more", c.name)
			}
			continue
		}
		assert.Contains(t, s.Warnings[0], c.want, c.name)
	}
}
