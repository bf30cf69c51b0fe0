package suite_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/run/suite"
)

// priced are options for a model at a server, at a dollar an answer of ten
// tokens in and ten out.
func priced(t *testing.T, server, more string) suite.Options {
	t.Helper()
	o := options(t)
	o.Models = filepath.Join(o.Root, "models.yaml")
	text := "models:\n  priced:\n    adapter: openai\n    id: priced\n    base_url: " + server + "/v1\n    prices: {input: 50000, output: 50000" + more + "}\n"
	require.NoError(t, os.WriteFile(o.Models, []byte(text), 0o644))
	o.Model, o.Categories = "priced", "single_turn"
	return o
}

// runAllPlaces runs all cases as the test does, many more of which are begun
// than requests may be in flight.
func runAllPlaces(t *testing.T, s *suite.Suite) {
	t.Helper()
	var running sync.WaitGroup
	places := make(chan struct{}, s.Plan.Places)
	for _, part := range s.Plan.Parts {
		for _, c := range part.Cases {
			places <- struct{}{}
			running.Go(func() {
				defer func() { <-places }()
				s.Engine.Run(t.Context(), part.Category, c, 0)
			})
		}
	}
	running.Wait()
	require.NoError(t, s.Finish(true))
}

// TestBudget: a budget is overrun by what is in flight at most, though many
// more cases have begun and wait for their turn.
func TestBudget(t *testing.T) {
	for _, inFlight := range []int{1, 4} {
		var served atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			served.Add(1)
			time.Sleep(time.Millisecond)
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"model": "priced", "choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 10}}`))
		}))
		o := priced(t, server.URL, "")
		o.MaxCost, o.Concurrency = 20, inFlight
		s := open(t, o)
		runAllPlaces(t, s)
		server.Close()
		assert.GreaterOrEqual(t, served.Load(), int64(20))
		assert.Less(t, served.Load(), int64(20+inFlight))
		assert.Contains(t, s.Plan.Run.Halted, "the budget is spent")
		t.Logf("%d in flight: $%d spent of $20", inFlight, served.Load())
	}
}

// TestBudgetNeedsUsage: a server that does not state what a reply took cannot be
// held to a budget.
func TestBudgetNeedsUsage(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"model": "priced", "choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}]}`))
	}))
	defer server.Close()
	o := priced(t, server.URL, "")
	o.MaxCost, o.Concurrency = 20, 1
	s := open(t, o)
	runAllPlaces(t, s)
	assert.Contains(t, s.Plan.Run.Halted, "a reply states no tokens (usage)")

	o = priced(t, server.URL, ", chars_per_token: 4")
	o.MaxCost, o.Concurrency = 20, 1
	s = open(t, o)
	runAllPlaces(t, s)
	assert.Contains(t, s.Plan.Run.Halted, "the budget is spent")
	assert.Contains(t, s.Plan.Run.Parameters["tokens_estimated"], "4 characters a token")
}
