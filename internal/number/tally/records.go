package tally

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/shard"
	"github.com/gobfcl/bfcl/internal/why"
)

// records is a source that judges the answers of a run folder again.
type records struct {
	dir   string
	run   *record.Run
	shard shard.Shard
	keep  bool // the answers
}

func openRecords(dir string, run *record.Run, o Options) (source, error) {
	part, err := shard.Parse(run.Shard)
	if err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", dir, err)
	}
	return &records{dir: dir, run: run, shard: part, keep: o.Answers}, nil
}

func (r *records) claim() claim {
	run := *r.run
	run.Shard = r.shard.String()
	return claim{path: r.dir, run: &run, recorded: true, categories: strings.Join(run.Categories, ","), ids: strings.Join(run.IDs, ","), shard: r.shard}
}

// fill judges every answer of the folder. It ignores answers to cases that are
// not the run's, left by an earlier run in the same folder.
func (r *records) fill(b *board) error {
	var cats []*eval.Category
	for _, part := range b.manifest.parts {
		cats = append(cats, part.Category)
	}
	answers, err := record.ReadAnswers(r.dir, cats, r.run.Trials)
	if err != nil {
		return err
	}
	if note := answers.Unmarked(); note != "" {
		b.notes = append(b.notes, r.dir+": "+note)
	}
	failed, err := record.ReadFailures(r.dir)
	if err != nil {
		return err
	}
	settings := r.run.Settings()
	if slices.ContainsFunc(cats, func(c *eval.Category) bool { return c.Executes }) {
		if settings.Executor, err = execution.ForRun(context.Background(), b.manifest.dataset, r.run.Parameters); err != nil {
			return err
		}
	}
	r.judge(b, &engine.Engine{Settings: settings, Recorded: answers}, failed)
	return nil
}

// judge judges using all processors, and puts the results in order afterwards.
// A trial with neither an answer nor a recorded error is missing.
func (r *records) judge(b *board, e *engine.Engine, failed record.Failures) {
	for i, part := range b.manifest.parts {
		slots := b.slots[i]
		results := make([]*eval.Result, len(slots))
		parallel.Each(len(slots), func(k int) {
			if r.shard.Has(slots[k].result.Case) {
				results[k] = r.result(e, failed, part.Category, slots[k].result.Case, slots[k].result.Trial)
			}
		})
		for k, result := range results {
			if result != nil {
				b.put(&slots[k], *result)
			}
		}
	}
}

// result returns the result of one trial; nil if there is none.
func (r *records) result(e *engine.Engine, failed record.Failures, cat *eval.Category, c *eval.Case, trial int) *eval.Result {
	_, answered := e.Recorded.Get(c.ID, trial)
	failure, noted := failed.Get(c.ID, trial)
	var out eval.Result
	switch {
	case answered:
		out = e.Run(context.Background(), cat, c, trial)
	case noted:
		out = engine.Failed(failure.Err())
		out.Category, out.Case, out.Trial = cat, c, trial
	default:
		return nil
	}
	why.Examine(&out, e.Settings)
	explain(&out, r.keep)
	return &out
}
