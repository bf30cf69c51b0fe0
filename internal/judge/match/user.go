package match

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A User plays the user of a conversation by a script: what it says depends only
// on what the model has said and called.
type User struct {
	Replies []Reply
	// Patience is after how many turns without progress the user leaves.
	// Progress is a reply that was not given before, or a call that was not made
	// before.
	Patience int
}

// A Reply is what a User says or does if its conditions are met.
type Reply struct {
	// Asked is for the text that ended the turn, and Called for the turn's
	// calls; both may be nil. A reply without conditions is given if no other is.
	Asked  *Choice
	Called *Call
	Says   string
	// Leaves ends the conversation.
	Leaves bool
}

var _ eval.User = (*User)(nil)

const (
	// nothingSaid is what a user says who has no reply.
	nothingSaid = "I have nothing to say about that."
	mostTurns   = 30
)

// A mood is how a User is after some turns.
type mood struct {
	given       map[int]bool
	called      map[string]bool
	stuck, turn int
}

// Reply returns what the user says after the last of some turns; more is false
// if it leaves. The error is an [eval.InfraError] like that of Script.Execute.
func (u *User) Reply(c *eval.Case, turns []pyval.Value, s eval.Settings) (says string, more bool, err error) {
	defer func() {
		if broken := infra(recover()); broken != nil {
			says, more, err = "", false, broken
		}
	}()
	court, m := newCourt(c, s), &mood{map[int]bool{}, map[string]bool{}, 0, 0}
	for _, turn := range turns {
		says, more = u.hears(court, m, textOfTurn(turn), callsOfTurn(turn, s))
	}
	return says, more, nil
}

// hears returns the reply to a turn's text and calls.
func (u *User) hears(t *court, m *mood, text string, calls []made) (says string, more bool) {
	m.stuck++
	m.turn++
	for _, call := range calls {
		if key := call.text(); !m.called[key] {
			m.called[key], m.stuck = true, 0
		}
	}
	var said []string
	otherwise, more := nothingSaid, true
	for i, r := range u.Replies {
		switch {
		case r.Asked == nil && r.Called == nil:
			otherwise = r.Says
			continue
		case r.Asked != nil && !r.Asked.accepts(pyval.Str(text)), r.Called != nil && !t.makes(calls, r.Called):
			continue
		}
		if !m.given[i] {
			m.given[i], m.stuck = true, 0
		}
		if more = more && !r.Leaves; r.Says != "" {
			said = append(said, r.Says)
		}
	}
	if len(said) == 0 {
		said = []string{otherwise}
	}
	return strings.Join(said, " "), more && m.stuck < u.Patience && m.turn < mostTurns
}

// makes reports whether one of some calls is the wanted one.
func (t *court) makes(calls []made, want *Call) bool {
	if err := (&Whole{Calls: []*Call{want}}).unregistered(); err != nil {
		panic(err)
	}
	for _, call := range calls {
		if t.refuse(call, want) == nil {
			return true
		}
	}
	return false
}

// textOfTurn returns the text that ended a turn, without thoughts before it.
func textOfTurn(turn pyval.Value) string {
	steps, _ := turn.(*pyval.List)
	if steps == nil || len(steps.Items) == 0 {
		return ""
	}
	text, _ := steps.Items[len(steps.Items)-1].(pyval.Str)
	out := string(text)
	if at := strings.LastIndex(out, "</think>"); at >= 0 {
		out = out[at:]
	}
	return out
}

// Played is what is expected of a conversation with a User: the calls of all
// turns together.
type Played struct{ *Whole }

// Judge compares a result, a list of turns of steps, with the expectation. The
// turns must be those that the user's script gives.
func (p Played) Judge(c *eval.Case, result pyval.Value, _ error, s eval.Settings) eval.Verdict {
	list, ok := result.(*pyval.List)
	if !ok {
		return Turns{p.Whole}.Judge(c, result, nil, s)
	}
	played, err := c.Played(result, s)
	if broken, is := err.(*eval.InfraError); is { //nolint:errorlint // a User returns no other
		return unknown(broken)
	}
	switch n := len(played.Turns); {
	case n < len(list.Items):
		return unknown(&eval.InfraError{Kind: "user", Err: fmt.Errorf("the recorded conversation has %d turns, but by the script the user leaves after %d", len(list.Items), n)})
	case n > len(list.Items):
		return verdict(&refusal{ForceTerminated, fmt.Sprintf("the conversation ended in turn %d before the user left: the model did not stop calling", len(list.Items)), nil})
	}
	all := pyval.NewList()
	for _, turn := range list.Items {
		if steps, ok := turn.(*pyval.List); ok {
			all.Items = append(all.Items, steps.Items...)
		}
	}
	return Turns{p.Whole}.Judge(c, pyval.NewList(all), nil, s)
}
