package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func said(kind, want, got string) string {
	if want == "" {
		return kind
	}
	return fmt.Sprintf("%s: %s arrived as %s", kind, want, cmp.Or(got, "nothing"))
}

// refusals reports the questions without an answer, each reason once, and
// whether even the first has none.
func (e *examination) refusals() bool {
	seen := map[string]int{}
	for i, a := range e.plain {
		if a.err == nil {
			continue
		}
		f := Finding{Question: a.question.name, Wrong: 1, Said: "no answer: " + say.Plain(a.err.Error(), 400)}
		f.State, f.Layer, f.Unequipped = refused(a.err, i > 0)
		if a.question.need == needsNothing {
			f.State = Note
		}
		at, known := seen[f.Said+string(f.State)]
		if known {
			e.Findings[at].Wrong++
			continue
		}
		seen[f.Said+string(f.State)] = len(e.Findings)
		e.report(f)
	}
	return e.plain[0].err != nil
}

// refused returns what an error says about the server, which has answered other
// questions or not.
func refused(err error, others bool) (State, why.Layer, bool) {
	var t *transport.Error
	if !errors.As(err, &t) {
		return map[bool]State{true: Fault, false: Unknown}[others], "", false
	}
	switch {
	case t.Kind == transport.Unequipped:
		return Fault, why.Parser, true
	case t.Kind == transport.ContextFull:
		return Fault, why.Limit, false
	case t.Kind == transport.BadRequest, t.Kind == transport.ServerError && others:
		return Fault, why.Template, false
	case others:
		return Fault, why.Gateway, false
	}
	return Unknown, "", false
}

// A symptom is one explanation with the answers that show it.
type symptom struct {
	why.Step
	shown []*asked
	// known reports whether it explains; otherwise it only says what differs.
	known bool
}

func (s *symptom) questions() (out []*question) {
	for _, a := range s.shown {
		if !slices.Contains(out, a.question) {
			out = append(out, a.question)
		}
	}
	return out
}

func (s *symptom) names() string {
	const most = 2
	var names []string
	for _, q := range s.questions() {
		names = append(names, q.name)
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// all returns every answer to the questions as a run asks them.
func (e *examination) all() []*asked {
	return slices.DeleteFunc(slices.Concat(e.plain, e.more), func(a *asked) bool { return a.err != nil })
}

// symptoms explains all answers together, and lists what is not explained.
func (e *examination) symptoms() (out []*symptom) {
	answers := e.all()
	list := make([]why.Arrival, len(answers))
	for i, a := range answers {
		list[i] = why.Arrival{ID: a.question.name, Want: a.want, Tools: why.ToolsOf(a.question.tools), Found: a.found, Wrong: !a.right(), Calls: len(a.got.Calls) > 0}
	}
	steps, of := why.Explain(list, why.Rule{Least: 1, Many: 2, Share: .9})
	for _, s := range steps {
		out = append(out, &symptom{Step: s, known: true})
	}
	rest := len(out)
	for i, a := range answers {
		if n, ok := of[i]; ok {
			out[n].shown = append(out[n].shown, a)
			continue
		}
		if a.right() {
			continue
		}
		d := a.found[0]
		at := slices.IndexFunc(out[rest:], func(s *symptom) bool { return s.Kind == d.Kind })
		if at < 0 {
			at, out = len(out)-rest, append(out, &symptom{Step: why.Step{Kind: d.Kind, Layer: d.Layer, Examples: []why.Example{{Want: d.Want, Came: d.Got}}}})
		}
		out[rest+at].shown = append(out[rest+at].shown, a)
	}
	return slices.DeleteFunc(out, func(s *symptom) bool { return len(s.shown) == 0 })
}

// diagnose finds out for each symptom where it happens.
func (e *examination) diagnose(ctx context.Context) {
	e.served()
	e.refusals()
	all := e.symptoms()
	if len(all) == 0 {
		return
	}
	raw := e.rawly()
	for _, s := range all {
		f := e.finding(ctx, s, raw)
		f.Question, f.Wrong, f.Want, f.Got = s.names(), len(s.shown), s.Examples[0].Want, s.Examples[0].Came
		if !slices.ContainsFunc(s.questions(), func(q *question) bool { return q.need != needsNothing }) {
			f.State, f.Said, f.Remedy = Note, f.Said+"; no case of a dataset needs it", ""
		}
		if !slices.ContainsFunc(e.Findings, func(o Finding) bool { return o.Said == f.Said }) {
			e.report(f)
		}
	}
}

// served says that another model answers than the one asked for: of another
// family or size. A file's name or an alias is none.
func (e *examination) served() {
	run := record.Run{Parameters: map[string]string{"id": e.ModelID}}
	for _, a := range e.all() {
		if a.resp.Served != "" && !slices.Contains(run.Served, a.resp.Served) {
			run.Served = append(run.Served, a.resp.Served)
		}
	}
	note := run.ServedNote()
	if note == "" {
		return
	}
	f := Finding{Question: "the model", State: Note, Said: strings.TrimSuffix(note, ".")}
	asked, known := dialect.FamilyOf(e.ModelID)
	for _, name := range run.Served {
		if other, ok := dialect.FamilyOf(name); ok && (known && other.Name != asked.Name || !known && len(run.Served) > 1) {
			f.State, f.Layer = Fault, why.Weights
		}
	}
	e.report(f)
}

// rawly opens the model so that its calls stay in the text; nil if it cannot.
func (e *examination) rawly() *way {
	if !e.Reads {
		return nil
	}
	w, err := e.open("-read=dialect", "-dialect="+e.dialect())
	if err != nil {
		return nil
	}
	return w
}

// dialect returns the dialect of the model's family, as its name, the server or
// its template tell it.
func (e *examination) dialect() string {
	if f, ok := dialect.FamilyOf(e.ModelID + " " + e.Server.Model); ok {
		return f.Dialect.Name
	}
	return cmp.Or(e.Server.Dialect, "tool-call")
}

// finding says where a symptom comes from: the questions themselves may tell, or
// what the model writes if its calls stay in the text.
func (e *examination) finding(ctx context.Context, s *symptom, raw *way) Finding {
	f := Finding{State: Doubt, Layer: s.Layer, Said: said(s.Kind, s.Examples[0].Want, s.Examples[0].Came)}
	for _, rule := range []func(*symptom) (Finding, bool){e.limited, e.anothers, e.unseen, e.sometimes, e.thoughts} {
		if special, ok := rule(s); ok {
			return special
		}
	}
	same, without, unread := e.compared(ctx, raw, s)
	template := s.Layer == why.Template && same+without == 0
	how := "the text as the model wrote it"
	if same+without == 0 {
		if w, err := e.open("-mode=" + string(eval.Prompt)); err == nil && e.usual.settings.Mode != eval.Prompt {
			same, without, unread = e.compared(ctx, w, s)
			how = "the model's answer to functions described in the prompt"
		}
	}
	switch n := same + without + unread; {
	case template && (without > 0 || s.Kind == why.NoFunctions && e.steadyElsewhere(s)): // what else declines in words may be the model
		f.State, f.Remedy = Fault, "serve the model with its own chat template, which has a place for functions"
		f.Said = fmt.Sprintf("no call arrives for %s, not in the text either, and the model does what it is told otherwise: the template seems to leave out what it is asked; it says %s",
			say.Count(len(s.questions()), "question that asks for one", "questions that ask for one"), say.Quote(s.Examples[0].Came, 120))
	case without > 0 && without >= same:
		f.State, f.Layer = Fault, why.Parser
		f.Said += fmt.Sprintf("; %s is right (%d of %d)", how, without, n)
		f.Remedy = e.parser()
	case same > 0 && s.Kind == why.UnreadCalls:
		f.State, f.Layer = Note, ""
		f.Said += fmt.Sprintf("; %s is no right call either (%d of %d)", how, same, n)
	case same > 0:
		f.State, f.Layer = Note, ""
		f.Said += fmt.Sprintf("; %s has it, too (%d of %d): the server passes it on", how, same, n)
	case s.known && s.Layer != why.Template && len(s.questions()) > 1 && e.steadyElsewhere(s):
		f.State = Fault
		f.Said += fmt.Sprintf("; the same in %d answers, %d could show it and do not", len(s.shown), s.Against)
	default:
		f.Said += "; asked in other ways it shows no calls, so that server and model cannot be told apart"
	}
	return f
}

// parser says how a server is given another tool parser, if it takes one.
func (e *examination) parser() string {
	switch e.Server.Kind {
	case server.VLLM, server.SGLang:
		return "start the server with --tool-call-parser of the model's family, or let calls be read here (below)"
	case server.LlamaCpp, server.Ollama:
		return "this server takes no parser by a flag: its template decides; or let calls be read here (below)"
	}
	return "give the server the tool parser of the model's family, or let calls be read here (below)"
}

// limited: answers end at a count of tokens.
func (e *examination) limited(s *symptom) (f Finding, ok bool) {
	if s.Layer != why.Limit {
		return f, false
	}
	f = Finding{State: Fault, Layer: why.Limit, Said: said(s.Kind, "", ""), Remedy: "raise the server's limit of tokens for an answer"}
	if tokens := s.shown[0].got.Tokens; e.Most > 0 && tokens >= e.Most {
		f.State, f.Remedy = Doubt, fmt.Sprintf("ask with more than -max-tokens=%d: this limit is the run's own", e.Most)
	}
	return f, true
}

// anothers: the right answer to another question arrives, and not to every
// question.
func (e *examination) anothers(s *symptom) (f Finding, ok bool) {
	for _, a := range s.shown {
		for _, other := range e.plain {
			if other.question == a.question || len(other.want.Calls) == 0 || len(why.Differ(other.want, a.want, nil)) == 0 || len(why.Differ(other.want, a.got, nil)) > 0 {
				continue
			}
			const most = 3 // a model may say one thing to all
			times := 0
			for _, b := range e.plain {
				times += one(b.err == nil && b.got.Equal(a.got))
			}
			if times <= most {
				return Finding{State: Fault, Layer: why.Gateway, Remedy: "switch off what caches answers before the model",
					Said: fmt.Sprintf("the answer to another question arrives, as from a cache: that of %q to %q", other.question.name, a.question.name)}, true
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
	{func(q *question) bool {
		return slices.ContainsFunc(q.turn, func(m eval.Message) bool { return m.Role == "tool" })
	}, "results of calls do not reach the model"},
	{func(q *question) bool { return len(q.turn) > 2 }, "earlier turns do not reach the model"},
}

// unseen: all questions that need a part of the request fail, and others do not.
func (e *examination) unseen(s *symptom) (f Finding, ok bool) {
	for _, need := range needing {
		with, rest, failed, others := 0, 0, 0, 0
		for _, a := range e.plain {
			if wrong := !a.right(); need.has(a.question) {
				with, failed = with+1, failed+one(wrong)
			} else {
				rest, others = rest+1, others+one(wrong)
			}
		}
		if failed == with && 4*others < rest && !slices.ContainsFunc(s.questions(), func(q *question) bool { return !need.has(q) }) {
			return Finding{State: Fault, Layer: why.Template, Remedy: "serve the model with its own chat template",
				Said: fmt.Sprintf("%s: %d of %d questions that need them have wrong answers, %d of %d others", need.said, failed, with, others, rest)}, true
		}
	}
	return f, false
}

// sometimes: the same question has right answers, too: only if it is asked with
// others at once, or now and then.
func (e *examination) sometimes(s *symptom) (f Finding, ok bool) {
	varied := map[string]bool{}
	right, n := e.count(func(a *asked) bool {
		same := a.err == nil && slices.Contains(s.questions(), a.question)
		if same && !a.right() {
			varied[a.got.String()] = true
		}
		return same
	})
	wrong := n - right
	if right == 0 {
		if len(varied) > 2*len(s.questions()) && !s.known { // each time another wrong answer
			return Finding{State: Fault, Layer: why.Sampling, Said: fmt.Sprintf("the answers to the same question change from one time to the next: %s", s.Kind)}, true
		}
		return f, false
	}
	const enough = 4
	rightThen, oneByOne := e.count(func(a *asked) bool { return a.err == nil && a.alone && slices.Contains(s.questions(), a.question) })
	f = Finding{State: Fault, Layer: s.Layer, Said: fmt.Sprintf("in %d of %d answers to the same questions, now and then: %s", wrong, n, s.Kind)}
	switch {
	case oneByOne >= enough && rightThen == oneByOne:
		f.Layer, f.Remedy = why.Gateway, "ask with -concurrency=1: one by one these answers are right"
		f.Said = fmt.Sprintf("%d answers are wrong if all questions are asked at once: %s", wrong, s.Kind)
	case !s.known:
		f.Layer, f.Said = why.Sampling, fmt.Sprintf("the answers to the same questions change from one time to the next, %d of %d are right: %s", right, n, s.Kind)
	}
	return f, true
}

// thoughts: they stay in the text, or the text goes with them.
func (e *examination) thoughts(s *symptom) (f Finding, ok bool) {
	kinds := []string{"thoughts stay", "control tokens stay in the text", "the answer arrives with the thoughts"}
	if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(s.Kind, kind) }) {
		return f, false
	}
	return Finding{State: Fault, Layer: why.Parser, Said: said(s.Kind, s.Examples[0].Want, s.Examples[0].Came), Remedy: "start the server with the model's reasoning parser"}, true
}

// steadyElsewhere reports whether most other questions are answered rightly: the
// model does what it is told.
func (e *examination) steadyElsewhere(s *symptom) bool {
	right, n := e.count(func(a *asked) bool { return a.err == nil && !slices.Contains(s.shown, a) })
	return right > 0 && 2*right >= n
}

// compared asks the questions of a symptom in another way, and counts the
// answers that have it too, that are right, and that tell nothing.
func (e *examination) compared(ctx context.Context, w *way, s *symptom) (same, without, unread int) {
	list := s.questions()
	const enough = 6
	list = list[:min(enough, len(list))]
	if w == nil {
		return 0, 0, len(list)
	}
	e.note(s.names() + ", in another way")
	for _, a := range w.known(ctx, list) {
		switch {
		case a.err != nil || len(a.want.Calls) > 0 && len(a.got.Calls) == 0:
			unread++
		case a.right():
			without++
		case s.Kind == why.UnreadCalls || s.known && s.ShownBy(a.found) || !s.known && slices.ContainsFunc(a.found, func(d why.Difference) bool { return d.Kind == s.Kind }):
			same++
		default:
			unread++
		}
	}
	return same, without, unread
}
