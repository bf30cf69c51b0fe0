package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
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
		if option.IsMisuse(err) {
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

// ServedNote says, for the user, that several models answered a run, or another
// model than the one asked for, going by the names that the server gave; "" if
// neither did. A version of the model that was asked for is not another model.
func (r *Run) ServedNote() string {
	names, asked := r.Served, r.Parameters["id"]
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = say.Plain(name, 100)
	}
	list := strings.Join(shown, ", ")
	askedFor := ""
	if asked != "" { // run.json may not say
		askedFor = fmt.Sprintf("; %s was asked for", say.Plain(asked, 100))
	}
	switch {
	case slices.ContainsFunc(names, func(a string) bool {
		return slices.ContainsFunc(names, func(b string) bool { return !sameModel(a, b) })
	}):
		return fmt.Sprintf("The server answered as several models: %s%s. The answers may not be those of one model.", list, askedFor)
	case asked != "" && !slices.ContainsFunc(names, func(name string) bool { return sameModel(asked, name) }):
		return fmt.Sprintf("The server answered as %s%s.", list, askedFor)
	}
	return ""
}

// version matches what follows a model's name in the name of one of its
// versions: a date, a number as long as a date, or the word for the newest.
var version = pattern.Of(`^[-:](latest|(preview-)?([0-9]{3,8}|[0-9]{2}-[0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2})(-preview)?)$`)

// sameModel reports whether two names are names of one model, or one names a
// version of the other. Routers put the maker before the name.
func sameModel(a, b string) bool {
	a, b = bare(a), bare(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(b, a)
	return ok && (rest == "" || version().MatchString(rest))
}

// bare returns a model's name without its maker and the word for the newest
// version. Some put an @ before a version where others put a hyphen.
func bare(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name[strings.LastIndex(name, "/")+1:]), "@", "-")
	for _, newest := range []string{"-latest", ":latest"} {
		name = strings.TrimSuffix(name, newest)
	}
	return name
}
