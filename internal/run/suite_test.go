package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
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
		assert.True(t, option.IsMisuse(err), "%s: wrong usage", c.want)
	}
}

// TestOpenErrorIsOne: of several flags that do not suit a model the same is named
// each time.
func TestOpenErrorIsOne(t *testing.T) {
	for range 50 {
		o := options(t)
		o.Headers, o.RPM, o.TPM = []string{"X-A: 1"}, 1, 1
		testkit.Fails(suite.Open(o))(t, "-header is for models behind a server; heuristic is not")
	}
}

func TestIDs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ids")
	require.NoError(t, os.WriteFile(file, []byte("multiple_1\n\n simple_python_0 \n"), 0o644))
	for _, ids := range []string{"simple_python_0, multiple_1", "@" + file, file} {
		o := options(t)
		o.IDs = ids
		s := testkit.Must(suite.Open(o))(t)
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
	folders := testkit.Must(filepath.Glob(o.RunDir + "*"))(t)
	assert.Len(t, folders, 2)

	o.Resume = true
	third := run()
	assert.Equal(t, 1, third.Engine.Progress.Snapshot().Reused)
	o.Mode = "prompt"
	assert.ErrorContains(t, testkit.Err(suite.Open(o)), `the run folder was made with mode "fc", not "prompt"`)

	state := testkit.Must(record.ReadRun(o.RunDir))(t)
	assert.False(t, state.Ended.IsZero())
	require.NoError(t, os.WriteFile(filepath.Join(o.RunDir, "run.json"), []byte("{"), 0o644))
	assert.ErrorContains(t, testkit.Err(suite.Open(o)), "remove it, or choose another -run-dir")
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
	first := testkit.Must(suite.Open(o))(t)
	for _, resume := range []bool{false, true} {
		o.Resume = resume
		testkit.Fails(suite.Open(o))(t, "is being written by process ")
	}
	aside := testkit.Must(filepath.Glob(o.RunDir + ".*"))(t)
	assert.Empty(t, aside)
	require.NoError(t, first.Close())
	second := testkit.Must(suite.Open(o))(t)
	require.NoError(t, second.Close())
}

// TestPlan: a plan states the run and touches nothing, where opening it moves
// an older run aside and begins recordings.
func TestPlan(t *testing.T) {
	for _, key := range []string{"RAPID_API_KEY", "EXCHANGERATE_API_KEY", "OMDB_API_KEY", "GEOCODE_API_KEY"} {
		t.Setenv(key, "unused")
	}
	o := options(t)
	o.RunDir, o.IDs = filepath.Join(o.Root, "run"), "simple_python_0"
	s := testkit.Must(suite.Open(o))(t)
	require.NoError(t, s.Close())

	o.Search, o.SearchRecord = "offline", filepath.Join(o.Root, "searches.jsonl")
	o.Exec, o.ExecReplay = "record", filepath.Join(o.Root, "api.jsonl")
	o.IDs, o.Categories = "", "web_search,executable"
	before := files(t, o.Root)
	for range 2 {
		p := testkit.Must(suite.NewPlan(o))(t)
		assert.Equal(t, o.RunDir, p.Dir)
		assert.Equal(t, "offline", p.Run.Parameters["search"])
		assert.Equal(t, o.ExecReplay, p.Run.Parameters["api_replay"])
		assert.NotEmpty(t, p.Run.Digest)
		assert.Positive(t, p.Cases())
	}
	assert.Equal(t, before, files(t, o.Root))

	p := testkit.Must(suite.NewPlan(o))(t)
	s = testkit.Must(p.Open())(t)
	assert.Contains(t, s.Plan.Notes[len(s.Plan.Notes)-1], "an earlier run was there")
	require.NoError(t, s.Close())
	assert.FileExists(t, o.SearchRecord)
	assert.FileExists(t, o.ExecReplay)
}

// TestEstimatedTokens: a run whose tokens are estimated says so.
func TestEstimatedTokens(t *testing.T) {
	o := options(t)
	o.Model, o.Models, o.MaxCost = "m", filepath.Join(o.Root, "models.yaml"), 1
	text := "models:\n  m: {adapter: openai, id: m, base_url: \"http://127.0.0.1:1/v1\", prices: {input: 1, output: 1, chars_per_token: 4}}\n"
	require.NoError(t, os.WriteFile(o.Models, []byte(text), 0o644))
	t.Setenv("OPENAI_API_KEY", "unused")
	p := testkit.Must(suite.NewPlan(o))(t)
	assert.Equal(t, "4 characters a token, where the reply states none", p.Run.Parameters["tokens_estimated"])
}

// TestPlanTagged: a model behind a build tag that is missing here can be shown,
// and neither planned nor opened.
func TestPlanTagged(t *testing.T) {
	o := options(t)
	o.Model = "anthropic:claude"
	t.Setenv("ANTHROPIC_API_KEY", "")
	testkit.Fails(suite.NewPlan(o))(t, "the key is missing")
	if adapters.Tag("bedrock") == "" {
		t.Skip("this build has the adapter")
	}
	o.Model = "bedrock:nova"
	const missing = "the adapter bedrock is not in this build: it needs -tags=bedrock, as in `go install -tags=bedrock"
	_, err := suite.NewPlan(o)
	require.ErrorContains(t, err, missing)
	assert.True(t, option.IsMisuse(err))
	p := testkit.Must(suite.PlanPreview(o))(t)
	testkit.Fails(p.Open())(t, missing)
}

// TestWebless: web categories that are left out are told with what to do, and
// nobody is taken by surprise who said so.
func TestWebless(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.MkdirAll(data, 0o755))
	line := `{"id": "%s_0", "question": [[{"role": "user", "content": "Who?"}]], "function": []}` + "\n"
	for _, name := range []string{"irrelevance", "web_search"} {
		require.NoError(t, os.WriteFile(filepath.Join(data, "BFCL_v4_"+name+".json"), fmt.Appendf(nil, line, name), 0o644))
	}
	o := options(t)
	o.Dataset = data
	p := testkit.Must(suite.NewPlan(o))(t)
	assert.True(t, p.Webless)
	assert.Contains(t, strings.Join(p.Notes, "\n"), "choose what to search, as in -search=serpapi, or leave the category out with -search=none")
	o.Search = "none"
	p = testkit.Must(suite.NewPlan(o))(t)
	assert.False(t, p.Webless)
	assert.Contains(t, strings.Join(p.Notes, "\n"), "is left out because of -search=none")
}

// TestFirstLook: the first cases of every category in turn.
func TestFirstLook(t *testing.T) {
	o := options(t)
	o.Categories = "simple_python,multiple,parallel"
	for limit, want := range map[int]string{
		0:   "",
		1:   "simple_python_0",
		4:   "simple_python_0,multiple_0,parallel_0,simple_python_1",
		999: "",
	} {
		if o.Sample = ""; limit > 0 {
			o.Sample = fmt.Sprintf("%d,by=category", limit)
		}
		p := testkit.Must(suite.NewPlan(o))(t)
		assert.Equal(t, want, strings.Join(p.Run.IDs, ","))
		if want != "" {
			assert.Equal(t, limit, p.Cases())
		}
	}
	o.Sample, o.IDs = "1,by=category", "multiple_3,multiple_4"
	p := testkit.Must(suite.NewPlan(o))(t)
	assert.Equal(t, []string{"multiple_3"}, p.Run.IDs)
}

// TestIDsArePatterns: -ids takes ids, category/id, and patterns of both, each of
// which must match something.
func TestIDsArePatterns(t *testing.T) {
	o := options(t)
	o.Categories = "simple_python,multiple"
	for ids, want := range map[string]string{
		"multiple_2?":                  "multiple_20,multiple_21,multiple_22,multiple_23,multiple_24,multiple_25",
		"*_0,multiple_1":               "simple_python_0,multiple_0,multiple_1",
		"simple_python/*_3":            "simple_python_3",
		"multiple/multiple_3":          "multiple/multiple_3",
		"multiple_0,multiple_*0":       "multiple_0,multiple_10,multiple_20",
		"multiple_0,nope_*":            "",
		"simple_python/multiple_0":     "",
		"multiple_1,multiple_1x,*_999": "",
	} {
		o.IDs = ids
		p, err := suite.NewPlan(o)
		if want == "" {
			require.ErrorContains(t, err, "unknown case id", ids)
			continue
		}
		require.NoError(t, err, ids)
		assert.Equal(t, want, strings.Join(p.Run.IDs, ","), ids)
		assert.Equal(t, len(p.Run.IDs), p.Cases(), ids)
	}
}

// TestGoldenInputTokens: the estimate agrees with what was counted: the requests of
// V4 as JSON, with gpt-oss-120b's answers, by OpenAI's tokenizer.
func TestGoldenInputTokens(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	for categories, want := range map[string]float64{
		"single_turn": 1.86e6, "multi_turn": 44.7e6, "multi_turn_long_context": 16.7e6, "multi_turn_base": 8.4e6, "live": 1.5e6, "simple_python": 69_371,
	} {
		o := options(t)
		o.Model, o.Dataset, o.Data, o.Categories, o.BaseURL = "openai:m", "v4", data, categories, "http://127.0.0.1:1/v1"
		p := testkit.Must(suite.PlanPreview(o))(t)
		got, all := p.InputTokens(p.Model.Settings)
		assert.True(t, all)
		t.Logf("%s: estimated %d, counted %.0f", categories, got, want)
		assert.InEpsilon(t, want, got, 0.12, categories)
	}
}
