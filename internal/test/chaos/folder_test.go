package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/record"
)

// resultFiles are the files that hold answers.
func resultFiles(dir string) (paths []string) {
	_ = filepath.WalkDir(filepath.Join(dir, "result"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, "_result.json") {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// tear cuts the last line of a result file, as a crash of the machine may.
func (r *trialRun) tear() (torn int) {
	paths := resultFiles(r.Dir)
	if len(paths) == 0 {
		return 0
	}
	path := paths[r.random.IntN(len(paths))]
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return 0
	}
	line := data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]
	if err := os.Truncate(path, int64(len(data)-1-r.random.IntN(len(line)))); err != nil {
		r.problem("%v", err)
	}
	return 1
}

// jump changes the run folder as if the run's processes had had another clock:
// the run began, and its files were written, years before or after now.
func (r *trialRun) jump() {
	run, err := record.ReadRun(r.Dir)
	if err != nil {
		return // it was stopped before the run began
	}
	off := time.Duration(r.random.IntN(2000)-1000) * 24 * time.Hour
	run.Started = run.Started.Add(off)
	if !run.Ended.IsZero() {
		run.Ended = run.Ended.Add(off)
	}
	if err := record.WriteRun(r.Dir, run); err != nil {
		r.problem("%v", err)
	}
	then := time.Now().Add(off)
	_ = filepath.WalkDir(r.Dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = os.Chtimes(path, then, then)
		}
		return err
	})
	r.report.Stops["clock jumped"]++
}

// recordProblems reads result files like any reader of JSON lines: every line
// must be whole, and no case may be recorded twice.
func recordProblems(dir string) (problems []string) {
	for _, path := range resultFiles(dir) {
		data, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		seen := map[string]bool{}
		for n, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
			var row struct{ ID string }
			if err := json.Unmarshal(line, &row); err != nil || row.ID == "" {
				problems = append(problems, fmt.Sprintf("%s:%d: not a line of a result file: %v", path, n+1, err))
			}
			if seen[row.ID] {
				problems = append(problems, fmt.Sprintf("%s:%d: %s is recorded twice", path, n+1, row.ID))
			}
			seen[row.ID] = true
		}
	}
	return problems
}
