package bfcl

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/why"
)

// ErrUnscored is the error of a run in which infrastructure kept cases from
// being answered. The run has no score, because their answers are not known.
var ErrUnscored = errors.New("infrastructure errors remain, which are not wrong answers")

// Measure asks a model the same cases as [Run] and returns the results.
//
// Wrong answers are not errors. If infrastructure errors remain, the error
// wraps [ErrUnscored] and the Result holds what is known. If the run ended
// before its last case, because of ctx or by itself, there is no Result; the
// answers so far are in [RunDir], and [Resume] continues from there.
func Measure(ctx context.Context, model Model, opts ...Option) (*Result, error) {
	var temporary string
	s, err := start(model, opts, nil, func() (string, error) {
		var err error
		temporary, err = os.MkdirTemp("", "bfcl-")
		return temporary, err
	})
	if temporary != "" {
		defer func() { _ = os.RemoveAll(temporary) }()
	}
	if err != nil {
		return nil, err
	}
	if err := s.ask(ctx); err != nil {
		return nil, err
	}
	return s.result()
}

// ask asks all cases.
func (s *session) ask(ctx context.Context) error {
	s.suite.Start()
	var left atomic.Int64
	s.suite.Each(ctx, func(cat *eval.Category, c *eval.Case, trial int) {
		if ctx.Err() == nil {
			out := s.suite.Engine.Run(ctx, cat, c, trial)
			if !out.NotRun && (out.Status != eval.Error || ctx.Err() == nil) {
				s.saw(c, trial, out)
				return
			}
		}
		left.Add(1)
	})
	err := s.suite.Finish(left.Load() > 0)
	if left.Load() == 0 {
		return err
	}
	cause := s.suite.Engine.Halted()
	if cause == nil {
		cause = context.Cause(ctx)
	}
	return errors.Join(fmt.Errorf("bfcl: %d of %d cases have no answer: %w; %s",
		left.Load(), s.suite.Plan.Cases()*s.suite.Plan.Run.Trials, inGo(cause), s.goOn()), err)
}

// A Status is the outcome of a case or of a gate.
type Status string

const (
	// Pass means that the answer was accepted, or that the gate passed.
	Pass Status = "pass"
	// Fail means that the answer was refused, or that the gate failed.
	Fail Status = "fail"
	// Error means that infrastructure kept the model from answering.
	Error Status = "error"
	// Undecided means that the gate could not decide.
	Undecided Status = "undecided"
)

// decided are the outcomes of a gate as a Status.
var decided = map[gate.Outcome]Status{gate.Passed: Pass, gate.Failed: Fail, gate.Undecided: Undecided}

// A Verdict is the outcome of one trial of a case.
type Verdict struct {
	// ID is the case's id and Category its category. Trial counts from 1.
	ID, Category string
	Trial        int
	// Status is Pass, Fail or Error.
	Status Status
	// ErrorType is the type of a failure in upstream's words, such as
	// "value_error:string", or of an error, such as "infrastructure:timeout";
	// "" if the answer passed.
	ErrorType string
	// Text says why the answer did not pass, with what was asked, expected and
	// answered. Text from the model is quoted.
	Text string
	// Usage and Latency are those of the answer, or the sums over a
	// conversation.
	Usage   Usage
	Latency time.Duration
}

// saw passes an outcome to the function of the option Each.
func (s *session) saw(c *eval.Case, trial int, out eval.Result) {
	if s.each == nil {
		return
	}
	if !out.Passed() {
		out.Text = why.Text(&out)
	}
	v := verdictOf(&out)
	s.telling.Lock()
	defer s.telling.Unlock()
	s.each(v)
}

// An Accuracy is the share of right answers, with its 95% interval.
type Accuracy struct {
	// Correct is the number of right answers, and Total that of scored ones.
	Correct, Total int
	// Share, Low and High are between 0 and 1. They are 0 if nothing was
	// scored.
	Share, Low, High float64
}

// A Category is the result for one category.
type Category struct {
	// Name is the category's name.
	Name string
	Accuracy
	// Errors is the number of infrastructure errors.
	Errors int
}

// A Decision is the result of a gate.
type Decision struct {
	// Outcome is Pass, Fail or Undecided.
	Outcome Status
	// Text lists every rule, followed by the decision.
	Text string
}

// A Result is the result of a run.
type Result struct {
	// Model and Dataset say what was asked. Digest identifies the cases'
	// content.
	Model, Dataset, Digest string
	// Dir is the run folder; "" if none was named with RunDir.
	Dir string
	// Overall is computed by the dataset's formula from the answers there are.
	// It is the dataset's overall score only if Complete is set.
	Overall  Accuracy
	Complete bool
	// Categories are the results by category, in the dataset's order.
	Categories []Category
	// Errors is the number of infrastructure errors.
	Errors int
	// Verdicts are the verdicts of all cases and trials, in the dataset's
	// order.
	Verdicts []Verdict
	// Usage is the sum over all answers, and Latency the mean over the cases.
	Usage   Usage
	Latency time.Duration
	// Cost is what was sent for the cases, in dollars; 0 if the model's prices are
	// not known. CostBasis says how it is known. CostLacks says what is not in it; if
	// that is not empty, Cost is a lower bound.
	Cost      float64
	CostBasis string
	CostLacks []string
	// Warnings say what to keep in mind when reading the figures.
	Warnings []string
	// Gate is the gate's decision; nil if there is no gate.
	Gate *Decision
}

// result reads what was recorded, as the command does, and writes score and report.
func (s *session) result() (*Result, error) {
	run, err := tally.Read([]string{s.dir}, tally.Options{Data: s.options.Data, Shard: true})
	if err != nil {
		return nil, inGo(err)
	}
	if err := run.Report().Write(filepath.Join(s.dir, tally.ReportFile)); err != nil {
		return nil, err
	}
	out := &Result{Model: run.Model, Dataset: run.Dataset, Digest: run.Digest, Dir: s.options.RunDir}
	if err := out.fill(run); err != nil {
		return nil, err
	}
	file := export.ScoreFile{}
	if out.Errors == 0 {
		scored, err := run.Score(false)
		if err != nil {
			return nil, inGo(err)
		}
		file = export.ScoreOf(run, scored)
	}
	if s.gate != nil {
		if file.Gate, err = s.gate.Decide(run); err != nil {
			return out, fmt.Errorf("the gate decided nothing: %w", inGo(err))
		}
		var text bytes.Buffer
		if err := export.Decision(&text, say.Screen{Width: 1000}, file.Gate); err != nil {
			return nil, err
		}
		out.Gate = &Decision{decided[file.Gate.Outcome], strings.TrimSpace(text.String())}
	}
	if out.Errors > 0 {
		var kinds []string
		for _, k := range run.Kinds() {
			if k.Example.Status == eval.Error {
				kinds = append(kinds, fmt.Sprintf("%s (%d, such as %s)", k.Summary(), k.Count, k.Example.Case.ID))
			}
		}
		return out, fmt.Errorf("%w: %d of %d cases have no answer: %s; %s", ErrUnscored, run.Errors(), run.Len(), strings.Join(kinds, "; "), s.goOn())
	}
	return out, file.Write(s.dir)
}

// fill sets the figures from a run.
func (r *Result) fill(run *tally.Run) error {
	scored, err := run.Answered(false)
	if err != nil {
		return inGo(err)
	}
	r.Errors, r.Complete, r.Warnings = run.Errors(), scored.Complete && run.Errors() == 0, scored.Warnings
	r.Overall = accuracyOf(scored.Overall)
	for _, part := range run.Parts {
		c := scored.Categories[part.Category.Name]
		r.Categories = append(r.Categories, Category{part.Category.Name, accuracyOf(c), c.Errors})
		for i := range part.Results {
			r.Verdicts = append(r.Verdicts, verdictOf(&part.Results[i]))
		}
	}
	spend := run.Spend()
	r.Usage = Usage{int(spend.InputTokens), int(spend.OutputTokens)}
	if spend.LatencyMean != nil {
		r.Latency = time.Duration(*spend.LatencyMean * float64(time.Second))
	}
	if spend.Cost != nil && spend.Basis != "time" {
		r.Cost, r.CostBasis, r.CostLacks = *spend.Cost, spend.By(), spend.Lacks
	}
	return nil
}

// accuracyOf returns the accuracy of a part, over what was scored of it.
func accuracyOf(p score.Part) Accuracy {
	if p.NA {
		return Accuracy{}
	}
	return Accuracy{Correct: p.Correct, Total: p.Total, Share: p.Ran.Value, Low: p.Ran.Low, High: p.Ran.High}
}

// verdictOf returns a result as a Verdict.
func verdictOf(r *eval.Result) Verdict {
	v := Verdict{
		ID: r.Case.ID, Category: r.Case.Category, Trial: r.Trial + 1,
		Status: Status(r.Status.String()), ErrorType: r.ErrorType, Text: r.Text,
	}
	v.Usage.InputTokens, v.Usage.OutputTokens = r.InputTokens, r.OutputTokens
	v.Latency = r.Latency
	return v
}

// Run asks a model and makes each case a subtest <category>/<case id> of the
// test, and below that <trial> if there are several. It returns when all cases
// have ended, or some time before the test's deadline; it then says how to
// continue.
//
// A wrong answer is a failed subtest that says what was asked, expected and
// answered; with [Gate] it is a skipped subtest, and the gate decides. A case
// that could not be answered because of an error fails as infrastructure. go
// test's -run chooses cases, but a gate decides only on whole runs; -v shows
// the cases as they end.
func Run(t *testing.T, model Model, opts ...Option) {
	t.Helper()
	run(t, model, opts, caller())
}

// caller returns the place in a test that called the package's function that
// calls it. A case's subtest runs in a goroutine that does not know it.
func caller() string {
	const skipped = 2
	_, file, line, _ := runtime.Caller(skipped)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func run(t *testing.T, model Model, opts []Option, from string) {
	t.Helper()
	s, err := start(model, opts, gotest.Chosen(t.Name()), func() (string, error) { return t.ArtifactDir(), nil })
	if err != nil {
		t.Fatal(err)
	}
	r := &gotest.Run{
		Options: &s.options, Held: s.gate, Context: t.Context(), Place: from, GoOn: s.goOn(), Saw: s.saw,
		Open: func() (*suite.Suite, error) { return s.suite, nil },
	}
	r.Each(t, r.Try)
	if s.gate == nil {
		return
	}
	began := false
	t.Run(gotest.GateName, func(t *testing.T) {
		began = true
		r.Gate(t)
	})
	if !began {
		t.Errorf("the gate decided nothing: -run or -skip left %s out", gotest.GateName)
	}
}

// A session is one run of a model.
type session struct {
	*config
	suite *suite.Suite
	dir   string // the run folder
	gate  *gate.Gate

	telling sync.Mutex // held while a verdict is passed to Each
}

// start opens the run of a model over the chosen trials; nil are all. If no run
// folder was named, it is created in the folder that temporary returns.
func start(model Model, opts []Option, chosen func(category, id string, trial int) bool, temporary func() (string, error)) (*session, error) {
	if isNil(model) {
		return nil, errors.New("bfcl: the model is nil")
	}
	opened, named := model.(*Opened)
	var own []Option
	if named {
		own = opened.options
	}
	c, err := configure(own, opts)
	if err != nil {
		return nil, err
	}
	c.options.Model = modelName(model, c.name)
	s := &session{config: c, dir: c.options.RunDir}
	if c.gate != "" {
		if s.gate, err = gate.For(c.gate, c.baseline, c.options); err != nil {
			return nil, inGo(err)
		}
	}
	if s.dir == "" {
		dir, err := temporary()
		if err != nil {
			return nil, err
		}
		s.dir = filepath.Join(dir, "bfcl-"+suite.FolderName(c.options.Model))
	}
	o := c.options
	o.RunDir, o.Chosen = s.dir, chosen
	kind := adapters.Kind{
		Name: "go", Concurrency: usualConcurrency, Chat: true,
		Open: func(cfg adapters.Config) (eval.Adapter, error) {
			return &asker{model: model, wording: cfg.Wording}, nil
		},
	}
	if a, ok := model.(inProcess); ok {
		kind.Agent, kind.InProcess = true, true
		kind.Open = func(cfg adapters.Config) (eval.Adapter, error) {
			return &leading{asker: asker{wording: cfg.Wording}, agent: a.agent}, nil
		}
	}
	plan, err := suite.PlanOf(o, &kind)
	if named {
		plan, err = suite.PlanOf(o, nil)
	}
	if err == nil && s.gate != nil {
		err = s.gate.Rehearse(plan)
	}
	if err == nil {
		s.suite, err = plan.Open()
	}
	return s, inGo(err)
}

// isNil reports whether a model is nil, or holds a nil value.
func isNil(m Model) bool {
	if m == nil {
		return true
	}
	switch v := reflect.ValueOf(m); v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map:
		return v.IsNil()
	default:
		return false
	}
}

// modelName returns the model's name for records.
func modelName(m Model, given string) string {
	if m, ok := m.(*Opened); ok {
		return m.name
	}
	if _, ok := m.(inProcess); ok {
		return cmp.Or(given, "agent")
	}
	return cmp.Or(given, strings.TrimPrefix(fmt.Sprintf("%T", m), "*"))
}

// goOn says how to continue the run.
func (s *session) goOn() string {
	if s.options.RunDir == "" {
		return "name a folder with bfcl.RunDir to be able to continue with bfcl.Resume"
	}
	return fmt.Sprintf("continue with bfcl.Resume() and bfcl.RunDir(%q)", s.options.RunDir)
}

// An AgentFunc is an agent of yours: a function that gets a turn of a
// conversation, makes its calls with [Turn.Call], and returns what the agent
// says at the end of the turn, without calls. It is called from several
// goroutines at the same time, but for the turns of one conversation in order.
// An error, or a panic, means that there is no answer.
type AgentFunc func(ctx context.Context, turn *Turn) (*Response, error)

// A Turn is what an agent is asked.
type Turn struct {
	// Messages are new in this turn: what the user says, and before the first
	// turn what the case begins with.
	Messages []Message
	// Tools are the functions that the agent may call.
	Tools []Tool
	// Memory is what the agent left here in the turn before, such as its
	// messages; nil in a conversation's first turn.
	Memory any

	call func(ctx context.Context, name, arguments string) (string, bool)
}

// Call carries out a function of the case, whose arguments are JSON text, and
// returns its result. It fails like a model's call: the result then says why,
// and the agent may try again. After the turn no call is carried out.
func (t *Turn) Call(ctx context.Context, name, arguments string) (result string, failed bool) {
	return t.call(ctx, valid(name), valid(arguments))
}

// RunAgent is [Run] for an agent in the test's program. Its calls are judged
// like a model's. The Model Context Protocol is not needed.
func RunAgent(t *testing.T, agent AgentFunc, opts ...Option) {
	t.Helper()
	if agent == nil {
		t.Fatal("bfcl.RunAgent: the agent is nil")
	}
	run(t, inProcess{agent}, opts, caller())
}

// MeasureAgent is [Measure] for an agent in the program.
func MeasureAgent(ctx context.Context, agent AgentFunc, opts ...Option) (*Result, error) {
	if agent == nil {
		return nil, errors.New("bfcl.MeasureAgent: the agent is nil")
	}
	return Measure(ctx, inProcess{agent}, opts...)
}

// inProcess is an agent in the place of a model.
type inProcess struct{ agent AgentFunc }

// Generate is not called: an agent needs a case's tools.
func (inProcess) Generate(context.Context, *Request) (*Response, error) {
	return nil, errors.New("an agent cannot answer a request")
}

// A leading is an AgentFunc as an adapter.
type leading struct {
	asker
	agent    AgentFunc
	memories sync.Map // by conversation
}

// Generate puts a turn to the agent.
func (l *leading) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	history := req.Endpoint.History
	return l.generate(ctx, req, ModelFunc(func(ctx context.Context, posed *Request) (*Response, error) {
		turn := &Turn{Messages: posed.Messages, Tools: posed.Tools, call: req.Endpoint.Call}
		turn.Memory, _ = l.memories.Load(history)
		resp, err := l.agent(ctx, turn)
		if resp != nil && len(resp.Calls) > 0 {
			return nil, errors.New("an agent returned calls: it makes them with Turn.Call")
		}
		l.memories.Store(history, turn.Memory)
		return resp, err
	}))
}

// Release forgets a conversation.
func (l *leading) Release(history string) { l.memories.Delete(history) }
