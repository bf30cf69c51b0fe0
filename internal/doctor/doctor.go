// Package doctor examines a server: it asks a model questions with one right
// answer before a run asks thousands, and explains what differs as a run's
// answers are explained. The questions are drawn from the dataset's own documents.
// Differences are asked again with the calls left in the text, once more, and as
// streams, until it is known which layer makes them. What it prescribes it has run.
//
// It may import the wings from kit to run.
//
//	question  questions that are drawn from documents
//	probe     the list of what is asked
//	ask       one way of asking, and what came
//	diagnose  explanations to findings: which layer
//	trial     streams, limits, long prompts, the context, and what helps
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A State is what was found.
type State string

const (
	// Fine means that nothing is lost.
	Fine State = "ok"
	// Fault means that the server loses something, whatever the model does.
	Fault State = "fault"
	// Doubt means that it is not known where something is lost.
	Doubt State = "doubt"
	// Note means that something differs that costs no case of a dataset, or that
	// the text from the model has it, too, so that the server passes it on.
	Note State = "note"
	// Unknown means that there was no answer.
	Unknown State = "unknown"
)

// A Finding is one thing that was found.
type Finding struct {
	// Question names the questions that show it.
	Question string `json:"question"`
	State    State  `json:"state"`
	// Layer is where it happens; "" if nothing is lost or it is not known.
	Layer why.Layer `json:"layer,omitempty"`
	// Said is what was found, in a sentence that is safe to print.
	Said string `json:"said"`
	// Want and Got are the right answer and the one that came, at the first place
	// where they differ.
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Remedy is what to do; "" if there is nothing to do.
	Remedy string `json:"remedy,omitempty"`
	// Wrong are how many answers it made wrong.
	Wrong int `json:"wrong,omitempty"`
	// Unequipped says that the server refuses everything that a run asks.
	Unequipped bool `json:"unequipped,omitempty"`
}

// A Report is what all questions showed.
type Report struct {
	// Server is what the server tells about itself.
	Server   server.Facts `json:"server,omitzero"`
	Findings []Finding    `json:"findings"`
	// Asked is how many questions decide, and Right how many of them had right
	// answers alone, asked as the run would ask.
	Asked int `json:"asked"`
	Right int `json:"right"`
	// Lost estimates the share of right answers that each category loses, by the
	// share of the questions that stand for it.
	Lost map[string]float64 `json:"lost,omitempty"`
	// Cure is the way of asking that has the most right answers, if it has more
	// than the run's own.
	Cure *Cure `json:"cure,omitempty"`
}

// A Cure is a way of asking that was tried on all questions that decide, Of in
// number.
type Cure struct {
	Flags []string `json:"flags"`
	Right int      `json:"right"`
	Of    int      `json:"of"`
}

// Worst returns the state that decides: a fault, else what could not be told.
func (r *Report) Worst() State {
	for _, s := range []State{Fault, Unknown, Doubt} {
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.State == s }) {
			return s
		}
	}
	return Fine
}

// Refused says why a run would have no answers; "" if the first question has one.
func (r *Report) Refused() string {
	if len(r.Findings) > 0 && (r.Findings[0].State == Unknown || r.Findings[0].Unequipped) {
		return r.Findings[0].Said
	}
	return ""
}

// A Visit is an opened model; suite.Visit is one.
type Visit interface {
	Ask(ctx context.Context, c *eval.Case) (*eval.Response, error)
	Facts(ctx context.Context) server.Facts
	Close() error
}

// A Patient is what is examined.
type Patient struct {
	// Open opens the model as a run with more flags would, and says how its
	// answers are read.
	Open func(flags ...string) (Visit, eval.Settings, error)
	// ModelID is the model's name as it is asked for.
	ModelID string
	// Reads reports whether the adapter can leave calls in the text, Streams
	// whether it can ask for streams and does not do so anyway.
	Reads, Streams bool
	// Most is the limit of tokens that the run itself asks for; 0 for none.
	Most int
	// Documents are those of the dataset's functions.
	Documents []*pyval.Dict
	// Prompts are the sizes of the first prompts of the dataset's cases.
	Prompts []suite.PromptSize
	// Note is told what is being asked; may be nil.
	Note func(question string)
}

// ErrDead says that nothing answers at the address.
var ErrDead = errors.New("nothing answers")

// Short asks what decides whether a run makes sense at all: a few questions,
// once.
func Short(ctx context.Context, p Patient) (*Report, error) {
	e, err := begin(p)
	if err != nil {
		return nil, err
	}
	defer e.close()
	e.plain = e.usual.askAll(ctx, e.list[:short])
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.Server = e.usual.visit.Facts(ctx)
	if e.refusals() {
		return e.Report, nil
	}
	for _, a := range e.plain {
		for _, d := range a.found {
			f := Finding{Question: a.question.name, State: Doubt, Layer: d.Layer, Said: said(d.Kind, d.Want, d.Got), Want: d.Want, Got: d.Got}
			if !slices.ContainsFunc(e.Findings, func(o Finding) bool { return o.Layer == f.Layer && o.Question == f.Question }) {
				e.report(f)
			}
		}
	}
	return e.Report, nil
}

// Examine asks everything.
func Examine(ctx context.Context, p Patient) (*Report, error) {
	e, err := begin(p)
	if err != nil {
		return nil, err
	}
	defer e.close()
	e.note(e.list[0].name)
	e.plain = []*asked{e.usual.ask(ctx, e.list[0])}
	if err := e.plain[0].err; err != nil && slices.Contains([]string{transport.Connection, transport.TLS, transport.CircuitOpen}, eval.InfraKind(err)) {
		return nil, fmt.Errorf("%w: %s", ErrDead, say.Plain(err.Error(), 400))
	}
	e.Server = e.usual.visit.Facts(ctx)
	e.identify()
	steps := []func(context.Context){e.group, e.again, e.diagnose, e.stream, e.limit, e.long, e.context, e.treat}
	if e.plain[0].err != nil {
		steps = []func(context.Context){func(context.Context) { e.refusals() }, e.treat}
	} else if e.Server.Grammar {
		e.note("a grammar")
	}
	for _, step := range steps {
		if step(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	e.conclude()
	return e.Report, nil
}

// identify gives the calls in conversations the id that the server gave the first
// call, as a run does: templates refuse others.
func (e *examination) identify() {
	first := e.plain[0].resp
	if first == nil || len(first.Message.Calls) == 0 {
		return
	}
	id := first.Message.Calls[0].ID
	for _, q := range e.list {
		for i := range q.turn {
			if m := &q.turn[i]; len(m.Calls) > 0 {
				m.Calls[0].ID = id
			} else if m.CallID != "" {
				m.CallID = id
			}
		}
	}
}

// An examination is one Examine or Short.
type examination struct {
	*Report
	Patient
	list  []*question
	usual *way
	// plain are the answers to the list as a run asks, and more those to some
	// questions that were asked again.
	plain, more []*asked
	opened      []*way
	// short is the share of each category's first prompts that do not fit.
	short map[string]float64
}

func begin(p Patient) (*examination, error) {
	e := &examination{Report: &Report{}, Patient: p, list: drawn(p.Documents)}
	var err error
	e.usual, err = e.open()
	return e, err
}

func (e *examination) close() {
	for _, w := range e.opened {
		_ = w.visit.Close()
	}
}

func (e *examination) note(question string) {
	if e.Note != nil {
		e.Note(question)
	}
}

func (e *examination) report(f Finding) { e.Findings = append(e.Findings, f) }

// count returns how many of the answers for which is holds are right, of all to
// questions as a run asks them.
func (e *examination) count(is func(a *asked) bool) (right, n int) {
	for _, a := range slices.Concat(e.plain, e.more) {
		if is(a) {
			right, n = right+one(a.right()), n+1
		}
	}
	return right, n
}

// steady reports whether a question had only right answers.
func (e *examination) steady(q *question) bool {
	right, n := e.count(func(a *asked) bool { return a.question == q })
	return n > 0 && right == n
}

// group asks the other questions at once, and some of them several times: what
// comes now and then is a part of the explanation.
func (e *examination) group(ctx context.Context) {
	const again = 8
	e.note("all questions at once")
	rest := e.list[1:]
	all := e.usual.askAll(ctx, append(slices.Clone(rest), e.list[:again]...))
	e.plain, e.more = append(e.plain, all[:len(rest)]...), all[len(rest):]
}

// again asks the questions with wrong answers two more times, one by one, so that
// what comes each time, now and then, and only at once can be told apart.
func (e *examination) again(ctx context.Context) {
	const times, most = 2, 10
	n := 0
	for _, a := range e.plain {
		if a.err == nil && !a.right() && n < most {
			n++
			e.note(a.question.name + ", again")
			for range times {
				e.more = append(e.more, e.usual.ask(ctx, a.question))
			}
		}
	}
}

// conclude counts, and estimates what is lost: a question counts by the share of
// its answers that are right, and a category by the questions that stand for it.
func (e *examination) conclude() {
	sum, of := map[need]float64{}, map[need]float64{}
	for _, q := range e.list {
		if right, n := e.count(func(a *asked) bool { return a.question == q }); n > 0 && q.need != needsNothing {
			e.Asked, e.Right = e.Asked+1, e.Right+one(right == n)
			sum[q.need], of[q.need] = sum[q.need]+float64(right)/float64(n), of[q.need]+1
		}
	}
	e.Lost = map[string]float64{}
	for _, c := range stands {
		kept := 1.0
		for _, n := range c.needs {
			kept *= sum[n] / max(of[n], 1)
		}
		for _, category := range c.categories {
			if lost := 1 - kept*(1-e.short[category]); lost > 0 {
				e.Lost[category] = lost
			}
		}
	}
	if e.Worst() == Fine {
		e.Findings = slices.Insert(e.Findings, 0, Finding{Question: "all questions", State: Fine, Said: fmt.Sprintf("%d of %d questions have exactly the right answer", e.Right, e.Asked)})
	}
	if e.Server.Kind != "" && e.steady(e.find(severalCalls)) {
		e.Server.Calls = "several arrive"
	}
}

// stands are the categories with what their cases need of a server.
var stands = []struct {
	needs      []need
	categories []string
}{
	{[]need{needsCalls}, []string{"simple_python", "simple_java", "simple_javascript", "multiple", "live_simple", "live_multiple", "live_relevance"}},
	{[]need{needsCalls, needsParallel}, []string{"parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"}},
	{[]need{needsCalls, needsTalk}, []string{
		"multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context",
		"memory_kv", "memory_vector", "memory_rec_sum", "web_search_base", "web_search_no_snippet",
	}},
	{[]need{needsSilence}, []string{"irrelevance", "live_irrelevance"}},
}
