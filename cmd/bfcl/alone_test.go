package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// TestBuiltCommand builds the command and runs it in an empty folder with an empty
// PATH: everything is there that is there in a checkout.
func TestBuiltCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds the command")
	}
	t.Parallel()
	command := testkit.Must(testkit.Command(t.TempDir()))(t)
	empty := t.TempDir()
	alone := func(args ...string) ran {
		return runIn(t, empty, []string{"PATH=", "HOME=" + empty, "NO_COLOR=1"}, command, args...)
	}
	run := alone("run", "-model=heuristic", "-categories=simple_python,irrelevance,multi_turn_base", "--json")
	require.Zerof(t, run.code, "%s", run.errs)
	var own score.Score
	require.NoError(t, json.Unmarshal([]byte(run.out), &own))
	require.NotEmpty(t, own.Categories)
	dir := filepath.Join(empty, "results", "heuristic")
	for _, name := range []string{tally.JUnitFile, process.EventsFile, tally.ReportFile, tally.ScoreFile, "run.json"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	again := alone("score", "--json", "results/heuristic/junit.xml")
	require.Zerof(t, again.code, "%s", again.errs)
	var sheet score.Score
	require.NoError(t, json.Unmarshal([]byte(again.out), &sheet))
	assert.Equal(t, own.Categories, sheet.Categories, "the score is that of the JUnit file")

	for _, args := range [][]string{
		{"score", "results/heuristic"},
		{"judge", "--id", "irrelevance_0", "--run", "results/heuristic"},
		{"evaluate", "--dataset", "starter", "--result-dir", "results/heuristic", "--score-dir", "scores"},
		{"models", "--categories"}, {"models"}, {"version"},
	} {
		got := alone(args...)
		require.Zerof(t, got.code, "%v: %s", args, got.errs)
		assert.NotEmptyf(t, got.out, "%v", args)
	}
	tagged := alone("run", "-model=bedrock:us.amazon.nova-lite-v1:0")
	assert.Equal(t, exitMisuse, tagged.code)
	assert.Contains(t, tagged.errs, "needs -tags=bedrock, as in `go install -tags=bedrock")
	t.Logf("%d cases", total(&own))
}

// variedCases lists two cases of another category, which are always kept.
const variedCases = `{"simple_python": ["simple_python_0", "simple_python_3"]}` + "\n"

// writeStarter copies the starter suite to a folder, and adds the documents of the
// simulated APIs, which the suite does not have as files. It writes only the
// files of the given categories, and of each the first few cases.
func writeStarter(dir, from string, few int, categories ...string) error {
	if err := errors.Join(os.CopyFS(dir, os.DirFS(from)), writeStarterDocs(filepath.Join(dir, "multi_turn_func_doc"))); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		file, ok := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".json"), "BFCL_v4_")
		switch {
		case err != nil || !ok:
			return err
		case !slices.ContainsFunc(categories, func(name string) bool { return strings.HasPrefix(name, file) }):
			return os.Remove(path)
		}
		return shortenFile(path, few)
	})
}

// shortenFile keeps the first few lines of a file.
func shortenFile(path string, few int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if lines := strings.SplitAfter(string(text), "\n"); len(lines) > few {
		text = []byte(strings.Join(lines[:few], ""))
	}
	if strings.Contains(path, "format_sensitivity") {
		text = []byte(variedCases)
	}
	return os.WriteFile(path, text, 0o644)
}

func writeStarterDocs(dir string) error {
	errs := []error{os.MkdirAll(dir, 0o755)}
	for _, class := range classes.With(classes.Services{}).Classes() {
		if class.DocFile != "" {
			errs = append(errs, os.WriteFile(filepath.Join(dir, class.DocFile), []byte(class.Doc), 0o644))
		}
	}
	return errors.Join(errs...)
}

// modelServer is a server that a run starts: it lists its model after a while,
// and answers every question with a text.
func modelServer() {
	began := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if time.Since(began) < 300*time.Millisecond {
			http.Error(w, `{"error": {"message": "Loading model", "code": 503}}`, http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprint(w, `{"object": "list", "data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 200, "completion_tokens": 3}}`)
	})
	fmt.Println("serving on", os.Args[1])
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
	os.Exit(1)
}

// TestLookFirst: a long run on a server of one's own begins with a look at it. A
// server that refuses everything costs a few requests and no run folder.
func TestLookFirst(t *testing.T) {
	t.Parallel()
	const refusal = `{"error": {"message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}`
	const talk = `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 200, "completion_tokens": 3}}`
	const stopped = "-max-cost" // after a few cases, which tell enough
	for name, c := range map[string]struct {
		cases       int
		reply, flag string
		code, most  int
		said        string
	}{
		"refuses everything": {manyCases, "400 " + refusal, "-q", exitTrouble, 10, "does not answer as a run needs it"},
		"answers in text":    {manyCases, talk, "-q", exitOK, manyCases + 10, "a text arrives in place of calls"},
		"not asked":          {manyCases, talk, "-no-check", exitTrouble, manyCases, stopped},
		"a short run":        {manyCases - 1, talk, "-q", exitTrouble, manyCases - 1, stopped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testkit.ServeChat(t, func(*testkit.Question) string { return c.reply })
			dir, models := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "models.yaml")
			require.NoError(t, os.WriteFile(models, []byte("models: {m: {adapter: openai, id: m, base_url: "+server.URL+"/v1, prices: {input: 100, output: 100}}}"), 0o644))
			budget := "-max-cost=1000"
			if c.said == stopped {
				budget = "-max-cost=0.5"
			}
			said := refused(t, c.code, "run", "-model=m", "-models="+models, "-dataset="+alike(t, c.cases), "-run-dir="+dir, budget, c.flag)
			asked, _ := server.Asked()
			assert.LessOrEqual(t, asked, c.most)
			assert.Contains(t, said, c.said)
			if c.said == stopped {
				assert.NotContains(t, said, "asked for")
				assert.Equal(t, recordedAnswers(dir), asked, "only cases")
				return
			}
			_, missing := os.Stat(dir)
			assert.Equal(t, c.code != exitOK, missing != nil, "what was refused wrote nothing")
			if c.code == exitOK { // what looks cost is accounted for
				var receipt struct {
					Requests int
					Dollars  float64
					Fates    map[string]struct{ Requests int }
				}
				require.NoError(t, json.Unmarshal([]byte(says(t, "score", "--receipt", "--json", dir)), &receipt))
				assert.Equal(t, asked, receipt.Requests)
				assert.InDelta(t, float64(asked)*203*100/1e6, receipt.Dollars, 1e-9)
				assert.Equal(t, 8, receipt.Fates["looked"].Requests)
				assert.Contains(t, says(t, "score", dir), "$20.3000 per 1,000 answers")
			}
		})
	}
}

// alike makes a dataset of so many equal cases.
func alike(t *testing.T, n int) string {
	t.Helper()
	var cases, answers strings.Builder
	for i := range n {
		fmt.Fprintf(&cases, `{"id": "simple_python_%d", "question": [[{"role": "user", "content": "Add %d and 1."}]], "function": [{"name": "add", "description": "Adds.", "parameters": {"type": "dict", "properties": {"a": {"type": "integer", "description": "A number."}}, "required": ["a"]}}]}`+"\n", i, i)
		fmt.Fprintf(&answers, `{"id": "simple_python_%d", "ground_truth": [{"add": {"a": [%d]}}]}`+"\n", i, i)
	}
	return testkit.Folder(t, map[string]string{"BFCL_v4_simple_python.json": cases.String(), "possible_answer/BFCL_v4_simple_python.json": answers.String()})
}
