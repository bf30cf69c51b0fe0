// Package engine leads a case from the question to the verdict: it reuses a
// recorded answer or asks for one and records it, decodes and judges it, and
// counts the result.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/record"
)

// An Engine runs the cases of one run. Its fields are set before the first
// Run and not changed afterwards; Run is safe for concurrent use.
type Engine struct {
	// Adapter asks the model.
	Adapter eval.Adapter
	// Leader leads the model through cases; nil asks the question of each case
	// as eval.Pose poses it. Adapters that answer conversations as a whole are
	// asked once and not led.
	Leader Leader
	// Settings are the model's settings.
	Settings eval.Settings
	// Recorded are answers to reuse instead of asking; may be nil.
	Recorded record.Answers
	// Writer records answers and errors; nil records nothing.
	Writer *record.Writer
	// Ledger notes each request; nil notes none.
	Ledger *record.Ledger
	// Admitted says that the adapter calls May itself before each attempt, and
	// Sending; for others the engine calls them once for each request.
	Admitted bool
	// Heard is told which model answered, and which proxy carries a request; each
	// is "" if that is not known. May be nil.
	Heard func(model, proxy string)
	// Stood returns for how long the process has stood still; may be nil.
	Stood func() time.Duration
	// Budget says what answers cost, and when that is enough.
	Budget Budget
	// Timeout bounds one request; 0 is no bound.
	Timeout time.Duration
	// Progress counts the cases; nil if they are not counted.
	Progress *Progress
	// Unsure says that the run was cut short before it was known whether its server
	// cuts prompts: recorded answers may be none.
	Unsure bool
	// Begin, once it is done, keeps cases that wait for their first request from
	// sending it; nil if none is to be kept.
	Begin context.Context

	halt   halt
	scales sync.Map // by category's name, a *transport.Scale
}

// A Leader leads a model through cases.
type Leader interface {
	// Lead leads the model through a trial of a case, sending each request with
	// ask, and returns the answer.
	Lead(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error)
}

// infrastructure is the prefix of the error type of error verdicts.
const infrastructure = "infrastructure:"

// An Answer is what came of asking one trial of a case.
type Answer struct {
	// Response is what the model answered; nil if there is no answer.
	Response *eval.Response
	// Result says why there is no answer, or whether it was recorded.
	Result eval.Result

	trial   int
	counted bool // as begun
}

// Run asks and judges one trial of a case; trials count from 0. A panic
// anywhere on the way becomes the error verdict of that case only.
func (e *Engine) Run(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) eval.Result {
	return e.Verdict(cat, c, e.Ask(ctx, cat, c, trial))
}

// Ask finds the recorded answer to a trial of a case, or asks for one and
// records it. Verdict must follow.
func (e *Engine) Ask(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) (a Answer) {
	defer func() { a.trial = trial }()
	if out, halted := e.halted(c, trial); halted {
		return Answer{Result: out}
	}
	e.Progress.change(func(now *Snapshot) { now.InFlight++ })
	defer func() {
		if p := recover(); p != nil {
			a = Answer{Result: panicked(p)}
		}
		a.counted = true
	}()
	a.Result, a.Response = e.answer(ctx, cat, c, trial)
	return a
}

// Verdict judges an answer.
func (e *Engine) Verdict(cat *eval.Category, c *eval.Case, a Answer) (out eval.Result) {
	defer func() {
		if p := recover(); p != nil {
			out = panicked(p)
		}
		out.Category, out.Case, out.Trial = cat, c, a.trial
		if a.counted {
			e.Progress.finish(cat, c, &out)
		}
	}()
	if out = a.Result; a.Response != nil {
		judge(&out, cat, c, a.Response, e.Settings)
	}
	return out
}

// panicked is the result of a case in which something panicked.
func panicked(p any) eval.Result { return Failed(eval.Infra("panic", "%v\n%s", p, debug.Stack())) }

// Judge returns the verdict on an answer that is at hand. A panic becomes an
// error verdict.
func Judge(cat *eval.Category, c *eval.Case, resp *eval.Response, s eval.Settings) (out eval.Result) {
	defer func() {
		if p := recover(); p != nil {
			out = panicked(p)
		}
		out.Category, out.Case = cat, c
	}()
	judge(&out, cat, c, resp, s)
	return out
}

// judge takes from the answer what led to the verdict, and judges it.
func judge(out *eval.Result, cat *eval.Category, c *eval.Case, resp *eval.Response, s eval.Settings) {
	out.Response = *resp
	out.Message, out.Talk = eval.Message{}, nil
	out.Seconds = resp.Latency.Seconds()
	out.Decoded, out.Verdict = cat.Verdict(c, resp.Result, s)
	out.Verdict = out.OfPart(resp.CutOff)
}

// Obtain returns the answer to a case that is not judged: a conversation that
// comes before other cases. It is recorded and paid for like other answers, but
// not counted. If the response is nil, the result says why.
func (e *Engine) Obtain(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) (out eval.Result, resp *eval.Response) {
	if out, halted := e.halted(c, trial); halted {
		return out, nil
	}
	defer func() {
		if p := recover(); p != nil {
			out, resp = panicked(p), nil
		}
	}()
	return e.answer(ctx, cat, c, trial)
}

// A NotRun is the error of a request that was not sent because the run was
// halted.
type NotRun struct{ Cause error }

// Error returns the cause's text.
func (n *NotRun) Error() string { return n.Cause.Error() }

// Unwrap returns the cause.
func (n *NotRun) Unwrap() error { return n.Cause }

// answer finds the recorded answer, or asks for one and records it.
func (e *Engine) answer(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) (eval.Result, *eval.Response) {
	req := &eval.Request{ID: c.ID, Trial: trial, Mode: e.Settings.Mode}
	if row, ok := e.Recorded.Get(c.ID, trial); ok {
		resp := new(row.Response())
		e.recall(cat, resp)
		if e.Unsure {
			if err := e.confirm(ctx, cat, req, resp); err != nil {
				return e.noteError(ctx, cat, req, err), nil
			}
		}
		return eval.Result{Reused: true}, resp
	}
	bill := &bill{kind: kind{cat.Name, cat.MultiTurn()}}
	ctx = context.WithValue(ctx, billKey{}, bill)
	scale, _ := e.scales.LoadOrStore(cat.Name, transport.NewScale(BytesPerToken(cat)))
	ctx = transport.WithScale(ctx, scale.(*transport.Scale).Conversation())
	kept := false
	defer func() { e.settle(bill, kept) }()
	resp, err := e.obtain(ctx, cat, c, req)
	if err == nil {
		if resp.Malformed && cat.Rule == eval.Irrelevance && eval.Empty(resp.Result) { // the verdict depends on whether it was a call
			err = eval.Infra("malformed_call", "the server could not read the model's answer and does not tell it, so that nobody knows whether it was a call: -read=dialect or -mode=prompt asks for the text itself")
		}
	}
	if err == nil {
		resp.Cost = bill.kept
		err = e.full(ctx, req, resp, false)
	}
	if err == nil && e.Writer != nil {
		err = e.record(cat, req, resp)
	}
	if err == nil {
		err = e.confirm(ctx, cat, req, resp)
	}
	if err != nil {
		return e.noteError(ctx, cat, req, err), nil
	}
	kept = true
	return eval.Result{}, resp
}

// BytesPerToken returns how many bytes of a category's requests make a token, as
// measured with OpenAI's tokenizer over the requests of V4. Results of calls with
// long lists of numbers have fewer, down to 1.8.
func BytesPerToken(cat *eval.Category) float64 {
	const question, talk, lists = 4.5, 4.7, 3.6
	switch {
	case cat.LongContext:
		return lists
	case cat.MultiTurn():
		return talk
	}
	return question
}

// full returns an error for an answer to a prompt that the server has cut. A
// conversation's steps are looked at one by one.
func (e *Engine) full(ctx context.Context, req *eval.Request, resp *eval.Response, ask bool) error {
	g, ok := e.Adapter.(eval.Guard)
	if !ok || resp.Talk != nil || resp.Malformed {
		return nil
	}
	return g.Full(ctx, req, resp.InputTokens, ask)
}

// confirm asks about a recorded answer what is not known yet, which takes time,
// and withdraws it if it is none.
func (e *Engine) confirm(ctx context.Context, cat *eval.Category, req *eval.Request, resp *eval.Response) error {
	err := e.full(ctx, req, resp, true)
	if err != nil && e.Writer != nil {
		if left := e.Writer.Withdraw(cat, req); left != nil {
			return &eval.InfraError{Kind: "record", Err: errors.Join(err, left)}
		}
	}
	return err
}

// record records an answer. If nothing can be written, as on a full disk, the
// run ends: further answers would be paid for and lost.
func (e *Engine) record(cat *eval.Category, req *eval.Request, resp *eval.Response) error {
	err := e.Writer.Append(cat, req, resp)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		e.halt.set(fmt.Errorf("answers cannot be recorded: %w; fix that and continue with -resume", err))
	}
	return &eval.InfraError{Kind: "record", Err: err}
}

// obtain asks for an answer. An error on the way loses a whole conversation; it
// is started again on resume.
func (e *Engine) obtain(ctx context.Context, cat *eval.Category, c *eval.Case, req *eval.Request) (*eval.Response, error) {
	switch {
	case cat.MultiTurn() && eval.AnswersWhole(e.Adapter):
		return e.Generate(ctx, req)
	case e.Leader != nil:
		return e.Leader.Lead(ctx, cat, c, req.Trial, e.Generate)
	case cat.MultiTurn():
		return nil, eval.Infra("pose", "multi-turn cases cannot be asked here")
	}
	return e.Generate(ctx, eval.Pose(c, req.Trial, e.Settings))
}

// Generate sends a request, and notes it.
func (e *Engine) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if err := e.open(ctx); err != nil {
		return nil, err
	}
	if e.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.Timeout)
		defer cancel()
	}
	ctx, entry := e.entry(ctx, req)
	ended := func(transport.End) {}
	if !e.Admitted {
		if err := e.May(ctx); err != nil {
			return nil, err
		}
		ended = e.Sending(ctx, "")
	}
	began, stood := time.Now(), e.stood()
	resp, err := e.Adapter.Generate(ctx, req)
	ended(transport.End{Took: max(0, time.Since(began)-e.stood()+stood)})
	if resp != nil && err == nil {
		e.heard(resp.Served, "")
	}
	if err == nil && (resp == nil || resp.Result == nil) {
		err = eval.Infra("adapter", "the adapter returned neither an answer nor an error")
	}
	var cost eval.Money
	if err == nil {
		cost = e.charge(entry.bill, req, resp)
		if why := req.Short(resp.InputTokens); why != "" {
			resp.Finish = cmp.Or(resp.Finish, eval.ShortPrompt+why)
		}
	}
	e.close(entry, resp, cost, err)
	if err == nil && req.Conversation { // the next step needs the answer
		err = e.full(ctx, req, resp, true)
	}
	return resp, err
}

func (e *Engine) noteError(ctx context.Context, cat *eval.Category, req *eval.Request, err error) eval.Result {
	out := Failed(err)
	if halted, ok := errors.AsType[*NotRun](err); ok {
		out.Err, out.NotRun = halted.Cause, true
		return out
	}
	if transport.IsFatal(err) {
		e.halt.set(err)
	}
	if e.Writer == nil || ctx.Err() != nil {
		return out
	}
	noted := e.Writer.AppendError(record.Failure{
		ID: req.ID, Category: cat.Name, Trial: req.Trial, Kind: eval.InfraKind(err), Error: err.Error(), Time: time.Now().UTC(),
	})
	if noted != nil {
		out.Err = fmt.Errorf("%w (and the error could not be recorded: %w)", err, noted)
	}
	return out
}

// Failed returns the result of a case that infrastructure kept from being
// answered.
func Failed(err error) eval.Result {
	return eval.Result{Verdict: eval.Verdict{Status: eval.Error, ErrorType: infrastructure + eval.InfraKind(err)}, Err: err}
}
