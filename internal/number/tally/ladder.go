package tally

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

// Ladder returns how far the answers got, and why results failed.
// Infrastructure errors are on the ladder only if the score counts them.
func (r *Run) Ladder(allowErrors bool) *ladder.Report {
	var count ladder.Count
	for cat, result := range r.All() {
		count.Add(cat, result.Grade, allowErrors || result.Status != eval.Error)
		count.Recover(cat, result.Recovery)
	}
	return count.Report()
}

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
	for i, part := range b.manifest.parts {
		slots := b.slots[i]
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
			if s.keep {
				result.Answer = &row
			}
			if result.Status != eval.Error {
				result.Unread = ladder.UnreadOf(part.Category, result.Case, row.Result, result.ErrorType, settings)
			}
			defer result.letGo()
			judged := true
			switch {
			case part.Category.MultiTurn():
				judged = result.replay(part.Category, row, settings)
			case !result.Grade.Seen && result.Grade.Kind != "":
				judged = result.look(part.Category, row, settings)
			}
			if !judged && result.Status != eval.Error {
				other.Add(1)
			}
		})
	}
	return nil
}

// letGo copies the texts of what was found, which would keep the whole line of the
// answer in memory.
func (r *Result) letGo() {
	for i, u := range r.Unread {
		if text, ok := u.Value.(pyval.Str); ok {
			r.Unread[i].Value = pyval.Str(strings.Clone(string(text)))
		}
	}
	r.Cause.Want, r.Cause.Got = strings.Clone(r.Cause.Want), strings.Clone(r.Cause.Got)
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

// replay judges a conversation again, even if it passed, to find what happened
// in it; it returns false if the verdict differs.
func (r *Result) replay(cat *eval.Category, row record.Row, s eval.Settings) bool {
	decoded, v := cat.Verdict(r.Case, row.Result, s)
	if v = v.OfPart(row.CutOff()); v.Status != r.Status || v.ErrorType != r.ErrorType {
		return false
	}
	r.Recovery = v.Recovery
	r.Finding = ladder.Examine(cat, r.Case, ladder.Answer{Result: row.Result, Decoded: decoded, Settings: s}, v)
	return true
}

// look grades the answer without executing anything again. An answer that is
// compared with possible answers must be the one that was judged; otherwise
// look returns false.
func (r *Result) look(cat *eval.Category, row record.Row, s eval.Settings) bool {
	v := eval.Verdict{Status: r.Status, ErrorType: r.ErrorType}
	decoded, err := cat.Decode(r.Case, row.Result, s)
	if err != nil {
		decoded = nil
	}
	if cat.Compares() {
		v = cat.Judge(r.Case, decoded, err, s).OfPart(row.CutOff())
	}
	if v.ErrorType != r.ErrorType {
		return false
	}
	r.Finding = ladder.Examine(cat, r.Case, ladder.Answer{Result: row.Result, Decoded: decoded, Settings: s}, v)
	return true
}
