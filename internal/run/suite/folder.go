package suite

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/record"
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

// openFolder claims the run folder, so that no other run writes there, and opens
// its files. An older run in it is moved aside; if it is to be continued, its
// answers are read.
func (s *Suite) openFolder() (err error) {
	p, e := s.Plan, s.Engine
	if p.Dir == "" {
		return nil
	}
	claim, err := record.ClaimFolder(p.Dir)
	if err != nil {
		return err
	}
	s.closers.add(claim)
	if p.options.Resume {
		e.Recorded, err = p.resume()
		e.Unsure = p.unsure
	} else {
		var note string
		note, err = MakeRoom(p.Dir)
		p.note(note)
	}
	if err != nil {
		return err
	}
	if e.Writer, err = record.NewWriter(p.Dir, p.Run); err != nil {
		return err
	}
	s.closers.add(e.Writer)
	if err := claim.Write(); err != nil {
		return err
	}
	for _, note := range claim.Notes {
		p.note(note)
	}
	// A new name is written at once, so that a kill does not lose it. An error can be
	// ignored: answers cannot be written then either, which ends the run.
	s.served.names, s.served.proxy = slices.Sorted(slices.Values(p.Run.Served)), p.Run.Proxy
	s.served.fresh = func(names []string, proxy string) {
		run := *p.Run
		run.Served, run.Proxy = names, proxy
		_ = record.WriteRun(p.Dir, &run)
	}
	if err := record.WriteRun(p.Dir, p.Run); err != nil {
		return err
	}
	looks := p.Looked.Looks()
	switch {
	case p.idle && len(looks) == 0 || !p.Model.Kind.Chat: // an idle run asks nothing, but may have looked
		return nil
	case p.options.NoLedger:
		return record.SkipLedger(p.Dir)
	}
	if e.Ledger, err = record.OpenLedger(p.Dir, p.begun); err == nil {
		s.closers.add(e.Ledger)
		e.Looked(looks)
	}
	return err
}

// resume reads what the run to be continued has recorded. The plan has done so
// before, but another run may have used the folder since. A named model may begin
// in a new folder, so that one command starts and restarts a job.
func (p *Plan) resume() (record.Answers, error) {
	have, err := readRun(p.Dir)
	if err == nil && have != nil {
		var note string
		note, err = record.Resumable(have, p.Run)
		p.note(note)
	}
	switch {
	case err != nil:
		return nil, &Refusal{err}
	case have == nil:
		if err := unstated(p.Dir, p.options.Model); err != nil {
			return nil, err
		}
	default:
		p.Run.Started, p.Run.Served, p.Run.Proxy = have.Started, have.Served, have.Proxy
		p.Run.Server, p.Run.Learned = have.Server, have.Learned
		p.unsure = have.Server == "" && (have.Ended.IsZero() || have.Interrupted)
		p.Run.ID, p.Run.Job = have.ID, cmp.Or(p.options.Job, have.Job)
		p.begun, p.Run.Prices = true, have.Prices
		p.note(have.WithoutID())
	}
	recorded, err := record.ReadAnswers(p.Dir, p.recorded(), p.options.Trials)
	if err == nil {
		p.note(recorded.Unmarked())
		err = record.Astray(p.Dir, p.recorded(), p.wanted(), recorded)
	}
	if err != nil {
		return nil, &Refusal{fmt.Errorf("resume: %w", err)}
	}
	if have != nil && p.answered(recorded) {
		p.idle, p.Run.Ended = true, have.Ended
	}
	return recorded, nil
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
		return &Refusal{misuse.Errorf("nothing to resume in %s: it has no run.json, which says which model gave its answers; put that back, or choose another -run-dir", dir)}
	case model == "":
		return &Refusal{misuse.Errorf("nothing to resume in %s: it has no run.json, which names the model; name the folder of a run with -run-dir, or the model with -model", dir)}
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

// ofTheMoment are flags that are about one start of a run. Headers are not
// recorded, because they may hold keys.
var ofTheMoment = []string{"run-dir", "resume", "header", "job"}

// flagsOf are the options that run.json states, as arguments.
func flagsOf(o Options) []string {
	return slices.DeleteFunc(o.Args(), func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		return slices.Contains(ofTheMoment, name)
	})
}

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
			return "", misuse.Errorf("run.json says that the model is the program %s: name it again with -model, so that no file starts a program unseen", say.Quote(value, 200))
		}
		if err := set(name, value); err != nil {
			return "", misuse.Errorf("run.json: -%s: %w", say.Plain(name, 80), err)
		}
		note += " " + say.ShellWord(arg)
	}
	if note != "" {
		note = "continued with" + note
	}
	return note, nil
}
