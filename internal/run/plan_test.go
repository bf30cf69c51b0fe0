package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestPlan: a plan states the run and touches nothing, where opening it moves
// an older run aside and begins recordings.
func TestPlan(t *testing.T) {
	for _, key := range []string{"RAPID_API_KEY", "EXCHANGERATE_API_KEY", "OMDB_API_KEY", "GEOCODE_API_KEY"} {
		t.Setenv(key, "unused")
	}
	o := options(t)
	o.RunDir, o.IDs = filepath.Join(o.Root, "run"), "simple_python_0"
	s, err := suite.Open(o)
	require.NoError(t, err)
	require.NoError(t, s.Close())

	o.Search, o.SearchRecord = "offline", filepath.Join(o.Root, "searches.jsonl")
	o.Exec, o.ExecReplay = "record", filepath.Join(o.Root, "api.jsonl")
	o.IDs, o.Categories = "", "web_search,executable"
	before := files(t, o.Root)
	for range 2 {
		p, err := suite.NewPlan(o)
		require.NoError(t, err)
		assert.Equal(t, o.RunDir, p.Dir)
		assert.Equal(t, "offline", p.Run.Parameters["search"])
		assert.Equal(t, o.ExecReplay, p.Run.Parameters["api_replay"])
		assert.NotEmpty(t, p.Run.Digest)
		assert.Positive(t, p.Cases())
	}
	assert.Equal(t, before, files(t, o.Root))

	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	s, err = p.Open()
	require.NoError(t, err)
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
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	assert.Equal(t, "4 characters a token, where the reply states none", p.Run.Parameters["tokens_estimated"])
}

// TestPlanTagged: a model behind a build tag that is missing here can be shown,
// and neither planned nor opened.
func TestPlanTagged(t *testing.T) {
	o := options(t)
	o.Model = "anthropic:claude"
	t.Setenv("ANTHROPIC_API_KEY", "")
	_, err := suite.NewPlan(o)
	require.ErrorContains(t, err, "the key is missing")
	if adapters.Tag("bedrock") == "" {
		t.Skip("this build has the adapter")
	}
	o.Model = "bedrock:nova"
	const missing = "the adapter bedrock is not in this build: it needs -tags=bedrock, as in `go install -tags=bedrock"
	_, err = suite.NewPlan(o)
	require.ErrorContains(t, err, missing)
	assert.True(t, misuse.Is(err))
	p, err := suite.PlanPreview(o)
	require.NoError(t, err)
	_, err = p.Open()
	require.ErrorContains(t, err, missing)
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
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	assert.True(t, p.Webless)
	assert.Contains(t, strings.Join(p.Notes, "\n"), "choose what to search, as in -search=serpapi, or leave the category out with -search=none")
	o.Search = "none"
	p, err = suite.NewPlan(o)
	require.NoError(t, err)
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
		p, err := suite.NewPlan(o)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Join(p.Run.IDs, ","))
		if want != "" {
			assert.Equal(t, limit, p.Cases())
		}
	}
	o.Sample, o.IDs = "1,by=category", "multiple_3,multiple_4"
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
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
		p, err := suite.PlanPreview(o)
		require.NoError(t, err)
		got, all := p.InputTokens(p.Model.Settings)
		assert.True(t, all)
		t.Logf("%s: estimated %d, counted %.0f", categories, got, want)
		assert.InEpsilon(t, want, got, 0.12, categories)
	}
}
