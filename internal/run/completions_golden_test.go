package run_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A completer speaks text completions. It answers the requests of the case at
// hand with a real model's recorded completions, in their order.
type completer struct {
	*httptest.Server
	texts    []string
	prompt   string // of the last request
	requests int
	faults   []string
}

func newCompleter(t *testing.T) *completer {
	c := &completer{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/completions", c.serve)
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

func (c *completer) serve(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model, Prompt string
		MaxTokens     int `json:"max_tokens"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Prompt == "" || q.Model == "" || q.MaxTokens != 4096 {
		c.faults = append(c.faults, "a request without model, prompt or upstream's limit")
	}
	c.requests++
	c.prompt = q.Prompt
	text := ""
	if len(c.texts) == 0 {
		c.faults = append(c.faults, "a request more than was recorded")
	} else {
		text, c.texts = c.texts[0], c.texts[1:]
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"model": q.Model, "choices": []any{map[string]any{"index": 0, "text": text, "finish_reason": "stop"}},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
	})
}

// recordedTexts are the completions of a case in their order.
func recordedTexts(result pyval.Value) (out []string) {
	switch result := result.(type) {
	case pyval.Str:
		return []string{string(result)}
	case *pyval.List:
		for _, item := range result.Items {
			out = append(out, recordedTexts(item)...)
		}
	}
	return out
}

// plainTemplate is for the model whose template is not at hand: the text of the
// messages.
const plainTemplate = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"

// TestGoldenCompletions leads a server that answers with the recorded
// completions of three open-weight models through their cases again, over the
// completions adapter with the model's own chat template: what is recorded, and
// the verdicts, are upstream's.
func TestGoldenCompletions(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "open")
	templates := testkit.GoldenFile(t, "templates")
	plain := filepath.Join(t.TempDir(), "plain.jinja")
	require.NoError(t, os.WriteFile(plain, []byte(plainTemplate), 0o644))
	for model, template := range map[string]string{
		"Qwen/Qwen3-8B-FC":                    filepath.Join(templates, "QwenFCHandler.jinja"),
		"meta-llama/Llama-3.1-8B-Instruct-FC": filepath.Join(templates, "LlamaHandler_3_1.jinja"),
		"Team-ACE/ToolACE-2-8B":               plain,
	} {
		t.Run(filepath.Base(model), func(t *testing.T) {
			t.Parallel()
			name := strings.ReplaceAll(model, "/", "_")
			folder := testkit.Must(record.Find(filepath.Join(recorded, "result", name)))(t)
			answers := testkit.Must(folder.Answers())(t)
			server := newCompleter(t)
			o := options(t)
			o.Dataset, o.Data, o.Model, o.ChatTemplate = "v4", testkit.Shared(t, "bfcl"), model, template
			o.Categories = strings.Join(categoriesOf(folder), ",")
			o.BaseURL, o.RunDir = server.URL+"/v1", filepath.Join(o.Root, "run")
			s := open(t, o)
			compared, passed, left := 0, 0, 0
			for _, part := range s.Plan.Parts {
				want, judged := failuresIn(t, filepath.Join(recorded, "score", name, part.Category.Group, "BFCL_v4_"+part.Category.Name+"_score.json"))
				for i, c := range part.Cases {
					row, ok := answers.Get(c.ID, 0)
					if !ok || i%testkit.Some(9, 1) > 0 {
						continue
					}
					if turns, ok := row.Result.(*pyval.List); ok && len(turns.Items) > len(c.Turns) {
						left++ // an answer to a question that had more turns then
						continue
					}
					server.texts = recordedTexts(row.Result)
					out := s.Engine.Run(t.Context(), part.Category, c, 0)
					assert.Equal(t, pyval.Repr(row.Result), pyval.Repr(out.Result), "%s: %v", c.ID, out.Err)
					if judged {
						assert.Equal(t, want[c.ID], out.ErrorType, c.ID)
						compared++
					}
					assert.Empty(t, server.texts, "%s: completions that were not asked for", c.ID)
					if out.Passed() {
						passed++
					}
				}
			}
			require.NoError(t, s.Finish(true))
			assert.Empty(t, server.faults)
			t.Logf("%d verdicts compared, %d passed; %d requests; %d left out whose question has lost a turn since", compared, passed, server.requests, left)
		})
	}
}

// failuresIn are the error types of upstream's score file; judged is false
// where there is none.
func failuresIn(t *testing.T, path string) (failures map[string]string, judged bool) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return nil, false
	}
	return upstreamFailures(t, path), true
}

func categoriesOf(f *record.Folder) []string { return slices.Sorted(maps.Keys(f.Files)) }

// dataWithTexts is a data directory with the official dataset and upstream's
// texts of one handler.
func dataWithTexts(t *testing.T, dialect string, texts map[string]string) string {
	t.Helper()
	data := t.TempDir()
	v4 := filepath.Join(data, "v4")
	require.NoError(t, os.Mkdir(v4, 0o700))
	entries := testkit.Must(os.ReadDir(testkit.Shared(t, "bfcl", "v4")))(t)
	for _, entry := range entries {
		require.NoError(t, os.Symlink(testkit.Shared(t, "bfcl", "v4", entry.Name()), filepath.Join(v4, entry.Name())))
	}
	file := testkit.Must(json.Marshal(completion.Texts{dialect: texts}))(t)
	require.NoError(t, os.WriteFile(filepath.Join(v4, completion.TextsFile), file, 0o600))
	return data
}

// TestGoldenUpstreamPrompts asks a model of upstream's leaderboard by its name:
// the prompts that the server sees are those that upstream recorded.
func TestGoldenUpstreamPrompts(t *testing.T) {
	template := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "templates", "QwenFCHandler.jinja")))(t)
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
	run := testkit.Must(record.ReadRun(o.RunDir))(t)
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
		assert.Equal(t, c.want, p.Model.Settings.Dialect, c.model)
		o.Read = "server"
		p, err = suite.NewPlan(o)
		require.NoError(t, err, c.model)
		assert.Equal(t, c.given, p.Model.Settings.Dialect, "%s: the server reads the calls", c.model)
	}
	o := options(t)
	o.Model, o.Mode, o.Read, o.BaseURL = "openai:gpt-oss", "prompt", "dialect", "http://localhost:1/v1"
	assert.ErrorContains(t, testkit.Err(suite.NewPlan(o)), "-read=dialect needs -dialect", "prompt mode has its own form")
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
		assert.ErrorContains(t, testkit.Err(suite.NewPlan(o)), c.want)
	}
}
