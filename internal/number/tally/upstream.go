package tally

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

// recordedError is the error type for answers that upstream recorded for failed
// requests, as in a replay.
const recordedError = infrastructure + "recorded_error"

// readUpstream judges an upstream result folder. Its inference errors are
// errors here, as in a replay.
func readUpstream(dir string, o Options) ([]*Run, error) {
	folders, err := record.FindAll(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is not a run: it holds no %s, run.json, shards or result files", strconv.Quote(dir), JUnitFile)
	}
	dataset, err := o.open(releaseOf(folders, o), o.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	executor, err := executorFor(dataset, o.Replay)
	if err != nil {
		return nil, err
	}
	report, err := evaluate.Run(evaluate.Options{Dataset: dataset, ResultDir: dir, Partial: o.Partial || o.Unfinished, Executor: executor})
	if err != nil {
		return nil, err
	}
	var runs []*Run
	for i, m := range report.Models {
		run, err := newUpstream(m, dataset)
		if err != nil {
			return nil, err
		}
		run.Path, run.DataDir, run.Notes = dir, o.Data, report.Notes
		run.Prices = sane(report.Prices(m))
		if len(report.Models) > 1 {
			run.Path = folders[i].Dir
		}
		run.judged(m, o.Answers)
		runs = append(runs, run)
	}
	return runs, nil
}

// releaseOf returns the name of the dataset that a result folder's answers are
// for.
func releaseOf(folders []*record.Folder, o Options) string {
	if o.Dataset != "" {
		return o.Dataset
	}
	for _, path := range folders[0].Files {
		if record.Positional(filepath.Base(path)) {
			return score.V1.Name
		}
	}
	return score.V4.Name
}

// executorFor returns nil if there are no recorded API answers.
func executorFor(dataset *fixtures.Dataset, files []string) (eval.Executor, error) {
	own, _, err := dataset.Replay()
	if err != nil || own == "" && len(files) == 0 {
		return nil, err
	}
	env, _, err := execution.Environment(dataset, execution.Replay, files)
	if err != nil {
		return nil, err
	}
	return execution.New(context.Background(), dataset, env), nil
}

func newUpstream(m *evaluate.Model, dataset *fixtures.Dataset) (*Run, error) {
	digest, err := dataset.Digest()
	if err != nil {
		return nil, err
	}
	sizes, err := Sizes(dataset, dataset.Name)
	if err != nil {
		return nil, err
	}
	data, err := dataset.Origin()
	if err != nil {
		return nil, err
	}
	r := newRun(record.Run{
		Model: m.Name, Mode: m.Settings.Mode, UnderscoreToDot: m.Settings.UnderscoreToDot, Dialect: m.Settings.Dialect,
		Dataset: dataset.Name, Digest: digest, Data: data, Trials: 1,
	}, dataset, sizes)
	r.Upstream = true
	return r, nil
}

// ScoreOf returns the score of a model's result files as upstream's evaluator
// counts: inference errors are wrong answers.
func ScoreOf(m *evaluate.Model, dataset *fixtures.Dataset) (*score.Score, error) {
	r, err := newUpstream(m, dataset)
	if err != nil {
		return nil, err
	}
	again := m.Remedy()
	r.again = &again
	for _, c := range m.Categories {
		part := Part{Category: c.Category, Results: make([]Result, len(c.Answers))}
		for i, a := range c.Answers {
			part.Results[i] = Result{Case: a.Case, Status: a.Status, ErrorType: a.ErrorType}
			part.Results[i].Unread = ladder.UnreadOf(c.Category, a.Case, a.Row.Result, a.ErrorType, m.Settings)
		}
		r.Parts = append(r.Parts, part)
	}
	return r.Answered(false)
}

// judged copies the verdicts.
func (r *Run) judged(m *evaluate.Model, keep bool) {
	for _, c := range m.Categories {
		answers := c.Answers
		results := make([]Result, len(answers))
		parallel.Each(len(answers), func(k int) {
			results[k] = upstreamResult(c.Category, &answers[k], r.Settings())
			if keep {
				results[k].Answer = &answers[k].Row
			}
		})
		r.Parts = append(r.Parts, Part{Category: c.Category, Results: results})
	}
}

func upstreamResult(cat *eval.Category, a *evaluate.Answer, s eval.Settings) Result {
	response := a.Row.Response()
	out := engine.Outcome{
		Verdict: a.Verdict, Result: a.Row.Result,
		InputTokens: response.InputTokens, OutputTokens: response.OutputTokens, Latency: response.Latency, TTFT: response.TTFT,
	}
	if replay.IsInferenceError(a.Row.Result) {
		err := eval.Infra("recorded_error", "%s", pyval.Text(a.Row.Result))
		out = engine.Outcome{Verdict: eval.Verdict{Status: eval.Error, ErrorType: recordedError}, Err: err}
		r := ResultOf(a.Case, out)
		r.Finding = ladder.Unexamined(cat, a.Case, r.Status, r.ErrorType)
		return r
	}
	if !out.Passed() && !cat.MultiTurn() {
		if decoded, err := cat.Decode(a.Case, a.Row.Result, s); err == nil {
			out.Decoded = decoded
		}
	}
	r := ResultOf(a.Case, out)
	answer := ladder.Answer{Result: a.Row.Result, Decoded: out.Decoded, Settings: s}
	r.Finding = ladder.Finding{
		Grade: a.Grade, Cause: ladder.CauseOf(cat, a.Case, answer, a.Verdict, a.Grade),
		Unread: ladder.UnreadOf(cat, a.Case, a.Row.Result, a.Verdict.ErrorType, s),
	}
	return r
}
