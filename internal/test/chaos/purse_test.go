package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var purses = flag.Int("purses", testkit.Some(30, 100), "the `number` of courses whose money is counted")

// A walk is a course over a run whose money is counted: at each step the user
// chooses cases, prices and limits, the server errs, the process is stopped, and the
// run's files are moved, lost or damaged.
type walk struct {
	*purse
	seed uint64
	draw *rand.Rand
	// how starts a process: nil asks in this one.
	how    []string
	shards int
	dirs   []string
	said   []string // what was done, for failures

	change func(*suite.Options) // of this step
	price  float64
	// most is the highest price so far, and trials the most so far.
	most   float64
	trials int
	// unclear: something happened that the program may not know in full; lossy: to a
	// ledger.
	unclear, lossy bool
	// again counts the requests in flight, which may be paid for twice, and removed the
	// answers that were taken away.
	again, removed int
	have           map[string]bool
	// ends counts the processes that were killed or stopped. One that looks at its
	// server has no folder to note that in.
	ends int
}

// tallied are sums over courses.
type tallied struct{ checks, exact, requests, broken atomic.Int64 }

// TestPurses walks courses, one for each seed, through this process, go test and the
// command: what the program says of its money is what the server counted, or a lower
// bound; no answer is lost, and only what was in flight is paid for twice.
func TestPurses(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("signals are those of Unix")
	}
	command := ""
	if !testing.Short() {
		command = testkit.Must(testkit.Command(t.TempDir()))(t)
	}
	sum := &tallied{}
	const atOnce = 8
	places := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i := range uint64(*purses) {
		seed := *first + i
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			t.Run(fmt.Sprint(seed), func(t *testing.T) { newWalk(t, seed, command).all(sum) })
		})
	}
	wg.Wait()
	t.Logf("%d courses, %d requests, of which %d broke off; %d statements, %d of them exact", *purses, sum.requests.Load(), sum.broken.Load(), sum.checks.Load(), sum.exact.Load())
}

func newWalk(t *testing.T, seed uint64, command string) *walk {
	root := t.TempDir()
	w := &walk{
		purse: &purse{t, newTill(t, seed, "simple_python", "irrelevance", "multiple"), root, filepath.Join(root, "run")},
		seed:  seed, draw: rand.New(rand.NewPCG(seed, 53)), shards: 1, price: 100, most: 100, trials: 1, have: map[string]bool{},
	}
	switch seed % 10 {
	case 3:
		w.how = []string{os.Args[0], "-test.timeout=0"}
	case 7:
		if command != "" {
			w.how = []string{command, "run", "-q"}
		}
	}
	w.till.hides = w.how != nil
	if w.draw.IntN(4) == 0 {
		w.shards = 2 + w.draw.IntN(2)
	}
	for i := range w.shards {
		w.dirs = append(w.dirs, fmt.Sprintf("%s-%d", w.dir, i))
	}
	return w
}

func (w *walk) did(format string, args ...any) { w.said = append(w.said, fmt.Sprintf(format, args...)) }

func (w *walk) all(sum *tallied) {
	steps := 3 + w.draw.IntN(4)
	if w.how != nil {
		steps = 3
	}
	for i := range steps {
		w.files(i)
		w.choose()
		w.serve()
		for k := range w.dirs {
			w.process(k)
		}
		w.check(sum)
	}
	w.did("whole")
	w.change = func(o *suite.Options) { o.Trials = w.trials }
	w.till.set(func() { w.till.usage, w.till.cuts, w.till.refuses = "", 0, 0 })
	for k := range w.dirs {
		_ = w.ask(context.Background(), w.options(w.shard(k))) // answers that are missing then show at the end
	}
	w.check(sum)
	w.end(sum)
}

// choose draws the cases and the limits.
func (w *walk) choose() {
	o := suite.Options{Trials: 1, Categories: "simple_python,irrelevance"}
	if w.draw.IntN(4) == 0 {
		o.Trials = 2
	}
	o.Categories = []string{o.Categories, "irrelevance", "multiple,simple_python"}[w.draw.IntN(3)]
	if w.shards == 1 && w.draw.IntN(2) == 0 {
		var ids []string
		for _, id := range w.till.questions {
			cat := id[:strings.LastIndex(id, "_")]
			if slices.Contains(strings.Split(o.Categories, ","), cat) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		w.draw.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
		o.IDs = strings.Join(ids[:2+w.draw.IntN(12)], ",")
	}
	if w.draw.IntN(6) == 0 {
		o.MaxCost = 0.05 + w.draw.Float64()
	}
	w.trials = max(w.trials, o.Trials)
	w.did("%s ids=%.40s trials=%d cost=%g", o.Categories, o.IDs, o.Trials, o.MaxCost)
	w.change = func(to *suite.Options) {
		to.Trials, to.Categories, to.IDs, to.MaxCost = o.Trials, o.Categories, o.IDs, o.MaxCost
	}
}

// serve draws how the server behaves, and what it costs.
func (w *walk) serve() {
	usage, cuts, refuses := "", 0.0, 0.0
	switch w.draw.IntN(6) {
	case 0:
		usage = []string{"none", "null", "texts", "other names", "half", "reasoning apart", "reasoning only"}[w.draw.IntN(7)]
		w.unclear = w.unclear || !strings.HasPrefix(usage, "reasoning")
	case 1:
		cuts, w.unclear = 0.1, true
	case 2:
		refuses = 0.2
	}
	if w.draw.IntN(3) == 0 {
		w.price = []float64{20, 100, 500, 1000}[w.draw.IntN(4)]
	}
	w.most = max(w.most, w.price)
	w.did("usage %q, %g cut, %g refused, $%g", usage, cuts, refuses, w.price)
	w.till.set(func() { w.till.usage, w.till.cuts, w.till.refuses, w.till.price = usage, cuts, refuses, w.price })
}

// files does something to the files of the run.
func (w *walk) files(step int) {
	k := w.draw.IntN(len(w.dirs))
	dir := w.dirs[k]
	if _, err := os.Stat(dir); err != nil {
		return
	}
	ledger := filepath.Join(dir, record.LedgerFile)
	text, _ := os.ReadFile(ledger)
	w.dirs = slices.Clone(w.dirs)
	switch act := w.draw.IntN(10); act {
	case 0:
		w.did("moved")
		w.dirs[k] = fmt.Sprintf("%s-moved-%d", dir, step)
		require.NoError(w.t, os.Rename(dir, w.dirs[k]))
	case 1:
		w.did("copied")
		w.dirs[k] = fmt.Sprintf("%s-copy-%d", dir, step)
		require.NoError(w.t, os.CopyFS(w.dirs[k], os.DirFS(dir)))
	case 7:
		w.did("linked")
		kept := fmt.Sprintf("%s-kept-%d", dir, step)
		require.NoError(w.t, errors.Join(os.Rename(dir, kept), os.Symlink(kept, dir)))
	case 8:
		w.did("an older version's")
		w.older(filepath.Join(dir, record.RunFile))
	case 2:
		w.did("ledger lost")
		_ = os.Remove(ledger)
		w.unclear, w.lossy = true, true
	case 3, 4:
		if len(text) == 0 {
			return
		}
		at := w.draw.IntN(len(text))
		switch w.draw.IntN(4) {
		case 0:
			w.did("line ends changed") // git's autocrlf
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
			files, _ := filepath.Glob(filepath.Join(dir, "result", "*", "*.json"))
			for _, path := range append(files, filepath.Join(dir, record.RunFile)) {
				all := testkit.Must(os.ReadFile(path))(w.t)
				require.NoError(w.t, os.WriteFile(path, bytes.ReplaceAll(all, []byte("\n"), []byte("\r\n")), 0o644))
			}
		case 1:
			w.did("ledger torn") // at the end of a line only the answers could tell
			if at > 0 && text[at-1] == '\n' {
				at--
			}
			text, w.unclear, w.lossy = text[:at], true, true
		case 2:
			w.did("ledger has NULs")
			clear(text[at:min(at+448, len(text))])
			w.unclear, w.lossy = true, true
		case 3:
			w.did("ledger has foreign bytes")
			text, w.unclear, w.lossy = slices.Insert(text, at, []byte("\n<html>\xff\n")...), true, true
		}
		require.NoError(w.t, os.WriteFile(ledger, text, 0o644))
	case 5, 6:
		files, _ := filepath.Glob(filepath.Join(dir, "result", "*", "*.json"))
		if len(files) == 0 {
			return
		}
		one := files[w.draw.IntN(len(files))]
		before := len(w.recorded())
		if act == 5 {
			w.did("answers lost")
			require.NoError(w.t, os.Remove(one))
		} else {
			w.did("answers torn")
			text, _ := os.ReadFile(one)
			require.NoError(w.t, os.WriteFile(one, text[:max(0, len(text)-10)], 0o644))
		}
		w.have = w.recorded()
		w.removed += before - len(w.have)
	}
}

// older makes a run.json that of an older version, which lacks later fields.
func (w *walk) older(path string) {
	text := testkit.Must(os.ReadFile(path))(w.t)
	var stated map[string]any
	require.NoError(w.t, json.Unmarshal(text, &stated))
	stated["version"] = "0.0.1"
	for _, later := range []string{"served", "data", "skipped"} {
		delete(stated, later)
	}
	text = testkit.Must(json.Marshal(stated))(w.t)
	require.NoError(w.t, os.WriteFile(path, text, 0o644))
}

// shard returns the changes of the step for a part of the run.
func (w *walk) shard(k int) func(*suite.Options) {
	return func(o *suite.Options) {
		w.change(o)
		if o.RunDir = w.dirs[k]; w.shards > 1 {
			o.Shard, o.Job = fmt.Sprintf("%d/%d", k, w.shards), "j"
		}
	}
}

// process asks, and is perhaps stopped or killed on the way.
func (w *walk) process(k int) {
	o := w.options(w.shard(k))
	stop := w.draw.IntN(4) // 0 kills, 1 stops
	if stop > 1 {
		w.run(context.Background(), o)
		return
	}
	reached, goOn := w.till.stop(1 + w.draw.IntN(30))
	goOn = sync.OnceFunc(goOn)
	defer goOn()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if w.how == nil {
			_ = w.ask(ctx, o)
			return
		}
		w.spawn(ctx, o, stop == 0)
	}()
	select {
	case <-ended:
		goOn()
		return
	case <-reached:
	}
	for last, same, began := -1, 0, time.Now(); time.Since(began) < 5*time.Second; time.Sleep(3 * time.Millisecond) { // until all places wait
		now := w.till.waiting()
		if same++; now != last {
			last, same = now, 0
		}
		if same > 5 && w.twice() <= now {
			break
		}
	}
	w.did("%s with %d in flight", []string{"killed", "stopped"}[stop], w.till.waiting())
	w.unclear, w.again, w.ends = true, w.again+o.Concurrency, w.ends+1
	left := o.RunDir + "-left"
	if w.how == nil && stop == 0 { // what a kill leaves is what is there now
		w.till.set(func() { w.till.dead = true })
		for err := os.ErrNotExist; err != nil; { // its progress is replaced now and then
			require.NoError(w.t, os.RemoveAll(left))
			if err = os.CopyFS(left, os.DirFS(o.RunDir)); !errors.Is(err, os.ErrNotExist) {
				require.NoError(w.t, err)
			}
		}
	}
	cancel()
	if w.how != nil && stop == 0 {
		<-ended
		goOn()
		return
	}
	goOn()
	<-ended
	if w.how == nil && stop == 0 {
		w.till.set(func() { w.till.dead = false })
		require.NoError(w.t, errors.Join(os.RemoveAll(o.RunDir), os.Rename(left, o.RunDir)))
	}
}

func (w *walk) run(ctx context.Context, o suite.Options) {
	if w.how == nil {
		_ = w.ask(ctx, o)
		return
	}
	w.spawn(ctx, o, false)
}

// spawn runs a process to its end, or kills or interrupts it once ctx is done.
func (w *walk) spawn(ctx context.Context, o suite.Options, kill bool) {
	o.Root = ""
	args := slices.DeleteFunc(o.Args(), func(arg string) bool { return strings.HasPrefix(arg, "-root") })
	cmd := exec.CommandContext(ctx, w.how[0], append(slices.Clone(w.how[1:]), args...)...)
	cmd.Dir, cmd.Env = w.root, append(os.Environ(), childVariable+"=1")
	if cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }; kill { // all processes of it
		child.Own(cmd)
		cmd.Cancel = func() error { child.Kill(cmd); return nil }
	}
	out, err := cmd.CombinedOutput()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) && ctx.Err() == nil {
		require.NoError(w.t, err, "%s", out)
	}
	for _, word := range []string{"panic: ", "fatal error: ", "flag provided but not defined"} {
		assert.NotContains(w.t, string(out), word)
	}
}

// recorded returns the answers in the run's folders.
func (w *walk) recorded() map[string]bool {
	out := map[string]bool{}
	cats := []*eval.Category{categories.Find("simple_python"), categories.Find("irrelevance"), categories.Find("multiple")}
	for _, dir := range w.dirs {
		answers := testkit.Must(record.ReadAnswers(dir, cats, 2))(w.t)
		for trial := range answers {
			for id := range answers[trial] {
				out[fmt.Sprint(trial, id)] = true
			}
		}
	}
	return out
}

// twice returns how many replies were charged beyond those that are recorded, broke
// off, or may be charged again.
func (w *walk) twice() int {
	_, _, charged := w.till.count()
	times := -len(w.recorded()) - w.again - w.removed
	for id, n := range charged {
		if id != look {
			times += n
		}
	}
	w.till.mu.Lock()
	defer w.till.mu.Unlock()
	return times - w.till.broken
}

// check compares what the program says with what the server counted.
func (w *walk) check(sum *tallied) {
	about := fmt.Sprintf("seed %d: %s", w.seed, strings.Join(w.said, "; "))
	_, paid, charged := w.till.count()
	have := w.recorded()
	for key := range w.have {
		assert.True(w.t, have[key], "%s is lost: %s", key, about)
	}
	w.have = have
	all := 0.0
	for _, dollars := range paid {
		all += dollars
	}
	assert.LessOrEqual(w.t, w.twice(), 0, "paid again: %s", about)
	run, err := tally.Read(w.dirs, tally.Options{Unfinished: true})
	if err != nil || run.Spend().Cost == nil {
		return // nothing is answered yet
	}
	s := run.Spend()
	scope, told := paid[look], *s.Cost
	for _, result := range run.All() {
		if result.Trial == 0 {
			scope += paid[result.Case.ID]
		}
	}
	if run.Missing > 0 {
		scope = all
	}
	const little = 1e-9
	exact, unlisted := len(s.Lacks) == 0 && s.Basis == "ledger", 0
	if s.Basis == "ledger" {
		unlisted = charged[look]
		for _, dir := range w.dirs {
			_, err := record.ReadLedger(dir, func(s *record.Sent) {
				if s.Case == "" && (s.Fate == record.Looked || s.Unpriced) {
					unlisted--
				}
			})
			require.True(w.t, err == nil || errors.Is(err, os.ErrNotExist), "%v", err)
		}
		unlisted = max(0, unlisted) // some looks are refused
		assert.True(w.t, w.lossy || unlisted <= w.ends, "%d looks that no ledger lists: %s", unlisted, about)
	}
	assert.LessOrEqual(w.t, told, scope+little, about)
	assert.LessOrEqual(w.t, told+s.Beside, all+little, about)
	if exact && run.Missing == 0 && run.Trials == w.trials && unlisted == 0 {
		assert.InDelta(w.t, scope, told, little, "exact, it says: %s", about)
	}
	if s.Basis == "ledger" {
		r := run.Receipt
		assert.InDelta(w.t, told, r.Dollars, little, about)
		unknown := float64(r.Unknown + r.Beside.Unknown + unlisted)
		if !w.lossy { // it is not low by more than what it says it does not know
			assert.GreaterOrEqual(w.t, told+s.Beside+unknown*tokens*w.most/1e6, all-little, about)
		}
		if exact && r.Beside.Unknown == 0 && !w.lossy && unlisted == 0 {
			assert.InDelta(w.t, all, told+s.Beside, little, "exact, it says: %s", about)
		}
	}
	if !w.unclear {
		assert.True(w.t, exact, "%v (%s): %s", s.Lacks, s.Basis, about)
	}
	if run.Missing == 0 && run.Errors() == 0 && s.Basis != "time" {
		above := gate.Passed
		if len(s.Lacks) > 0 {
			above = gate.Undecided
		}
		assert.Equal(w.t, above, w.gate(run, fmt.Sprintf("cost: %g", told+0.001)), about)
		if told > 0.001 {
			assert.Equal(w.t, gate.Failed, w.gate(run, fmt.Sprintf("cost: %g", told-0.001)), about)
		}
	}
	if sum.checks.Add(1); exact {
		sum.exact.Add(1)
	}
}

// end compares what the other ways to the same account say, at the end of a course.
func (w *walk) end(sum *tallied) {
	requests, _, _ := w.till.count()
	sum.requests.Add(int64(requests))
	sum.broken.Add(int64(w.till.broken))
	run := w.read(w.dirs...)
	require.Zero(w.t, run.Missing)
	s := run.Spend()
	if w.shards == 1 {
		m := testkit.Must(bfcl.Open("m", bfcl.Flag("models", filepath.Join(w.root, "models.yaml"))))(w.t)
		r, err := bfcl.Measure(context.Background(), m, bfcl.Categories("simple_python", "irrelevance"), bfcl.Trials(w.trials), bfcl.RunDir(w.dirs[0]), bfcl.Resume())
		require.NoError(w.t, err, "%v", w.said)
		assert.InDelta(w.t, *s.Cost, r.Cost, 1e-9)
		assert.Equal(w.t, s.Lacks, r.CostLacks, "%v", w.said)
	}
	if len(w.how) == 3 { // the command
		var said struct{ Spend struct{ Cost float64 } }
		out, err := exec.Command(w.how[0], append([]string{"score", "--json"}, w.dirs...)...).Output()
		require.NoError(w.t, errors.Join(err, json.Unmarshal(out, &said)))
		assert.InDelta(w.t, *s.Cost, said.Spend.Cost, 1e-9)
		var receipt struct{ Dollars float64 }
		if out, err = exec.Command(w.how[0], append([]string{"score", "--receipt", "--json"}, w.dirs...)...).Output(); s.Basis == "ledger" {
			require.NoError(w.t, errors.Join(err, json.Unmarshal(out, &receipt)))
			assert.InDelta(w.t, *s.Cost, receipt.Dollars, 1e-9)
		}
	}
	require.False(w.t, math.IsNaN(*s.Cost))
}
