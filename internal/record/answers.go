package record

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Run reads the run.json beside a folder's result files; nil if the folder
// is not a run of ours.
func (f *Folder) Run() (*Run, error) {
	for _, dir := range []string{f.Dir, filepath.Dir(f.Dir)} {
		run, err := ReadRun(dir)
		if !errors.Is(err, os.ErrNotExist) {
			return run, err
		}
	}
	return nil, nil
}

// Answers reads all of a folder's files and, for a run of ours, those of all
// its trials.
func (f *Folder) Answers() (Answers, error) {
	files := []map[string]string{f.Files}
	for trial := 1; ; trial++ {
		folder, err := Find(trialDir(filepath.Dir(f.Dir), trial))
		if misuse.Is(err) {
			break // there is no such trial, or it has no answers
		}
		if err != nil {
			return nil, err
		}
		files = append(files, folder.Files)
	}
	out := make(Answers, len(files))
	for trial := range files {
		rows, err := readAll(files[trial])
		if err != nil {
			return nil, err
		}
		out[trial] = rows
	}
	return out, nil
}

func readAll(files map[string]string) (map[string]Row, error) {
	paths := slices.Sorted(maps.Values(files))
	rows, errs := make([][]Row, len(paths)), make([]error, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() { rows[i], errs[i] = Read(path, true) })
	}
	wg.Wait()
	out := map[string]Row{}
	for _, row := range slices.Concat(rows...) { // of an id in two files the last
		out[row.ID] = row
	}
	return out, errors.Join(errs...)
}

// Mode returns how the answers carry their calls: in function-calling mode if
// any answer is a list of calls, in prompt mode if all are texts.
func (a Answers) Mode() eval.Mode {
	for _, trial := range a {
		for _, row := range trial {
			if InFields(row.Result) {
				return eval.FC
			}
		}
	}
	return eval.Prompt
}

// InFields reports whether a result, or a step of a conversation's turns, is a
// list of calls.
func InFields(result pyval.Value) bool {
	list, ok := result.(*pyval.List)
	if !ok {
		return false
	}
	for _, item := range list.Items {
		turn, ok := item.(*pyval.List)
		if !ok {
			return true
		}
		for _, step := range turn.Items {
			if step.Kind() == pyval.KindList {
				return true
			}
		}
	}
	return len(list.Items) == 0
}
