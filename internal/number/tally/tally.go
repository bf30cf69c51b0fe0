// Package tally turns what a run left behind, JUnit files or records, into the
// verdict of every case of the run's manifest, and those into a score and a
// report.
//
//	Read    files and folders, several for shards, to a Run
//	ReadAll several runs of any kind, result folders of upstream's among them
//	Run     a verdict per case and trial, exactly the manifest's
//	Score   the Run's score; refused where infrastructure errors are left
//	Report  the Run as JUnit for people
//	Kinds   the error types, the most frequent first
//	Ladder  how far the answers got, and what kept them from passing
//
// The manifest is the dataset's, for the categories and ids that the run says
// it was made of; a missing, duplicate or unknown case is an error.
package tally

import (
	"errors"
	"slices"
	"time"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/origin"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/unread"
	"github.com/gobfcl/bfcl/internal/record"
)

// Options say where the datasets lie.
type Options struct {
	// Data is the data directory; see fixtures.DataDir.
	Data string
	// Dataset stands in for the dataset's name where the folder it was in
	// has moved; the digest must still be the run's.
	Dataset string
	// IDs states the cases of a run whose files only count them; see
	// suite.Select.
	IDs string
	// Partial accepts result folders of upstream's that lack cases.
	Partial bool
	// Unfinished accepts runs that lack verdicts, too: what is there is read, and
	// Run.Missing counts the rest.
	Unfinished bool
	// Replay are recorded API answers, with which answers of upstream's to
	// executable categories are judged.
	Replay []string
	// Answers keeps what the model answered in the Results, where it is
	// available.
	Answers bool

	// Shard takes a single shard for a run of its own.
	Shard bool

	datasets *shelf // of ReadAll
}

// A Result is the verdict of one trial of a case.
type Result struct {
	// Case is the manifest's.
	Case *eval.Case
	// Varied is the case as a variant of it was asked; nil for plain ones.
	Varied *eval.Case
	// Trial counts from 0.
	Trial int
	// Status and ErrorType are the verdict's.
	Status    eval.Status
	ErrorType string
	// CutOff reports whether the limit of tokens ended the answer, which may be
	// right all the same.
	CutOff bool
	// Shared reports whether the answer was paid for with another case's.
	Shared bool
	// Compared is "pass" or the error type of comparing the call with the
	// possible answers, where it was carried out and that decided; else "".
	Compared string
	// Text says why the case did not pass; see failure.Text.
	Text string
	// Grade is how far the answer got. It is known in full where the answer
	// is available.
	Grade ladder.Grade
	// Cause is why an answer failed; its Kind is the Grade's.
	Cause ladder.Cause
	// Unread is what of the answer no call could be read from, where calls
	// were wanted.
	Unread []unread.Answer
	// Recovery counts the turns of a conversation that saw an error; nothing if
	// the answer is not available.
	Recovery eval.Recovery
	// Seconds is how long the test took; from records, the request.
	Seconds float64
	// Latency in seconds, token counts and cost in dollars, as texts; "" if not
	// known. Records know no cost.
	Latency, InputTokens, OutputTokens, Cost string
	// TTFT is the time to the first token in seconds; "" if the answer did
	// not come as a stream.
	TTFT string
	// Effort is what an agent took; nil if a model was asked.
	Effort *eval.Effort
	// Answer is the line of the result file; nil if it is not available or
	// Options.Answers did not ask for it.
	Answer *record.Row
}

// A Part is a category of a run.
type Part struct {
	// Category is one of package categories.
	Category *eval.Category
	// Results are in the dataset's order; a case's trials stand together.
	Results []Result
}

// A Run is a complete run.
type Run struct {
	// Name distinguishes the run from the others that it was read with: its model,
	// or if that is not enough its path too.
	Name string
	// Path is where it was read from.
	Path string
	// Model, Dataset and Digest are what the run says of itself.
	Model, Dataset, Digest string
	// Suite is the name of a suite of the user's own; "" for other datasets.
	Suite string
	// Missing counts the cases without a verdict; see Options.Unfinished.
	Missing int
	// Data is whose cases the dataset holds.
	Data origin.Origin
	// Shard is the part of a run that this is; "" for all of it.
	Shard string
	// Trials is the number of results per case.
	Trials int
	// Skipped are the categories that were left out because keys were missing,
	// with the environment variables of the keys.
	Skipped map[string][]string
	// Embedder is what turned texts into vectors; "" if none was needed.
	Embedder string
	// Started is when the run began; zero if it is not known.
	Started time.Time
	// InputPrice and OutputPrice are the model's prices in dollars per
	// million tokens when it was asked; nil if none is known.
	InputPrice, OutputPrice *float64
	// Parts are in the benchmark's order.
	Parts []Part
	// Variants are what the same cases gave put differently; they count in no
	// score.
	Variants []Variant
	// LeftOut are the cases that variants were not made of.
	LeftOut []variant.LeftOut
	// Settings are those that the answers were judged with, without an
	// executor; the zero Settings where only JUnit is available.
	Settings eval.Settings
	// Stated is what the run says of how it was made; of JUnit without its
	// run.json that is the model and the dataset alone. It is nil for result
	// folders of upstream's.
	Stated *record.Run
	// Notes are remarks, such as categories that were left out.
	Notes []string

	sizes map[string]int
	// layout is the dataset's; nil for that of its name.
	layout *score.Layout
}

// Layout groups the run's categories.
func (r *Run) Layout() *score.Layout {
	if r.layout != nil {
		return r.layout
	}
	return score.LayoutOf(r.Dataset)
}

// Errors counts the results that infrastructure errors took.
func (r *Run) Errors() int {
	n := 0
	for _, part := range r.Parts {
		for _, result := range part.Results {
			if result.Status == eval.Error {
				n++
			}
		}
	}
	return n
}

// Read reads a run from JUnit files and run folders; several, or a folder of
// them, are the shards of one run. In a run folder junit.xml is read; if there
// is none, or where the run went on after it was written, the recorded
// answers are judged again.
func Read(paths []string, o Options) (*Run, error) {
	if len(paths) == 0 {
		return nil, errors.New("name a JUnit file or a run folder")
	}
	paths = withShards(paths)
	sources := make([]source, len(paths))
	for i, path := range paths {
		var err error
		if sources[i], err = open(path, o); err != nil {
			return nil, err
		}
	}
	notes, err := agree(sources)
	if err != nil {
		return nil, err
	}
	if err := gather(sources, o); err != nil {
		return nil, err
	}
	m, err := newManifest(sources, o)
	if err != nil {
		return nil, err
	}
	b := newBoard(m)
	for _, s := range sources {
		if err := s.fill(b); err != nil {
			return nil, err
		}
	}
	run, err := b.run(sources, o.Unfinished)
	if err != nil {
		return nil, err
	}
	run.Notes = slices.Concat(run.Notes, notes, b.notes)
	return run, nil
}
