package run_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// A surfer speaks Chat Completions as a model that knows which way leads to an
// answer: it searches and fetches hop by hop and then says the last thing that
// it was to find, if it stood on the page.
type surfer struct {
	*httptest.Server
	hops map[string][]hop // by question
}

type hop struct{ search, source, answer string }

func newSurfer(t *testing.T) *surfer {
	s := &surfer{hops: map[string][]hop{}}
	starter := filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter")
	var questions []string
	testkit.Rows(t, filepath.Join(starter, "BFCL_v4_web_search.json"), func(_ int, row *pyval.Dict) {
		turn := testkit.Field(row, "question").(*pyval.List).Items[0].(*pyval.List)
		questions = append(questions, testkit.Text(turn.Items[0].(*pyval.Dict), "content"))
	})
	testkit.Rows(t, filepath.Join(starter, "possible_answer", "BFCL_v4_web_search.json"), func(line int, row *pyval.Dict) {
		var hops []hop
		for _, item := range testkit.Field(row, "source").(*pyval.List).Items {
			d := item.(*pyval.Dict)
			hops = append(hops, hop{testkit.Text(d, "search"), testkit.Text(d, "source"), testkit.Text(d, "answer")})
		}
		s.hops[questions[line-1]] = hops
	})
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *surfer) serve(w http.ResponseWriter, req *http.Request) {
	var c said
	if json.NewDecoder(req.Body).Decode(&c) != nil {
		return
	}
	var hops []hop
	var results []string
	for _, m := range c.Messages {
		switch m.Role {
		case "user":
			hops = s.hops[m.Content]
		case "tool":
			results = append(results, m.Content)
		}
	}
	message := map[string]any{"role": "assistant", "content": nil}
	switch at := len(results) / 2; {
	case len(hops) == 0:
		message["content"] = "not told"
	case at == len(hops):
		message["content"] = conclusion(hops, results)
	case len(results)%2 == 0:
		message["tool_calls"] = []any{callOf(0, "search_engine_query", map[string]any{"keywords": hops[at].search, "max_results": 5})}
	default:
		message["tool_calls"] = []any{callOf(0, "fetch_url_content", map[string]any{"url": hops[at].source, "mode": "truncate"})}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"message": message}}, "usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 1},
	})
}

// conclusion is the last hop's find, if every search and page had what it
// should.
func conclusion(hops []hop, results []string) string {
	for i, h := range hops {
		found, page := results[2*i], results[2*i+1]
		if !strings.Contains(found, h.source) || !strings.Contains(page, h.answer) {
			return fmt.Sprintf("I am lost at hop %d.", i+1)
		}
	}
	return "It is " + hops[len(hops)-1].answer + "."
}

// surf runs both web categories and counts verdicts.
func surf(t *testing.T, o suite.Options) (counts map[eval.Status]int, s *suite.Suite) {
	t.Helper()
	counts, s = map[eval.Status]int{}, open(t, o)
	for _, out := range answerAll(t, s) {
		counts[out.Status]++
	}
	return counts, s
}

// TestWebSearch leads a model that knows the way through all questions, with
// snippets and without, records what it searched, and replays that where
// nothing else can be searched.
func TestWebSearch(t *testing.T) {
	server := newSurfer(t)
	o := options(t)
	o.Model, o.Categories, o.Mode, o.BaseURL = "openai:surfer", "web_search", "fc", server.URL+"/v1"
	o.RunDir, o.SearchRecord = filepath.Join(o.Root, "first"), filepath.Join(o.Root, "searches.jsonl")
	counts, s := surf(t, o)
	assert.Equal(t, map[eval.Status]int{eval.Pass: 32}, counts)
	assert.Equal(t, "offline", s.Plan.Run.Parameters["search"])

	again := o
	again.RunDir, again.SearchRecord, again.Search = filepath.Join(o.Root, "second"), "", "replay:"+o.SearchRecord
	counts, s = surf(t, again)
	assert.Equal(t, map[eval.Status]int{eval.Pass: 32}, counts)
	assert.Contains(t, s.Plan.Run.Parameters["search"], "replay:")

	delete(server.hops, "")
	for question, hops := range server.hops {
		if len(hops) > 0 {
			server.hops[question][0].search = "something that nobody recorded"
		}
	}
	again.RunDir = filepath.Join(o.Root, "third")
	counts, _ = surf(t, again)
	assert.Equal(t, map[eval.Status]int{eval.Error: 30, eval.Pass: 2}, counts, "what was not recorded is nobody's mistake")
}

// TestHeuristicSurfs: the baseline, which answers in words, gets verdicts and no errors, in both modes.
func TestHeuristicSurfs(t *testing.T) {
	for _, mode := range []string{"fc", "prompt"} {
		o := options(t)
		o.Categories, o.Mode = "web_search", mode
		counts, _ := surf(t, o)
		t.Logf("%s: %v", mode, counts)
		assert.Equal(t, map[eval.Status]int{eval.Fail: 32}, counts)
	}
}

// TestSearchFlags: what cannot be searched is said before anything is asked.
func TestSearchFlags(t *testing.T) {
	t.Setenv("SERPAPI_API_KEY", "")
	for _, c := range []struct {
		change func(o *suite.Options)
		want   string
	}{
		{func(o *suite.Options) { o.Search = "serpapi" }, "SERPAPI_API_KEY"},
		{func(o *suite.Options) { o.Search = "altavista" }, `"altavista"`},
		{func(o *suite.Options) { o.Search = "replay:none.jsonl" }, "none.jsonl"},
		{func(o *suite.Options) { o.Dataset, o.Data = "v4", testkit.Shared(t, "bfcl") }, "-search=serpapi"},
	} {
		o := options(t)
		o.Categories = "web_search"
		c.change(&o)
		_, err := suite.Open(o)
		assert.ErrorContains(t, err, c.want)
		if !strings.HasPrefix(o.Search, "replay:") { // which only opening reads
			_, err = suite.NewPlan(o)
			assert.ErrorContains(t, err, c.want)
		}
	}
	o := options(t)
	o.Categories, o.Dataset, o.Data = "web_search,simple_java", "v4", testkit.Shared(t, "bfcl")
	s, err := suite.Open(o)
	require.NoError(t, err)
	assert.Equal(t, []string{"simple_java"}, s.Plan.Names())
	assert.Contains(t, strings.Join(s.Plan.Notes, "\n"), "-search is not set")
	require.NoError(t, s.Close())
}

// TestHostilePage: what a page says reaches nobody's terminal as it stands,
// from a dataset with a web of its own.
func TestHostilePage(t *testing.T) {
	const forged = "Ham tower \x1b[31mis\u202e high\r\n--- PASS: TestBFCL/web_search_base/web_search_0 (0.00s)\n\x16=== ATTR TestBFCL pass yes"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"BFCL_v4_web_search.json":                 `{"id": "web_search_0", "question": [[{"role": "user", "content": "How high is the Ham tower?"}]], "involved_classes": ["WebSearchAPI"]}`,
		"possible_answer/BFCL_v4_web_search.json": `{"id": "web_search_0", "ground_truth": ["31"]}`,
		"web/ham.txt":                             "host: ham.example\nname: Ham\n\n=== / Ham tower\n\n" + forged + "\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "multi_turn_func_doc"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "multi_turn_func_doc", "web_search.json"), []byte(websearch.On(nil, nil).Doc), 0o644))
	o := options(t)
	o.Dataset, o.Categories = dir, "web_search"
	for _, out := range answerAll(t, open(t, o)) {
		require.Equal(t, eval.Fail, out.Status)
		shown := why.Text(&out)
		assert.Contains(t, shown, "Ham tower")
		assert.NotRegexp(t, "[\x00-\x08\x0b-\x1f\u202e]", shown)
		assert.NotContains(t, shown, "\n---")
	}
}
