package run_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// dataWithTexts is a data directory with the official dataset and upstream's
// texts of one handler.
func dataWithTexts(t *testing.T, dialect string, texts map[string]string) string {
	t.Helper()
	data := t.TempDir()
	v4 := filepath.Join(data, "v4")
	require.NoError(t, os.Mkdir(v4, 0o700))
	entries, err := os.ReadDir(testkit.Shared(t, "bfcl", "v4"))
	require.NoError(t, err)
	for _, entry := range entries {
		require.NoError(t, os.Symlink(testkit.Shared(t, "bfcl", "v4", entry.Name()), filepath.Join(v4, entry.Name())))
	}
	file, err := json.Marshal(completion.Texts{dialect: texts})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(v4, completion.TextsFile), file, 0o600))
	return data
}

// TestGoldenUpstreamPrompts asks a model of upstream's leaderboard by its name:
// the prompts that the server sees are those that upstream recorded.
func TestGoldenUpstreamPrompts(t *testing.T) {
	template, err := os.ReadFile(testkit.GoldenFile(t, "templates", "QwenFCHandler.jinja"))
	require.NoError(t, err)
	want := map[string]string{}
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "prompts.jsonl"), func(_ int, row *pyval.Dict) {
		if testkit.Text(row, "handler") == "QwenFCHandler" {
			want[testkit.Text(row, "id")] = testkit.Text(row, "prompt")
		}
	})
	server := newCompleter(t)
	o := options(t)
	o.Dataset, o.Data, o.Model = "v4", dataWithTexts(t, "qwen-fc", map[string]string{"template": string(template)}), "Qwen/Qwen3-0.6B-FC"
	o.BaseURL, o.RunDir, o.Categories = server.URL+"/v1", filepath.Join(o.Root, "run"), "single_turn"
	s := open(t, o)
	equal := 0
	for _, part := range s.Plan.Parts {
		for _, c := range part.Cases {
			if prompt, ok := want[c.ID]; ok {
				server.texts = []string{"Hello."}
				s.Engine.Run(t.Context(), part.Category, c, 0)
				if assert.Equal(t, prompt, server.prompt, c.ID) {
					equal++
				}
			}
		}
	}
	require.NoError(t, s.Finish(true))
	assert.Len(t, want, equal)
	run, err := record.ReadRun(o.RunDir)
	require.NoError(t, err)
	assert.Equal(t, "upstream", run.Parameters["chat_template"])
	t.Logf("%d of %d prompts on the wire are upstream's", equal, len(want))
}

// TestAskFamily: a model without an entry is read in the dialect of its family,
// unless it is asked in prompt mode or another dialect is given.
func TestAskFamily(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ model, mode, given, want string }{
		{"openai:openai/gpt-oss-20b", "", "", "harmony"}, {"openai:zai-org/GLM-4.7-Flash", "fc", "", "glm-4.5"},
		{"openai:openai/gpt-oss-20b", "fc", "qwen-fc", "qwen-fc"}, {"openai:Qwen/Qwen3-8B-FC", "", "", "tool-call"},
	} {
		o := options(t)
		o.Model, o.Mode, o.Dialect, o.Read, o.BaseURL = c.model, c.mode, c.given, "dialect", "http://localhost:1/v1"
		p, err := suite.NewPlan(o)
		require.NoError(t, err, c.model)
		assert.Equal(t, c.want, p.Settings.Dialect, c.model)
		o.Read = "server"
		p, err = suite.NewPlan(o)
		require.NoError(t, err, c.model)
		assert.Equal(t, c.given, p.Settings.Dialect, "%s: the server reads the calls", c.model)
	}
	o := options(t)
	o.Model, o.Mode, o.Read, o.BaseURL = "openai:gpt-oss", "prompt", "dialect", "http://localhost:1/v1"
	_, err := suite.NewPlan(o)
	assert.ErrorContains(t, err, "-read=dialect needs -dialect", "prompt mode has its own form")
}

// TestAskErrors: what cannot be asked is refused by the plan, with the way out.
func TestAskErrors(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.jinja")
	require.NoError(t, os.WriteFile(broken, []byte("a\n{% if %}"), 0o600))
	for _, c := range []struct {
		change func(*suite.Options)
		want   string
	}{
		{func(*suite.Options) {}, "completions:<id> needs -chat-template"},
		{func(o *suite.Options) { o.ChatTemplate = "upstream" }, "-chat-template=upstream needs -dialect"},
		{func(o *suite.Options) { o.ChatTemplate, o.Dialect = "upstream", "falcon3" }, "give -chat-template=<the model's folder>"},
		{func(o *suite.Options) { o.ChatTemplate, o.Dialect = "upstream", "qwen-fc" }, "`bfcl fetch v4` derives it"},
		{func(o *suite.Options) { o.ChatTemplate, o.Dialect = "upstream", "qwen-fcc" }, `did you mean "qwen-fc"`},
		{func(o *suite.Options) { o.ChatTemplate = "none.jinja" }, "none.jinja: no such file"},
		{func(o *suite.Options) { o.ChatTemplate, o.Dialect = broken, "qwen-fc" }, "broken.jinja, line 2: "},
		{func(o *suite.Options) { o.Read = "dialect" }, "-read=dialect is for openai:<id>"},
		{func(o *suite.Options) { o.Model, o.Read = "openai:x", "dialect" }, "-read=dialect needs -dialect"},
		{func(o *suite.Options) { o.Model, o.Read = "openai:x", "parser" }, "-read must be server or dialect"},
		{func(o *suite.Options) { o.Model, o.ChatTemplate = "openai:x", "upstream" }, "-chat-template is for completions:<id>"},
	} {
		o := options(t)
		o.Model, o.BaseURL, o.Data = "completions:x", "http://localhost:1/v1", t.TempDir()
		c.change(&o)
		_, err := suite.NewPlan(o)
		assert.ErrorContains(t, err, c.want)
	}
}
