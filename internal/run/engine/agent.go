package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

// Agents holds what is needed to lead agents through cases. It does not change
// and is safe for concurrent use.
type Agents struct {
	// Host serves the tools; nil for agents in this program.
	Host *endpoint.Host
	// Limits bound a case.
	Limits endpoint.Limits
	// Time is the longest a case may take; 0 is no bound.
	Time time.Duration
	// Release is called when a conversation has ended.
	Release func(history string)
}

// A visit is an agent at work on one case.
type visit struct {
	endpoint *endpoint.Endpoint
	wording  *prompt.Wording
	ask      eval.Ask
	begun    time.Time
	effort   eval.Effort
	shown    bool // whether a turn has begun
	// docs and sent are the tools so far; only agents in this program get them.
	docs, sent []*pyval.Dict
	inProcess  bool
	release    func()
}

// visit opens an endpoint for a case; done closes it and ends the agent's conversation.
func (a *Agents) visit(ctx context.Context, w endpoint.World, wording *prompt.Wording, ask eval.Ask) (_ context.Context, v *visit, done func(), err error) {
	e, err := endpoint.InProcess(w, a.Limits), error(nil)
	if a.Host != nil {
		e, err = a.Host.Open(w, a.Limits)
	}
	if err != nil {
		return nil, nil, nil, &eval.InfraError{Kind: "endpoint", Err: err}
	}
	cancel := context.CancelFunc(func() {})
	if a.Time > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, a.Time, errCaseTime)
	}
	v = &visit{endpoint: e, wording: wording, ask: ask, begun: time.Now(), inProcess: a.Host == nil}
	v.release = sync.OnceFunc(func() { a.Release(e.ID()) })
	return ctx, v, func() { v.release(); e.Close(); cancel() }, nil
}

// errCaseTime is the error of a case that takes too long.
var errCaseTime = errors.New("the case took too long")

// LeadAgent leads an agent through a trial of a multi-turn case. Each turn is
// one request; the calls that arrive before its answer are the turn's calls.
func (l *Loop) LeadAgent(ctx context.Context, c *eval.Case, trial int, ask eval.Ask, a *Agents) (*eval.Response, error) {
	t, err := l.begin(ctx, c, trial, ask)
	if err != nil {
		return nil, err
	}
	on := endpoint.World(endpoint.Simulated{Env: t.env})
	if t.c.Scene.Script != nil {
		on = endpoint.Scripted{Case: t.c, Settings: l.Settings}
	}
	ctx, v, done, err := a.visit(ctx, on, l.Wording, ask)
	if err != nil {
		return nil, err
	}
	defer done()
	shown := 0
	for turn := 0; turn < len(t.c.Turns); turn++ {
		question, err := t.question(turn)
		if err != nil {
			return nil, &eval.InfraError{Kind: "pose", Err: err}
		}
		fresh, sent := t.tools[shown:], t.sent
		if sent != nil {
			sent = sent[min(shown, len(sent)):]
		}
		shown = len(t.tools)
		req := &eval.Request{ID: c.ID, Trial: trial, Turn: turn, Conversation: true, Messages: question, Mode: eval.FC}
		did, err := v.turn(ctx, req, fresh, sent)
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", turn+1, err)
		}
		t.put(question, did)
		v.count(did)
		if v.effort.Exceeded {
			break
		}
	}
	resp := t.response()
	v.finish(resp)
	return resp, nil
}

// AskAgent puts the question of a single-turn case to an agent. The agent's
// calls are the answer, or its text if it makes none.
func AskAgent(ctx context.Context, posed *eval.Request, w endpoint.World, wording *prompt.Wording, ask eval.Ask, a *Agents) (*eval.Response, error) {
	ctx, v, done, err := a.visit(ctx, w, wording, ask)
	if err != nil {
		return nil, err
	}
	defer done()
	req := *posed
	req.Tools, req.Sent = nil, nil
	did, err := v.turn(ctx, &req, posed.Tools, posed.Sent)
	if err != nil {
		return nil, err
	}
	v.count(did)
	resp := &eval.Response{Result: eval.TextResult(""), Latency: did.took}
	if did.answer != nil {
		*resp = *did.answer
	}
	if len(did.calls) > 0 {
		resp.Result = eval.CallsResult(toolCalls(did.calls))
	}
	v.finish(resp)
	return resp, nil
}

// A deed is what an agent did in a turn.
type deed struct {
	begun  time.Time
	took   time.Duration
	calls  []endpoint.Call
	answer *eval.Response // nil if the call limit ended the turn
}

// turn puts a turn to the agent and collects its calls until it answers.
func (v *visit) turn(ctx context.Context, req *eval.Request, fresh, sent []*pyval.Dict) (*deed, error) {
	tools, err := endpoint.Tools(v.wording.Tools, fresh, sent)
	if err == nil {
		err = v.endpoint.Show(tools)
	}
	if err != nil {
		return nil, &eval.InfraError{Kind: "tool_schema", Err: err}
	}
	req.Endpoint = &eval.Endpoint{History: v.endpoint.ID(), Changed: v.shown && len(fresh) > 0}
	v.shown = true
	if v.inProcess {
		v.docs, v.sent = append(v.docs, fresh...), append(v.sent, sent...)
		req.Endpoint.Call, req.Tools, req.Sent = v.endpoint.Call, v.docs, v.sent
	} else {
		req.Endpoint.URL = v.endpoint.URL()
		req.Endpoint.Header, req.Endpoint.Value = v.endpoint.Header()
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-v.endpoint.Over():
			cancel()
		case <-limited.Done():
		}
	}()
	did := &deed{begun: time.Now()}
	v.endpoint.Begin()
	resp, err := v.ask(limited, req)
	did.calls, did.took = v.endpoint.End(), time.Since(did.begun)
	if trouble := v.endpoint.Err(); trouble != nil {
		return nil, trouble
	}
	select {
	case <-v.endpoint.Over():
		v.effort.Exceeded = true
		return did, nil
	default:
	}
	if err != nil {
		return nil, v.explain(ctx, err)
	}
	did.answer = resp
	return did, nil
}

// explain adds what is known here to the error of an agent that gave no answer.
func (v *visit) explain(ctx context.Context, err error) error {
	kind := eval.InfraKind(err)
	if context.Cause(ctx) == errCaseTime { //nolint:errorlint // it is the cause itself
		kind, err = "timeout", fmt.Errorf("%w (-agent-time)", errCaseTime)
	}
	if v.endpoint.Clients() == 0 {
		err = fmt.Errorf("%w; the agent never connected to its tools", err)
	}
	return &eval.InfraError{Kind: kind, Err: err}
}

// count adds a turn to the numbers of what the agent took.
func (v *visit) count(did *deed) {
	e := &v.effort
	e.Steps += len(steps(did.calls))
	if did.answer != nil {
		e.Steps++
		e.Cost += did.answer.Cost.Dollars
	}
	type key struct{ name, arguments string }
	last := map[key]string{}
	for i, c := range did.calls {
		e.Calls++
		k := key{c.Name, c.Arguments}
		if result, again := last[k]; again && result == c.Result {
			e.Redundant++
		}
		last[k] = c.Result
		if c.Unknown {
			e.WrongTools++
		}
		if !c.Failed {
			continue
		}
		e.Failed++
		for _, later := range did.calls[i+1:] {
			if later.Name == c.Name && !later.Failed {
				e.Recovered++
				break
			}
		}
	}
}

// finish ends the agent's conversation and adds what the agent took to its response.
func (v *visit) finish(resp *eval.Response) {
	v.effort.Wall = time.Since(v.begun)
	v.release()
	v.effort.Late = v.endpoint.Late()
	resp.Effort = &v.effort
}

// steps returns calls in the groups in which they were made.
func steps(calls []endpoint.Call) (out [][]endpoint.Call) {
	for i := range calls {
		if calls[i].Joined && len(out) > 0 {
			out[len(out)-1] = append(out[len(out)-1], calls[i])
			continue
		}
		out = append(out, calls[i:i+1:i+1])
	}
	return out
}

func toolCalls(calls []endpoint.Call) []eval.ToolCall {
	out := make([]eval.ToolCall, len(calls))
	for i, c := range calls {
		out[i] = eval.ToolCall{Name: c.Name, Arguments: c.Arguments}
	}
	return out
}

// put records an agent's turn in the form in which upstream records a model's
// turn, step by step. A step's latency is the time until its first call, and
// the last step's the time until the answer; the time that the tools took is
// left out.
func (t *talk) put(question []eval.Message, did *deed) {
	row := pyval.NewDict(2)
	row.SetStr("begin_of_turn_query", plainMessages(question))
	t.account.Log.Items = append(t.account.Log.Items, row)
	t.openTurn()
	step := func(resp *eval.Response, results []string) {
		log := pyval.NewList()
		row.SetStr(fmt.Sprintf("step_%d", row.Len()-1), log)
		t.note(resp)
		logAnswer(log, resp)
		calls, err := decoded(resp.Result, t.Settings)
		logDecoded(log, calls, err, resp.Result)
		logResults(log, results)
	}
	from := did.begun
	for _, calls := range steps(did.calls) {
		resp := &eval.Response{Result: eval.CallsResult(toolCalls(calls)), Latency: max(calls[0].At.Sub(from), 0)}
		results := make([]string, len(calls))
		for i, c := range calls {
			results[i], from = c.Result, c.At.Add(c.Took)
		}
		step(resp, results)
	}
	if did.answer != nil {
		last := *did.answer
		last.Latency = max(did.begun.Add(did.took).Sub(from), 0)
		step(&last, nil)
	}
	t.logState()
}
