package suite_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
)

const lamp = `", "question": [[{"role": "user", "content": "Dim to 1."}]], "function": [{"name": "dim", "description": "Dims.", "parameters": {"type": "dict", "properties": {"level": {"type": "integer", "description": "Level."}}, "required": ["level"]}}]}` + "\n"

// TestShareEqual: two cases with one question are two questions, unless the
// user wants to save.
func TestShareEqual(t *testing.T) {
	data := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(data, "possible_answer"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(data, "BFCL_v4_simple_python.json"), []byte(`{"id": "simple_python_0`+lamp+`{"id": "simple_python_1`+lamp), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(data, "possible_answer", "BFCL_v4_simple_python.json"),
		[]byte(`{"id": "simple_python_0", "ground_truth": [{"dim": {"level": [1]}}]}`+"\n"+`{"id": "simple_python_1", "ground_truth": [{"dim": {"level": [1]}}]}`+"\n"), 0o644))
	for _, share := range []bool{false, true} {
		var served atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if served.Add(1) == 1 {
				for end := time.Now().Add(time.Second / 2); served.Load() == 1 && time.Now().Before(end); time.Sleep(time.Millisecond) {
				}
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"model": "m", "choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 10}}`))
		}))
		o := priced(t, server.URL, "")
		o.Dataset, o.ShareEqual, o.Concurrency = data, share, 2
		s := open(t, o)
		runAllPlaces(t, s)
		server.Close()
		assert.Equal(t, map[bool]int64{false: 2, true: 1}[share], served.Load())
		assert.Equal(t, map[bool]string{true: "true"}[share], s.Plan.Run.Parameters["share_equal"])
		assert.InDelta(t, float64(served.Load()), s.Engine.Progress.Snapshot().Cost, 1e-9, "a dollar a request")
		run, err := tally.Read([]string{s.Plan.Dir}, tally.Options{})
		require.NoError(t, err)
		spend := run.Spend()
		assert.InDelta(t, float64(served.Load()), *spend.Cost, 1e-9)
		assert.EqualValues(t, 10*served.Load(), spend.InputTokens)
		assert.Equal(t, 2, spend.Answers)
	}
}
