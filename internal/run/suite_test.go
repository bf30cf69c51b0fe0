package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func options(t *testing.T) suite.Options {
	return suite.Options{Model: "heuristic", Dataset: "starter", Categories: "all", Trials: 1, Root: t.TempDir(), Timeout: time.Minute}
}

func TestOpenErrors(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, c := range []struct {
		change func(*suite.Options)
		want   string
	}{
		{func(o *suite.Options) { o.Model = "gpt" }, "unknown model gpt; did you mean "},
		{func(o *suite.Options) { o.Model = "nope:gpt" }, `model "nope:gpt": there is no adapter "nope"; use one of oracle, `},
		{func(o *suite.Options) { o.Model = "bedrock:nova" }, "the adapter bedrock is not in this build: it needs -tags=bedrock"},
		{func(o *suite.Options) { o.BaseURL = "http://localhost:1" }, "-base-url is for models behind a server; heuristic is not"},
		{func(o *suite.Options) { o.Model, o.MaxCost = "openai:mine", 1; o.BaseURL = "http://localhost:1" }, "-max-cost needs the model's prices"},
		{func(o *suite.Options) { o.Model, o.Headers = "openai:mine", []string{"nonsense"} }, `-header must be "Name: value"`},
		{func(o *suite.Options) { o.Model = "openai:mine" }, "the key is missing: set OPENAI_API_KEY in the environment or in .env"},
		{func(o *suite.Options) { o.Model = "replay" }, `model "replay" lacks its argument: write replay:<dir>`},
		{func(o *suite.Options) { o.Model = "oracle:x" }, `model "oracle:x": oracle takes no argument`},
		{func(o *suite.Options) { o.Model = "replay:" + nowhere }, nowhere + " is not a folder of recorded results"},
		{func(o *suite.Options) { o.Dataset = "v5" }, `unknown dataset "v5"`},
		{func(o *suite.Options) { o.Categories = "simple_pyton" }, `unknown category "simple_pyton"; did you mean "simple_python"?`},
		{func(o *suite.Options) { o.Categories = "," }, `dataset "starter" has none of the categories ","`},
		{func(o *suite.Options) { o.IDs = "simple_python_0,nope" }, `1 unknown case id in dataset "starter"`},
		{func(o *suite.Options) { o.IDs = " , " }, `-ids: " , " has no ids`},
		{func(o *suite.Options) { o.IDs = "@" + nowhere }, "-ids: open " + nowhere},
		{func(o *suite.Options) { o.Trials = 0 }, "-trials must be at least 1, not 0"},
		{func(o *suite.Options) { o.Concurrency = -1 }, "-concurrency must be at least 0, not -1"},
		{func(o *suite.Options) { o.Mode = "text" }, `unknown mode "text": use fc or prompt`},
		{func(o *suite.Options) { o.Underscores = "maybe" }, `-underscore-to-dot must be yes or no, not "maybe"`},
		{func(o *suite.Options) { o.Model, o.Resume = "oracle", true }, "-resume needs a run folder: set -run-dir"},
	} {
		o := options(t)
		c.change(&o)
		_, err := suite.Open(o)
		assert.ErrorContains(t, err, c.want)
		assert.True(t, misuse.Is(err), "%s: wrong usage", c.want)
	}
}

// TestOpenErrorIsOne: of several flags that do not suit a model the same is named
// each time.
func TestOpenErrorIsOne(t *testing.T) {
	for range 50 {
		o := options(t)
		o.Headers, o.RPM, o.TPM = []string{"X-A: 1"}, 1, 1
		_, err := suite.Open(o)
		require.ErrorContains(t, err, "-header is for models behind a server; heuristic is not")
	}
}

func TestIDs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ids")
	require.NoError(t, os.WriteFile(file, []byte("multiple_1\n\n simple_python_0 \n"), 0o644))
	for _, ids := range []string{"simple_python_0, multiple_1", "@" + file, file} {
		o := options(t)
		o.IDs = ids
		s, err := suite.Open(o)
		require.NoError(t, err)
		assert.Equal(t, 2, s.Plan.Cases())
		assert.Equal(t, []string{"simple_python", "multiple"}, s.Plan.Names())
		require.NoError(t, s.Close())
	}
}

// TestRunFolder: a folder is used by one run; another goes aside, and -resume
// goes on only with what is the same.
func TestRunFolder(t *testing.T) {
	o := options(t)
	o.RunDir, o.Categories, o.IDs = filepath.Join(o.Root, "run"), "simple_python", "simple_python_0"
	run := func() *suite.Suite {
		s := open(t, o)
		answerAll(t, s)
		return s
	}
	run()
	second := run()
	require.Len(t, second.Plan.Notes, 1)
	assert.Contains(t, second.Plan.Notes[0], "an earlier run was there; it is now "+o.RunDir+".")
	folders, err := filepath.Glob(o.RunDir + "*")
	require.NoError(t, err)
	assert.Len(t, folders, 2)

	o.Resume = true
	third := run()
	assert.Equal(t, 1, third.Engine.Progress.Snapshot().Reused)
	o.Mode = "prompt"
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, `the run folder was made with mode "fc", not "prompt"`)

	state, err := record.ReadRun(o.RunDir)
	require.NoError(t, err)
	assert.False(t, state.Ended.IsZero())
	require.NoError(t, os.WriteFile(filepath.Join(o.RunDir, "run.json"), []byte("{"), 0o644))
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, "remove it, or choose another -run-dir")
}

func TestFolderName(t *testing.T) {
	for in, want := range map[string]string{
		"openai:qwen/qwen3-8b": "openai_qwen_qwen3-8b", "../..": "model", "a b\x00": "a_b", ":": "model",
		strings.Repeat("x", 200): strings.Repeat("x", 80),
	} {
		assert.Equal(t, want, suite.FolderName(in))
	}
}

// TestGoldenReplay runs a real model's recorded answers through the engine,
// as `go test -dataset=v4 -model=replay:…` does: upstream's failing ids are
// ours, but for the answers that upstream recorded as its own inference
// errors: those are errors.
func TestGoldenReplay(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	o := options(t)
	o.Dataset, o.Data, o.Categories, o.Model = "v4", testkit.Shared(t, "bfcl"), "single_turn", "replay:"+filepath.Join(recorded, "result")
	s := open(t, o)
	got, compared := answerAll(t, s), 0
	for _, part := range s.Plan.Parts {
		want := upstreamFailures(t, filepath.Join(recorded, "score", "openai_gpt-oss-120b", part.Category.Group, "BFCL_v4_"+part.Category.Name+"_score.json"))
		for _, c := range part.Cases {
			out := got[c.ID]
			compared++
			if out.Status == eval.Error {
				assert.Equal(t, "infrastructure:recorded_error", out.ErrorType, c.ID)
				continue
			}
			assert.Equal(t, want[c.ID], out.ErrorType, c.ID)
		}
	}
	end := s.Engine.Progress.Snapshot()
	assert.Equal(t, 2, end.Errors)
	t.Logf("%d cases compared: %d passed, %d failed, %d errors", compared, end.Passed, end.Failed, end.Errors)
}

func upstreamFailures(t *testing.T, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	first := true
	testkit.Rows(t, path, func(_ int, row *pyval.Dict) {
		if !first {
			if fault, ok := testkit.Field(row, "error").(*pyval.Dict); ok && fault.Has("error_type") {
				row.SetStr("error_type", testkit.Field(fault, "error_type")) // of conversations
			}
			out[testkit.Text(row, "id")] = testkit.Text(row, "error_type")
		}
		first = false
	})
	return out
}

// TestOneRunAFolder: a folder that is being written is refused, -resume too,
// and nothing in it is moved.
func TestOneRunAFolder(t *testing.T) {
	o := options(t)
	o.RunDir, o.IDs = filepath.Join(o.Root, "run"), "simple_python_0"
	first, err := suite.Open(o)
	require.NoError(t, err)
	for _, resume := range []bool{false, true} {
		o.Resume = resume
		_, err = suite.Open(o)
		require.ErrorContains(t, err, "is being written by process ")
	}
	aside, err := filepath.Glob(o.RunDir + ".*")
	require.NoError(t, err)
	assert.Empty(t, aside)
	require.NoError(t, first.Close())
	second, err := suite.Open(o)
	require.NoError(t, err)
	require.NoError(t, second.Close())
}
