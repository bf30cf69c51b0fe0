package suite_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// childVariable hands a run's options to a child of the test binary, which a
// test then kills.
const childVariable = "BFCL_TEST_CHILD"

// TestMain runs the tests, or the run they ask.
func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		runChild(text)
		return
	}
	_ = os.Setenv("OPENAI_API_KEY", "sk-planted-key-0123456789") // here, since tests that set it cannot run in parallel
	testkit.Waiting()
	os.Exit(m.Run())
}

func runChild(text string) {
	var o suite.Options
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	s, err := suite.Open(o)
	if err != nil {
		panic(err)
	}
	s.Start()
	runAll(s, func(string, eval.Result) {})
	if err := s.Finish(false); err != nil {
		panic(err)
	}
}

// runAll runs all cases, at the suite's concurrency.
func runAll(s *suite.Suite, done func(id string, out eval.Result)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, s.Plan.Concurrency)
	for _, part := range s.Plan.Parts {
		for _, c := range part.Cases {
			s.Expect(context.Background(), context.Background(), part.Category, c)
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				done(c.ID, s.Engine.Run(context.Background(), part.Category, c, 0))
			})
		}
	}
	wg.Wait()
}

// TestGoldenLoopbackKill kills a run in the middle, twice, and resumes it:
// the verdicts are upstream's, and what had been answered is not asked again.
func TestGoldenLoopbackKill(t *testing.T) {
	server, o, recorded := loopback(t, either("non_live"))
	o.Resume, o.Concurrency = true, 16
	// As on a busy machine, requests of a run that is dead by then are answered.
	var dying atomic.Bool
	var late atomic.Int64
	fault := func(http.ResponseWriter) bool {
		if dying.Load() {
			late.Add(1)
			time.Sleep(100 * time.Millisecond)
		}
		return false
	}
	server.fault.Store(&fault)
	text, err := json.Marshal(o)
	require.NoError(t, err)
	cases := int64(0)
	const patience = 3 * time.Minute // that a busy machine needs
	for kill := range 2 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+string(text))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		goal := int64(testkit.Some(300, 700) * (kill + 1))
		require.Eventually(t, func() bool { return server.served.Load() >= goal }, patience, time.Millisecond)
		dying.Store(true)
		asked := late.Load()
		require.Eventually(t, func() bool { return late.Load() > asked }, patience, time.Millisecond)
		require.NoError(t, child.Process.Kill())
		_ = child.Wait()
		require.Eventually(t, func() bool { return server.open.Load() == 0 }, patience, time.Millisecond, "the server is still at the dead run's requests")
		dying.Store(false)
	}
	before := server.served.Load()
	s := open(t, o)
	cases = int64(s.Plan.Cases())
	reused := 0
	got := map[string]eval.Result{}
	var mu sync.Mutex
	runAll(s, func(id string, out eval.Result) {
		mu.Lock()
		defer mu.Unlock()
		got[id] = out
		if out.Reused {
			reused++
		}
	})
	require.NoError(t, s.Finish(false))
	compareWithUpstream(t, server, s, recorded, got)
	lost := server.served.Load() - cases
	assert.LessOrEqual(t, lost, int64(2*o.Concurrency), "a kill loses at most the cases in flight")
	assert.LessOrEqual(t, server.served.Load()-before, cases-int64(reused), "no answered case is asked again")
	t.Logf("killed twice after %d answers; %d reused, %d answers lost in flight", before, reused, lost)
}
