package say_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/say"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestNearHint(t *testing.T) {
	known := []string{"base_url", "temperature", "max_tokens", "max_cost", "max_cases", "max_calls", "gpt-4.1-mini"}
	for name, want := range map[string]string{
		"base_ulr":                     `; did you mean "base_url"?`,
		"BASE_URL":                     `; did you mean "base_url"?`,
		"max_token":                    `; did you mean "max_tokens"?`,
		"max_c":                        `; did you mean "max_calls" or "max_cases" or "max_cost"?`,
		"mini":                         `; did you mean "gpt-4.1-mini"?`,
		"the_temperature":              `; did you mean "temperature"?`,
		"zzz":                          "; known are " + strings.Join(known, ", "),
		strings.Repeat("é", 1_000_000): "; known are " + strings.Join(known, ", "),
	} {
		assert.Equalf(t, want, say.Hint(name, known), "%.20q", name)
	}
	assert.Empty(t, say.Hint("x", nil))
	assert.Empty(t, say.Hint("base_url", known), "the name itself")
	assert.Empty(t, say.Hint("zzz", strings.Split(strings.Repeat("abcdefgh ", 50), " ")[:50]))
}
