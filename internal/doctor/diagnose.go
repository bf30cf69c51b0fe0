package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A kindred is one kind of difference with the answers that show it.
type kindred struct {
	why.Difference
	shown []*asked
}

// differences returns the kinds of differences of the run's own answers, those
// that most answers show first.
func (e *examination) differences() (out []kindred) {
	for i := range e.plain {
		a := &e.plain[i]
		for _, d := range a.found {
			at := slices.IndexFunc(out, func(k kindred) bool { return k.Kind == d.Kind })
			if at < 0 {
				at, out = len(out), append(out, kindred{Difference: d})
			}
			out[at].shown = append(out[at].shown, a)
		}
	}
	slices.SortStableFunc(out, func(a, b kindred) int { return cmp.Compare(len(b.shown), len(a.shown)) })
	return out
}

func (k *kindred) names() string {
	const most = 2
	names := make([]string, 0, most)
	for _, a := range k.shown[:min(most, len(k.shown))] {
		names = append(names, a.question.name)
	}
	if more := len(k.shown) - len(names); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}

func (k *kindred) said() string {
	if k.Want == "" {
		return k.Kind
	}
	return fmt.Sprintf("%s: %s arrived as %s", k.Kind, k.Want, cmp.Or(k.Got, "nothing"))
}

func (k *kindred) questions() (out []*question) {
	for _, a := range k.shown {
		out = append(out, a.question)
	}
	return out
}

func (k *kindred) costs() (out []string) {
	for _, a := range k.shown {
		for _, c := range a.question.costs {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// refusals reports the questions without an answer, each reason once, and
// whether even the first has none.
func (e *examination) refusals() bool {
	seen := map[string]bool{}
	for i := range e.plain {
		a := &e.plain[i]
		f := Finding{Question: a.question.name, State: Fault, Categories: a.question.costs}
		switch {
		case a.err != nil:
			f.State, f.Layer, f.Unequipped = refused(a.err, i > 0)
			f.Said = "no answer: " + say.Plain(a.err.Error(), 400)
		case a.resp.Malformed:
			f.State, f.Layer = Fault, why.Parser
			f.Said = "the server reports an error, because its tool parser cannot read what the model wrote"
		default:
			continue
		}
		if !seen[f.Said] {
			e.report(f)
		}
		seen[f.Said] = true
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

// again asks all questions at once, and those whose answers differ from the
// first some more times with a temperature of 0.
func (e *examination) again(ctx context.Context) {
	e.note("all questions at once")
	e.repeated = e.usual.askAll(ctx, e.list)
	e.served()
	cold, err := e.open("-temperature=0")
	if err != nil {
		return
	}
	var lost, varied []*asked
	var first error
	for i := range e.plain {
		was, is := &e.plain[i], &e.repeated[i]
		switch {
		case was.err != nil:
		case is.err != nil:
			lost, first = append(lost, is), cmp.Or(first, is.err)
		case !alike(was, is):
			if e.steady(ctx, cold, was) {
				lost = append(lost, is)
			} else {
				varied = append(varied, is)
			}
		}
	}
	if e.unsteady = len(varied) > 1; !e.unsteady {
		e.crowd(lost, first)
	} else {
		for i := range e.plain { // what is wrong each time is reported apart
			if was := &e.plain[i]; was.err == nil && !was.right() {
				e.steady(ctx, cold, was)
			}
		}
	}
	e.sampled(varied)
}

// steady asks a question again and reports whether the answer stays the same. A
// right answer takes the place of a wrong one.
func (e *examination) steady(ctx context.Context, cold *way, was *asked) bool {
	const times = 4
	e.note(was.question.name + ", again")
	steady, first := true, *was
	for range times {
		next := cold.ask(ctx, was.question)
		steady = steady && (next.err != nil || alike(&first, &next))
		if next.right() {
			*was = next
		}
	}
	return steady
}

// alike reports whether two answers to a question are the same; a text may be
// worded in another way.
func alike(a, b *asked) bool {
	if len(a.want.Calls) == 0 {
		return a.right() == b.right()
	}
	return a.got.Equal(b.got)
}

// served says that another model answers than the one asked for.
func (e *examination) served() {
	run := record.Run{Parameters: map[string]string{"id": e.ModelID}}
	for i := range e.repeated {
		for _, r := range []*asked{&e.plain[i], &e.repeated[i]} {
			if r.err == nil && r.resp.Served != "" && !slices.Contains(run.Served, r.resp.Served) {
				run.Served = append(run.Served, r.resp.Served)
			}
		}
	}
	if note := run.ServedNote(); note != "" {
		e.report(Finding{Question: "the model", State: Fault, Layer: why.Weights, Said: strings.TrimSuffix(note, "."), Categories: calls})
	}
}

// crowd reports what is other at once than one by one.
func (e *examination) crowd(lost []*asked, first error) {
	if len(lost) == 0 {
		return
	}
	f := Finding{Question: "requests at once", State: Fault, Layer: why.Gateway, Categories: calls}
	f.Said = fmt.Sprintf("%d of %d answers are others if all questions are asked at once", len(lost), len(e.repeated))
	if first != nil {
		f.Said = fmt.Sprintf("of %d requests at once %d have no answer: %s", len(e.repeated), len(lost), say.Plain(first.Error(), 300))
	} else {
		f.Remedy = "ask with -concurrency=1: one by one these answers are right"
		f.Want, f.Got = say.Plain(lost[0].want.String(), 160), say.Plain(lost[0].got.String(), 160)
	}
	e.report(f)
}

// sampled reports answers that change from one time to the next although the
// temperature is 0.
func (e *examination) sampled(varied []*asked) {
	if len(varied) == 0 {
		return
	}
	f := Finding{Question: "the same question again", State: Fault, Layer: why.Sampling, Categories: calls}
	f.Said = fmt.Sprintf("%d of %d answers change from one time to the next: the temperature of 0 is not heeded", len(varied), len(e.repeated))
	wrong, known := 0, map[string]int{}
	var example *why.Difference
	for _, a := range varied {
		for _, d := range a.found {
			example = &d
			if wrong++; d.Known {
				known[d.Kind]++
			}
		}
	}
	for kind, n := range known {
		if n == wrong && n > 1 {
			f.Layer, f.Said = why.Parser, fmt.Sprintf("in %d of %d answers, now and then: %s", n, len(e.repeated), kind)
		}
	}
	if example != nil {
		f.Want, f.Got = example.Want, example.Got
	}
	if len(varied) == 1 {
		f.State = Doubt
	}
	e.report(f)
}

// diagnose finds out for each kind of difference where it happens.
func (e *examination) diagnose(ctx context.Context) {
	e.refusals()
	all := e.differences()
	if len(all) == 0 {
		return
	}
	raw := e.rawly()
	for i := range all {
		k := &all[i]
		if e.special(k) {
			continue
		}
		e.report(e.finding(ctx, k, raw))
	}
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

// finding tells server and model apart by what the model writes if its calls
// stay in the text, or if the functions are described in the prompt.
func (e *examination) finding(ctx context.Context, k *kindred, raw *way) Finding {
	f := Finding{Question: k.names(), State: Doubt, Layer: k.Layer, Said: k.said(), Want: k.Want, Got: k.Got, Categories: k.costs()}
	if k.Layer == why.Limit {
		f.State, f.Remedy = Fault, "raise the server's limit of tokens for an answer"
		return f
	}
	same, without, unread := e.compared(ctx, raw, k)
	how := "the text as the model wrote it"
	if same+without == 0 {
		if w, err := e.open("-mode=" + string(eval.Prompt)); err == nil && e.usual.settings.Mode != eval.Prompt {
			same, without, unread = e.compared(ctx, w, k)
			how = "the model's answer to functions described in the prompt"
		}
	}
	n := same + without + unread
	switch {
	case without > 0 && without >= same:
		f.State, f.Layer = Fault, why.Parser
		f.Said += fmt.Sprintf("; %s is right (%d of %d)", how, without, n)
		f.Remedy = "start the server with the model's own tool parser"
	case same > 0:
		f.State, f.Layer = Model, ""
		f.Said += fmt.Sprintf("; %s has it, too (%d of %d): the server passes it on", how, same, n)
	case k.Known && len(k.shown) > 1 && unread == n && e.steadyElsewhere(k):
		f.State = Fault
		f.Said += fmt.Sprintf("; the same in %d answers, which models do not write", n)
	default:
		f.Said += "; asked in other ways it shows no calls, so that server and model cannot be told apart"
	}
	return f
}

// steadyElsewhere reports whether questions without calls are answered rightly:
// the model copies what it is told.
func (e *examination) steadyElsewhere(k *kindred) bool {
	right, n := 0, 0
	for i := range e.plain {
		if a := &e.plain[i]; !a.has(k.Kind) {
			if n++; a.right() {
				right++
			}
		}
	}
	return right > 0 && 2*right >= n
}

// compared asks the questions of a difference in another way, and counts the
// answers that have it too, that are without it, and that could not be read.
func (e *examination) compared(ctx context.Context, w *way, k *kindred) (same, without, unread int) {
	if w == nil {
		return 0, 0, len(k.shown)
	}
	e.note(k.names() + ", in another way")
	const enough = 6
	for _, a := range w.known(ctx, k.questions()[:min(enough, len(k.shown))]) {
		switch {
		case a.err != nil || len(a.want.Calls) > 0 && len(a.got.Calls) == 0:
			unread++
		case a.has(k.Kind):
			same++
		case len(a.want.Calls) == 0 && !a.right():
			unread++ // a text in another wording tells nothing
		default:
			without++
		}
	}
	return same, without, unread
}
