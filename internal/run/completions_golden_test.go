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

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
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
			folder, err := record.Find(filepath.Join(recorded, "result", name))
			require.NoError(t, err)
			answers, err := folder.Answers()
			require.NoError(t, err)
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
