package chaos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// An act is something that a user does, or that happens to the user's files,
// whose moment or place is drawn. Its error means that the test itself failed.
// Damage that needs no chance is tested in cmd/bfcl.
type act struct {
	name string
	do   func(r *courseRun) error
}

var acts = []act{
	{"a second process", (*courseRun).secondProcess},
	{"the folder is deleted midway", (*courseRun).deletedMidway},
	{"a file is missing", (*courseRun).missingFile},
	{"replies without usage", (*courseRun).noUsage},
	{"stopped midway", (*courseRun).stoppedMidway},
	{"another run's JUnit or run.json", (*courseRun).foreignFile},
	{"the folder is moved, and linked to", (*courseRun).movedFolder},
	{"an older version's run", (*courseRun).olderVersion},
	{"more trials at resume", (*courseRun).moreTrials},
	{"fewer cases at resume", (*courseRun).fewerCases},
}

// started is a command that runs until some requests have come.
type started struct {
	cmd       *exec.Cmd
	out, errs *bytes.Buffer
	ended     chan struct{}
	told      told
}

// begin starts the run and waits until it has sent that many more requests.
func (r *courseRun) begin(requests int, more ...string) *started {
	s := &started{ended: make(chan struct{})}
	s.cmd, s.out, s.errs = r.command(r.asking(more...)...)
	goal := r.server.Requests() + requests
	err := s.cmd.Start()
	go func() {
		defer close(s.ended)
		s.told = r.end(s.cmd, err, s.out, s.errs)
	}()
	for err == nil && r.server.Requests() < goal && !s.over() {
		time.Sleep(time.Millisecond)
	}
	return s
}

func (s *started) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *started) wait() told {
	<-s.ended
	return s.told
}

func (r *courseRun) some() int { return 5 + r.random.IntN(30) }

func (r *courseRun) secondProcess() error {
	r.server.be(false, 40*time.Millisecond)
	first := r.begin(r.some())
	var more []string
	if r.random.IntN(2) == 0 {
		more = []string{"-resume"}
	}
	second := r.tell(r.asking(more...)...)
	if !first.over() {
		r.must("the second process", second, "is being written by process")
	}
	r.number("the first process", first.wait(), wholeScore)
	r.probe()
	return nil
}

func (r *courseRun) deletedMidway() error {
	r.server.be(false, 20*time.Millisecond)
	run := r.begin(r.some())
	if r.random.IntN(2) == 0 {
		_ = os.RemoveAll(r.run)
	} else {
		_ = os.Rename(r.run, r.run+"-gone")
	}
	r.number("a run without a folder", run.wait(), wholeScore) // it may have ended just before
	_ = os.RemoveAll(r.run)                                    // with what the end of the run wrote
	r.server.be(false, time.Millisecond)
	r.mended()
	r.probe()
	return nil
}

// files returns the files of the run's folder.
func (r *courseRun) files() (paths []string) {
	_ = filepath.WalkDir(r.run, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

func (r *courseRun) missingFile() error {
	if err := r.fresh(); err != nil {
		return err
	}
	candidates := slices.DeleteFunc(r.files(), func(path string) bool { return strings.Contains(path, "memory_snapshot") })
	for _, name := range []string{"run.json", "junit.xml", "result"} { // the important ones come more often
		candidates = append(candidates, filepath.Join(r.run, name))
	}
	var errs []error
	for range 1 + r.random.IntN(2) {
		errs = append(errs, os.RemoveAll(candidates[r.random.IntN(len(candidates))]))
	}
	r.probe()
	r.mended()
	r.probe()
	return errors.Join(errs...)
}

func (r *courseRun) noUsage() error {
	r.server.be(true, time.Millisecond)
	if r.random.IntN(2) == 0 {
		r.number("a run without usage", r.tell(r.asking()...), wholeScore)
		r.probe()
		return nil
	}
	r.must("a budget without usage", r.tell(r.asking("-max-cost=1000000")...), "a reply states no tokens (usage)")
	r.probe()
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) stoppedMidway() error {
	r.server.be(false, 10*time.Millisecond)
	run := r.begin([]int{0, 1, r.some()}[r.random.IntN(3)])
	signal := []os.Signal{syscall.SIGKILL, syscall.SIGTERM, os.Interrupt}[r.random.IntN(3)]
	_ = run.cmd.Process.Signal(signal)
	switch got := run.wait(); {
	case got.code == 0:
		r.number("a run that was stopped", got, wholeScore) // it ended just before
	case strings.Contains(got.out, "accuracy"):
		r.problem("a run that was stopped by %v prints a number: %s", signal, got.out)
	case strings.Contains(got.errs, "every case"):
		r.problem("a run that was stopped by %v says that it is complete: %s", signal, got.errs)
	}
	r.server.be(false, time.Millisecond)
	r.probe() // a number only if nothing but what was in flight was left
	if !r.mended() {
		r.problem("a run that was stopped by %v does not go on", signal)
	}
	r.probe()
	return nil
}

// ofOther returns a run of the other model over the same cases.
func (r *courseRun) ofOther() (string, error) {
	own := *r
	own.run = filepath.Join(r.Dir, "of-n")
	if _, err := os.Stat(own.run); err == nil {
		return own.run, nil
	}
	if got := r.tell(own.asking("-model=n")...); got.code != 0 {
		return "", fmt.Errorf("the run of n ends with %d: %s", got.code, got.last())
	}
	return own.run, nil
}

func (r *courseRun) foreignFile() error {
	other, err := r.ofOther()
	if err := errors.Join(err, r.fresh()); err != nil {
		return err
	}
	name := []string{"junit.xml", "run.json"}[r.random.IntN(2)]
	text, err := os.ReadFile(filepath.Join(other, name))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.run, name), text, 0o644); err != nil {
		return err
	}
	printed := r.probe() // beside the answers the tests' file decides nothing
	if name == "run.json" {
		if printed {
			r.problem("a number is printed with another run's run.json")
		}
		r.must("-resume on another's run.json", r.tell(r.asking("-resume")...), "model")
		return nil
	}
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) movedFolder() error {
	if err := r.fresh(); err != nil {
		return err
	}
	moved := r.run + "-moved"
	if err := errors.Join(os.Rename(r.run, moved), os.Symlink(moved, r.run)); err != nil {
		return err
	}
	if !r.probe() {
		r.problem("a link to a run has no number")
	}
	if !r.mended() {
		r.problem("a run behind a link does not go on")
	}
	r.run = moved
	if !r.probe() {
		r.problem("a run that was moved has no number")
	}
	return nil
}

// olderVersion makes run.json look like that of an older version of the
// harness, which lacks later fields.
func (r *courseRun) olderVersion() error {
	if err := r.fresh(); err != nil {
		return err
	}
	path := filepath.Join(r.run, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var stated map[string]any
	if err := json.Unmarshal(text, &stated); err != nil {
		return err
	}
	stated["version"] = "0.0.1"
	for _, later := range []string{"served", "data", "wording", "prices", "parameters", "skipped", "dialect"} {
		if r.random.IntN(3) == 0 {
			delete(stated, later)
		}
	}
	if text, err = json.Marshal(stated); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	r.probe()
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) moreTrials() error {
	if err := r.fresh(); err != nil {
		return err
	}
	if !r.mended("-trials=2") {
		r.problem("more trials are refused")
	}
	r.probe()
	r.mended() // and with fewer again
	r.probe()
	return nil
}

// fewerCases continues the run with some of the cases, whose number must say
// that it covers a part, and then with all of them.
func (r *courseRun) fewerCases() error {
	if err := r.fresh(); err != nil {
		return err
	}
	got := r.tell(r.asking("-resume", "-ids="+r.categories[0]+"_0")...)
	if got.code == 0 && !strings.Contains(got.out, `"complete": false`) {
		r.problem("the number of one case does not say that it is of a part: %s", got.out)
	}
	if !r.mended("-ids=*") {
		r.problem("a run does not go on with all cases")
	}
	r.probe()
	return nil
}
