package number_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/harness"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/dialogue"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A told is what the server replies.
type told struct {
	Status          int
	Error           string `json:"error"`
	Episode         string `json:"episode"`
	Case            string `json:"case"`
	Step            int    `json:"step"`
	Done            bool   `json:"done"`
	Turn            int    `json:"turn"`
	NewConversation bool   `json:"new_conversation"`
	Earlier         bool   `json:"earlier"`
	Notice          string `json:"notice"`
	Messages        []struct {
		Role       string `json:"role"`
		Content    string `json:"content"`
		ToolCallID string `json:"tool_call_id"`
		ToolCalls  []any  `json:"tool_calls"`
	} `json:"messages"`
	Tools   []map[string]any `json:"tools"`
	Verdict *harness.Verdict `json:"verdict"`
	raw     string
}

// A driver asks a server.
type driver struct {
	t     testing.TB
	url   string
	token string

	mu      sync.Mutex
	results map[string][]string // of calls, by case
	passed  map[string]int      // cases, by category
}

// serve starts a server of episodes.
func serve(t testing.TB, o harness.Options) *driver {
	t.Helper()
	if o.Wait == 0 {
		o.Wait = time.Minute
	}
	if o.Most == 0 {
		o.Most = 2000
	}
	s := harness.NewServer(o)
	on := httptest.NewServer(s)
	t.Cleanup(func() {
		on.Close()
		require.NoError(t, s.Close())
	})
	return &driver{t: t, url: on.URL + "/v1", token: o.Token, results: map[string][]string{}, passed: map[string]int{}}
}

// An api is the served description.
type api struct {
	doc     map[string]any
	schemas map[string]*jsonschema.Schema
}

// described is the description that this program serves, its schemas compiled.
var described = sync.OnceValues(func() (*api, error) {
	s := harness.NewServer(harness.Options{})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/v1/openapi.json", nil))
	text := w.Body.String()
	if err := s.Close(); err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", doc); err != nil {
		return nil, err
	}
	out := &api{doc: doc.(map[string]any), schemas: map[string]*jsonschema.Schema{}}
	for name := range out.doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if out.schemas[name], err = compiler.Compile("openapi.json#/components/schemas/" + name); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// hold holds a body against what the description says of it; "" for a body of
// which it says nothing.
func (a *api) hold(of any, body string) error {
	for _, step := range []string{"content", "application/json", "schema", "$ref"} {
		fields, ok := of.(map[string]any)
		if !ok || fields[step] == nil {
			if body == "" || step == "$ref" {
				return nil
			}
			return fmt.Errorf("nothing is said of the body %.100s", body)
		}
		of = fields[step]
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	return a.schemas[strings.TrimPrefix(of.(string), "#/components/schemas/")].Validate(v)
}

// operation is what the description says of a request.
func (a *api) operation(method, path string) (map[string]any, bool) {
	parts := strings.Split("/v1"+path, "/")
	if len(parts) > 3 {
		parts[3] = "{id}"
	}
	at, _ := a.doc["paths"].(map[string]any)[strings.Join(parts, "/")].(map[string]any)
	op, ok := at[strings.ToLower(method)].(map[string]any)
	return op, ok
}

// do sends a request and holds the reply against the API's description.
func (d *driver) do(method, path, body string) told {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if !assert.NoError(d.t, err) {
		return told{}
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if d.token != "" {
		req.Header.Set("Authorization", "Bearer "+d.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if !assert.NoError(d.t, err) {
		return told{}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	assert.NoError(d.t, err)
	a, err := described()
	require.NoError(d.t, err)
	op, ok := a.operation(method, path)
	assert.True(d.t, ok, "%s %s is not described", method, path)
	said, ok := op["responses"].(map[string]any)[fmt.Sprint(resp.StatusCode)]
	if assert.True(d.t, ok, "%s %s: %d is not described: %s", method, path, resp.StatusCode, text) {
		assert.NoError(d.t, a.hold(said, string(text)), "%s", text)
	}
	if resp.StatusCode < 300 {
		assert.NoError(d.t, a.hold(op["requestBody"], body), "%s", body)
	}
	out := told{Status: resp.StatusCode, raw: string(text)}
	if len(text) > 0 {
		assert.NoError(d.t, json.Unmarshal(text, &out), "%s", text)
	}
	return out
}

func (d *driver) start(body string) told { return d.do(http.MethodPost, "/episodes", body) }

func (d *driver) step(at told, answer string) told {
	return d.do(http.MethodPost, "/episodes/"+at.Episode+"/steps", fmt.Sprintf(`{"step": %d, %s}`, at.Step, answer))
}

// note keeps the results of calls that a reply has.
func (d *driver) note(id string, at told) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range at.Messages {
		if m.Role == "tool" {
			d.results[id] = append(d.results[id], m.Content)
		}
	}
}

// play plays recorded turns of steps, and says nothing in earlier conversations.
// What was not asked for is an error.
func (d *driver) play(at told, turns []pyval.Value) told {
	used, id := make([]int, len(turns)), at.Case
	for !at.Done && at.Status < 300 {
		if at.Earlier {
			at = d.step(at, `"text": "Noted."`)
			continue
		}
		steps := turns[at.Turn].(*pyval.List).Items
		if !assert.Less(d.t, used[at.Turn], len(steps), "%s: turn %d", at.Episode, at.Turn) {
			return at
		}
		result, err := pyval.JSON(steps[used[at.Turn]], 0)
		assert.NoError(d.t, err)
		used[at.Turn]++
		at = d.step(at, `"result": `+result)
		d.note(id, at)
	}
	for i, n := range used {
		assert.Len(d.t, turns[i].(*pyval.List).Items, n, "%s: turn %d", at.raw, i)
	}
	return at
}

// A recorded is an answer with its verdict in a run or a replay.
type recorded struct {
	category *eval.Category
	c        *eval.Case
	result   pyval.Value
	want     engine.Outcome
}

// hold plays all answers as episodes, several at once, and holds the verdicts
// against those of the runs.
func (d *driver) hold(all []recorded, start func(r recorded) string) {
	todo := make(chan recorded)
	var pool sync.WaitGroup
	for range 8 {
		pool.Go(func() {
			for r := range todo {
				at := d.start(start(r))
				turns := []pyval.Value{pyval.NewList(r.result)}
				if r.category.MultiTurn() {
					turns = r.result.(*pyval.List).Items
				}
				at = d.play(at, turns)
				if !assert.NotNil(d.t, at.Verdict, "%s: %s", r.c.ID, at.raw) {
					continue
				}
				got := fmt.Sprint(at.Verdict.Verdict, " ", at.Verdict.ErrorType)
				assert.Equal(d.t, fmt.Sprint(r.want.Status, " ", r.want.ErrorType), got, r.c.ID)
				if at.Verdict.Verdict == "pass" {
					d.mu.Lock()
					d.passed[r.category.Name]++
					d.mu.Unlock()
				}
			}
		})
	}
	for _, r := range all {
		todo <- r
	}
	close(todo)
	pool.Wait()
}

// answersOf are the answers of a model to a dataset's categories.
func answersOf(t testing.TB, o suite.Options) (out []recorded) {
	t.Helper()
	o.Trials, o.Shard = 1, "0/1"
	p, err := suite.PlanOf(o, nil)
	require.NoError(t, err)
	p.Dir = ""
	s, err := p.Open()
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			answer := s.Answer(t.Context(), part.Category, c, 0)
			if answer.ErrorType == "infrastructure:recorded_error" || answer.ErrorType == "infrastructure:not_recorded" { // there is no answer
				continue
			}
			require.NotNil(t, answer.Result, "%s: %v", c.ID, answer.Err)
			out = append(out, recorded{part.Category, c, answer.Result, answer})
		}
	}
	return out
}

// TestEpisodesOfAllCategories: each case of the starter suite can be played, with
// the right answer, and ends as in a run.
func TestEpisodesOfAllCategories(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the suite")
	}
	d := serve(t, harness.Options{})
	for _, mode := range []string{"fc", "prompt"} {
		all := answersOf(t, suite.Options{Model: "oracle", Dataset: fixtures.Starter, Categories: "all", Mode: mode})
		seen := map[string]bool{}
		for _, r := range all {
			seen[r.category.Name] = true
		}
		assert.Greater(t, len(seen), 15)
		d.hold(all, func(r recorded) string {
			return fmt.Sprintf(`{"case": "%s/%s", "mode": %q}`, r.category.Name, r.c.ID, mode)
		})
	}
}

// logged are the results of calls in the log that upstream kept of a
// conversation.
func logged(v pyval.Value) (out []string) {
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			out = append(out, logged(item)...)
		}
	case *pyval.Dict:
		if role, _ := v.GetStr("role"); role == pyval.Str("tool") {
			content, _ := v.GetStr("content")
			return []string{pyval.Text(content)}
		}
		for _, value := range v.All() {
			out = append(out, logged(value)...)
		}
	}
	return out
}

// plainly returns results in which all errors of syntax are the same: their
// texts are CPython's, and change with its version.
func plainly(results []string) []string {
	out := []string{}
	for _, result := range results {
		if strings.HasSuffix(result, "(<string>, line 1)") {
			result = "(<string>, line 1)"
		}
		out = append(out, result)
	}
	return out
}

// TestGoldenEpisodesConversations plays a real model's 600 conversations: the
// verdicts are those of replay, and each call's result is what upstream logged.
func TestGoldenEpisodesConversations(t *testing.T) {
	data, dir := testkit.Shared(t, "bfcl"), testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")
	all := answersOf(t, suite.Options{Model: "replay:" + dir, Dataset: "v4", Data: data, Categories: "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"})
	require.Len(t, all, 588, "the other 12 of the 600 are errors of inference, which have no conversation")
	logs := map[string][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "multi_turn", "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		testkit.Rows(t, file, func(_ int, row *pyval.Dict) {
			if row.Has("inference_log") {
				logs[testkit.Text(row, "id")] = logged(testkit.Field(row, "inference_log"))
			}
		})
	}
	all = nth(all, testkit.Some(8, 1))
	d := serve(t, harness.Options{Dataset: "v4", Data: data})
	d.hold(all, func(r recorded) string { return fmt.Sprintf(`{"case": %q}`, r.c.ID) })
	calls := 0
	for _, r := range all {
		turns := r.result.(*pyval.List).Items
		got, want := plainly(d.results[r.c.ID]), plainly(logs[r.c.ID])
		if len(turns[len(turns)-1].(*pyval.List).Items) == dialogue.MostSteps+1 { // nobody is told the results of the step after which it was stopped
			want = want[:len(got)]
		}
		calls += len(got)
		assert.Equal(t, want, got, r.c.ID)
	}
	t.Logf("%d conversations, %d results of calls", len(all), calls)
}

// nth takes every nth.
func nth[T any](all []T, n int) (out []T) {
	for i := 0; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}

// TestGoldenEpisodesMemory plays the questions of all memories, the earlier
// conversations before them: each alone, or once for a scenario.
func TestGoldenEpisodesMemory(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	all := answersOf(t, suite.Options{Model: "oracle", Dataset: "v4", Data: data, Categories: "memory"})
	d := serve(t, harness.Options{Dataset: "v4", Data: data})
	first := map[string]string{}
	var alone, shared []recorded
	for _, r := range all {
		key := r.category.Name + r.c.Scene.Scenario
		if r.category.Name == "memory_kv" {
			alone = append(alone, r)
			continue
		}
		if shared = append(shared, r); first[key] == "" {
			at := d.start(fmt.Sprintf(`{"case": %q}`, r.c.ID))
			first[key] = at.Episode
			require.True(t, at.Earlier && at.NewConversation, at.raw)
			d.play(at, r.result.(*pyval.List).Items)
		}
	}
	require.Len(t, all, 465)
	d.hold(nth(alone, testkit.Some(10, 1)), func(r recorded) string { return fmt.Sprintf(`{"case": %q}`, r.c.ID) })
	d.hold(shared, func(r recorded) string {
		return fmt.Sprintf(`{"case": %q, "memory_of": %q}`, r.c.ID, first[r.category.Name+r.c.Scene.Scenario])
	})
	t.Logf("%d questions alone, %d that share %d memories", len(alone), len(shared), len(first))
}

// TestEpisodeAPI: what is described is served, and what is served is described.
func TestEpisodeAPI(t *testing.T) {
	a, err := described()
	require.NoError(t, err)
	d := serve(t, harness.Options{})
	at := d.start(`{"case": "simple_python_0"}`)
	for path, item := range a.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method == "parameters" {
				continue
			}
			below := strings.ReplaceAll(strings.TrimPrefix(path, "/v1"), "{id}", at.Episode)
			body := "{}"
			if method == "get" {
				body = ""
			}
			if method == "delete" {
				body, below = "", "/episodes/"+d.start(`{"case": "simple_python_0"}`).Episode
			}
			got := d.do(strings.ToUpper(method), below, body)
			assert.NotEqual(t, http.StatusNotFound, got.Status, "%s %s: %s", method, path, got.raw)
			assert.NotEqual(t, http.StatusMethodNotAllowed, got.Status, "%s %s", method, path)
		}
	}
	about := d.do(http.MethodGet, "", "")
	assert.Contains(t, about.raw, "Train on suites of your own")
	info := a.doc["info"].(map[string]any)
	assert.Equal(t, harness.Version, "v"+strings.Split(info["version"].(string), ".")[0])
	for name, of := range map[string]any{"reply": harness.Reply{}, "verdict": harness.Verdict{}, "start": harness.Start{}, "limits": harness.Limits{}} {
		var fields []string
		fieldsOf(reflect.TypeOf(of), &fields)
		described := a.doc["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)["properties"].(map[string]any)
		assert.ElementsMatch(t, slices.Collect(maps.Keys(described)), fields, name)
	}
}

// fieldsOf adds the names of a struct's fields in JSON.
func fieldsOf(of reflect.Type, to *[]string) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			fieldsOf(f.Type.Elem(), to)
		} else if f.IsExported() {
			*to = append(*to, name)
		}
	}
}

// TestEpisodeSteps: what a driver of a conversation with a held-out function is
// told, with a lost connection on the way.
func TestEpisodeSteps(t *testing.T) {
	d := serve(t, harness.Options{})
	at := d.start(`{"case": "multi_turn_miss_func_0", "trial": 3, "style": "anthropic"}`)
	require.Equal(t, http.StatusCreated, at.Status, at.raw)
	require.True(t, at.NewConversation && at.Step == 1 && !at.Earlier, at.raw)
	require.Contains(t, at.Tools[0], "input_schema")
	tools, grew := len(at.Tools), false
	name := at.Tools[0]["name"].(string)
	first := d.step(at, fmt.Sprintf(`"calls": [{"name": %q, "arguments": {"nonsense": 1}}]`, name))
	require.Len(t, first.Messages, 2, first.raw)
	assert.Len(t, first.Messages[0].ToolCalls, 1)
	assert.Contains(t, first.Messages[1].Content, "unexpected keyword argument")
	assert.NotEmpty(t, first.Messages[1].ToolCallID)
	assert.Empty(t, first.Tools)
	again := d.step(at, fmt.Sprintf(`"calls": [{"name": %q, "arguments": {"nonsense": 1}}]`, name))
	assert.Equal(t, first.raw, again.raw, "a step is carried out once")
	assert.Equal(t, first.raw, d.do(http.MethodGet, "/episodes/"+at.Episode, "").raw)
	other := d.step(at, `"text": "something else"`)
	assert.Equal(t, http.StatusConflict, other.Status, other.raw)
	at = first
	for !at.Done {
		next := d.step(at, fmt.Sprintf(`"message": {"role": "assistant", "content": "turn %d done"}`, at.Turn))
		require.Equal(t, http.StatusOK, next.Status, next.raw)
		if !next.Done {
			assert.Equal(t, at.Turn+1, next.Turn)
			assert.Equal(t, "assistant", next.Messages[0].Role)
			assert.Equal(t, "user", next.Messages[1].Role)
		}
		if grew = grew || len(next.Tools) > tools; next.Done {
			assert.Equal(t, next.raw, d.step(at, fmt.Sprintf(`"message": {"role": "assistant", "content": "turn %d done"}`, at.Turn)).raw)
		}
		at.Step++
		next.Episode = at.Episode
		at = next
	}
	assert.True(t, grew, "the held-out function came")
	assert.Equal(t, "fail", at.Verdict.Verdict)
	assert.Equal(t, http.StatusConflict, d.step(at, `"text": "more"`).Status)
	assert.Equal(t, http.StatusNoContent, d.do(http.MethodDelete, "/episodes/"+at.Episode, "").Status)
	assert.Equal(t, http.StatusNotFound, d.step(at, `"text": "more"`).Status)
}

// TestEpisodeStarts: which starts are refused, and what a seed decides.
func TestEpisodeStarts(t *testing.T) {
	t.Parallel()
	d := serve(t, harness.Options{Dataset: rooms(t)})
	for body, want := range map[string]string{
		`{`:                                "unexpected EOF",
		`{"cases": "x"}`:                   `unknown field "cases"`,
		`{"case": "simple_python_9"}`:      "did you mean",
		`{"case": "x", "dataset": "/etc"}`: "is not served here",
		`{"case": "simple_python_0", "style": "klingon"}`:                            "unknown style",
		`{"case": "simple_python_0", "mode": "xml"}`:                                 "unknown mode",
		`{"case": "simple_python_0", "dialect": "klingon"}`:                          "klingon",
		`{"case": "simple_python_0", "variant": "klingon"}`:                          "klingon",
		`{"case": "simple_python_0", "seed": -1}`:                                    "seed",
		`{"categories": "klingon"}`:                                                  "klingon",
		`{"dataset": "starter", "case": "web_search_base_0", "memory_of": "nobody"}`: "no episode",
	} {
		at := d.start(body)
		assert.Contains(t, at.Error, want, body)
		assert.GreaterOrEqual(t, at.Status, 400, body)
	}
	webless := serve(t, harness.Options{Search: "none"})
	assert.Contains(t, webless.start(`{"case": "web_search_base_0"}`).Error, "it needs -search")
	drawn := map[string]bool{}
	for seed := range 20 {
		body := fmt.Sprintf(`{"dataset": "starter", "categories": "non_live", "seed": %d}`, seed)
		one, two := d.start(body), d.start(body)
		assert.Equal(t, one.Case, two.Case)
		drawn[one.Case] = true
	}
	assert.Greater(t, len(drawn), 10)
	at := d.start(`{"dataset": "starter", "case": "multiple_0", "variant": "names", "seed": 7}`)
	require.Equal(t, http.StatusCreated, at.Status, at.raw)
	plain := d.start(`{"dataset": "starter", "case": "multiple_0"}`)
	assert.NotEqual(t, plain.Tools[0]["function"].(map[string]any)["name"], at.Tools[0]["function"].(map[string]any)["name"])
	assert.Contains(t, at.Case, "names")
	prompt := d.start(`{"case": "simple_python_0", "mode": "prompt"}`)
	assert.Equal(t, "system", prompt.Messages[0].Role)
	assert.Empty(t, prompt.Tools)
	done := d.step(prompt, `"text": "[room.area(width=4, unit='m')]"`)
	require.True(t, done.Done, done.raw)
	assert.Equal(t, "pass", done.Verdict.Verdict)
}

// TestEpisodeHostile: drivers that do what they must not.
func TestEpisodeHostile(t *testing.T) {
	t.Parallel()
	const token = "correct horse"
	d := serve(t, harness.Options{Dataset: rooms(t), Token: token, Most: 3})
	at := d.start(`{"case": "simple_python_0"}`)
	for answer, status := range map[string]int{
		`"text": 1`: 400, `"calls": {}`: 400, `"calls": [[]]`: 400, `"message": 7`: 400, `"text": "x", "calls": []`: 400, `"nothing": 0`: 400,
		`"calls": [` + strings.Repeat("[", 100_000): 400, `"text": "` + strings.Repeat("x", 2<<20) + `"`: 413,
	} {
		got := d.step(at, answer)
		assert.Equal(t, status, got.Status, "%.60s: %.200s", answer, got.raw)
	}
	for _, step := range []string{"0", "2", "-1", "1.5", "99999999999999999999", `"1"`, "null"} {
		got := d.do(http.MethodPost, "/episodes/"+at.Episode+"/steps", `{"step": `+step+`, "text": "x"}`)
		assert.GreaterOrEqual(t, got.Status, 400, step)
	}
	assert.Equal(t, http.StatusNotFound, d.do(http.MethodPost, "/episodes/AAAA/steps", `{"step": 1, "text": "x"}`).Status)
	d.token = "wrong"
	assert.Equal(t, http.StatusUnauthorized, d.step(at, `"text": "x"`).Status)
	assert.Equal(t, http.StatusUnauthorized, d.do(http.MethodGet, "", "").Status)
	d.token = token
	wrong := d.step(at, `"calls": [{"room_area": {"width": 5, "unit": "inch"}}]`)
	require.True(t, wrong.Done, wrong.raw)
	d.start(`{"case": "simple_python_0"}`) // those that have ended do not count
	assert.Equal(t, "value_error:others", wrong.Verdict.ErrorType)
	assert.NotContains(t, at.raw+wrong.raw, "secret", "a possible answer left the process")
	d.start(`{"case": "simple_python_0"}`)
	d.start(`{"case": "simple_python_0"}`)
	assert.Equal(t, http.StatusServiceUnavailable, d.start(`{"case": "simple_python_0"}`).Status)
}

// TestEpisodeStrangers: a page in a browser cannot drive a server on loopback.
func TestEpisodeStrangers(t *testing.T) {
	s := harness.NewServer(harness.Options{Wait: time.Minute, Most: 1})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, test := range []struct {
		url, kind string
		want      int
	}{
		{"http://rebound.example/v1/episodes", "application/json", http.StatusForbidden},
		{"http://localhost:1/v1/episodes", "text/plain", http.StatusUnsupportedMediaType},
		{"http://localhost:1/v1/episodes", "", http.StatusUnsupportedMediaType},
		{"http://[::1]:1/v1/episodes", "application/json; charset=utf-8", http.StatusCreated},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, test.url, strings.NewReader(`{"case": "simple_python_0"}`))
		r.Header.Set("Content-Type", test.kind)
		s.ServeHTTP(w, r)
		assert.Equal(t, test.want, w.Code, test.url)
	}
}

// TestEpisodeAbandoned: an episode ends by itself, with an error that is no
// verdict, and is forgotten later.
func TestEpisodeAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := harness.NewServer(harness.Options{Wait: time.Minute, Most: 10})
		do := func(method, path, body string) (out told) {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(method, "http://localhost/v1"+path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(w, r)
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
			out.Status = w.Code
			return out
		}
		at := do(http.MethodPost, "/episodes", `{"case": "multi_turn_base_0"}`)
		require.Equal(t, http.StatusCreated, at.Status, at.Error)
		time.Sleep(90 * time.Second)
		end := do(http.MethodPost, "/episodes/"+at.Episode+"/steps", `{"step": 1, "text": "Am I late?"}`)
		require.True(t, end.Done)
		assert.Equal(t, "error infrastructure:timeout", end.Verdict.Verdict+" "+end.Verdict.ErrorType)
		assert.Nil(t, end.Verdict.Rung)
		time.Sleep(time.Minute)
		assert.Equal(t, http.StatusNotFound, do(http.MethodGet, "/episodes/"+at.Episode, "").Status)
		require.NoError(t, s.Close())
	})
}

// TestGoldenEpisodesThousand: a thousand conversations at once.
func TestGoldenEpisodesThousand(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := serve(t, harness.Options{Dataset: "v4", Data: data})
	var all []told
	for i := range 1000 {
		category := []string{"base", "long_context", "miss_func", "miss_param"}[i%4]
		at := d.start(fmt.Sprintf(`{"case": "multi_turn_%s_%d"}`, category, i%200))
		require.Equal(t, http.StatusCreated, at.Status, at.raw)
		all = append(all, d.step(at, `"text": "What next?"`))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	grown := (after.HeapInuse + after.StackInuse - before.HeapInuse - before.StackInuse) >> 20
	t.Logf("%d episodes with the dataset take %d MB", len(all), grown)
	assert.Less(t, grown, uint64(500))
	for _, at := range all[:20] {
		for !at.Done {
			at = d.step(at, `"text": "What next?"`)
			require.Less(t, at.Status, 300, at.raw)
		}
	}
}
