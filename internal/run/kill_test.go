package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
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
	text := testkit.Must(json.Marshal(o))(t)
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
	assert.LessOrEqual(t, lost, int64(2*s.Plan.Model.Places), "a kill loses at most the cases that have begun")
	assert.LessOrEqual(t, server.served.Load()-before, cases-int64(reused), "no answered case is asked again")
	t.Logf("killed twice after %d answers; %d reused, %d answers lost in flight", before, reused, lost)
}

// priced are options for a model at a server, at a dollar an answer of ten
// tokens in and ten out.
func priced(t *testing.T, server string) suite.Options {
	t.Helper()
	o := options(t)
	o.Models = filepath.Join(o.Root, "models.yaml")
	text := "models:\n  priced:\n    adapter: openai\n    id: priced\n    base_url: " + server + "/v1\n    prices: {input: 50000, output: 50000}\n"
	require.NoError(t, os.WriteFile(o.Models, []byte(text), 0o644))
	o.Model, o.Categories = "priced", "single_turn"
	return o
}

// TestLedger: over faults, a case that has no answer, a halt and a resume, each
// request that the server counts has its line, and the dollars of the ledger are
// those that it bills.
func TestLedger(t *testing.T) {
	var mu sync.Mutex
	draw := rand.New(rand.NewPCG(1, 2))
	requests, billed, cut, down := 0, 0, 0, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		requests++
		fault := draw.Float64()
		switch {
		case down:
		case fault >= 0.3:
			billed++
		case fault >= 0.2:
			cut++
		}
		broken := down
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case broken:
			http.Error(w, `{"error": {"message": "no such key"}}`, http.StatusUnauthorized)
		case fault < 0.1:
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error": {"message": "slow down"}}`, http.StatusTooManyRequests)
		case fault < 0.2:
			http.Error(w, "oops", http.StatusInternalServerError)
		case fault < 0.3:
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"model": `))
		default:
			_, _ = w.Write([]byte(`{"model": "priced-1", "system_fingerprint": "fp_7", "choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 10}}`))
		}
	}))
	defer server.Close()
	o := priced(t, server.URL)
	o.Concurrency, o.RunDir = 8, t.TempDir()
	o.Categories = "multiple,multi_turn_base"
	for _, cost := range []float64{12, 0} { // halted, and continued
		o.MaxCost, o.Resume = cost, true
		answerAll(t, open(t, o))
	}
	sums := map[record.Fate]eval.Money{}
	lost, err := record.ReadLedger(o.RunDir, func(s *record.Sent) {
		sums[s.Fate] = sums[s.Fate].Plus(s.Money())
		assert.NotEmpty(t, s.Case)
		if s.Fate == record.Kept {
			assert.Equal(t, "priced-1 fp_7", s.Served+" "+s.Fingerprint)
		}
	})
	require.NoError(t, err)
	assert.Zero(t, lost)
	var sent eval.Money
	for _, sum := range sums {
		sent = sent.Plus(sum)
	}
	assert.Equal(t, requests, sent.Requests)
	assert.InDelta(t, float64(billed), sent.Dollars, 1e-9)
	assert.Equal(t, cut, sent.Unknown, "a reply that broke off may have been charged")
	assert.Positive(t, sums[record.Retried].Requests)
	assert.Zero(t, sums[record.Open].Requests+sums[record.Answered].Requests)
	t.Logf("%d requests, %d billed: %v", requests, billed, sums)

	run := testkit.Must(tally.Read([]string{o.RunDir}, tally.Options{}))(t)
	require.NotNil(t, run.Receipt)
	spend := run.Spend()
	assert.Equal(t, "ledger", spend.Basis)
	assert.InDelta(t, sent.Dollars, *spend.Cost, 1e-9, "what the score states")
	assert.Equal(t, []string{fmt.Sprintf("requests that got no whole reply: %d", cut)}, spend.Lacks)

	down, o.Resume, o.RunDir = true, false, filepath.Join(t.TempDir(), "down") // a refused key ends the run
	answerAll(t, open(t, o))
	refused := 0
	_, err = record.ReadLedger(o.RunDir, func(s *record.Sent) {
		assert.Equal(t, record.Refused, s.Fate)
		assert.Equal(t, "unauthorized", s.Error)
		refused++
	})
	require.NoError(t, err)
	assert.Equal(t, requests, sent.Requests+refused)
}
