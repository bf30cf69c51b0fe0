package evaluate_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// tagged is a case's possible answer as Qwen writes calls.
func tagged(c *eval.Case) string {
	var b strings.Builder
	for i, item := range oracle.Answer(c, eval.FC).(*pyval.List).Items {
		name, _ := c.Answer.Items[i].(*pyval.Dict).At(0) // with its dots
		_, args := item.(*pyval.Dict).At(0)
		fmt.Fprintf(&b, "<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>\n", pyval.Text(name), pyval.Text(args))
	}
	return b.String()
}

// TestUnread: answers in a dialect that nobody told of are named as such, with
// the dialects that read them; a folder with a leaderboard's name needs no word.
func TestUnread(t *testing.T) {
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cases, err := d.Cases(categories.Find("multiple"))
	require.NoError(t, err)
	var tags, talk strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&tags, "{\"id\": %q, \"result\": %q}\n", c.ID, tagged(c))
		fmt.Fprintf(&talk, "{\"id\": %q, \"result\": \"I cannot; nothing fits.\"}\n", c.ID)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"mine": tags.String(), "Qwen_Qwen3-8B-FC": tags.String(), "talker": talk.String()} {
		write(t, filepath.Join(dir, name, "non_live", "BFCL_v4_multiple_result.json"), text)
	}
	run := func(o tally.Folders) map[string]*tally.Run {
		o.Dataset, o.ResultDir = d, dir
		report, err := evaluate.Run(o, "")
		require.NoError(t, err)
		out := map[string]*tally.Run{}
		for _, m := range report.Models {
			out[m.Model] = m
		}
		return out
	}
	models := run(tally.Folders{})
	models["mine"].Command = []string{"bfcl", "evaluate"}
	warnings := doubts(t, models["mine"])
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], fmt.Sprintf("multiple: no call could be read from %d of %d answers in prompt mode. In the dialect tool-call, ", len(cases), len(cases)))
	assert.Contains(t, warnings[0], "can be read: `bfcl evaluate --dialect=tool-call`. ")
	assert.Contains(t, warnings[0], "The first, of "+cases[0].ID+`: <tool_call>\n{`)
	assert.Zero(t, models["mine"].Parts[0].Correct())

	assert.Empty(t, doubts(t, models["Qwen_Qwen3-8B-FC"]))
	assert.Equal(t, "qwen-fc", models["Qwen_Qwen3-8B-FC"].Settings().Dialect)
	assert.Equal(t, len(cases), models["Qwen_Qwen3-8B-FC"].Parts[0].Correct())

	warnings = doubts(t, models["talker"])
	require.Len(t, warnings, 1, "more than half")
	assert.NotContains(t, warnings[0], "dialect")

	models = run(tally.Folders{Models: []string{"mine"}, Settings: func(s eval.Settings) eval.Settings {
		s.Dialect = "qwen-fc"
		return s
	}})
	assert.Empty(t, doubts(t, models["mine"]))
	assert.Equal(t, len(cases), models["mine"].Parts[0].Correct())
}

// doubts are the sentences that a score of a model begins with.
func doubts(t *testing.T, m *tally.Run) []string {
	t.Helper()
	s, err := m.Answered(false)
	require.NoError(t, err)
	return slices.DeleteFunc(s.Warnings, func(text string) bool { return strings.HasPrefix(text, "This is a part of") })
}
