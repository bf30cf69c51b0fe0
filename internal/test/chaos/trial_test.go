package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/number/tally"
)

const (
	grace = 2 * time.Second
	// legTimeout is how long a process may take. One that takes longer is taken
	// to hang.
	legTimeout = 3 * time.Minute
	// mostLegs bounds how often a run is resumed.
	mostLegs = 14
	// calmAfter is the number of processes after which the server has no more
	// faults.
	calmAfter = 10
)

// A Trial is one run of the suite with one seed.
type Trial struct {
	// Suite is the program that runs the suite, with its first arguments. It
	// takes the suite's flags.
	Suite []string
	// Env is the program's environment.
	Env []string
	// Categories are the starter suite's categories to run.
	Categories string
	// Dir is an empty folder for the run.
	Dir string
	// Seed decides what happens, Faults is the share of requests that meet a
	// fault, and Kills is the number of processes that are stopped.
	Seed   uint64
	Faults float64
	Kills  int
}

// A Report says what happened in a trial.
type Report struct {
	// Processes and Requests count the processes and their requests. Stops and
	// Faults count what happened to them, by name.
	Processes, Requests int
	Stops, Faults       map[string]int
	// Run is the run at the end; nil if it never was complete.
	Run *tally.Run
	// Problems are what could not be put right; nil if everything was.
	Problems []string
}

// A trialRun is a trial in progress.
type trialRun struct {
	Trial
	random *rand.Rand
	server *Server
	url    string
	report *Report
}

// Run runs the suite until it is complete.
func (t Trial) Run() *Report {
	server := NewServer(t.Seed, t.Faults)
	loopback := httptest.NewServer(server)
	defer loopback.Close()
	r := &trialRun{Trial: t, random: rand.New(rand.NewPCG(t.Seed, 1)), server: server, url: loopback.URL,
		report: &Report{Stops: map[string]int{}}}
	r.untilComplete()
	r.report.Requests, r.report.Faults = server.Requests(), server.Faults()
	r.report.Problems = append(r.report.Problems, recordProblems(t.Dir)...)
	return r.report
}

func (r *trialRun) problem(format string, args ...any) {
	r.report.Problems = append(r.report.Problems, fmt.Sprintf(format, args...))
}

func (r *trialRun) untilComplete() {
	for leg := range mostLegs {
		if leg == calmAfter {
			r.server.calm()
		}
		r.report.Processes++
		if leg < r.Kills {
			r.stopped(leg)
			r.jump()
			continue
		}
		if !r.leg(r.command(), nil) {
			return
		}
		run, err := tally.Read([]string{r.Dir}, tally.Options{Answers: true})
		var incomplete *tally.Incomplete
		switch {
		case errors.As(err, &incomplete):
		case err != nil:
			r.problem("the run folder cannot be read: %v", err)
			return
		case run.Errors() == 0:
			r.report.Run = run
			return
		}
	}
	r.problem("the run is not complete after %d processes", r.report.Processes)
}

func (r *trialRun) flags() []string {
	return []string{
		"-model=openai:m", "-base-url=" + r.url + "/v1", "-categories=" + r.Categories, "-concurrency=32",
		"-request-timeout=" + requestTimeout.String(), "-grace=" + grace.String(), "-run-dir=" + r.Dir, "-resume",
	}
}

func (r *trialRun) command() *exec.Cmd {
	args := append(append([]string(nil), r.Suite[1:]...), r.flags()...)
	cmd := exec.Command(r.Suite[0], args...)
	cmd.Env = r.Env
	return cmd
}

// full returns the command with a limit for the size of files, like a disk that
// is full, but at a different time for each file.
func (r *trialRun) full() *exec.Cmd {
	blocks := strconv.Itoa(8 + r.random.IntN(8))
	args := append([]string{"-c", `ulimit -f "$0"; exec "$@"`, blocks}, append(append([]string(nil), r.Suite...), r.flags()...)...)
	cmd := exec.Command("sh", args...)
	cmd.Env = r.Env
	return cmd
}

// stops are the ways of stopping a process.
var stops = []struct {
	name    string
	signals []os.Signal
}{
	{"killed", []os.Signal{syscall.SIGKILL}},
	{"terminated", []os.Signal{syscall.SIGTERM}},
	{"interrupted", []os.Signal{os.Interrupt}},
	{"interrupted twice", []os.Signal{os.Interrupt, os.Interrupt}},
	{"disk full", nil},
}

// stopped runs a process and stops it somewhere on its way.
func (r *trialRun) stopped(leg int) {
	how := stops[(leg+int(r.Seed)*r.Kills)%len(stops)]
	cmd := r.command()
	if how.signals == nil {
		cmd = r.full()
	}
	goal := r.server.Requests() + 10 + r.random.IntN(400)
	r.leg(cmd, func(ended <-chan struct{}) {
		for _, signal := range how.signals {
			if !r.reach(goal, ended) {
				return
			}
			_ = cmd.Process.Signal(signal)
			goal += 5
		}
	})
	r.report.Stops[how.name]++
	if how.name == "killed" && r.random.IntN(2) == 0 {
		r.report.Stops["last line torn"] += r.tear()
	}
}

// reach waits until that many requests have come. It returns false if the
// process ends first.
func (r *trialRun) reach(goal int, ended <-chan struct{}) bool {
	for tick := time.Now(); r.server.Requests() < goal && time.Since(tick) < legTimeout/2; {
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// leg runs a process to its end. It returns false if the process did not end
// properly.
func (r *trialRun) leg(cmd *exec.Cmd, meanwhile func(ended <-chan struct{})) bool {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &said, &said, filepath.Dir(r.Dir)
	if err := cmd.Start(); err != nil {
		r.problem("the suite cannot be started: %v", err)
		return false
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // wrong answers are failed tests
	}()
	if meanwhile != nil {
		meanwhile(ended)
	}
	select {
	case <-ended:
	case <-time.After(legTimeout):
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		<-ended
		r.problem("a process hung: %s", last(said.Bytes()))
		return false
	}
	for _, word := range []string{"panic: ", "fatal error: ", "WARNING: DATA RACE", "flag provided but not defined"} {
		if bytes.Contains(said.Bytes(), []byte(word)) {
			r.problem("a process broke down: %s", last(said.Bytes()))
			return false
		}
	}
	return true
}

func last(said []byte) []byte { return said[max(0, len(said)-4000):] }
