package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
)

// An attempt is one trial of a case, counted from 0.
type attempt struct {
	id    string
	trial int
}

// Failures says what kept cases of a run from being answered. A case may have
// been answered later.
type Failures map[attempt]Failure

// Get returns why a trial of a case has no answer; ok is false if no error is
// recorded.
func (f Failures) Get(id string, trial int) (failure Failure, ok bool) {
	failure, ok = f[attempt{id, trial}]
	return failure, ok
}

// Err returns the recorded error.
func (f Failure) Err() error {
	return &eval.InfraError{Kind: f.Kind, Err: errors.New(strings.TrimPrefix(f.Error, f.Kind+": "))}
}

// longestFailure is the longest line of errors.jsonl, in bytes.
const longestFailure = 16 << 20

// ReadFailures reads the errors recorded in a run folder. If a trial of a case
// has several, the last counts. A last line torn by a kill is left out.
func ReadFailures(dir string) (Failures, error) {
	out := Failures{}
	path := filepath.Join(dir, errorFile)
	file, err := plainfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	in.Buffer(nil, longestFailure)
	var torn error
	for n := 1; in.Scan(); n++ {
		if torn != nil {
			return nil, torn
		}
		var f Failure
		if err := json.Unmarshal(in.Bytes(), &f); err != nil {
			torn = fmt.Errorf("%s:%d: %w", path, n, err)
			continue
		}
		f.Times = out[attempt{f.ID, f.Trial}].Times + 1
		out[attempt{f.ID, f.Trial}] = f
	}
	return out, in.Err()
}
