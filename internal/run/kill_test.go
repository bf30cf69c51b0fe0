package run_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
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
	ctx := context.Background()
	s.Each(ctx, func(cat *eval.Category, c *eval.Case, trial int) { s.Engine.Run(ctx, cat, c, trial) })
	if err := s.Finish(false); err != nil {
		panic(err)
	}
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
	got := answerAll(t, s)
	for _, out := range got {
		if out.Reused {
			reused++
		}
	}
	compareWithUpstream(t, server, s, recorded, got)
	lost := server.served.Load() - cases
	assert.LessOrEqual(t, lost, int64(2*s.Plan.Places), "a kill loses at most the cases that have begun")
	assert.LessOrEqual(t, server.served.Load()-before, cases-int64(reused), "no answered case is asked again")
	t.Logf("killed twice after %d answers; %d reused, %d answers lost in flight", before, reused, lost)
}
