package tally

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/why"
)

// grade examines the answers recorded beside a JUnit file, for cases that
// failed according to the file and for conversations. Without answers only the
// error types are known. If some answers are lost, or are not the ones that
// were judged, a note says so. Answers of another run are an error.
func (s *junitSource) grade(b *board) error {
	dir, run := filepath.Dir(s.said.path), s.said.run
	if !s.said.recorded {
		return nil
	}
	var cats []*eval.Category
	for _, part := range b.manifest.parts {
		cats = append(cats, part.Category)
	}
	answers, err := record.ReadAnswers(dir, cats, b.manifest.trials)
	var foreign *record.Foreign
	switch {
	case errors.As(err, &foreign):
		return err
	case err != nil:
		b.notes = append(b.notes, fmt.Sprintf("the answers beside %s cannot be read (%v): %s", s.said.path, err, errorTypesAlone))
		return nil
	}
	var lost, other atomic.Int64
	defer func() { b.noteAnswers(s.said.path, int(lost.Load()), int(other.Load())) }()
	settings := run.Settings()
	if slices.ContainsFunc(cats, func(c *eval.Category) bool { return c.Executes }) {
		if executor, err := execution.ForRun(context.Background(), b.manifest.dataset, run.Parameters); err == nil {
			settings.Executor = executor
		}
	}
	for _, slots := range b.slots {
		parallel.Each(len(slots), func(k int) {
			result := &slots[k].result
			row, ok := answers.Get(result.Case.ID, result.Trial)
			switch {
			case slots[k].from != s:
				return
			case !ok && result.Status != eval.Error:
				lost.Add(1)
				return
			case !ok:
				return
			}
			defer func() {
				if !s.keep {
					result.Forget()
				}
			}()
			result.Result, result.Entry, result.Log = row.Result, row.Entry, row.Log
			if result.Status != eval.Error && !look(result, row.CutOff(), settings) {
				other.Add(1)
			}
		})
	}
	return nil
}

// errorTypesAlone says what is known without the answers.
const errorTypesAlone = "how far answers got and why they failed is known only from the error types"

// noteAnswers notes that answers beside a JUnit file are lost, or are not the
// ones that it judged.
func (b *board) noteAnswers(path string, lost, other int) {
	if lost > 0 {
		b.notes = append(b.notes, fmt.Sprintf("the answers to %s that %s has a verdict on are not recorded beside it: for these, %s", count.Cases(lost), path, errorTypesAlone))
	}
	if other > 0 {
		b.notes = append(b.notes, fmt.Sprintf("the answers to %s that are recorded beside %s are not those that it judged: for these, %s", count.Cases(other), path, errorTypesAlone))
	}
}

// look examines the recorded answer. A conversation is judged again, even if it
// passed, to find what happened in it; nothing else is carried out again. If the
// answer is not the one that was judged, look returns false and the result stays
// as it was.
func look(r *eval.Result, cut bool, s eval.Settings) bool {
	again := *r
	switch {
	case r.Category.MultiTurn():
		again.Decoded, again.Verdict = r.Category.Verdict(r.Case, r.Result, s)
		again.Verdict = again.OfPart(cut)
	case r.Passed():
		return true
	default:
		decoded, err := r.Category.Decode(r.Case, r.Result, s)
		if err == nil {
			again.Decoded = decoded
		}
		if r.Category.Compares() {
			again.Verdict = r.Category.Judge(r.Case, again.Decoded, err, s).OfPart(cut)
		}
	}
	r.Unread = why.UnreadOf(r, s)
	if again.Status != r.Status || again.ErrorType != r.ErrorType {
		return false
	}
	why.Examine(&again, s)
	*r = again
	return true
}
