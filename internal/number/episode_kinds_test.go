package number_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/harness"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenEpisodesExecutables plays the first release's executable cases with
// recorded answers of their APIs, each with its own right answer and with
// another case's.
func TestGoldenEpisodesExecutables(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	recordings := testkit.GoldenFile(t, "exec", "replay.jsonl") + "," + testkit.GoldenFile(t, "rest", "replay.jsonl")
	right := answersOf(t, suite.Options{
		Model: "oracle", Dataset: "v1", Data: data, ExecReplay: recordings,
		Categories: "executable_simple,executable_multiple_function,executable_parallel_function,executable_parallel_multiple_function,rest",
	})
	require.Len(t, right, 310)
	dataset, err := fixtures.Open("v1", data)
	require.NoError(t, err)
	settings := eval.SettingsFor(eval.FC)
	settings.Executor, err = execution.ForRun(t.Context(), dataset, map[string]string{execution.ReplayParameter: recordings})
	require.NoError(t, err)
	all, seen := right, map[string]int{}
	for i, r := range right {
		r.result = right[(i+1)%len(right)].result
		r.want = engine.Judge(r.category, r.c, &eval.Response{Result: r.result}, settings)
		all = append(all, r)
	}
	for _, r := range all {
		seen[r.want.Status.String()]++
	}
	d := serve(t, harness.Options{Dataset: "v1", Data: data, Replay: recordings})
	d.hold(all, func(r recorded) string { return fmt.Sprintf(`{"case": "%s/%s"}`, r.category.Name, r.c.ID) })
	assert.Greater(t, seen["pass"], 250)
	assert.Greater(t, seen["fail"], 200)
	t.Logf("%d episodes: %v", len(all), seen)
	piped(t, harness.Pipe{Bench: &harness.Bench{Data: data, Replay: recordings}, Dataset: "v1"}, settings, all)
}

// TestGoldenEpisodesWeb plays the web cases of V4 over an offline web.
func TestGoldenEpisodesWeb(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	o := suite.Options{Model: "oracle", Dataset: "v4", Data: data, Categories: "web_search"}
	o.Search = "offline"
	all := answersOf(t, o)
	require.Len(t, all, 200)
	d := serve(t, harness.Options{Dataset: "v4", Data: data, Search: "offline"})
	d.hold(all, func(r recorded) string { return fmt.Sprintf(`{"case": "%s/%s"}`, r.category.Name, r.c.ID) })
	t.Logf("%v", d.passed)
}

// TestEpisodeWeb searches and reads pages on the way to an answer.
func TestEpisodeWeb(t *testing.T) {
	d := serve(t, harness.Options{})
	at := d.start(`{"case": "web_search_base_0"}`)
	require.Equal(t, http.StatusCreated, at.Status, at.raw)
	at = d.step(at, `"calls": [{"name": "search_engine_query", "arguments": {"keywords": "cold finger lighthouse"}}]`)
	require.Len(t, at.Messages, 2, at.raw)
	assert.Contains(t, at.Messages[1].Content, "https://openpages.example/cold-finger")
	at = d.step(at, `"calls": [{"name": "fetch_url_content", "arguments": {"url": "https://openpages.example/cold-finger"}}]`)
	require.Len(t, at.Messages, 2, at.raw)
	assert.Contains(t, at.Messages[1].Content, "1984")
	at = d.step(at, `"text": "{\"answer\": \"1984\", \"context\": \"It says so there.\"}"`)
	require.True(t, at.Done, at.raw)
	assert.Equal(t, "pass", at.Verdict.Verdict)
}

// textsIn are the texts in a possible answer, keys left out.
func textsIn(v pyval.Value) (out []string) {
	switch v := v.(type) {
	case pyval.Str:
		if len(v) > 3 {
			out = append(out, string(v))
		}
	case *pyval.List:
		for _, item := range v.Items {
			out = append(out, textsIn(item)...)
		}
	case *pyval.Dict:
		for _, item := range v.All() {
			out = append(out, textsIn(item)...)
		}
	}
	return out
}

// TestEpisodesKeepAnswers: in no reply of any case of the starter suite stands a
// possible answer that its questions and documents do not hold.
func TestEpisodesKeepAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the suite")
	}
	var shown strings.Builder
	files, err := filepath.Glob(filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter", "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		shown.Write(text)
	}
	d := serve(t, harness.Options{})
	texts, wholes, held := 0, 0, 0
	for _, r := range answersOf(t, suite.Options{Model: "oracle", Dataset: fixtures.Starter, Categories: "all"}) {
		answers := pyval.NewList(r.result)
		if key := r.c.Posed().Answer; key != nil {
			answers.Items = append(answers.Items, key)
		}
		var bodies, verdicts strings.Builder
		at := d.start(fmt.Sprintf(`{"case": "%s/%s"}`, r.category.Name, r.c.ID))
		for say := `"calls": [{"name": "nonsense", "arguments": {}}]`; ; say = `"text": "I do not know."` {
			require.Less(t, at.Status, 300, at.raw)
			bodies.WriteString(at.raw)
			if at.Done {
				break
			}
			if at = d.step(at, say); at.Verdict != nil {
				verdict, err := json.Marshal(at.Verdict)
				require.NoError(t, err)
				verdicts.Write(verdict)
			}
		}
		for _, answer := range answers.Items {
			text, err := pyval.JSON(answer, 0)
			require.NoError(t, err)
			if quoted, err := json.Marshal(text); assert.NoError(t, err) && len(text) > 8 {
				wholes++
				assert.NotContains(t, bodies.String(), string(quoted[1:len(quoted)-1]), r.c.ID)
				assert.NotContains(t, bodies.String(), text, r.c.ID)
				assert.NotContains(t, bodies.String(), pyval.Repr(answer), r.c.ID)
			}
		}
		for _, text := range textsIn(answers) {
			quoted, err := json.Marshal(text)
			require.NoError(t, err)
			texts++
			assert.NotContains(t, verdicts.String(), string(quoted), r.c.ID)
			if strings.Contains(shown.String(), text) || r.c.Scene != nil && !strings.Contains(text, "(") { // pages and memories say it
				held++
				continue
			}
			assert.NotContains(t, bodies.String(), string(quoted[1:len(quoted)-1]), r.c.ID)
		}
	}
	assert.Greater(t, texts-held, 50)
	t.Logf("%d possible answers whole, %d texts in them, %d of which the suite shows", wholes, texts, held)
}

// TestEpisodeRungs: categories without a ladder have no level, and only 0 and 1.
func TestEpisodeRungs(t *testing.T) {
	d := serve(t, harness.Options{})
	for _, test := range []struct {
		id, answer string
		rung       float64
		level      string
	}{
		{"irrelevance_0", `"text": "No."`, 1, ""},
		{"irrelevance_0", `"calls": [{"f": {}}]`, 0, ""},
		{"live_relevance_0-0-0", `"text": "No."`, 0, ""},
		{"multi_turn_base_0", `"text": "No."`, 0, ""},
		{"web_search_base_0", `"text": "No."`, 0, ""},
		{"simple_python_0", `"text": "No."`, 0, "ground"},
		{"simple_python_0", `"calls": [{"f": {}}]`, 1. / 6, "call"},
		{"exec_simple_0", `"calls": [{"f": {}}]`, 1. / 6, "call"},
	} {
		at := d.start(fmt.Sprintf(`{"case": %q}`, test.id))
		for !at.Done && at.Status < 300 {
			at = d.step(at, test.answer)
		}
		if assert.NotNil(t, at.Verdict, at.raw) && assert.NotNil(t, at.Verdict.Rung, at.raw) {
			assert.InDelta(t, test.rung, *at.Verdict.Rung, 0.001, "%s %s", test.id, test.answer)
			assert.Equal(t, test.level, at.Verdict.Level, test.id)
		}
	}
}

// TestGoldenEpisodeErrata: a listed case is said to be wrong in its mode, and the
// benchmark suspected if the answer is refused, by episodes and by the pipe.
func TestGoldenEpisodeErrata(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	d := serve(t, harness.Options{Dataset: "v4", Data: data})
	p := harness.Pipe{Bench: &harness.Bench{Data: data}, Dataset: "v4"}
	for _, test := range []struct{ id, mode, want string }{
		{"simple_python_5", "fc", "narrow benchmark"},
		{"simple_python_5", "prompt", "narrow benchmark"},
		{"simple_python_0", "fc", ""},
		{"simple_java_1", "fc", ""},
		{"simple_java_1", "prompt", "benchmark"},
	} {
		at := d.start(fmt.Sprintf(`{"case": %q, "mode": %q}`, test.id, test.mode))
		at = d.step(at, `"text": "No."`)
		require.NotNil(t, at.Verdict, at.raw)
		said, _ := pipe(t, p, fmt.Sprintf(`{"id": %q, "mode": %q, "text": "No."}`, test.id, test.mode))
		erratum, listed := said[0]["erratum"].(map[string]any)
		suspect, _ := said[0]["suspect"].(map[string]any)
		if test.want == "" {
			assert.Nil(t, at.Verdict.Erratum, test.id)
			assert.Nil(t, at.Verdict.Suspect, test.id)
			assert.False(t, listed, test.id)
			continue
		}
		require.NotNil(t, at.Verdict.Erratum, at.raw)
		require.NotNil(t, at.Verdict.Suspect, at.raw)
		got := fmt.Sprint(at.Verdict.Erratum.Kind, " ", at.Verdict.Suspect.Who[0])
		assert.Contains(t, got, test.want)
		assert.Equal(t, got, fmt.Sprint(erratum["kind"], " ", suspect["who"].([]any)[0]))
	}
}

// TestEpisodeDrivers: steps out of order, those of others, and more bytes than a
// step may have, change nothing.
func TestEpisodeDrivers(t *testing.T) {
	t.Parallel()
	d := serve(t, harness.Options{Dataset: rooms(t)})
	one, two := d.start(`{"case": "simple_python_0"}`), d.start(`{"case": "irrelevance_0"}`)
	for number, want := range map[int]int{0: 409, 2: 409, 7: 409, -1: 409} {
		got := d.do(http.MethodPost, "/episodes/"+one.Episode+"/steps", fmt.Sprintf(`{"step": %d, "text": "x"}`, number))
		assert.Equal(t, want, got.Status, got.raw)
		assert.Contains(t, got.Error, "step 1 comes next")
	}
	huge := d.step(one, `"calls": [{"name": "`+strings.Repeat("x", 100<<20)+`", "arguments": {}}]`)
	assert.Equal(t, http.StatusRequestEntityTooLarge, huge.Status)
	assert.Equal(t, "pass", d.step(two, `"text": "No."`).Verdict.Verdict)
	assert.Equal(t, http.StatusConflict, d.do(http.MethodPost, "/episodes/"+two.Episode+"/steps", `{"step": 2, "text": "x"}`).Status)
	right := `"calls": [{"room_area": {"width": 4, "unit": "m"}}]`
	assert.Equal(t, "pass", d.step(one, right).Verdict.Verdict)
	assert.Equal(t, http.StatusNoContent, d.do(http.MethodDelete, "/episodes/"+one.Episode, "").Status)
	assert.Equal(t, http.StatusNotFound, d.step(one, right).Status)
}
