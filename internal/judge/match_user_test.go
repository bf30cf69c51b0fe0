package judge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// shopper answers questions, is content with a call, and may leave.
func shopper(t testing.TB) *match.User {
	asks := func(word string) *match.Choice { return one(&match.Contains{Parts: []string{word}}) }
	return &match.User{Patience: 2, Replies: []match.Reply{
		{Asked: asks("size"), Says: "Large."},
		{Says: "Hm."},
		{Asked: asks("wood"), Says: "Elm."},
		{Called: matchCall(t, "shed.fill", "n", "1"), Says: "Thanks."},
		{Asked: asks("else"), Called: &match.Call{Function: "shed.fill", Any: true}, Says: "No.", Leaves: true},
		{Asked: asks("bye"), Leaves: true},
	}}
}

// shedCall is a step that fills the shed with n.
func shedCall(n int) string { return fmt.Sprintf(`[{"shed_fill": "{\"n\": %d}"}]`, n) }

// TestMatchUser: what a user says to what was said and called, and when it leaves.
func TestMatchUser(t *testing.T) {
	c, u, s := shed(t), shopper(t), eval.SettingsFor(eval.FC)
	for _, row := range []struct {
		turns, says string
		more        bool
	}{
		{`[]`, "", false},
		{`[["What SIZE?"]]`, "Large.", true},
		{`[["Which wood, what size?"]]`, "Large. Elm.", true},
		{`[["Well."]]`, "Hm.", true},
		{`[["What size?", "Well."]]`, "Hm.", true}, // only the last text counts
		{`[["<think>wood?</think> What size?"]]`, "Large.", true},
		{`[["</think>What size?"]]`, "Large.", true},
		{`[["<think>What size?"]]`, "Large.", true},
		{`[[]]`, "Hm.", true}, {`[null]`, "Hm.", true}, {`[[5]]`, "Hm.", true},
		{`[[` + shedCall(1) + `, "Done."]]`, "Thanks.", true},
		{`[[` + shedCall(5) + `, ` + shedCall(1) + `, "Done."]]`, "Thanks.", true},
		{`[[` + shedCall(5) + `, "Done."]]`, "Hm.", true},
		{`[["Anything else?"]]`, "Hm.", true}, // the call is wanted as well
		{`[[` + shedCall(5) + `, "Anything else?"]]`, "No.", false},
		{`[[` + shedCall(1) + `, "Anything else?"]]`, "Thanks. No.", false},
		{`[["Bye, what size?"]]`, "Large.", false}, {`[["Bye."]]`, "Hm.", false},
		{`[["Bye."], ["What size?"]]`, "Large.", true}, // judged by the last turn
		// two turns without anything new are too many
		{`[["Well."], ["Well."]]`, "Hm.", false},
		{`[["What size?"], ["What size?"]]`, "Large.", true},
		{`[["What size?"], ["What size?"], ["What size?"]]`, "Large.", false},
		{`[["What size?"], ["Well."]]`, "Hm.", true},
		{`[["Well."], ["What size?"], ["Well."]]`, "Hm.", true},
		{`[["What size?"], ["Well."], ["Which wood?"], ["Well."]]`, "Hm.", true},
		{`[["Well."], [` + shedCall(5) + `], ["Well."]]`, "Hm.", true},
		{`[["Well."], [` + shedCall(5) + `], ["Well."], ["Well."]]`, "Hm.", false},
		{`[[` + shedCall(5) + `], [` + shedCall(5) + `]]`, "Hm.", true},
		{`[[` + shedCall(5) + `], [` + shedCall(5) + `], [` + shedCall(5) + `]]`, "Hm.", false},
		{`[[` + shedCall(5) + `], [` + shedCall(5) + `], [` + shedCall(6) + `]]`, "Hm.", true},
	} {
		says, more, err := u.Reply(c, matchParse(t, row.turns).(*pyval.List).Items, s)
		require.NoError(t, err, row.turns)
		assert.Equal(t, row.says, says, row.turns)
		assert.Equal(t, row.more, more, row.turns)
	}
	says, more, err := (&match.User{Patience: 2}).Reply(c, matchParse(t, `[["Well."]]`).(*pyval.List).Items, s)
	require.NoError(t, err)
	assert.Equal(t, "I have nothing to say about that.", says)
	assert.True(t, more)

	var busy []string
	for i := range 30 {
		_, more, err = u.Reply(c, matchParse(t, `[`+strings.Join(append(busy, `["What size?"]`), ", ")+`]`).(*pyval.List).Items, s)
		require.NoError(t, err)
		assert.Equal(t, i < 29, more, "turn %d: no user stays for more than 30", i+1)
		busy = append(busy, `[`+shedCall(i)+`]`)
	}
}

// TestMatchUserBreaks: a reply that depends on a Go function that is not there, or
// panics, is not known.
func TestMatchUserBreaks(t *testing.T) {
	if !match.Registered("test.torn") {
		require.NoError(t, match.Register("test.torn", func(json.RawMessage) error { panic("torn") }))
	}
	c, s := shed(t), eval.SettingsFor(eval.FC)
	c.Turns = [][]eval.Message{nil}
	turns := pyval.NewList(matchParse(t, `["What size?"]`))
	for want, reply := range map[string]match.Reply{
		"func test.torn panicked": {Asked: one(&match.Go{Func: "test.torn"}), Says: "x"},
		"which is not registered": {Called: matchCall(t, "shed.fill", "n", &match.Go{Func: "elsewhere"}), Says: "x"},
	} {
		c.Scene = &eval.Scene{User: &match.User{Patience: 9, Replies: []match.Reply{{Says: "Hm."}, reply}}}
		says, more, err := c.Scene.User.Reply(c, turns.Items, s)
		require.ErrorContains(t, err, want)
		assert.Equal(t, "matcher", eval.InfraKind(err))
		assert.Empty(t, says)
		assert.False(t, more)
		v := match.Played{Whole: &match.Whole{Mode: match.AnyOrder}}.Judge(c, turns, nil, s)
		assert.Equal(t, eval.Error, v.Status)
		assert.Contains(t, pyval.Repr(v.Detail), want)
	}
}

// TestMatchPlayed: a conversation with a user is judged by the calls of all its
// turns, if they are those that the user's script gives.
func TestMatchPlayed(t *testing.T) {
	c, s := shed(t), eval.SettingsFor(eval.FC)
	c.Scene = &eval.Scene{User: shopper(t)}
	c.Turns = [][]eval.Message{{{Role: "user", Content: "Fill the shed."}}}
	p := match.Played{Whole: &match.Whole{Mode: match.InOrder, Calls: []*match.Call{matchCall(t, "shed.fill", "n", "1"), matchCall(t, "shed.fill", "n", "2")}}}
	first, last := `["What size?"], [`+shedCall(1)+`, "Done."]`, `[`+shedCall(2)+`, "Anything else?"]`
	for _, row := range []struct {
		result, typ, text string
	}{
		{`[` + first + `, ` + last + `]`, "", ""},
		{`[` + first + `, null, ` + last + `]`, "", ""}, // a turn that cannot be read has no calls
		{`[` + first + `, [` + shedCall(3) + `, "Anything else?"]]`, "value_error:others", "call 2: shed.fill.n: Invalid value"},
		{`[` + first + `]`, match.ForceTerminated, "the conversation ended in turn 2 before the user left"},
		{`[` + first + `, ` + last + `, ["Well."]]`, "infrastructure:user", "has 4 turns, but by the script the user leaves after 3"},
		{`"x"`, "multi_turn:inference_error", "not a list of turns"},
	} {
		v := p.Judge(c, matchParse(t, row.result), nil, s)
		assert.Equal(t, row.typ, v.ErrorType, row.result)
		assert.Equal(t, row.typ == "", v.Passed(), row.result)
		if row.text != "" {
			assert.Contains(t, pyval.Text(v.Detail.(*pyval.List).Items[0]), row.text)
		}
	}
}
