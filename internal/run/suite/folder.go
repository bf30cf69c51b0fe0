package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/shard"
)

// RunDir returns the run folder for commands that need one: -run-dir, or
// results/<model> below the root, for the oracle too. Each shard has a folder
// of its own in it.
func RunDir(o Options) string {
	if o.RunDir != "" {
		return o.RunDir
	}
	dir := filepath.Join(o.Root, "results", FolderName(o.Model))
	if part, err := shard.Parse(o.Shard); err == nil && !part.Whole() {
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

// openDir claims the run folder, so that no other run writes there. An older
// run in it is moved aside, or continued.
func (s *Suite) openDir() error {
	if s.Dir == "" {
		return nil
	}
	claim, err := record.ClaimFolder(s.Dir)
	if err != nil {
		return err
	}
	s.closes(claim)
	if !s.options.Resume {
		note, err := MakeRoom(s.Dir)
		if err != nil {
			return err
		}
		s.note(note)
	}
	writer, err := record.NewWriter(s.Dir)
	if err != nil {
		return err
	}
	s.Engine.Writer = writer
	s.closes(writer)
	if err := claim.Write(); err != nil {
		return err
	}
	for _, note := range claim.Notes {
		s.note(note)
	}
	if s.options.Resume {
		if err := s.resume(); err != nil {
			return err
		}
	}
	return record.WriteRun(s.Dir, s.Run)
}

// resume reads what the run to be continued has recorded. The plan has checked
// that it can be continued, but another run may have used the folder since.
func (s *Suite) resume() error {
	have, err := s.resumable()
	if err != nil {
		return err
	}
	if have != nil {
		s.Run.Started = have.Started
		s.Run.Served = have.Served
		s.served.hear(have.Served...)
	}
	if s.Engine.Recorded, err = record.ReadAnswers(s.Dir, s.recorded(), s.options.Trials); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
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
		return nil, p.unstated()
	}
	note, err := record.Resumable(have, p.Run)
	if err != nil {
		return nil, &Refusal{err}
	}
	p.note(note)
	return have, nil
}

// unstated refuses a folder that has answers but no run.json.
func (p *Plan) unstated() error {
	for _, cat := range p.recorded() {
		if path := record.ResultFile(p.Dir, cat, 0); exists(path) {
			return &Refusal{fmt.Errorf("%s holds answers but no run.json, so it is not known which model gave them: put its run.json back, or choose another -run-dir", p.Dir)}
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
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
	if s.Dir == "" {
		return nil
	}
	s.Run.Ended, s.Run.Interrupted, s.Run.Halted = time.Now().UTC(), interrupted, ""
	if cause := s.Engine.Halted(); cause != nil {
		s.Run.Halted = cause.Error()
	}
	s.Run.Served = s.served.all()
	if learned := s.learned(); learned != "" {
		s.Run.Learned = learned
	}
	return record.WriteRun(s.Dir, s.Run)
}

// note adds a remark for the user, once.
func (p *Plan) note(text string) {
	if text != "" && !slices.Contains(p.Notes, text) {
		p.Notes = append(p.Notes, text)
	}
}
