package tally

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/why"
)

// unreadPart is a category of the starter suite of which so many of the answers
// are what a function makes of the case, and could not be read.
func unreadPart(t *testing.T, category string, n int, say func(c *eval.Case) pyval.Value) Part {
	t.Helper()
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cat := categories.Find(category)
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	p := Part{Category: cat}
	for i, c := range cases {
		r := eval.Result{Category: cat, Case: c}
		if i < n {
			r.Status, r.ErrorType, r.Result = eval.Fail, "ast_decoder:decoder_failed", say(c)
			why.Examine(&r, eval.SettingsFor(eval.FC))
		}
		p.Results = append(p.Results, r)
	}
	return p
}

// tagged calls the case's first function as Hermes does.
func tagged(c *eval.Case) pyval.Value {
	name, _ := c.Answer.Items[0].(*pyval.Dict).At(0)
	accepted := c.Answer.Items[0].(*pyval.Dict)
	args := ""
	for _, v := range accepted.All() {
		for key := range v.(*pyval.Dict).All() {
			args = fmt.Sprintf("%q: 1", pyval.Text(key))
			break
		}
	}
	return pyval.Str(fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": {%s}}\n</tool_call>", pyval.Text(name), args))
}

func talk(*eval.Case) pyval.Value { return pyval.Str("I cannot\x1b[2J; nothing fits.") }
func gone(*eval.Case) pyval.Value { return nil }

func TestDoubts(t *testing.T) {
	t.Parallel()
	said := func(stated record.Run, parts ...Part) []string { return (&Run{Run: stated, Parts: parts}).doubts() }
	fc := record.Run{Mode: eval.FC}
	total := len(unreadPart(t, "multiple", 0, talk).Results)
	require.Greater(t, total, 7)
	most := total/2 + 1

	assert.Empty(t, said(fc, unreadPart(t, "multiple", total/2, talk)), "half is not more than half")
	warnings := said(fc, unreadPart(t, "multiple", most, talk))
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], fmt.Sprintf("multiple: no call could be read from %d of %d answers in fc mode. The first, of multiple_0: I cannot\\x1b[2J", most, total))

	warnings = said(fc, unreadPart(t, "multiple", 3, tagged), unreadPart(t, "multiple", most, gone))
	require.Len(t, warnings, 2)
	assert.Contains(t, warnings[0], "In the dialect tool-call, 3 of 3 can be read: give -dialect=tool-call. ")
	assert.Contains(t, warnings[0], "The first, of multiple_0: <tool_call>")
	assert.Equal(t, "The same is true of multiple.", warnings[1])

	served := record.Run{Model: "qwen/qwen3-8b-fc", Mode: eval.FC, Flags: []string{"-model=openai:it's"}, Parameters: map[string]string{"adapter": "openai"}}
	warnings = said(served, unreadPart(t, "multiple", 3, tagged))
	require.Len(t, warnings, 1)
	family := (&Run{Run: served}).remedy().own
	require.NotEmpty(t, family)
	assert.Contains(t, warnings[0], "In the dialect "+family+", 3 of 3 can be read: `bfcl run '-model=openai:it'\\''s' -read=dialect -dialect="+family+"`. ")
	lost := (&Run{Run: served, Parts: []Part{unreadPart(t, "multiple", 3, tagged)}}).Lost()
	require.NotNil(t, lost)
	assert.Equal(t, family, lost.Dialect, "the family's, of several")
	assert.True(t, strings.HasSuffix(lost.String(), "\n  bfcl run '-model=openai:it'\\''s' -read=dialect -dialect="+family), lost)

	assert.Equal(t, []string{fmt.Sprintf("multiple: no call could be read from %d of %d answers. The first is multiple_0.", most, total)}, said(record.Run{}, unreadPart(t, "multiple", most, gone)))
	assert.Empty(t, said(fc))
}

// TestLostIn: calls that stand in the text of an answer, where the server was to
// find them, are counted over all categories.
func TestLostIn(t *testing.T) {
	t.Parallel()
	lost := LostIn([]Part{unreadPart(t, "multiple", 3, tagged), unreadPart(t, "live_multiple", 2, tagged), unreadPart(t, "simple_python", 4, talk), unreadPart(t, "multiple", 2, gone)}, "")
	require.NotNil(t, lost)
	assert.Equal(t, 5, lost.Answers, "those that name a function of the case")
	assert.Greater(t, lost.Of, 50)
	assert.Contains(t, lost.String(), fmt.Sprintf("found no calls in 5 of %d answers whose text the dialect %s reads", lost.Of, lost.Dialect))
	own := LostIn([]Part{unreadPart(t, "multiple", 3, tagged)}, "qwen-fc")
	require.NotNil(t, own)
	assert.Equal(t, "qwen-fc", own.Dialect, "the model's own, where it reads any")
	assert.Nil(t, LostIn([]Part{unreadPart(t, "multiple", 5, talk)}, ""))
	assert.Nil(t, LostIn(nil, ""))
}
