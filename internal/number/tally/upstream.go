package tally

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// readUpstream judges an upstream result folder. Its inference errors are
// errors here, as in a replay.
func readUpstream(dir string, o Options) ([]*Run, error) {
	folders, err := record.FindAll(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is not a run: it holds no %s, run.json, shards or result files", strconv.Quote(dir), JUnitFile)
	}
	dataset, err := o.open(releaseOf(folders, o.Dataset), o.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	executor, err := ExecutorFor(dataset, o.Replay)
	if err != nil {
		return nil, err
	}
	runs, notes, err := Folders{Dataset: dataset, ResultDir: dir, Partial: o.Partial || o.Unfinished, Executor: executor, ours: true, keep: o.Answers, cases: o.loaded[dataset]}.Read()
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		run.DataDir, run.Notes = o.Data, notes
	}
	if len(runs) == 1 {
		runs[0].Path = dir
	}
	return runs, nil
}

// releaseOf returns the name of the dataset that a result folder's answers are
// for, unless it is given.
func releaseOf(folders []*record.Folder, given string) string {
	if given != "" {
		return given
	}
	for _, path := range folders[0].Files {
		if record.Positional(filepath.Base(path)) {
			return score.V1.Name
		}
	}
	return score.V4.Name
}

// ExecutorFor carries out calls with recorded answers of the APIs: those of the
// files, or the dataset's own. It returns nil if there are none.
func ExecutorFor(dataset *fixtures.Dataset, files []string) (eval.Executor, error) {
	own, _, err := dataset.Replay()
	if err != nil || own == "" && len(files) == 0 {
		return nil, err
	}
	env, _, err := suite.Environment(dataset, suite.Replay, files)
	if err != nil {
		return nil, err
	}
	return suite.New(context.Background(), dataset, env), nil
}
