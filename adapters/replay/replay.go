// Package replay answers with what a model answered before, recorded in a
// result folder of upstream's or in a run folder.
package replay

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

const (
	// Recorded is the kind of an error that upstream recorded instead of an answer.
	Recorded = "recorded_error"
	// Missing is the kind of an answer that is not recorded.
	Missing = "not_recorded"
)

// IsInferenceError reports whether a recorded result is upstream's note that
// the model could not be asked. Upstream's evaluator judges it as an answer.
func IsInferenceError(result pyval.Value) bool {
	text, ok := result.(pyval.Str)
	return ok && strings.HasPrefix(string(text), eval.InferenceError)
}

// An Adapter replays one model's recorded answers.
type Adapter struct {
	dir     string
	folder  *record.Folder
	mode    eval.Mode
	run     *record.Run // nil for folders of upstream's
	answers func() (record.Answers, error)
}

// New makes an adapter that replays the answers recorded below dir; see
// record.Find. The files are read at the first request.
func New(dir string) (*Adapter, error) {
	folder, err := record.Find(dir)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	a := &Adapter{dir: dir, folder: folder}
	if a.run, err = folder.Run(); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	a.answers = sync.OnceValues(folder.Answers)
	if a.run != nil {
		a.mode = a.run.Mode
		return a, nil
	}
	answers, err := a.answers()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	a.mode = answers.Mode()
	return a, nil
}

// Mode returns the mode the recorded model answered in.
func (a *Adapter) Mode() eval.Mode { return a.mode }

// Folder returns the folder that holds the answers.
func (a *Adapter) Folder() *record.Folder { return a.folder }

// AnswersWhole reports whether an answer holds all turns of a multi-turn case.
// It always does.
func (a *Adapter) AnswersWhole() bool { return true }

// Generate returns the recorded answer. A case without one, and one that
// upstream recorded as its own inference failure, is an error.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answers, err := a.answers()
	if err != nil {
		return nil, eval.Infra("replay", "%w", err)
	}
	row, ok := answers.Get(req.ID, req.Trial)
	if !ok {
		return nil, eval.Infra(Missing, "%w for case %q in %s: record it, or leave the case out with -ids or -categories", eval.ErrNoAnswer, req.ID, a.dir)
	}
	if IsInferenceError(row.Result) {
		return nil, eval.Infra(Recorded, "%s", pyval.Text(row.Result))
	}
	return new(row.Response()), nil
}
