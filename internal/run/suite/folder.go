package suite

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/record"
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

// runDir returns the folder that the run is written to: -run-dir, or
// results/<model>, or "" for an adapter whose answers are not worth recording.
func runDir(o Options, kind adapters.Kind) string {
	if o.RunDir != "" {
		return o.RunDir
	}
	if kind.Unwritten {
		return ""
	}
	return RunDir(o)
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
	if safe = strings.Trim(safe, "._"); len(safe) > longest {
		safe = safe[len(safe)-longest:]
	}
	if safe == "" {
		return "model"
	}
	return safe
}

// openFolder claims the run folder, so that no other run writes there. An older
// run in it is moved aside; if it is to be continued, its answers are returned.
func (p *Plan) openFolder(open *closers) (writer *record.Writer, recorded record.Answers, err error) {
	if p.Dir == "" {
		return nil, nil, nil
	}
	claim, err := record.ClaimFolder(p.Dir)
	if err != nil {
		return nil, nil, err
	}
	open.add(claim)
	if p.options.Resume {
		if recorded, err = p.resume(); err != nil {
			return nil, nil, err
		}
	} else {
		note, err := MakeRoom(p.Dir)
		if err != nil {
			return nil, nil, err
		}
		p.note(note)
	}
	if writer, err = record.NewWriter(p.Dir, p.Run); err != nil {
		return nil, nil, err
	}
	open.add(writer)
	if err := claim.Write(); err != nil {
		return nil, nil, err
	}
	for _, note := range claim.Notes {
		p.note(note)
	}
	return writer, recorded, record.WriteRun(p.Dir, p.Run)
}

// resume reads what the run to be continued has recorded. The plan has done so
// before, but another run may have used the folder since.
func (p *Plan) resume() (record.Answers, error) {
	have, err := p.resumable()
	if err != nil {
		return nil, err
	}
	if have != nil {
		p.Run.Started, p.Run.Served, p.Run.Proxy = have.Started, have.Served, have.Proxy
		p.Run.Server, p.Run.Learned = have.Server, have.Learned
		p.unsure = have.Server == "" && (have.Ended.IsZero() || have.Interrupted)
		p.Run.ID, p.Run.Job = have.ID, cmp.Or(p.options.Job, have.Job)
		p.begun, p.Run.Prices = true, have.Prices
		p.note(have.WithoutID())
	}
	recorded, err := record.ReadAnswers(p.Dir, p.recorded(), p.options.Trials)
	if err != nil {
		return nil, &Refusal{fmt.Errorf("resume: %w", err)}
	}
	p.note(recorded.Unmarked())
	if err := record.Astray(p.Dir, p.recorded(), p.wanted(), recorded); err != nil {
		return nil, &Refusal{fmt.Errorf("resume: %w", err)}
	}
	if have != nil && p.answered(recorded) {
		p.idle, p.Run.Ended = true, have.Ended
	}
	return recorded, nil
}

// answered reports whether every answer that the plan asks for is recorded.
func (p *Plan) answered(recorded record.Answers) bool {
	n := 0
	for _, part := range p.Asked {
		for _, c := range part.Cases {
			for _, trial := range p.TrialsOf(part.Category.Name, c.ID) {
				if _, ok := recorded.Get(c.ID, trial); !ok {
					return false
				}
				n++
			}
		}
	}
	return n > 0
}

// wanted returns the categories of the cases that the run records, by their ids.
func (p *Plan) wanted() map[string]*eval.Category {
	out := map[string]*eval.Category{}
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			out[c.ID] = part.Category
			for _, id := range c.Needs {
				out[id] = part.Category.Before()
			}
		}
	}
	return out
}

// A Refusal says why a run must not start although its options are valid, such
// as that the run folder holds another run.
type Refusal struct{ error }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.error }

// resumable returns the run in the folder that is to be continued; nil if there
// is none. The error is a *Refusal if it is a different run.
func (p *Plan) resumable() (*record.Run, error) {
	have, err := readRun(p.Dir)
	if err != nil {
		return nil, &Refusal{err}
	}
	if have == nil {
		return nil, unstated(p.Dir, p.options.Model)
	}
	note, err := record.Resumable(have, p.Run)
	if err != nil {
		return nil, &Refusal{err}
	}
	p.note(note)
	return have, nil
}

// unstated refuses a folder without run.json: if it has answers, nobody knows
// which model gave them, and if it has none, no model is known. A named model may
// begin in a new folder, so that one command starts and restarts a job.
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

// writeEnd records the end of the run.
func (s *Suite) writeEnd(interrupted bool) error {
	p := s.Plan
	if p.Dir == "" {
		return nil
	}
	now := time.Now().UTC()
	p.Run.Interrupted, p.Run.Halted = interrupted, ""
	if p.idle {
		p.Run.Idle = now
	}
	if !p.idle || p.Run.Ended.IsZero() {
		p.Run.Ended = now
	}
	if cause := s.Engine.Halted(); cause != nil {
		p.Run.Halted = cause.Error()
	}
	p.Run.Served, p.Run.Proxy = s.served.all()
	if learned := s.learned(); learned != "" {
		p.Run.Learned = learned
	}
	if a, ok := s.model.adapter.(interface{ Facts() server.Facts }); ok {
		p.Run.Server = cmp.Or(a.Facts().String(), p.Run.Server)
	}
	return record.WriteRun(p.Dir, p.Run)
}

// note adds a remark for the user, once.
func (p *Plan) note(text string) {
	if text != "" && !slices.Contains(p.Notes, text) {
		p.Notes = append(p.Notes, text)
	}
}
