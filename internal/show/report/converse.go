package report

import (
	"fmt"
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/trace"
)

// A played turn holds a model's steps in a turn; see trace.Turn.
type played struct {
	// Outcome is pass, fail, or "" if the turn was not judged.
	Outcome  string   `json:"o,omitempty"`
	NewTools []string `json:"new,omitempty"`
	Steps    []acted  `json:"steps"`
}

// An acted step is one of the model's answers and its effects.
type acted struct {
	Thought string      `json:"think,omitempty"`
	Text    string      `json:"text,omitempty"`
	Calls   []made      `json:"calls,omitempty"`
	Unread  string      `json:"un,omitempty"`
	Changes [][4]string `json:"ch,omitempty"` // class, place, before, after
	Facts   string      `json:"is,omitempty"`
}

// A made is a call with its result.
type made struct {
	Call   string `json:"c"`
	Result string `json:"r,omitempty"`
	Error  bool   `json:"e,omitempty"`
}

// mostSteps bounds a conversation on the page, mostChanges the changes of a step.
const (
	mostSteps   = 250
	mostChanges = 40
)

// play repeats a conversation, as `bfcl trace` does.
func (e *Entry) play(a *answer, r *eval.Result, d *detail) {
	t := trace.Of(r, "", e.run.Settings())
	for _, note := range t.Notes {
		a.Notes = append(a.Notes, visible(note, capReason))
	}
	left := mostSteps
	for i := range t.Turns {
		turn := &t.Turns[i]
		p := played{Outcome: turn.Outcome, NewTools: turn.NewTools, Steps: []acted{}}
		for k := range turn.Steps[:min(left, len(turn.Steps))] {
			p.Steps = append(p.Steps, actedOf(&turn.Steps[k]))
		}
		if n := len(turn.Steps) - left; n > 0 {
			p.Steps = append(p.Steps, acted{Unread: "… " + say.Count(n, "more step", "more steps")})
		}
		left -= min(left, len(turn.Steps))
		a.Talk = append(a.Talk, p)
		if len(d.Expected) == i {
			d.Expected = append(d.Expected, madeOf(turn.Expected))
		}
	}
}

func actedOf(s *trace.Step) acted {
	out := acted{Thought: visible(s.Reasoning, capMessage), Text: visible(s.Text, capMessage), Calls: madeOf(s.Calls), Unread: visible(s.Undecoded, capReason)}
	if out.Text == "" && s.Raw != "" {
		out.Text = visible(s.Raw, capMessage)
	}
	for i, c := range s.Changes {
		if i == mostChanges {
			out.Changes = append(out.Changes, [4]string{"", "… " + say.Count(len(s.Changes)-i, "more change", "more changes"), "", ""})
			break
		}
		out.Changes = append(out.Changes, [4]string{c.Class, visible(c.Path, 300), shownText(c.Before), shownText(c.After)})
	}
	if s.Latency > 0 {
		out.Facts = strconv.FormatFloat(s.Latency, 'f', 1, 64) + " s"
	}
	if s.InputTokens+s.OutputTokens > 0 {
		if out.Facts != "" {
			out.Facts += " · "
		}
		out.Facts += fmt.Sprintf("%d tokens in, %d out", s.InputTokens, s.OutputTokens)
	}
	return out
}

// shownText returns the text; "" if s is nil.
func shownText(s *string) string {
	const most = 1500
	if s == nil {
		return ""
	}
	return visible(*s, most)
}

func madeOf(calls []trace.Call) []made {
	const most = 3000
	out := []made{}
	for i, c := range calls {
		if i == mostCalls {
			return append(out, made{Call: "… " + say.Count(len(calls)-i, "more call", "more calls")})
		}
		one := made{Call: visible(c.Call, most), Error: c.Error}
		if c.Result != nil {
			one.Result = visible(*c.Result, most)
		}
		out = append(out, one)
	}
	return out
}
