package report

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
)

// Answers are the answers as the page shows them, made run by run as they are
// read: the records of several runs are too large to be in memory at once.
type Answers struct {
	by map[*eval.Result]packedAnswer
}

// A packedAnswer is an answer as JSON, with the expected calls of a conversation
// and their results.
type packedAnswer struct {
	text     json.RawMessage
	expected [][]made
}

// Take packs the answers of a run, and takes them out of it.
func (a *Answers) Take(run *tally.Run) {
	e := &Entry{run: run}
	if a.by == nil {
		a.by = map[*eval.Result]packedAnswer{}
	}
	for _, part := range run.Parts {
		a.take(e, part.Category, part.Results)
	}
}

func (a *Answers) take(e *Entry, cat *eval.Category, results []eval.Result) {
	out := make([]packedAnswer, len(results))
	parallel.Each(len(results), func(i int) { out[i] = e.packed(cat, &results[i]) })
	for i := range results {
		a.by[&results[i]] = out[i]
		results[i].Forget()
	}
}

// packed returns an answer as the page shows it.
func (e *Entry) packed(cat *eval.Category, r *eval.Result) packedAnswer {
	var d detail
	text := encoded(e.answer(cat, r, &d))
	return packedAnswer{text, d.Expected}
}
