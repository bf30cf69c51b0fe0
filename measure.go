package bfcl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/scorefile"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// ErrUnscored is the error of a run in which infrastructure kept cases from an
// answer: what they would have been is not known, so the run has no score.
var ErrUnscored = errors.New("infrastructure errors remain, which are not wrong answers")

// Measure asks a model, as [Run] does, and returns what came of it.
//
// Wrong answers are not errors. If infrastructure errors remain, the error is
// an [ErrUnscored] and the Result holds what is known. If the run was ended
// before its last case, by ctx or by itself, there is no Result; what was
// answered is in [RunDir], from which [Resume] goes on.
func Measure(ctx context.Context, model Model, opts ...Option) (*Result, error) {
	var temporary string
	s, err := start(model, opts, func() (string, error) {
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
	suite.Each(ctx, ctx, s.suite, &branch{}, func(_ *branch, cat *eval.Category, c *eval.Case, trial int) {
		if ctx.Err() != nil {
			left.Add(1)
			return
		}
		out := s.suite.Answer(ctx, cat, c, trial)
		if out.NotRun || out.Status == eval.Error && ctx.Err() != nil {
			left.Add(1)
			return
		}
		s.saw(c, trial, out)
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
		left.Load(), s.suite.Cases()*s.suite.Run.Trials, inGo(cause), s.goOn()), err)
}

// A branch is where trials hang that are not tests.
type branch struct {
	early    chan struct{} // closed by Parallel; nil for the root
	parallel sync.WaitGroup
}

// Run runs f on a new branch until it has ended or called Parallel. The branch
// ends when all that are on it have.
func (b *branch) Run(_ string, f func(*branch)) bool {
	child, done := &branch{early: make(chan struct{})}, make(chan struct{})
	b.parallel.Go(func() {
		defer close(done)
		f(child)
		child.parallel.Wait()
	})
	select {
	case <-done:
	case <-child.early:
	}
	return true
}

// Parallel lets the Run that made the branch return.
func (b *branch) Parallel() { close(b.early) }

// A Status is what came of a case, or of a gate.
type Status string

const (
	// Pass says that the answer was accepted, or that the gate is open.
	Pass Status = "pass"
	// Fail says that the answer was refused, or that the gate is closed.
	Fail Status = "fail"
	// Error says that infrastructure kept the model from answering.
	Error Status = "error"
	// Undecided means that the gate could not decide.
	Undecided Status = "undecided"
)

// A Verdict is what came of one trial of a case.
type Verdict struct {
	// ID and Category are the case's; Trial counts from 1.
	ID, Category string
	Trial        int
	// Status is Pass, Fail or Error.
	Status Status
	// ErrorType is the kind of a failure in upstream's words, such as
	// "value_error:string", or of an error, such as "infrastructure:timeout".
	ErrorType string
	// Text says why the answer did not pass, with what was asked, expected
	// and answered. What a model wrote is quoted in it.
	Text string
	// Usage and Latency are the answer's; of a conversation their sums.
	Usage   Usage
	Latency time.Duration
}

// saw hands an outcome to the option Each.
func (s *session) saw(c *eval.Case, trial int, out engine.Outcome) {
	if s.each == nil {
		return
	}
	result := tally.ResultOf(c, out)
	v := verdictOf(&result)
	v.Trial = trial + 1
	s.telling.Lock()
	defer s.telling.Unlock()
	s.each(v)
}

// An Accuracy is a share of right answers with its 95% interval.
type Accuracy struct {
	// Correct of Total scored answers are right.
	Correct, Total int
	// Share, Low and High are between 0 and 1. They are 0 if nothing was
	// scored.
	Share, Low, High float64
}

// A Category is what came of a category.
type Category struct {
	// Name is the category's.
	Name string
	Accuracy
	// Errors are the answers that infrastructure took.
	Errors int
}

// A Decision is the result of a gate.
type Decision struct {
	// Outcome is Pass, Fail or Undecided.
	Outcome Status
	// Text lists every rule, and then the decision.
	Text string
}

// A Result is what came of a run.
type Result struct {
	// Model and Dataset are what was asked; Digest fixes the cases' content.
	Model, Dataset, Digest string
	// Dir is the run folder; "" if none was named.
	Dir string
	// Overall is over the answers that there are, by the dataset's formula. It
	// is the dataset's own figure only if Complete is set.
	Overall  Accuracy
	Complete bool
	// Categories are in the dataset's order.
	Categories []Category
	// Errors are the answers that infrastructure took.
	Errors int
	// Verdicts are of all cases and trials, in the dataset's order.
	Verdicts []Verdict
	// Usage is that of all answers, Latency a case's in the mean.
	Usage   Usage
	Latency time.Duration
	// Cost is in dollars, of a model whose prices are known; else 0.
	Cost float64
	// Warnings say what the figures are not.
	Warnings []string
	// Gate is nil if there was none.
	Gate *Decision
}

// result reads what was recorded, as the command does, and writes the score and
// the report beside it.
func (s *session) result() (*Result, error) {
	run, err := tally.Read([]string{s.dir}, tally.Options{Data: s.options.Data, Shard: true})
	if err != nil {
		return nil, inGo(err)
	}
	if err := run.WriteReport(filepath.Join(s.dir, tally.ReportFile)); err != nil {
		return nil, err
	}
	out := &Result{Model: run.Model, Dataset: run.Dataset, Digest: run.Digest, Dir: s.options.RunDir}
	if err := out.fill(run); err != nil {
		return nil, err
	}
	file := scorefile.File{}
	if out.Errors == 0 {
		scored, err := run.Score(false)
		if err != nil {
			return nil, inGo(err)
		}
		file = scorefile.New(run, scored)
	}
	if s.gate != nil {
		if file.Gate, err = s.gate.Decide(run); err != nil {
			return out, fmt.Errorf("the gate decided nothing: %w", inGo(err))
		}
		var text bytes.Buffer
		if err := file.Gate.Write(&text); err != nil {
			return nil, err
		}
		out.Gate = &Decision{Status(file.Gate.Outcome), strings.TrimSpace(text.String())}
	}
	if out.Errors > 0 {
		return out, s.unscored(run)
	}
	return out, file.Write(s.dir)
}

// unscored is the error of a run with infrastructure errors.
func (s *session) unscored(run *tally.Run) error {
	var kinds []string
	for _, k := range run.Kinds() {
		if k.Example.Status == eval.Error {
			kinds = append(kinds, fmt.Sprintf("%s (%d, such as %s)", k.Summary(), k.Count, k.Example.Case.ID))
		}
	}
	return fmt.Errorf("%w: %d of %d cases have no answer: %s; %s", ErrUnscored, run.Errors(), run.Len(), strings.Join(kinds, "; "), s.goOn())
}

// fill takes the figures of a run.
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
		r.Latency = seconds(*spend.LatencyMean)
	}
	if spend.Basis == "tokens" {
		r.Cost = *spend.Cost
	}
	return nil
}

// accuracyOf is a part's, over what was scored of it.
func accuracyOf(p score.Part) Accuracy {
	if p.NA {
		return Accuracy{}
	}
	return Accuracy{Correct: p.Correct, Total: p.Total, Share: p.Ran.Estimate, Low: p.Ran.Low, High: p.Ran.High}
}

// verdictOf is a result as a Verdict.
func verdictOf(r *tally.Result) Verdict {
	v := Verdict{
		ID: r.Case.ID, Category: r.Case.Category, Trial: r.Trial + 1,
		Status: Status(r.Status.String()), ErrorType: r.ErrorType, Text: r.Text,
	}
	v.Usage.InputTokens, _ = strconv.Atoi(r.InputTokens) // "" is none
	v.Usage.OutputTokens, _ = strconv.Atoi(r.OutputTokens)
	if latency, err := strconv.ParseFloat(r.Latency, 64); err == nil {
		v.Latency = seconds(latency)
	}
	return v
}

func seconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }
