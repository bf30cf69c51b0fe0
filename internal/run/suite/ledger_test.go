package suite_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestLedger: over faults, a case that has no answer, a halt and a resume, each
// request that the server counts has its line, and the dollars of the ledger are
// those that it bills.
func TestLedger(t *testing.T) {
	var mu sync.Mutex
	draw := rand.New(rand.NewPCG(1, 2))
	requests, billed, down := 0, 0, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		requests++
		fault := draw.Float64()
		if fault >= 0.3 && !down {
			billed++
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
	o := priced(t, server.URL, "")
	o.Concurrency, o.RunDir = 8, t.TempDir()
	o.Categories = "multiple,multi_turn_base"
	for _, cost := range []float64{12, 0} { // halted, and continued
		o.MaxCost, o.Resume = cost, true
		runAllPlaces(t, open(t, o))
	}
	fates := map[record.Fate]int{}
	sums, err := record.ReadLedger(o.RunDir, func(s record.Sent) {
		fates[s.Fate]++
		assert.NotEmpty(t, s.Case)
		if s.Fate == record.Kept {
			assert.Equal(t, "priced-1 fp_7", s.Served+" "+s.Fingerprint)
		}
	})
	require.NoError(t, err)
	sent, dollars := 0, 0.0
	for fate, sum := range sums {
		sent, dollars = sent+sum.Requests, dollars+sum.Dollars
		assert.Equal(t, fates[fate], sum.Requests)
	}
	assert.Equal(t, requests, sent)
	assert.InDelta(t, float64(billed), dollars, 1e-9)
	assert.Positive(t, fates[record.Retried])
	assert.Zero(t, fates[record.Open]+fates[record.Answered])
	t.Logf("%d requests, %d billed: %v", requests, billed, sums)

	run, err := tally.Read([]string{o.RunDir}, tally.Options{})
	require.NoError(t, err)
	require.NotNil(t, run.Receipt)
	spend := run.Spend()
	assert.Equal(t, "ledger", spend.Basis)
	assert.InDelta(t, dollars, *spend.Cost, 1e-9, "what the score states")

	down, o.Resume, o.RunDir = true, false, filepath.Join(t.TempDir(), "down") // a refused key ends the run
	s := open(t, o)
	runAllPlaces(t, s)
	refused := 0
	_, err = record.ReadLedger(o.RunDir, func(s record.Sent) {
		assert.Equal(t, record.Refused, s.Fate)
		assert.Equal(t, "unauthorized", s.Error)
		refused++
	})
	require.NoError(t, err)
	assert.Equal(t, requests, sent+refused)

	o.NoLedger, o.RunDir = true, filepath.Join(t.TempDir(), "off")
	runAllPlaces(t, open(t, o))
	assert.NoFileExists(t, filepath.Join(o.RunDir, record.LedgerFile))
}
