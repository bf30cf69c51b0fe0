package suite

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
)

// RunDir returns the run folder for commands that need one: -run-dir, or
// results/<model> below the root, for the oracle too. Each shard has a folder
// of its own in it.
func RunDir(o Options) string {
	if o.RunDir != "" {
		return o.RunDir
	}
	dir := filepath.Join(o.Root, "results", FolderName(o.Model))
	if part, err := ParseShard(o.Shard); err == nil && !part.Whole() {
		dir = filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d", part.Index, part.Count))
	}
	return dir
}

// FolderName turns a model's name into a name that is safe for a folder.
func FolderName(model string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '_'
	}, model)
	const longest = 80
	safe = strings.Trim(safe, "._")
	return cmp.Or(safe[max(0, len(safe)-longest):], "model")
}

// A Folder is where a run is written, and what an earlier start of the run left
// there.
type Folder struct {
	// Dir is the run folder; "" if nothing is written.
	Dir string
	// Run is the content that run.json will have.
	Run *record.Run

	resume, chat bool
	job          string
	note         func(text string)

	// begun reports whether the run continues one, unsure whether that was cut
	// short before it was known whether its server cuts prompts, and idle whether
	// it has nothing left to ask.
	begun, unsure, idle bool

	mu      sync.Mutex // guards the run's names of models and proxy once it is open
	open    bool       // for writing
	closers closers
}

// take claims the folder, so that no other run writes there, and opens its files
// for an engine that asks the selected cases. An older run in it is moved aside; if
// it is to be continued, its answers are read. looks was sent before.
func (f *Folder) take(s *Selection, e *engine.Engine, looks []record.Sent) error {
	if f.Dir == "" {
		return nil
	}
	claim, err := record.ClaimFolder(f.Dir)
	if err != nil {
		return err
	}
	f.closers = append(f.closers, claim.Release)
	if f.resume {
		e.Recorded, err = f.recall(s)
		e.Unsure = f.unsure
	} else {
		var note string
		note, err = MakeRoom(f.Dir)
		f.note(note)
	}
	if err != nil {
		return err
	}
	if e.Writer, err = record.NewWriter(f.Dir, f.Run); err != nil {
		return err
	}
	f.closers.add(e.Writer)
	if err := claim.Write(); err != nil {
		return err
	}
	for _, note := range claim.Notes {
		f.note(note)
	}
	f.open = true
	slices.Sort(f.Run.Served)
	if err := record.WriteRun(f.Dir, f.Run); err != nil {
		return err
	}
	if f.idle && len(looks) == 0 || !f.chat { // an idle run asks nothing, but may have looked
		return nil
	}
	if e.Ledger, err = record.OpenLedger(f.Dir, f.begun); err == nil {
		f.closers.add(e.Ledger)
		e.Looked(looks)
	}
	return err
}

// recall reads what the run to be continued has recorded. The plan has done so
// before, but another run may have used the folder since. A named model may begin
// in a new folder, so that one command starts and restarts a job.
func (f *Folder) recall(s *Selection) (record.Answers, error) {
	have, err := readRun(f.Dir)
	if err == nil && have != nil {
		var note string
		note, err = record.Resumable(have, f.Run)
		f.note(note)
	}
	run := f.Run
	switch {
	case err != nil:
		return nil, &Refusal{err}
	case have == nil:
		if err := unstated(f.Dir, run.Model); err != nil {
			return nil, err
		}
	default:
		run.Started, run.Served, run.Proxy = have.Started, have.Served, have.Proxy
		run.Server, run.Learned = have.Server, have.Learned
		f.unsure = have.Server == "" && (have.Ended.IsZero() || have.Interrupted)
		run.ID, run.Job = have.ID, cmp.Or(f.job, have.Job)
		f.begun, run.Prices = true, have.Prices
		f.note(have.WithoutID())
	}
	recorded, err := record.ReadAnswers(f.Dir, s.recorded(), s.Trials)
	if err == nil {
		f.note(recorded.Unmarked())
		err = record.Astray(f.Dir, s.recorded(), s.wanted(), recorded)
	}
	if err != nil {
		return nil, &Refusal{fmt.Errorf("resume: %w", err)}
	}
	if have != nil {
		asked, left := 0, 0
		s.each(func(_ *eval.Category, c *eval.Case, trial int) {
			if _, ok := recorded.Get(c.ID, trial); !ok {
				left++
			}
			asked++
		})
		if asked > 0 && left == 0 {
			f.idle, run.Ended = true, have.Ended
		}
	}
	return recorded, nil
}

// mostServed is how many names a run keeps of a server that makes one up for each reply.
const mostServed = 20

// hear notes a model that answers, and the proxy that carries a request; "" is
// none. A new one is written at once, so that a kill does not lose it. An error can
// be ignored: answers cannot be written then either, which ends the run.
func (f *Folder) hear(name, proxy string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, known := slices.BinarySearch(f.Run.Served, name)
	more := name != "" && !known && len(f.Run.Served) < mostServed
	if more {
		f.Run.Served = slices.Insert(f.Run.Served, at, name)
	}
	if proxy != "" && proxy != f.Run.Proxy {
		f.Run.Proxy, more = proxy, true
	}
	if more && f.open {
		_ = record.WriteRun(f.Dir, f.Run)
	}
}

// servedNote says that other models answered than the one asked for; "" if none did.
func (f *Folder) servedNote() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Run.ServedNote()
}

// end records the end of the run. halted is why it stopped by itself, learned what
// the adapter learned about its server, and server what that says of itself.
func (f *Folder) end(interrupted bool, halted error, learned, server string) error {
	if f.Dir == "" {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	run, now := f.Run, time.Now().UTC()
	run.Interrupted, run.Halted = interrupted, ""
	if f.idle {
		run.Idle = now
	}
	if !f.idle || run.Ended.IsZero() {
		run.Ended = now
	}
	if halted != nil {
		run.Halted = halted.Error()
	}
	run.Learned, run.Server = cmp.Or(learned, run.Learned), cmp.Or(server, run.Server)
	return record.WriteRun(f.Dir, run)
}

// A Refusal says why a run must not start although its options are valid, such
// as that the run folder holds another run.
type Refusal struct{ error }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.error }

// unstated refuses a folder without run.json: if it has answers, nobody knows
// which model gave them, and if it has none, no model is known.
func unstated(dir, model string) error {
	held, err := record.FindAll(dir)
	switch {
	case err == nil && len(held) > 0:
		return &Refusal{option.Misuse("nothing to resume in %s: it has no run.json, which says which model gave its answers; put that back, or choose another -run-dir", dir)}
	case model == "":
		return &Refusal{option.Misuse("nothing to resume in %s: it has no run.json, which names the model; name the folder of a run with -run-dir, or the model with -model", dir)}
	}
	return nil
}

// readRun returns the run that a folder holds; nil if there is none.
func readRun(dir string) (*record.Run, error) {
	have, err := record.ReadRun(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("run folder: %w (remove it, or choose another -run-dir)", err)
	}
	return have, nil
}

// MakeRoom moves a run in the folder aside and returns a note that says so; ""
// if there was none. A folder never mixes two runs unless -resume asks for it,
// and nothing is overwritten.
func MakeRoom(dir string) (note string, err error) {
	have, err := readRun(dir)
	if have == nil {
		return "", err
	}
	began := have.Started.Format("20060102-150405")
	aside := dir + "." + began
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.%s-%d", dir, began, n)
	}
	if err := os.Rename(dir, aside); err != nil {
		return "", fmt.Errorf("run folder: %w", err)
	}
	return fmt.Sprintf("an earlier run was there; it is now %s (use -resume to continue a run)", aside), nil
}

// ofTheMoment are flags about one start of a run, and headers, which may hold keys.
var ofTheMoment = []string{"run-dir", "resume", "header", "job"}

// Recall sets the flags that the run.json of the options' run folder states and
// the user does not give, and says which. Without run.json, or for another model
// than its, there are none: making the plan then says what is wrong.
func Recall(o Options, given func(name string) bool, set func(name, value string) error) (note string, err error) {
	if o.RunDir == "" && o.Model == "" {
		return "", nil
	}
	run, err := record.ReadRun(RunDir(o))
	if err != nil || given("model") && o.Model != run.Model {
		return "", nil
	}
	for _, arg := range run.Flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if given(name) || slices.Contains(ofTheMoment, name) {
			continue
		}
		if name == "model" && (strings.HasPrefix(value, "command:") || strings.HasPrefix(value, "agent:")) {
			return "", option.Misuse("run.json says that the model is the program %s: name it again with -model, so that no file starts a program unseen", say.Quote(value, 200))
		}
		if err := set(name, value); err != nil {
			return "", option.Misuse("run.json: -%s: %w", say.Plain(name, 80), err)
		}
		note += " " + say.ShellWord(arg)
	}
	if note != "" {
		note = "continued with" + note
	}
	return note, nil
}
