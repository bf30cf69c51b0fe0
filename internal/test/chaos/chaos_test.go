// Package chaos runs the suite with faults: a server that misbehaves as decided
// by a seed, processes that are interrupted and killed, files that cannot grow
// any more, last lines that are torn, and clocks that jump. TestChaos compares the
// result with a run without faults; TestPurses walks courses over a run's money,
// against a server that counts.
package chaos_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var (
	seeds = flag.Int("seeds", testkit.Some(2, 10), "the `number` of seeds")
	first = flag.Uint64("first", 1, "the first `seed`")
)

// childVariable makes this test's binary the suite's.
const childVariable = "BFCL_TEST_SUITE"

func TestMain(m *testing.M) {
	if err := errors.Join(os.Setenv("OPENAI_API_KEY", "unused"), os.Setenv("NO_COLOR", "1")); err != nil {
		panic(err)
	}
	if os.Getenv(childVariable) == "" {
		testkit.Waiting()
		os.Exit(m.Run())
	}
	testkit.IsBenchmark()
	flag.Parse()
	run := &gotest.Run{Options: &testkit.Suite}
	testing.Main(regexp.MatchString, run.Tests(), nil, nil)
}

const (
	grace = 2 * time.Second
	// legTimeout is how long a process may take. One that takes longer is taken
	// to hang.
	legTimeout = 3 * time.Minute
	// mostLegs bounds how often a run is resumed; after calmAfter processes the server
	// has no more faults.
	mostLegs, calmAfter = 14, 10
)

// A trial is one run of the suite with one seed, which decides what happens to it. kills
// is the number of processes that are stopped.
type trial struct {
	*testing.T
	seed       uint64
	kills      int
	categories string
	dir        string
	random     *rand.Rand
	server     *server
	url        string
	processes  int
	stops      map[string]int
}

// newTrial makes a trial with a share of requests that meet faults.
func newTrial(t *testing.T, seed uint64, faults float64, kills int) *trial {
	categories := "simple_python,simple_java,parallel_multiple,irrelevance,live_simple,multi_turn_base,memory_kv"
	if given := flag.Lookup("categories"); given.Value.String() != given.DefValue {
		categories = given.Value.String()
	}
	r := &trial{T: t, seed: seed, kills: kills, categories: categories, dir: filepath.Join(t.TempDir(), "run"),
		random: rand.New(rand.NewPCG(seed, 1)), server: newServer(seed, faults), stops: map[string]int{}}
	loopback := httptest.NewServer(r.server)
	t.Cleanup(loopback.Close)
	r.url = loopback.URL
	return r
}

// TestChaos puts runs through ordeals, one for each seed: in the end each has
// every case once, with the answers, verdicts and score of a run that nothing
// befell. -seeds and -categories ask for more, and -first for a certain seed.
func TestChaos(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: runs the suite some forty times")
	}
	if runtime.GOOS == "windows" {
		t.Skip("signals and limits are those of Unix")
	}
	calm := newTrial(t, 0, 0, 0)
	want := calm.untilComplete()
	require.Empty(t, calm.server.struck)
	var mu sync.Mutex
	var compared, requests, processes int
	stops, faults := map[string]int{}, map[string]int{}
	t.Run("seeds", func(t *testing.T) {
		for i := range uint64(*seeds) {
			t.Run(strconv.FormatUint(*first+i, 10), func(t *testing.T) {
				t.Parallel()
				one := newTrial(t, *first+i, 0.2, 3)
				n, found := differences(want, one.untilComplete())
				assert.Empty(t, found)
				mu.Lock()
				defer mu.Unlock()
				compared, requests, processes = compared+n, requests+one.server.Requests(), processes+one.processes
				add(stops, one.stops)
				add(faults, one.server.struck)
			})
		}
	})
	assert.Greater(t, requests, 100**seeds, "thousands of requests")
	t.Logf("%d cases of %d seeds compared with a run that nothing befell; %d processes, %d requests", compared, *seeds, processes, requests)
	t.Logf("stops: %v", stops)
	t.Logf("faults: %v", faults)
}

func add(to, n map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(n)) {
		to[name] += n[name]
	}
}

// TestDifferencesAreSeen: the comparison finds what it is there for.
func TestDifferencesAreSeen(t *testing.T) {
	t.Parallel()
	read := func() *tally.Run {
		one := newTrial(t, 0, 0, 0)
		one.categories = "simple_python,irrelevance"
		return one.untilComplete()
	}
	want := read()
	_, none := differences(want, read())
	assert.Empty(t, none)
	for name, change := range map[string]func(run *tally.Run){
		"is lost":           func(run *tally.Run) { run.Parts[0].Results = run.Parts[0].Results[1:] },
		", not":             func(run *tally.Run) { run.Parts[0].Results[0].ErrorType = "other" },
		"was answered":      func(run *tally.Run) { run.Parts[0].Results[0].Result = nil },
		"is not a case of ": func(run *tally.Run) { run.Parts[0].Results[0].Case.ID = "another" },
	} {
		got := read()
		change(got)
		_, found := differences(want, got)
		require.NotEmpty(t, found, name)
		assert.Contains(t, found[0]+found[len(found)-1], name)
	}
}

// untilComplete runs the suite until the run is complete.
func (r *trial) untilComplete() *tally.Run {
	r.Helper()
	for leg := range mostLegs {
		if leg == calmAfter {
			r.server.calm()
		}
		r.processes++
		if leg < r.kills {
			r.stopped(leg)
			r.jump()
			continue
		}
		r.leg(r.command(), nil)
		run, err := tally.Read([]string{r.dir}, tally.Options{Answers: true})
		if incomplete := new(tally.Incomplete); errors.As(err, &incomplete) {
			continue
		}
		require.NoError(r, err)
		if run.Errors() == 0 {
			r.checkRecords()
			return run
		}
	}
	require.Fail(r, "the run is not complete", "after %d processes", r.processes)
	return nil
}

// command returns the suite's command, behind a shell's words if there are any.
func (r *trial) command(shell ...string) *exec.Cmd {
	args := append(shell, os.Args[0], "-test.timeout=0", "-model=openai:m", "-base-url="+r.url+"/v1", "-categories="+r.categories, "-concurrency=32",
		"-request-timeout="+requestTimeout.String(), "-grace="+grace.String(), "-run-dir="+r.dir, "-resume")
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), childVariable+"=1")
	return cmd
}

// stops are the ways of stopping a process. A limit for the size of files is like a
// disk that is full, but at a different time for each file.
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
func (r *trial) stopped(leg int) {
	how := stops[(leg+int(r.seed)*r.kills)%len(stops)]
	cmd := r.command()
	if how.signals == nil {
		cmd = r.command("sh", "-c", `ulimit -f "$0"; exec "$@"`, strconv.Itoa(8+r.random.IntN(8)))
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
	r.stops[how.name]++
	if how.name == "killed" && r.random.IntN(2) == 0 {
		r.tear()
	}
}

// reach waits until that many requests have come. It returns false if the
// process ends first.
func (r *trial) reach(goal int, ended <-chan struct{}) bool {
	for tick := time.Now(); r.server.Requests() < goal && time.Since(tick) < legTimeout/2; {
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// leg runs a process to its end.
func (r *trial) leg(cmd *exec.Cmd, meanwhile func(ended <-chan struct{})) {
	r.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &said, &said, filepath.Dir(r.dir)
	require.NoError(r, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // wrong answers are failed tests
	}()
	hung := time.AfterFunc(legTimeout, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	if meanwhile != nil {
		meanwhile(ended)
	}
	<-ended
	last := said.String()[max(0, said.Len()-4000):]
	require.True(r, hung.Stop(), "a process hung: %s", last)
	for _, word := range []string{"panic: ", "fatal error: ", "WARNING: DATA RACE", "flag provided but not defined"} {
		require.False(r, bytes.Contains(said.Bytes(), []byte(word)), "a process broke down: %s", last)
	}
}

// resultFiles are the files that hold answers.
func (r *trial) resultFiles() (paths []string) {
	_ = filepath.WalkDir(filepath.Join(r.dir, "result"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, "_result.json") {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// tear cuts the last line of a result file, as a crash of the machine may.
func (r *trial) tear() {
	paths := r.resultFiles()
	if len(paths) == 0 {
		return
	}
	path := paths[r.random.IntN(len(paths))]
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return
	}
	line := data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]
	require.NoError(r, os.Truncate(path, int64(len(data)-1-r.random.IntN(len(line)))))
	r.stops["last line torn"]++
}

// jump changes the run folder as if the run's processes had had another clock:
// the run began, and its files were written, years before or after now.
func (r *trial) jump() {
	run, err := record.ReadRun(r.dir)
	if err != nil {
		return // it was stopped before the run began
	}
	off := time.Duration(r.random.IntN(2000)-1000) * 24 * time.Hour
	run.Started = run.Started.Add(off)
	if !run.Ended.IsZero() {
		run.Ended = run.Ended.Add(off)
	}
	require.NoError(r, record.WriteRun(r.dir, run))
	then := time.Now().Add(off)
	_ = filepath.WalkDir(r.dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = os.Chtimes(path, then, then)
		}
		return err
	})
	r.stops["clock jumped"]++
}

// checkRecords reads result files like any reader of JSON lines: every line
// must be whole, and no case may be recorded twice.
func (r *trial) checkRecords() {
	for _, path := range r.resultFiles() {
		data := testkit.Must(os.ReadFile(path))(r)
		seen := map[string]bool{"": true}
		for n, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
			var row struct{ ID string }
			assert.NoError(r, json.Unmarshal(line, &row), "%s:%d", path, n+1)
			assert.False(r, seen[row.ID], "%s:%d: %q is recorded twice, or is no case", path, n+1, row.ID)
			seen[row.ID] = true
		}
	}
}

// differences compares a run with the run without faults. Both must have the
// same cases, each once, with the same answers and verdicts, and the same
// score. It returns the number of cases compared.
func differences(want, got *tally.Run) (compared int, out []string) {
	theirs := index(got)
	for _, part := range want.Parts {
		for i := range part.Results {
			w := &part.Results[i]
			g := theirs[w.Case.ID]
			compared++
			switch {
			case g == nil:
				out = append(out, w.Case.ID+" is lost")
			case w.Status != g.Status || w.ErrorType != g.ErrorType:
				out = append(out, fmt.Sprintf("%s is %v %s, not %v %s", w.Case.ID, g.Status, g.ErrorType, w.Status, w.ErrorType))
			case said(w) != said(g):
				out = append(out, fmt.Sprintf("%s was answered with %s, not %s", w.Case.ID, said(g), said(w)))
			}
			delete(theirs, w.Case.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(theirs)) {
		out = append(out, id+" is not a case of the run")
	}
	return compared, append(out, scores(want, got)...)
}

func index(run *tally.Run) map[string]*eval.Result {
	out := map[string]*eval.Result{}
	for _, part := range run.Parts {
		for i := range part.Results {
			out[part.Results[i].Case.ID] = &part.Results[i]
		}
	}
	return out
}

func said(r *eval.Result) string {
	if r.Result == nil {
		return "nothing"
	}
	return pyval.Repr(r.Result)
}

func scores(want, got *tally.Run) []string {
	w, err := want.Score(false)
	if err != nil {
		return []string{err.Error()}
	}
	g, err := got.Score(false)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	if !reflect.DeepEqual(w.Overall, g.Overall) {
		out = append(out, fmt.Sprintf("the score is %+v, not %+v", g.Overall, w.Overall))
	}
	for _, name := range slices.Sorted(maps.Keys(w.Categories)) {
		if ours, theirs := w.Categories[name], g.Categories[name]; !reflect.DeepEqual(theirs, ours) {
			out = append(out, fmt.Sprintf("%s is %+v, not %+v", name, theirs, ours))
		}
	}
	return out
}
