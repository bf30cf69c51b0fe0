package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/plainfile"
)

// RunFile is the name of the file that states a run's model and settings.
const RunFile = "run.json"

// maxRun is the largest size of run.json, in bytes: it names each selected case.
const maxRun = 64 << 20

// A Run is the content of run.json: a run's cases, model and settings.
type Run struct {
	// ID is random, made once a folder and kept when the run is continued, and in
	// each line. A merged run has those of its shards, see JoinIDs; "" if an older
	// version made the run.
	ID string `json:"run,omitempty"`
	// Job is the name that a shard shares with the others: the value of -job, or the id of
	// the pipeline that runs them; "" if neither is known.
	Job             string    `json:"job,omitempty"`
	Model           string    `json:"model"`
	Mode            eval.Mode `json:"mode"`
	UnderscoreToDot bool      `json:"underscore_to_dot"`
	// Dialect is how the model writes calls; "" if Mode says it.
	Dialect string `json:"dialect,omitempty"`
	// Parameters are how the model was asked: address, temperature and so
	// on. No key is among them.
	Parameters map[string]string `json:"parameters,omitempty"`
	// Flags are the flags that the run was started with, without those that name
	// the folder or continue it, and without headers.
	Flags []string `json:"flags,omitempty"`
	// Prices are the model's prices when the run was begun; nil if none were
	// known. They are those of answers that do not state what they cost.
	Prices *Prices `json:"prices,omitempty"`
	// Wording is the digest of the texts of prompts and tool schemas; "" if the
	// model is given none.
	Wording string `json:"wording,omitempty"`
	Dataset string `json:"dataset"`
	// DatasetDir is the absolute path of a Dataset that is a folder named
	// relative to the working directory of the run; "" for others.
	DatasetDir string `json:"dataset_dir,omitempty"`
	// DataDir is the folder that -data named, in which the dataset lay.
	DataDir string `json:"data_dir,omitempty"`
	Digest  string `json:"digest"`
	// Data says whose cases the dataset holds.
	Data       eval.Origin `json:"data,omitzero"`
	Categories []string    `json:"categories"`
	// Skipped are the categories that were left out because their APIs need
	// keys, with the environment variables that were not set.
	Skipped map[string][]string `json:"skipped,omitempty"`
	// IDs is the selection of cases; nil when all cases were asked.
	IDs []string `json:"ids,omitempty"`
	// Sample says how the IDs were chosen; nil if the user chose them.
	Sample *Sample `json:"sample,omitempty"`
	// Shard is the part of the selection that was asked; "" for all of it.
	Shard       string    `json:"shard,omitempty"`
	Trials      int       `json:"trials"`
	Concurrency int       `json:"concurrency"`
	Version     string    `json:"version"`
	Go          string    `json:"go"`
	Started     time.Time `json:"started"`
	// Ended is zero while the run is in progress, and after a kill.
	Ended time.Time `json:"ended,omitzero"`
	// Idle is when the run was continued last, if nothing was left to ask then: its
	// answers were there at Ended.
	Idle time.Time `json:"asked_nothing,omitzero"`
	// Interrupted reports whether the run was stopped before its last case.
	Interrupted bool `json:"interrupted,omitempty"`
	// Served are the models that answered, as the server names them, in order;
	// nil if it names none. Runs that differ only in this are still the same
	// run.
	Served []string `json:"served,omitempty"`
	// Proxy is the host of the proxy that carried requests; "" if none did.
	Proxy string `json:"proxy,omitempty"`
	// Server is the model's server as it described itself: its kind, version,
	// context and template; "" if it told nothing or was not asked.
	Server string `json:"server,omitempty"`
	// Learned is what the server's refusals taught about requests to it, such
	// as that it does not accept reasoning in them.
	Learned string `json:"learned,omitempty"`
	// Halted is why the run stopped by itself, such as a refused key or a spent
	// budget.
	Halted string `json:"halted,omitempty"`
}

// A Sample is a choice of cases made with a seed.
type Sample struct {
	// Spec is the value of -sample, and Seed that of -seed.
	Spec string `json:"spec"`
	Seed uint64 `json:"seed"`
	// Of is the number of cases that the sample was taken from.
	Of int `json:"of"`
}

// Prices are in dollars per million tokens.
type Prices struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	// Priced is the day the prices were looked up.
	Priced string `json:"priced,omitempty"`
}

// DatasetPath returns the name to open the run's dataset by: the folder it lay
// in if that still exists, else its name.
func (r *Run) DatasetPath() string {
	if r.DatasetDir != "" {
		if info, err := os.Stat(r.DatasetDir); err == nil && info.IsDir() {
			return r.DatasetDir
		}
	}
	return r.Dataset
}

// Settings returns the settings the answers are to be judged with.
func (r *Run) Settings() eval.Settings {
	return eval.Settings{Mode: r.Mode, UnderscoreToDot: r.UnderscoreToDot, Dialect: r.Dialect}
}

// SetSettings sets how the answers are read.
func (r *Run) SetSettings(s eval.Settings) {
	r.Mode, r.UnderscoreToDot, r.Dialect = s.Mode, s.UnderscoreToDot, s.Dialect
}

// WriteRun writes run.json, whole or not at all.
func WriteRun(dir string, r *Run) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, RunFile), append(data, '\n'))
}

// WriteFile replaces a file with a text, whole or not at all.
func WriteFile(path string, text []byte) error {
	return WriteFileWith(path, func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// ReplaceFile writes a file as WriteFile does, if no other process writes it:
// it also removes the unfinished files of killed processes.
func ReplaceFile(path string, text []byte) error {
	entries, _ := os.ReadDir(filepath.Dir(path)) // none if there is no folder yet
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), unfinished(path)) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	return WriteFile(path, text)
}

// unfinished returns how the names of files begin that are written to replace a file.
func unfinished(path string) string { return "." + filepath.Base(path) + "." }

// WriteFileWith writes a file as WriteFile does, with the text that a function
// writes.
func WriteFileWith(path string, write func(to io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), unfinished(path)+"*")
	if err != nil {
		return err
	}
	err = write(temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// ReadRun reads run.json. The error is os.ErrNotExist if there is none.
func ReadRun(dir string) (*Run, error) {
	path := filepath.Join(dir, RunFile)
	data, err := plainfile.Read(path, maxRun)
	if err != nil {
		return nil, err
	}
	var r Run
	if err = json.Unmarshal(data, &r); err == nil {
		if _, err = eval.ParseMode(string(r.Mode)); r.Trials < 1 || r.Trials > option.MostTrials { // each is a folder to look into
			err = fmt.Errorf(`"trials" is %d, not 1 to %d`, r.Trials, option.MostTrials)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// Answers are the recorded answers of a run folder, by trial and case id.
type Answers []map[string]Row

// Get returns the recorded answer of a case in a trial, counted from 0.
func (a Answers) Get(id string, trial int) (Row, bool) {
	if trial >= len(a) {
		return Row{}, false
	}
	row, ok := a[trial][id]
	return row, ok
}

// ReadAnswers reads the answers of the given categories and number of trials in
// a run folder. A last line torn by a kill is left out.
func ReadAnswers(dir string, categories []*eval.Category, trials int) (Answers, error) {
	out := make(Answers, trials)
	for trial := range out {
		out[trial] = map[string]Row{}
		for _, cat := range categories {
			path := ResultFile(dir, cat, trial)
			rows, err := Read(path, true)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				out[trial][row.ID] = row
			}
		}
	}
	return out, nil
}
