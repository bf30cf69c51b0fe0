package chaos_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/chaos"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var (
	seeds = flag.Int("seeds", testkit.Some(2, 10), "the `number` of seeds")
	first = flag.Uint64("first", 1, "the first `seed`")
)

// atOnce is how many seeds run at a time: most of it is waiting.
const atOnce = 10

// childVariable makes this test's binary the suite's.
const childVariable = "BFCL_TEST_SUITE"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		testkit.Waiting()
		os.Exit(m.Run())
	}
	testkit.IsBenchmark()
	flag.Parse()
	run := &gotest.Run{Options: &testkit.Suite}
	testing.Main(regexp.MatchString, run.Tests(), nil, nil)
}

func trial(t *testing.T, seed uint64) chaos.Trial {
	categories := "simple_python,simple_java,parallel_multiple,irrelevance,live_simple,multi_turn_base,memory_kv"
	if given := flag.Lookup("categories"); given.Value.String() != given.DefValue {
		categories = given.Value.String()
	}
	return chaos.Trial{
		Suite: []string{os.Args[0], "-test.timeout=0"}, Env: append(os.Environ(), childVariable+"=1", "OPENAI_API_KEY=unused"),
		Categories: categories, Dir: filepath.Join(t.TempDir(), "run"), Seed: seed,
	}
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
	calm := trial(t, 0).Run()
	require.Empty(t, calm.Problems)
	require.Empty(t, calm.Faults)
	require.NotNil(t, calm.Run)
	var mu sync.Mutex
	var compared, requests, processes int
	stops, faults := map[string]int{}, map[string]int{}
	var wg sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range uint64(*seeds) {
		one := trial(t, *first+i)
		one.Faults, one.Kills = 0.2, 3
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			report := one.Run()
			mu.Lock()
			defer mu.Unlock()
			assert.Emptyf(t, report.Problems, "seed %d", one.Seed)
			if !assert.NotNilf(t, report.Run, "seed %d", one.Seed) {
				return
			}
			n, differences := chaos.Differences(calm.Run, report.Run)
			assert.Emptyf(t, differences, "seed %d", one.Seed)
			compared, requests, processes = compared+n, requests+report.Requests, processes+report.Processes
			add(stops, report.Stops)
			add(faults, report.Faults)
		})
	}
	wg.Wait()
	assert.Greater(t, requests, 100**seeds, "thousands of requests")
	t.Logf("%d cases of %d seeds compared with a run that nothing befell; %d processes, %d requests",
		compared, *seeds, processes, requests)
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
		one := trial(t, 0)
		one.Categories = "simple_python,irrelevance"
		report := one.Run()
		require.Empty(t, report.Problems)
		return report.Run
	}
	want := read()
	_, none := chaos.Differences(want, read())
	assert.Empty(t, none)
	for name, change := range map[string]func(run *tally.Run){
		"is lost":           func(run *tally.Run) { run.Parts[0].Results = run.Parts[0].Results[1:] },
		", not":             func(run *tally.Run) { run.Parts[0].Results[0].ErrorType = "other" },
		"was answered":      func(run *tally.Run) { run.Parts[0].Results[0].Result = nil },
		"is not a case of ": func(run *tally.Run) { run.Parts[0].Results[0].Case.ID = "another" },
	} {
		got := read()
		change(got)
		_, found := chaos.Differences(want, got)
		require.NotEmpty(t, found, name)
		assert.Contains(t, found[0]+found[len(found)-1], name)
	}
	got := read()
	for _, part := range got.Parts {
		part.Results[0].Case.ID, part.Results[1].Case.ID = part.Category.Name+"_x", part.Category.Name+"_y"
		part.Results[2].ErrorType, part.Results[2].Status = "other", eval.Fail
	}
	_, found := chaos.Differences(want, got)
	for range 30 {
		_, again := chaos.Differences(want, got)
		require.Equal(t, found, again, "a seed tells the same each time")
	}
}
