package adapters_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// recorded is an upstream result folder of one model.
func recorded(t *testing.T, lines string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "a_model", "non_live", "BFCL_v4_simple_python_result.json")
	testkit.Write(t, file, lines)
	return dir
}

const lines = `{"id": "simple_python_0", "result": [{"f": "{\"x\": 1}"}], "input_token_count": 7, "output_token_count": 2, "latency": 0.25}
{"id": "simple_python_1", "result": "Error during inference: Request timed out."}
`

func TestReplayConformance(t *testing.T) {
	adaptertest.Run(t, func(t *testing.T) eval.Adapter {
		return testkit.Must(replay.New(recorded(t, lines)))(t)
	}, &eval.Request{ID: "simple_python_0", Mode: eval.FC})
}

func TestReplayGenerate(t *testing.T) {
	a := testkit.Must(replay.New(recorded(t, lines)))(t)
	assert.Equal(t, eval.FC, a.Mode())
	resp := testkit.Must(a.Generate(t.Context(), &eval.Request{ID: "simple_python_0"}))(t)
	assert.Equal(t, `[{'f': '{"x": 1}'}]`, pyval.Repr(resp.Result))
	assert.Equal(t, []int{7, 2}, []int{resp.InputTokens, resp.OutputTokens})

	_, err := a.Generate(t.Context(), &eval.Request{ID: "simple_python_1"})
	assert.Equal(t, "recorded_error", eval.InfraKind(err))
	_, err = a.Generate(t.Context(), &eval.Request{ID: "simple_python_2"})
	assert.Equal(t, "not_recorded", eval.InfraKind(err))
	require.ErrorIs(t, err, eval.ErrNoAnswer)
	_, err = a.Generate(t.Context(), &eval.Request{ID: "simple_python_0", Trial: 1})
	assert.Equal(t, "not_recorded", eval.InfraKind(err), "a trial that was not recorded")
}

func TestReplayNewErrors(t *testing.T) {
	testkit.Fails(replay.New(t.TempDir()))(t, "replay: ")
	_, err := replay.New(recorded(t, "{\n"))
	assert.ErrorContains(t, err, "BFCL_v4_simple_python_result.json:1: invalid JSON", "a broken file is told before the run")
}

func TestReplayPromptMode(t *testing.T) {
	a := testkit.Must(replay.New(recorded(t, `{"id": "simple_python_0", "result": "[f(x=1)]"}`)))(t)
	assert.Equal(t, eval.Prompt, a.Mode())
}
