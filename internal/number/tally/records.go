package tally

import (
	"context"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/why"
)

// judge judges every answer of a run folder. It ignores answers to cases that are
// not the run's, left by an earlier run in the same folder.
func (s *source) judge(b *board) error {
	answers, err := record.ReadAnswers(s.path, b.categories(), s.run.Trials)
	if err != nil {
		return err
	}
	if note := answers.Unmarked(); note != "" {
		b.notes = append(b.notes, s.path+": "+note)
	}
	failed, err := record.ReadFailures(s.path)
	if err != nil {
		return err
	}
	settings, err := b.settings(s.run)
	if err != nil {
		return err
	}
	s.judgeAll(b, &engine.Engine{Settings: settings, Recorded: answers}, failed)
	return nil
}

// judgeAll judges using all processors, and puts the results in order afterwards.
// A trial with neither an answer nor a recorded error is missing.
func (s *source) judgeAll(b *board, e *engine.Engine, failed record.Failures) {
	seen := observe(b.dataset, e.Settings)
	for _, slots := range b.slots {
		results := make([]eval.Result, len(slots))
		parallel.Each(len(slots), func(k int) {
			at := &slots[k].result
			_, answered := e.Recorded.Get(at.Case.ID, at.Trial)
			failure, noted := failed.Get(at.Case.ID, at.Trial)
			switch {
			case !s.shard.Has(at.Case) || !answered && !noted:
				return
			case answered:
				results[k] = e.Run(context.Background(), at.Category, at.Case, at.Trial)
			default:
				results[k] = engine.Failed(failure.Err())
				results[k].Category, results[k].Case = at.Category, at.Case
			}
			why.Examine(&results[k], e.Settings)
			seen.look(&results[k])
			explain(&results[k], s.keep)
		})
		for k := range results {
			if results[k].Case != nil {
				b.put(&slots[k], s, results[k])
			}
		}
	}
}
