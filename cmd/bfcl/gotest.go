package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// eventsFile holds what go test -json said.
const eventsFile = "events.jsonl"

// An ending is how the test process ended.
type ending struct {
	// interrupted reports whether a signal asked it to.
	interrupted bool
	// err is the process's.
	err error
	// output is the last of what gotestsum printed.
	output string
}

// test runs the suite under gotestsum and waits for its end.
func (r *runner) test(root string, goTestFlags []string) (ending, error) {
	tool, err := gotestsum(root)
	if err != nil {
		return ending{}, err
	}
	cmd := exec.Command(tool, r.arguments(goTestFlags)...)
	cmd.Dir = root
	return r.supervise(cmd)
}

// supervise runs a process that runs the suite, shows its progress and passes
// signals on.
func (r *runner) supervise(cmd *exec.Cmd) (ending, error) {
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	ownGroup(cmd)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup lets a run outlive its terminal
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return ending{}, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	show := r.newProgress(started)
	defer show.close()
	end := r.wait(cmd, done, signals, show)
	end.output = said.String()
	return end, nil
}

// gotestsum is the program that `go tool gotestsum` would run. It is run
// without go tool in between, which would pass a signal on a second time, and
// gotestsum does not outlive two.
func gotestsum(root string) (string, error) {
	var said tail
	cmd := exec.Command("go", "tool", "-n", "gotestsum")
	cmd.Dir, cmd.Stderr = root, &said
	out, err := cmd.Output()
	switch path := strings.TrimSpace(string(out)); {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no go command on the PATH: `bfcl run` builds the suite's test with it")
	case err != nil:
		return "", fmt.Errorf("go tool gotestsum could not be built:\n%s", said.String())
	default:
		return path, nil
	}
}

func (r *runner) arguments(goTestFlags []string) []string {
	dir := r.flags.o.RunDir
	args := []string{
		"--format", "none", "--hide-summary=skipped,failed,output",
		"--junitfile", filepath.Join(dir, tally.JUnitFile), "--jsonfile", filepath.Join(dir, eventsFile),
		"--", "-count=1", "-timeout=0", "-run", "^TestBFCL$",
	}
	if tags := r.tags(); tags != "" {
		args = append(args, "-tags="+tags)
	}
	args = append(args, goTestFlags...)
	return append(append(args, "."), r.flags.args()...)
}

// tags are the build tags of this command, and the one that the model needs.
func (r *runner) tags() string {
	var tags []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" && s.Value != "" {
				tags = append(tags, s.Value)
			}
		}
	}
	if tag := suite.Tag(r.flags.o); tag != "" {
		tags = append(tags, tag)
	}
	return strings.Join(tags, ",")
}

// wait shows progress until the process ends. The first signal is passed on,
// the second kills.
func (r *runner) wait(cmd *exec.Cmd, done <-chan error, signals <-chan os.Signal, show *progress) ending {
	tick := time.NewTicker(show.every)
	defer tick.Stop()
	var end ending
	for {
		select {
		case end.err = <-done:
			return end
		case <-tick.C:
			show.update()
		case <-signals:
			if end.interrupted {
				killGroup(cmd)
				continue
			}
			end.interrupted = true
			interruptGroup(cmd)
			show.say(fmt.Sprintf("stopping, what is recorded stays; what is in flight has %v to end; once more kills", r.flags.o.Grace))
		}
	}
}

// A tail keeps the last of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const longestTail = 32 << 10

// Write keeps the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - longestTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String is the tail, safe for a terminal.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(t.text)), "\n") {
		if line = strings.ReplaceAll(line, "\t", "  "); strings.TrimSpace(line) != "" {
			lines = append(lines, "  "+safe.Printable(line, 500))
		}
	}
	const most = 60
	if over := len(lines) - most; over > 0 {
		lines = append([]string{fmt.Sprintf("  … %d lines before", over)}, lines[over:]...)
	}
	return strings.Join(lines, "\n")
}
