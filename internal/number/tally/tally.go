// Package tally turns a run's output, JUnit files or records, into a verdict
// for every case of the run's manifest, and the verdicts into a score and a
// report.
//
//	Read    files and folders, several for shards, to a Run
//	ReadAll several runs of any kind, including upstream result folders
//	Run     a verdict per case and trial, exactly the manifest's
//	Score   the Run's score; an error if infrastructure errors are left
//	Report  the Run as JUnit for people
//	Kinds   the error types, the most frequent first
//	Failures what failed, in groups of one cause, the most costly first
//	Ladder  how far the answers got, and why they failed
//
// The manifest has the dataset's cases with the categories and ids that the run
// says it has; a missing, duplicate or unknown case is an error.
package tally

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record"
)

// Options say where the datasets are, and what is accepted.
type Options struct {
	// Data is the data directory; see fixtures.DataDir.
	Data string
	// Dataset replaces the dataset's name if its folder has moved; the digest
	// must still be the run's.
	Dataset string
	// Partial accepts upstream result folders that lack cases.
	Partial bool
	// Unfinished accepts runs that lack verdicts: those that exist are read,
	// and Run.Missing counts the rest.
	Unfinished bool
	// Receipt reads only what the run sent and paid, whether or not it is complete.
	Receipt bool
	// Replay are files of recorded API answers, used to judge upstream's
	// answers to executable categories.
	Replay []string
	// Answers keeps the model's answers in the results, if they are available.
	Answers bool

	// Shard accepts a single shard as a run of its own.
	Shard bool

	// Each is called by ReadAll for each run once it is read, while it reads the
	// next. It may take what it needs of the answers and set them to nil, so that
	// those of all runs are never in memory together.
	Each func(*Run)

	*shelf
}

// A Part is a category of a run.
type Part struct {
	// Category is a category of package categories.
	Category *eval.Category
	// Results are in the dataset's order; a case's trials are adjacent.
	Results []eval.Result
}

// A Run is a complete run.
type Run struct {
	// Name distinguishes the run from the others that it was read with: its
	// model and, if that is not enough, its path.
	Name string
	// Path is where the run was read from.
	Path string
	// Run is what the run states about itself: for JUnit without its run.json
	// that is little more than the model and the dataset, and for upstream's result
	// folders what their names tell. Data, Prices and Shard are those of the cases,
	// the prices and the part that were read.
	record.Run
	// Upstream reports whether the run is a result folder of upstream's, which
	// states no settings.
	Upstream bool
	// Suite is the name of a suite of the user's own; "" for other datasets.
	Suite string
	// Lacks are the categories that have no score, of upstream's result folders.
	Lacks []Lack
	// Missing counts the cases without a verdict; see Options.Unfinished.
	Missing int
	// Parts are in the benchmark's order.
	Parts []Part
	// AllowGateway scores the run even if many of its answers are not the model's.
	AllowGateway bool
	// Receipt is what the run sent and paid; nil if it has no ledger.
	Receipt *record.Receipt
	// Notes are remarks, such as categories that were left out.
	Notes []string

	sizes map[string]int
	// Command are the arguments of the command that evaluates the answers again, to
	// which a --dialect may be added; nil for what bfcl run does.
	Command []string
	// layout is the dataset's layout; nil for the one of its name.
	layout *score.Layout
}

// Layout returns the layout that groups the run's categories.
func (r *Run) Layout() *score.Layout {
	if r.layout != nil {
		return r.layout
	}
	return score.LayoutOf(r.Dataset)
}

// All yields the results with their categories, in the benchmark's order.
func (r *Run) All() iter.Seq2[*eval.Category, *eval.Result] {
	return func(yield func(*eval.Category, *eval.Result) bool) {
		for _, part := range r.Parts {
			for i := range part.Results {
				if !yield(part.Category, &part.Results[i]) {
					return
				}
			}
		}
	}
}

// answers yields the results that have an answer.
func (r *Run) answers() iter.Seq2[*eval.Category, *eval.Result] {
	return func(yield func(*eval.Category, *eval.Result) bool) {
		for cat, result := range r.All() {
			if result.Status != eval.Error && !yield(cat, result) {
				return
			}
		}
	}
}

// Errors counts the results that are infrastructure errors.
func (r *Run) Errors() (n int) {
	for _, result := range r.All() {
		if result.Status == eval.Error {
			n++
		}
	}
	return n
}

// Read reads a run from JUnit files and run folders; several, or a folder of
// them, are the shards of one run. In a run folder it reads junit.xml; if there
// is none, or the run was resumed after it was written, it judges the recorded
// answers again.
func Read(paths []string, o Options) (*Run, error) {
	o.shelf = newShelf()
	return readRun(paths, o)
}

func readRun(names []string, o Options) (*Run, error) {
	var paths []string
	var sources []*source
	for _, name := range names {
		shards := shardsOf(name)
		if shards == nil {
			shards = []string{name}
		}
		for _, path := range shards {
			s, err := open(path, o)
			if err != nil {
				return nil, err
			}
			paths, sources = append(paths, path), append(sources, s)
		}
	}
	if len(sources) == 0 {
		return nil, errors.New("name a JUnit file or a run folder")
	}
	notes, err := agree(sources)
	if err != nil {
		return nil, err
	}
	if err := gather(sources, o); err != nil {
		return nil, err
	}
	b, err := newBoard(sources, o)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if s.dir != "" {
			if err := s.judge(b); err != nil {
				return nil, err
			}
		}
		if err := s.tell(b); err != nil {
			return nil, err
		}
	}
	dirs := make([]string, len(sources))
	for i, s := range sources {
		if dirs[i] = s.path; !isDir(s.path) {
			dirs[i] = filepath.Dir(s.path)
		}
	}
	slices.Sort(dirs)
	receipt := b.account(slices.Compact(dirs))
	if o.Receipt {
		return &Run{Path: paths[0], Receipt: receipt, Notes: slices.Concat(notes, b.notes)}, nil
	}
	run, err := b.run(sources, o.Unfinished)
	if incomplete, ok := errors.AsType[*Incomplete](err); ok {
		if first := sources[0]; len(incomplete.Missing) == incomplete.Total && first.trouble != nil {
			return nil, first.trouble
		}
		incomplete.again = askAgain(&Run{Path: strings.Join(paths, ",")})
	}
	if err != nil {
		return nil, err
	}
	if len(paths) == 1 {
		run.Path = paths[0]
	}
	run.Notes, run.Receipt = slices.Concat(run.Notes, notes, b.notes), receipt
	return run, nil
}
