package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/record"
)

// A Course is what a user may do with the command: a run, and then ordinary
// acts, each of which could make its number wrong. Whatever is printed
// afterwards must be right, or refused with a reason and exit code 2, or 3 for
// misuse.
type Course struct {
	// Command is the path of the program, and Env its environment.
	Command string
	Env     []string
	// Starter is the folder of the starter suite's files.
	Starter string
	// Dir is an empty folder.
	Dir string
	// Seed decides what is done, and Acts how many things.
	Seed uint64
	Acts int
}

// An Account says what happened in a course.
type Account struct {
	// Acts counts what was done, by name.
	Acts map[string]int
	// Right counts the commands that printed right numbers, and Refused those
	// that refused to print any.
	Right, Refused int
	// Problems are wrong numbers, and refusals without a reason.
	Problems []string
}

// A courseRun is a course in progress.
type courseRun struct {
	Course
	random     *rand.Rand
	server     *Server
	url        string
	account    *Account
	act        string
	categories []string
	prompt     bool
	// truth are the figures of the undisturbed run, in the folder calm.
	truth figures
	calm  string
	// data is the dataset's folder. run is the run's folder, which is whole at
	// the beginning of every act.
	data, run string
}

// kinds has a category for each way of asking, recording or judging. Some are
// for prompt mode only.
var kinds = []string{
	"simple_python", "simple_java", "parallel", "irrelevance", "live_relevance", "live_simple",
	"multi_turn_base", "memory_kv", "web_search_base", "sql", "exec_simple", "rest",
}

const kindsOfCourse = 4

// Walk takes the course.
func (c Course) Walk() *Account {
	server := NewServer(c.Seed, 0)
	loopback := httptest.NewServer(server)
	defer loopback.Close()
	r := &courseRun{
		Course: c, random: rand.New(rand.NewPCG(c.Seed, 2)), server: server, url: loopback.URL,
		account: &Account{Acts: map[string]int{}}, data: filepath.Join(c.Dir, "data"), calm: filepath.Join(c.Dir, "calm"),
	}
	if err := r.walk(); err != nil {
		r.problem("%v", err)
	}
	return r.account
}

func (r *courseRun) problem(format string, args ...any) {
	r.account.Problems = append(r.account.Problems, fmt.Sprintf("%s: ", r.act)+fmt.Sprintf(format, args...))
}

func (r *courseRun) walk() error {
	r.act = "the undisturbed run"
	order := r.random.Perm(len(kinds))
	for _, k := range order[:kindsOfCourse] {
		r.categories = append(r.categories, kinds[k])
	}
	r.prompt = r.random.IntN(3) == 0
	if err := errors.Join(writeStarter(r.data, r.Starter, r.categories...), r.writeModels()); err != nil {
		return err
	}
	r.run = r.calm
	got := r.tell(r.asking()...)
	if got.code != 0 {
		return fmt.Errorf("it ends with %d: %s", got.code, got.last())
	}
	var err error
	if r.truth, err = readFigures(got.out, wholeScore); err != nil {
		return err
	}
	if err := r.writeGate(); err != nil {
		return err
	}
	for i := range r.Acts {
		at := (int(r.Seed)*r.Acts + i) % len(acts)
		r.act = acts[at].name
		r.account.Acts[r.act]++
		r.run = filepath.Join(r.Dir, fmt.Sprintf("run-%d", i))
		r.server.be(false, time.Millisecond)
		if err := acts[at].do(r); err != nil {
			return fmt.Errorf("%s: %w", r.act, err)
		}
	}
	return nil
}

// writeModels writes a catalogue with two models and prices.
func (r *courseRun) writeModels() error {
	var text strings.Builder
	text.WriteString("models:\n")
	for _, name := range []string{"m", "n"} {
		fmt.Fprintf(&text, "  %s:\n    adapter: openai\n    id: %s\n    base_url: %s/v1\n    prices: {input: 1000, output: 1000}\n", name, name, r.url)
	}
	return os.WriteFile(filepath.Join(r.Dir, "models.yaml"), []byte(text.String()), 0o644)
}

// writeGate writes a gate that is open for the right numbers and closed for
// lower ones.
func (r *courseRun) writeGate() error {
	var text strings.Builder
	text.WriteString("partial: true\nmin_cases: 1\nfloors:\n")
	for _, name := range r.categories {
		fmt.Fprintf(&text, "  %s: {min: %.6f, min_cases: 1}\n", name, max(0, 100*r.truth[name].Accuracy-1e-4))
	}
	return os.WriteFile(filepath.Join(r.Dir, "gate.yaml"), []byte(text.String()), 0o644)
}

// asking returns the arguments of the run, with additional arguments in place
// of its own.
func (r *courseRun) asking(more ...string) []string {
	mode := "fc"
	if r.prompt {
		mode = "prompt"
	}
	args := []string{
		"run", "-q", "-json", "-models=models.yaml", "-model=m", "-dataset=" + r.data, "-mode=" + mode, "-categories=" + strings.Join(r.categories, ","),
		"-concurrency=8", "-grace=" + grace.String(), "-run-dir=" + r.run,
	}
	named := func(arg string) string { name, _, _ := strings.Cut(arg, "="); return name }
	for _, arg := range more {
		args = slices.DeleteFunc(args, func(a string) bool { return named(a) == named(arg) })
	}
	return append(args, more...)
}

// A told is the output of a command.
type told struct {
	out, errs string
	code      int
}

// last returns the last line of standard error.
func (t told) last() string {
	lines := strings.Split(strings.TrimSpace(t.errs), "\n")
	return lines[len(lines)-1]
}

func (r *courseRun) command(args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	cmd = exec.Command(r.Command, args...)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, out, errs
	return cmd, out, errs
}

// tell runs a command to its end.
func (r *courseRun) tell(args ...string) told {
	cmd, out, errs := r.command(args...)
	return r.end(cmd, cmd.Start(), out, errs)
}

// end waits for a command that has started.
func (r *courseRun) end(cmd *exec.Cmd, err error, out, errs *bytes.Buffer) told {
	if err != nil {
		r.problem("%v", err)
		return told{code: -1}
	}
	hung := time.AfterFunc(legTimeout, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	if !hung.Stop() {
		r.problem("%v hung", cmd.Args[1:])
	}
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		r.problem("%v", err)
	}
	for _, word := range []string{"panic: ", "fatal error: ", "DATA RACE"} {
		if strings.Contains(errs.String(), word) {
			r.problem("%v broke down: %s", cmd.Args[1:], last(errs.Bytes()))
		}
	}
	return told{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// fresh makes a run like the undisturbed one in the run's folder: a copy with an
// id of its own.
func (r *courseRun) fresh() error {
	calm, err := record.ReadRun(r.calm)
	if err != nil {
		return err
	}
	own := record.NewID()
	return errors.Join(os.CopyFS(r.run, os.DirFS(r.calm)), filepath.WalkDir(r.run, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte(calm.ID), []byte(own)), 0o644)
	}))
}
