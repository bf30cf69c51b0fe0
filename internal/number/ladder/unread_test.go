package ladder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// part is a category of the starter suite of which so many of the answers are
// what a function makes of the case.
func part(t *testing.T, category string, n int, say func(c *eval.Case) pyval.Value) ladder.Reading {
	t.Helper()
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cat := categories.Find(category)
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	p := ladder.Reading{Category: cat, Total: len(cases)}
	for _, c := range cases[:n] {
		p.Unread = append(p.Unread, ladder.UnreadOf(cat, c, say(c), "ast_decoder:decoder_failed", eval.SettingsFor(eval.FC))...)
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
	fc := eval.SettingsFor(eval.FC)
	total := part(t, "multiple", 0, talk).Total
	require.Greater(t, total, 7)
	most := total/2 + 1

	assert.Empty(t, ladder.Doubts([]ladder.Reading{part(t, "multiple", total/2, talk)}, fc, ladder.Remedy{Flag: "-dialect="}), "half is not more than half")
	warnings := ladder.Doubts([]ladder.Reading{part(t, "multiple", most, talk)}, fc, ladder.Remedy{Flag: "-dialect="})
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], fmt.Sprintf("multiple: no call could be read from %d of %d answers in fc mode. The first, of multiple_0: I cannot\\x1b[2J", most, total))

	warnings = ladder.Doubts([]ladder.Reading{part(t, "multiple", 3, tagged), part(t, "multiple", most, gone)}, fc, ladder.Remedy{Flag: "-dialect="})
	require.Len(t, warnings, 2)
	assert.Contains(t, warnings[0], "In the dialect tool-call, 3 of 3 can be read: give -dialect=tool-call. ")
	assert.Contains(t, warnings[0], "The first, of multiple_0: <tool_call>")
	assert.Equal(t, "The same is true of multiple.", warnings[1])

	remedy := ladder.RemedyFor("ibm-granite/granite-4.1", "-dialect=", "bfcl", "run", "-model=openai:it's", "-read=dialect")
	assert.Equal(t, "tool-call", remedy.Own)
	remedy.Own = "qwen-fc"
	warnings = ladder.Doubts([]ladder.Reading{part(t, "multiple", 3, tagged)}, fc, remedy)
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], `In the dialect qwen-fc, 3 of 3 can be read: `+"`bfcl run '-model=openai:it'\\''s' -read=dialect -dialect=qwen-fc`. ")
	lost := ladder.LostBy([]ladder.Reading{part(t, "multiple", 3, tagged)}, fc, remedy)
	require.NotNil(t, lost)
	assert.Equal(t, "qwen-fc", lost.Dialect, "the family's, of several")
	assert.True(t, strings.HasSuffix(lost.String(), "\n  bfcl run '-model=openai:it'\\''s' -read=dialect -dialect=qwen-fc"), lost)

	warnings = ladder.Doubts([]ladder.Reading{part(t, "multiple", most, gone)}, eval.Settings{}, ladder.Remedy{Flag: "-dialect="})
	assert.Equal(t, []string{fmt.Sprintf("multiple: no call could be read from %d of %d answers. The first is multiple_0.", most, total)}, warnings)
	assert.Empty(t, ladder.Doubts(nil, fc, ladder.Remedy{Flag: "-dialect="}))
}

// TestLostBy: calls that stand in the text of an answer, where the server was to
// find them, are counted over all categories.
func TestParser(t *testing.T) {
	t.Parallel()
	fc := eval.SettingsFor(eval.FC)
	lost := ladder.LostBy([]ladder.Reading{part(t, "multiple", 3, tagged), part(t, "live_multiple", 2, tagged), part(t, "simple_python", 4, talk), part(t, "multiple", 2, gone)}, fc, ladder.Remedy{Flag: "-dialect="})
	require.NotNil(t, lost)
	assert.Equal(t, 5, lost.Answers, "those that name a function of the case")
	assert.Greater(t, lost.Of, 50)
	assert.Contains(t, lost.String(), fmt.Sprintf("found no calls in 5 of %d answers whose text the dialect %s reads", lost.Of, lost.Dialect))
	fc.Dialect = "qwen-fc"
	own := ladder.LostBy([]ladder.Reading{part(t, "multiple", 3, tagged)}, fc, ladder.Remedy{Flag: "-dialect="})
	require.NotNil(t, own)
	assert.Equal(t, "qwen-fc", own.Dialect, "the model's own, where it reads any")
	assert.Nil(t, ladder.LostBy([]ladder.Reading{part(t, "multiple", 5, talk)}, fc, ladder.Remedy{Flag: "-dialect="}))
	assert.Nil(t, ladder.LostBy(nil, fc, ladder.Remedy{Flag: "-dialect="}))
}

func TestUnread(t *testing.T) {
	t.Parallel()
	c := &eval.Case{ID: "x"}
	for category, errorTypes := range map[string]map[string]int{
		"simple_python":   {"ast_decoder:decoder_failed": 1, "ast_decoder:decoder_wrong_output_format": 1, "value_error:string": 0, "": 0},
		"live_relevance":  {"relevance_error:decoder_failed": 1},
		"irrelevance":     {"irrelevance_error:decoder_success": 0},
		"exec_simple":     {"executable_decoder:decoder_failed": 1},
		"multi_turn_base": {"multi_turn:instance_state_mismatch": 0},
	} {
		for errorType, want := range errorTypes {
			assert.Len(t, ladder.UnreadOf(categories.Find(category), c, pyval.Str("x"), errorType, eval.SettingsFor(eval.Prompt)), want, "%s %s", category, errorType)
		}
	}
	steps := pyval.NewList(pyval.NewList(pyval.Str("I am done."), pyval.Str("[f(x=1)]")), pyval.Str("no turn"))
	assert.Len(t, ladder.UnreadOf(categories.Find("multi_turn_base"), c, steps, "", eval.SettingsFor(eval.Prompt)), 1)
	assert.Empty(t, ladder.UnreadOf(categories.Find("multi_turn_base"), c, nil, "ast_decoder:decoder_failed", eval.Settings{}))
}
