package tally

import (
	"context"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/why"
)

// A judging judges recorded answers, and looks at them while they are in memory:
// for signs of the server, and for failures that an amended key accepts.
type judging struct {
	settings eval.Settings
	// defects are the entries of cases with a defect. They are read when the first
	// failure is looked at.
	defects func() map[string]*errata.Item
	// fields says that the server was to find the calls.
	fields bool
	// keep keeps the answers, and plain says that only the verdict is wanted, which
	// is upstream's also where it recorded a failed request.
	keep, plain bool
	// model is the name that a conversation's instances have, and references what the
	// references of conversations do, by case; nil unless several models are judged.
	model      string
	references *sync.Map
}

// judgingOf returns what judges answers to cases of a dataset.
func judgingOf(d *fixtures.Dataset, s eval.Settings) *judging {
	read := dialect.Find(s.Dialect)
	return &judging{
		settings: s, fields: s.Mode == eval.FC && (read == nil || read.InFields()),
		defects: sync.OnceValue(func() map[string]*errata.Item {
			digest, _ := d.Digest() // an error is reported by what reads the run
			out, _ := defectsOf(digest, s.Mode)
			return out
		}),
	}
}

// judge judges the answer that a result holds.
func (j *judging) judge(out *eval.Result) {
	cat, c, trial := out.Category, out.Case, out.Trial
	switch {
	case !j.plain && replay.IsInferenceError(out.Result):
		answer := out.Response
		fail(out, eval.Infra(replay.Recorded, "%s", pyval.Text(out.Result)))
		out.Result, out.Entry, out.Log = answer.Result, answer.Entry, answer.Log
	case j.model != "" && cat.MultiTurn() && !cat.Agentic():
		out.Verdict = j.conversed(out)
		out.Seconds = out.Latency.Seconds()
	default:
		answer := out.Response
		answer.CutOff = answer.CutOff && !j.plain // of which upstream knows nothing
		cut := out.CutOff
		*out = engine.Judge(cat, c, &answer, j.settings)
		out.CutOff = cut
	}
	out.Category, out.Case, out.Trial = cat, c, trial
	if j.plain {
		if why.Rank(out, j.settings); out.Passed() {
			out.Decoded, out.Steps = nil, nil // nobody asks for the calls of a right answer
		}
		why.Sign(out)
		return
	}
	j.look(out)
}

// conversed judges a conversation under the model's name. If there are several
// models, it keeps what the case's reference does.
func (j *judging) conversed(out *eval.Result) eval.Verdict {
	if j.references != nil {
		once, ok := j.references.Load(out.Case)
		if !ok {
			once, _ = j.references.LoadOrStore(out.Case, sync.OnceValue(func() *multiturn.Reference {
				reference, _ := multiturn.NewReference(out.Case) // nil if it cannot be run
				return reference
			}))
		}
		if reference := once.(func() *multiturn.Reference)(); reference != nil {
			return reference.Judge(j.model, out.Result, j.settings)
		}
	}
	return multiturn.JudgeAs(j.model, out.Case, out.Result, j.settings)
}

// look sets what a judged answer shows and why it failed, and lets it go unless it
// is kept.
func (j *judging) look(r *eval.Result) {
	why.Examine(r, j.settings)
	if r.Status != eval.Error && r.Result != nil {
		j.observe(r)
	}
	if !r.Passed() {
		r.Text = why.Text(r)
	}
	r.Err, r.Reused = nil, false
	if !j.keep {
		r.Forget()
	}
}

func (j *judging) observe(r *eval.Result) {
	reasoning := r.Reasoning
	if r.Entry != nil && reasoning == "" {
		reasoning, _ = r.Entry.Text("reasoning_content")
	}
	why.Sign(r)
	calls := r.Decoded
	if calls == nil && r.Passed() && !r.Category.MultiTurn() {
		calls, _ = r.Category.Decode(r.Case, r.Result, j.settings)
	}
	r.Trace = why.Observe(r, calls, reasoning, j.fields)
	if r.Status != eval.Fail {
		return
	}
	if item := j.defects()[r.Case.ID]; item != nil && item.Amends() {
		r.Amended, _ = item.Accept(r.Category, r.Case, r.Result, j.settings)
	}
}

// Keeper returns what makes of a result of the engine one as a Run holds it:
// examined, looked at and explained, without the answer.
func Keeper(d *fixtures.Dataset, s eval.Settings) func(eval.Result) eval.Result {
	j := judgingOf(d, s)
	return func(result eval.Result) eval.Result {
		j.look(&result)
		return result
	}
}

// judge judges every answer of a run folder. It ignores answers to cases that are
// not the run's, left by an earlier run in the same folder. A trial with neither an
// answer nor a recorded error is missing; so are calls that were carried out on APIs
// which cannot be asked again, if the JUnit has their verdict.
func (s *source) judge(b *board) error {
	answers, err := record.ReadAnswers(s.dir, b.categories(), b.trials)
	if err != nil {
		return err
	}
	if note := answers.Unmarked(); note != "" {
		b.notes = append(b.notes, s.path+": "+note)
	}
	failed, err := record.ReadFailures(s.dir)
	if err != nil {
		return err
	}
	settings := s.run.Settings()
	if slices.ContainsFunc(b.parts, func(p suite.Part) bool { return p.Category.Executes }) {
		if settings.Executor, err = suite.ForRun(context.Background(), b.dataset, s.run.Parameters); err != nil {
			return err
		}
	}
	j, live := judgingOf(b.dataset, settings), s.run.Parameters["api"] == suite.Live && s.junit != nil
	j.keep = s.keep
	for _, slots := range b.slots {
		results, known := make([]eval.Result, len(slots)), make([]bool, len(slots))
		parallel.Each(len(slots), func(k int) {
			at := slots[k].result
			results[k] = eval.Result{Category: at.Category, Case: at.Case, Trial: at.Trial}
			known[k] = s.shard.Has(at.Case) && !(live && at.Category.Executes) && j.recorded(answers, failed, &results[k])
		})
		for k := range slots {
			if known[k] {
				b.put(&slots[k], s, results[k])
			}
		}
	}
	return nil
}

// recorded judges the recorded answer to a trial, or takes the error that was
// recorded instead of one; it returns false if there is neither.
func (j *judging) recorded(answers record.Answers, failed record.Failures, out *eval.Result) bool {
	if row, ok := answers.Get(out.Case.ID, out.Trial); ok {
		out.Response = row.Response()
		j.judge(out)
		return true
	}
	failure, ok := failed.Get(out.Case.ID, out.Trial)
	if ok {
		fail(out, failure.Err())
		j.look(out)
	}
	return ok
}

// fail makes a result that of an infrastructure error.
func fail(out *eval.Result, err error) {
	failed := engine.Failed(err)
	failed.Category, failed.Case, failed.Trial = out.Category, out.Case, out.Trial
	*out = failed
}
