package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// An adapter that has a mode, answers conversations whole, or neither.
type adapter struct{}

func (adapter) Generate(context.Context, *eval.Request) (*eval.Response, error) { return nil, nil }

type moded struct {
	adapter
	mode eval.Mode
}

func (m moded) Mode() eval.Mode { return m.mode }

type whole struct {
	adapter
	whole bool
}

func (w whole) AnswersWhole() bool { return w.whole }

func TestAdapters(t *testing.T) {
	assert.Equal(t, eval.FC, eval.ModeOf(adapter{}))
	assert.Equal(t, eval.FC, eval.ModeOf(moded{}))
	assert.Equal(t, eval.Prompt, eval.ModeOf(moded{mode: eval.Prompt}))
	assert.False(t, eval.AnswersWhole(adapter{}))
	assert.False(t, eval.AnswersWhole(whole{}))
	assert.True(t, eval.AnswersWhole(whole{whole: true}))
}

func TestParseMode(t *testing.T) {
	for text, want := range map[string]eval.Mode{"": "", "fc": eval.FC, "FC": eval.FC, "Prompt": eval.Prompt} {
		mode := testkit.Must(eval.ParseMode(text))(t)
		assert.Equal(t, want, mode, text)
	}
	assert.EqualError(t, testkit.Err(eval.ParseMode("chat")), `unknown mode "chat": use fc or prompt`)
	assert.True(t, eval.SettingsFor(eval.FC).UnderscoreToDot)
	assert.False(t, eval.SettingsFor(eval.Prompt).UnderscoreToDot)
}

// TestInfraKind: what an adapter's error is called, however it is wrapped.
func TestInfraKind(t *testing.T) {
	cause := errors.New("refused")
	infra := eval.Infra("reset", "asking: %w", cause)
	assert.EqualError(t, infra, "reset: asking: refused")
	assert.ErrorIs(t, infra, cause)
	for _, test := range []struct {
		err  error
		want string
	}{
		{infra, "reset"}, {fmt.Errorf("turn 3: %w", infra), "reset"}, {eval.Infra("no_answer", "%w", context.Canceled), "no_answer"},
		{fmt.Errorf("x: %w", context.Canceled), "canceled"}, {context.DeadlineExceeded, "timeout"}, {cause, "adapter"},
	} {
		assert.Equal(t, test.want, eval.InfraKind(test.err), "%v", test.err)
	}
}

func doc(name string) *pyval.Dict {
	d := pyval.NewDict(1)
	if name != "" {
		d.SetStr("name", pyval.Str(name))
	}
	return d
}

// TestPose: dots are underscores for a model that sees them so, and the case
// stays as it is.
func TestPose(t *testing.T) {
	c := &eval.Case{
		ID: "a", Tools: []*pyval.Dict{doc("math.gcd.of"), doc("plain"), doc("")},
		Turns: [][]eval.Message{{{Role: "system", Content: "s"}, {Role: "user", Content: "first"}, {Role: "user", Content: "last"}, {Role: "assistant", Content: "x"}}},
	}
	req := eval.Pose(c, 2, eval.SettingsFor(eval.FC))
	assert.Equal(t, []string{"math_gcd_of", "plain", ""}, (&eval.Case{Tools: req.Tools}).ToolNames())
	assert.Equal(t, []string{"math.gcd.of", "plain", ""}, c.ToolNames())
	assert.Equal(t, 2, req.Trial)
	assert.Len(t, req.Messages, 4)
	assert.Equal(t, c.Tools, eval.Pose(c, 0, eval.SettingsFor(eval.Prompt)).Tools)
	assert.Equal(t, "last", c.Question())
	assert.Empty(t, (&eval.Case{}).Question())
	assert.Empty(t, (&eval.Case{Turns: [][]eval.Message{{{Role: "system"}}}}).Question())
	assert.Empty(t, eval.Pose(&eval.Case{}, 0, eval.Settings{}).Messages)
}

// TestAsMessage: an answer in the conversation is the adapter's own message, or
// made of what is recorded, which may be anything.
func TestAsMessage(t *testing.T) {
	calls := []eval.ToolCall{{Name: "f", Arguments: `{"a": 1}`}, {Name: "g", Arguments: "{broken"}}
	own := eval.Message{Role: "assistant", Content: "own", Raw: pyval.None}
	assert.Equal(t, own, (&eval.Response{Result: eval.TextResult("x"), Message: own}).AsMessage())
	assert.Equal(t, eval.Message{Role: "assistant", Content: "x"}, (&eval.Response{Result: eval.TextResult("x")}).AsMessage())
	assert.Equal(t, eval.Message{Role: "assistant", Calls: calls}, (&eval.Response{Result: eval.CallsResult(calls)}).AsMessage())
	odd := pyval.NewList(pyval.Str("f()"), pyval.None, pyval.NewDict(0))
	assert.Equal(t, eval.Message{Role: "assistant"}, (&eval.Response{Result: odd}).AsMessage())
	assert.Equal(t, eval.Message{Role: "assistant"}, (&eval.Response{}).AsMessage())
}

// TestCategory: what cannot be decoded is judged without calls.
func TestCategory(t *testing.T) {
	failed := errors.New("no calls")
	var seen error
	cat := &eval.Category{
		Name: "mine", Group: "own", Source: "theirs",
		Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) {
			if result == pyval.Str("bad") {
				return pyval.Str("half"), failed
			}
			return result, nil
		},
		Judge: func(_ *eval.Case, decoded pyval.Value, err error, _ eval.Settings) eval.Verdict {
			if seen = err; decoded == nil {
				return eval.Verdict{Status: eval.Fail, ErrorType: "decoder"}
			}
			return eval.Verdict{}
		},
	}
	decoded, v := cat.Verdict(nil, pyval.Str("good"), eval.Settings{})
	assert.Equal(t, pyval.Str("good"), decoded)
	assert.True(t, v.Passed())
	require.NoError(t, seen)
	decoded, v = cat.Verdict(nil, pyval.Str("bad"), eval.Settings{})
	assert.Nil(t, decoded)
	assert.Equal(t, "decoder", v.ErrorType)
	assert.Equal(t, failed, seen)

	assert.Equal(t, "theirs", cat.FileName())
	cat.Source, cat.Rule = "", eval.Agentic
	assert.Equal(t, "mine", cat.FileName())
	before := cat.Before()
	assert.Equal(t, "mine_prereq", before.Name)
	assert.Equal(t, "own", before.Group)
	assert.True(t, before.MultiTurn() && before.Agentic())
	assert.True(t, eval.IsBefore(before.Name) && !eval.IsBefore(cat.Name))
}

func TestVerdict(t *testing.T) {
	for status, word := range map[eval.Status]string{eval.Pass: "pass", eval.Fail: "fail", eval.Error: "error", 9: "error"} {
		assert.Equal(t, word, status.String())
	}
	v := eval.NoExecutor(&eval.Case{ID: "rest_1"})
	assert.Equal(t, eval.Error, v.Status)
	assert.Contains(t, pyval.Text(v.Detail), "rest_1")
}

// TestShort: a count of prompt tokens that cannot be that of the whole prompt.
func TestShort(t *testing.T) {
	prompt := []eval.Message{{Role: "user", Content: strings.Repeat("é", 1200)}}
	long := pyval.NewDict(1)
	long.SetStr("description", pyval.Str(strings.Repeat("x", 1200)))
	for _, c := range []struct {
		name   string
		req    eval.Request
		tokens int
		short  bool
	}{
		{"as many as a prompt has", eval.Request{Messages: prompt}, 300, false},
		{"the least it may have", eval.Request{Messages: prompt}, 100, false},
		{"fewer", eval.Request{Messages: prompt}, 99, true},
		{"functions are lost", eval.Request{Messages: []eval.Message{{Content: "a"}}, Tools: []*pyval.Dict{long}}, 40, true},
		{"not told", eval.Request{Messages: prompt, Step: 1, Before: 10}, 0, false},
		{"an agent's own", eval.Request{Messages: prompt, Endpoint: &eval.Endpoint{}}, 9, false},
		{"grown", eval.Request{Step: 1, Before: 500}, 501, false},
		{"grown by too little", eval.Request{Step: 1, Before: 500, Since: 120}, 510, true},
		{"grown enough", eval.Request{Step: 1, Before: 500, Since: 120}, 511, false},
		{"as before", eval.Request{Step: 1, Before: 500}, 500, true},
		{"a new turn may leave thoughts out", eval.Request{Turn: 1, Before: 500}, 400, false},
	} {
		assert.Equal(t, c.short, c.req.Short(c.tokens) != "", c.name)
	}
	call := eval.Request{Messages: []eval.Message{{Calls: []eval.ToolCall{{Name: "f", Arguments: `{"a": 1}`}}}}}
	assert.Equal(t, 9, call.Chars())
}
