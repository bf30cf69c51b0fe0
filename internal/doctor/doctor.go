// Package doctor examines a server: it asks a model questions with one right
// answer before a run asks thousands, compares exactly what comes back, and finds
// what stands between them. A difference is asked again in other ways, with the calls left in the
// text, as text from the beginning, at once, as a stream and once more, until
// the server is told apart from the model. What it prescribes it has run.
//
// It may import the wings from kit to run.
//
//	question  the questions and their answers
//	ask       one way of asking, and what came
//	diagnose  differences to findings: which layer, or the model itself
//	special   losses that only some questions show
//	trial     streams, limits, long prompts, the context
//	treat     what helps, by trying it
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A State is what an answer to a question shows.
type State string

const (
	// Fine means that nothing is lost.
	Fine State = "ok"
	// Fault means that the server loses something, whatever the model does.
	Fault State = "fault"
	// Doubt means that either the model or the server may be the cause.
	Doubt State = "doubt"
	// Model means that the model writes it so, and the server passes it on.
	Model State = "model"
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
	// Categories are those whose cases are lost by it.
	Categories []string `json:"categories,omitempty"`
	// Unequipped says that the server refuses everything that a run asks.
	Unequipped bool `json:"unequipped,omitempty"`
}

// A Report is what all questions showed.
type Report struct {
	// Server is what the server tells about itself.
	Server   server.Facts `json:"server,omitzero"`
	Findings []Finding    `json:"findings"`
	// Asked is how many of the questions decide, and Right how many of them had
	// the right answer, asked as the run would ask.
	Asked int `json:"asked"`
	Right int `json:"right"`
	// Cure is the way of asking that has the most right answers, if it has more
	// than the run's own.
	Cure *Cure `json:"cure,omitempty"`
}

// A Cure is a way of asking that was tried.
type Cure struct {
	Flags []string `json:"flags"`
	Right int      `json:"right"`
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
	e.list = questions()[:short]
	e.plain = e.usual.askAll(ctx, e.list)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.Server = e.usual.visit.Facts(ctx)
	if e.refusals() {
		return e.Report, nil
	}
	for _, d := range e.differences() {
		e.report(Finding{Question: d.names(), State: Doubt, Layer: d.Layer, Said: d.said(), Want: d.Want, Got: d.Got})
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
	e.list = questions()
	if err := e.first(ctx); err != nil {
		return nil, err
	}
	if e.Server = e.usual.visit.Facts(ctx); e.plain[0].err != nil && len(e.plain) == 1 {
		e.refusals()
		e.treat(ctx)
		return e.Report, nil
	}
	if e.Server.Grammar {
		e.note("a grammar")
	}
	for _, step := range []func(context.Context){e.again, e.diagnose, e.stream, e.limit, e.long, e.context, e.treat} {
		step(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if e.Server.Kind != "" && e.rightly(severalCalls) {
		e.Server.Calls = "several arrive"
	}
	e.conclude()
	return e.Report, nil
}

// An examination is one Examine or Short.
type examination struct {
	*Report
	Patient
	list  []*question
	usual *way
	// plain are the answers to the list as a run asks, and repeated the same
	// asked at once.
	plain, repeated []asked
	opened          []*way
	// unsteady says that answers change from one time to the next.
	unsteady bool
}

func begin(p Patient) (*examination, error) {
	e := &examination{Report: &Report{}, Patient: p}
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

// first asks all questions one after the other, as a run asks. If the first has
// no answer, the others are not asked.
func (e *examination) first(ctx context.Context) error {
	for i, q := range e.list {
		e.note(q.name)
		e.plain = append(e.plain, e.usual.ask(ctx, q))
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.plain[0].err; i == 0 && err != nil {
			if slices.Contains([]string{transport.Connection, transport.TLS, transport.CircuitOpen}, eval.InfraKind(err)) {
				return fmt.Errorf("%w: %s", ErrDead, say.Plain(err.Error(), 400))
			}
			return nil
		}
	}
	return nil
}

// rightly reports whether a question had the right answer.
func (e *examination) rightly(name string) bool {
	return slices.ContainsFunc(e.plain, func(a asked) bool { return a.question.name == name && a.right() })
}

// conclude counts, and says that nothing is lost if nothing is.
func (e *examination) conclude() {
	for _, a := range e.plain {
		e.Asked++
		if a.right() {
			e.Right++
		}
	}
	if e.Worst() == Fine {
		said := fmt.Sprintf("%d of %d answers are exactly right", e.Right, e.Asked)
		e.Findings = slices.Insert(e.Findings, 0, Finding{Question: "all questions", State: Fine, Said: said})
	}
}
