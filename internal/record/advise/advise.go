// Package advise says what to do next. A proposed command is a value that knows
// the run it is for: how the run is named, how it was read, and what its model
// needed. A command that the run does not allow is not proposed.
package advise

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Kind is the form that a run was read from.
type Kind int

const (
	// Folder is a run folder, with answers and run.json.
	Folder Kind = iota
	// Shards are several run folders that are one run.
	Shards
	// JUnit is a JUnit file without a run folder: it has verdicts and no answers.
	JUnit
	// Upstream is a result folder of upstream's: it has answers, and states no
	// settings.
	Upstream
)

// A Run is a run as commands name it.
type Run struct {
	Kind Kind
	// Path is the path by which the user named the run.
	Path string
	// Stated is the content of run.json; nil without one.
	Stated *record.Run
	// Partial says that a folder of upstream's lacks cases.
	Partial bool
	// Dataset and Data are the flags --dataset and --data with which the run was
	// read; "" if they were not given.
	Dataset, Data string
}

// GoRun starts the command in a checkout in which it is not installed.
const GoRun = "go run ./cmd/bfcl"

// Program is what starts the command.
var Program = "bfcl"

// Named returns a text in which commands between backquotes begin with Program.
func Named(text string) string { return strings.ReplaceAll(text, "`bfcl ", "`"+Program+" ") }

// A Command is a proposed command.
type Command struct {
	// Words are the arguments of the program.
	Words []string
	// Why says how the command helps the reader; may be empty.
	Why string
}

// String returns the command as a line for a shell. The line is safe to paste
// and to print.
func (c Command) String() string {
	words := []string{Program}
	for _, word := range c.Words {
		words = append(words, say.ShellWord(word))
	}
	return strings.Join(words, " ")
}

// reading returns the flags with which the run is read again.
func (r Run) reading() (flags []string) {
	for _, given := range []struct{ name, value string }{{"--dataset", r.Dataset}, {"--data", r.Data}} {
		if given.value != "" {
			flags = append(flags, given.name, given.value)
		}
	}
	return flags
}

// whole returns these flags for commands that want every case of a run.
func (r Run) whole() []string {
	if r.Partial {
		return append(r.reading(), "--partial")
	}
	return r.reading()
}

// Show proposes a command that reads the run, such as failures or report.
func (r Run) Show(verb string, flags ...string) Command {
	words := []string{verb}
	if r.Path != "" { // of a run in memory, or of shards
		words = append(words, r.Path)
	}
	return Command{Words: slices.Concat(words, flags, r.whole())}
}

// Compare proposes the comparison of this run with a later one.
func (r Run) Compare(later string) Command {
	return Command{Words: slices.Concat([]string{"compare", r.Path, later}, r.whole())}
}

// Gate proposes the decision whether this run may replace an earlier one, by the
// rules in gate.yaml.
func (r Run) Gate(earlier string, flags ...string) Command {
	return Command{Words: slices.Concat([]string{"gate", "--config", "gate.yaml", r.Path, "--baseline", earlier}, flags, r.whole())}
}

// Rules proposes the command that prints such rules. A JUnit file does not say
// where the run's dataset is.
func (r Run) Rules() (Command, bool) {
	flags := r.reading()
	if r.Kind != Upstream {
		if r.Stated == nil {
			return Command{}, false
		}
		for _, flag := range r.Stated.Flags {
			if name := nameOf(flag); name == "dataset" || name == "data" {
				flags = append(flags, "-"+flag)
			}
		}
	}
	return Command{Words: slices.Concat([]string{"gate", "--init"}, flags)}, true
}

// Explain proposes the command that shows why a case did not pass: the whole of a
// conversation or of an upstream answer, else the judgement. A JUnit file has no
// answers to show, and of shards nobody knows which has the case.
func (r Run) Explain(id string, conversation bool) (Command, bool) {
	switch {
	case r.Kind == JUnit || r.Kind == Shards: // judge and trace take one folder
		return Command{}, false
	case r.Kind == Upstream || conversation:
		return Command{Words: slices.Concat([]string{"trace", r.Path, id}, r.reading())}, true
	}
	return Command{Words: slices.Concat([]string{"judge", "--id", id, "--run", r.Path}, r.reading())}, true
}

// Resume proposes the command that asks the cases that have no answer. Only a
// run folder states the settings to go on with.
func (r Run) Resume() (Command, bool) {
	if r.Kind != Folder || r.Stated == nil {
		return Command{}, false
	}
	words := []string{"run", "-resume", "-run-dir=" + FolderOf(r.Path)}
	if model := r.Stated.Model; strings.HasPrefix(model, "command:") || strings.HasPrefix(model, "agent:") {
		words = append(words, "-model="+model) // no file starts a program unseen
	}
	return Command{Words: append(words, r.headers()...)}, true
}

// Doctor proposes the command that asks the run's server, where the run asked
// one.
func (r Run) Doctor() (Command, bool) {
	if r.Kind != Folder || r.Stated == nil || r.Stated.Parameters["base_url"] == "" {
		return Command{}, false
	}
	asking := slices.DeleteFunc(slices.Clone(r.Stated.Flags), func(flag string) bool { return !slices.Contains(asking, nameOf(flag)) })
	return Command{Words: slices.Concat([]string{"doctor"}, asking, r.headers())}, true
}

// Again proposes a new run of the same cases with other flags, which replace
// those of the same name.
func (r Run) Again(flags ...string) (Command, bool) {
	if r.Kind != Folder || r.Stated == nil {
		return Command{}, false
	}
	kept := slices.DeleteFunc(slices.Clone(r.Stated.Flags), func(old string) bool {
		return slices.ContainsFunc(flags, func(flag string) bool { return nameOf(old) == nameOf(flag) })
	})
	return Command{Words: slices.Concat([]string{"run"}, kept, flags, r.headers())}, true
}

// asking are the flags that decide how a model is asked.
var asking = []string{
	"model", "models", "base-url", "api-version", "mode", "read", "dialect", "chat-template", "underscore-to-dot",
	"temperature", "max-tokens", "reasoning-effort", "stream", "dataset", "data", "categories",
}

// headers returns the headers that flags gave, without their values, which may be
// keys: the reader puts them into the environment. The headers of a catalogue's
// model come from the catalogue again.
func (r Run) headers() (flags []string) {
	if !strings.Contains(r.Stated.Model, ":") {
		return nil
	}
	for name := range strings.SplitSeq(r.Stated.Parameters["headers"], ", ") {
		if name, _, _ = strings.Cut(name, "="); name != "" {
			flags = append(flags, "-header="+name+": ${"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"}")
		}
	}
	return flags
}

func nameOf(flag string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return name
}

// FolderOf returns the run folder that a path names, be it the folder or a file
// in it.
func FolderOf(path string) string {
	if filepath.Ext(path) == ".xml" {
		return filepath.Dir(path)
	}
	return path
}
