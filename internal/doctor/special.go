package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// special reports differences that the questions themselves explain: what only
// those lose that need one thing.
func (e *examination) special(k *kindred) bool {
	for _, rule := range []func(*kindred) (Finding, bool){e.anothers, e.unseen, e.thoughts, e.noCalls} {
		if f, ok := rule(k); ok {
			f.Question, f.State, f.Want, f.Got, f.Categories = k.names(), Fault, k.Want, k.Got, k.costs()
			if !slices.ContainsFunc(e.Findings, func(o Finding) bool { return o.Said == f.Said }) {
				e.report(f)
			}
			return true
		}
	}
	return false
}

// anothers: the right answer of another question arrives.
func (e *examination) anothers(k *kindred) (f Finding, ok bool) {
	for _, a := range k.shown {
		for i := range e.plain {
			other := &e.plain[i]
			if other.question == a.question || len(other.want.Calls) == 0 || len(why.Differ(other.want, a.want, nil)) == 0 {
				continue
			}
			if len(why.Differ(other.want, a.got, nil)) == 0 {
				f.Layer = why.Gateway
				f.Said = fmt.Sprintf("the answer to another question arrives, as from a cache: that of %q to %q", other.question.name, a.question.name)
				return f, true
			}
		}
	}
	return f, false
}

// needing are what some questions need of the request, which a template may
// leave out.
var needing = []struct {
	has  func(q *question) bool
	said string
}{
	{func(q *question) bool { return q.turn[0].Role == "system" }, "system messages do not reach the model"},
	{func(q *question) bool { return q.turn[len(q.turn)-1].Role == "tool" }, "results of calls do not reach the model"},
	{func(q *question) bool { return len(q.turn) > 2 }, "earlier turns do not reach the model"},
}

// unseen: all questions that need a part of the request fail, and others do not.
func (e *examination) unseen(k *kindred) (f Finding, ok bool) {
	for _, need := range needing {
		with, rest, failed, others := 0, 0, 0, 0
		for i := range e.plain {
			a := &e.plain[i]
			if wrong := !a.right(); need.has(a.question) {
				with++
				failed += one(wrong)
			} else {
				rest++
				others += one(wrong)
			}
		}
		if k.Known && with < 2 && k.Kind != "arguments arrive empty" {
			continue // what is done to answers is done to others, too
		}
		if failed == with && 4*others < rest && !slices.ContainsFunc(k.shown, func(a *asked) bool { return !need.has(a.question) }) {
			f.Layer = why.Template
			f.Said = fmt.Sprintf("%s: %d of %d questions that need them have wrong answers, %d of %d others", need.said, failed, with, others, rest)
			f.Remedy = "serve the model with its own chat template"
			return f, true
		}
	}
	return f, false
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// thoughts: they stay in the text, or the text goes with them.
func (e *examination) thoughts(k *kindred) (f Finding, ok bool) {
	kinds := []string{"thoughts stay", "control tokens stay in the text", "the answer arrives with the thoughts"}
	if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(k.Kind, kind) }) {
		return f, false
	}
	return Finding{Layer: why.Parser, Said: k.said(), Remedy: "start the server with the model's reasoning parser"}, true
}

// noCalls: texts arrive in place of all calls, while texts are right.
func (e *examination) noCalls(k *kindred) (f Finding, ok bool) {
	if k.Kind != "a text arrives in place of calls" {
		return f, false
	}
	wanted := 0
	for i := range e.plain {
		wanted += one(len(e.plain[i].want.Calls) > 0)
	}
	if len(k.shown) < wanted-wanted/8 || !e.steadyElsewhere(k) {
		return f, false
	}
	return Finding{Layer: why.Template, Remedy: "serve the model with a chat template that has a place for functions",
		Said: fmt.Sprintf("no call arrives for %d of %d questions that name the function to call, and the model answers others: the template seems to leave the functions out; it says %s", len(k.shown), wanted, say.Quote(k.Got, 120))}, true
}
