package report

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/trace"
)

// mostSteps bounds a conversation on the page, mostChanges the changes of a step.
const (
	mostSteps   = 250
	mostChanges = 40
)

// play repeats a conversation, as `bfcl trace` does, with its texts safe and cut. What
// was asked and expected is the case's.
func (e *Entry) play(a *answer, r *eval.Result, d *detail) {
	t := trace.Of(r, "", e.run.Settings())
	for _, note := range t.Notes {
		a.Notes = append(a.Notes, visible(note, capReason))
	}
	left := mostSteps
	for i := range t.Turns {
		turn := &t.Turns[i]
		if n := len(turn.Steps) - left; n > 0 {
			turn.Steps = append(turn.Steps[:left], trace.Step{Undecoded: "… " + say.Count(n, "more step", "more steps")})
		}
		left = max(0, left-len(turn.Steps))
		for k := range turn.Steps {
			shorten(&turn.Steps[k])
		}
		if len(d.Expected) == i {
			d.Expected = append(d.Expected, shortened(turn.Expected))
		}
		turn.Messages, turn.Expected = nil, nil
	}
	a.Talk = t.Turns
}

func shorten(s *trace.Step) {
	const path, value = 300, 1500
	if s.Text == "" {
		s.Text, s.Raw = s.Raw, ""
	}
	for _, text := range []*string{&s.Reasoning, &s.Text, &s.Raw} {
		*text = visible(*text, capMessage)
	}
	s.Undecoded, s.Calls = visible(s.Undecoded, capReason), shortened(s.Calls)
	if n := len(s.Changes) - mostChanges; n > 0 {
		s.Changes = append(s.Changes[:mostChanges], trace.Change{Path: "… " + say.Count(n, "more change", "more changes")})
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		c.Path, c.Before, c.After = visible(c.Path, path), shownText(c.Before, value), shownText(c.After, value)
	}
}

func shortened(calls []trace.Call) []trace.Call {
	const most = 3000
	if n := len(calls) - mostCalls; n > 0 {
		calls = append(calls[:mostCalls], trace.Call{Call: "… " + say.Count(n, "more call", "more calls")})
	}
	for i := range calls {
		calls[i].Call, calls[i].Result = visible(calls[i].Call, most), shownText(calls[i].Result, most)
	}
	return calls
}

func shownText(s *string, most int) *string {
	if s == nil {
		return nil
	}
	return new(visible(*s, most))
}
