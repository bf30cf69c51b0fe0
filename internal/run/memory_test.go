package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A rememberer speaks Chat Completions as a model that stores all it is told
// and, asked, says all that its memory holds.
type rememberer struct {
	*testkit.Chat
	wants string // the words that ask for an answer of a certain form

	served, conversations atomic.Int64
	slow                  atomic.Int64 // nanoseconds
	fault                 atomic.Pointer[func(asked string) bool]
}

func newRememberer(t *testing.T) *rememberer {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	w := testkit.Must(d.Wording())(t)
	r := &rememberer{wants: strings.TrimSpace(w.AgenticAnswer())}
	r.Chat = testkit.ServeChat(t, r.serve)
	return r
}

type said struct {
	Messages []struct{ Role, Content string }
}

func (r *rememberer) serve(q *testkit.Question) string {
	var c said
	_ = json.Unmarshal(q.Text, &c)
	time.Sleep(time.Duration(r.slow.Load()))
	asked, results := "", []string(nil)
	for _, m := range c.Messages {
		switch m.Role {
		case "user":
			asked, results = m.Content, nil
		case "tool":
			results = append(results, m.Content)
		}
	}
	if fault := r.fault.Load(); fault != nil && (*fault)(asked) {
		return `400 {"error": {"message": "no such luck"}}`
	}
	r.served.Add(1)
	question := strings.Contains(c.Messages[0].Content, r.wants)
	if len(c.Messages) == 2 && !question {
		r.conversations.Add(1)
	}
	tools := map[string]bool{}
	for _, tool := range q.Tools {
		tools[tool.Function.Name] = true
	}
	message := map[string]any{"role": "assistant", "content": "Noted."}
	if calls := next(tools, question, asked, results); len(calls) > 0 {
		message["content"], message["tool_calls"] = nil, calls
	} else if question {
		message["content"] = "I remember: " + strings.Join(results, "\n")
	}
	return testkit.ReplyOf(message, "stop")
}

// next are the calls after so many results within a turn.
func next(tools map[string]bool, question bool, asked string, results []string) []any {
	const keep = 1900
	if len(asked) > keep {
		asked = asked[:keep]
	}
	switch {
	case !question && len(results) > 0:
	case !question && tools["memory_append"]:
		return []any{callOf(0, "memory_append", map[string]any{"text": asked + "\n"})}
	case !question && tools["archival_memory_list_keys"]:
		return []any{callOf(0, "archival_memory_add", map[string]any{"key": keyOf(asked), "value": asked})}
	case !question:
		return []any{callOf(0, "archival_memory_add", map[string]any{"text": asked})}
	case len(results) == 0 && tools["memory_retrieve"]:
		return []any{callOf(0, "memory_retrieve", map[string]any{})}
	case len(results) == 0 && tools["archival_memory_list_keys"]:
		return []any{callOf(0, "archival_memory_list_keys", map[string]any{})}
	case len(results) == 0: // searches, too, so that an embedder is asked
		return []any{callOf(0, "archival_memory_retrieve_all", map[string]any{}), callOf(1, "archival_memory_retrieve", map[string]any{"query": asked})}
	case len(results) == 1 && tools["archival_memory_list_keys"]:
		var listed struct{ Keys []string }
		_ = json.Unmarshal([]byte(results[0]), &listed)
		var out []any
		for i, key := range listed.Keys {
			out = append(out, callOf(i+1, "archival_memory_retrieve", map[string]any{"key": key}))
		}
		return out
	}
	return nil
}

func callOf(n int, name string, args map[string]any) any {
	text, _ := json.Marshal(args)
	return map[string]any{"id": fmt.Sprintf("call_%d", n), "type": "function", "function": map[string]any{"name": name, "arguments": string(text)}}
}

// keyOf is a key that differs for different texts.
func keyOf(text string) string {
	sum := 0
	for _, b := range []byte(text) {
		sum = (sum*31 + int(b)) % 1_000_003
	}
	return fmt.Sprintf("note_%d", sum)
}

func memoryOptions(t *testing.T, r *rememberer) suite.Options {
	o := options(t)
	o.Model, o.BaseURL, o.Categories = "openai:rememberer", r.URL+"/v1", "memory"
	o.RunDir, o.Concurrency = filepath.Join(o.Root, "run"), 8
	return o
}

// runAll runs a suite and gives the verdicts by id.
func runAll(t *testing.T, o suite.Options) (map[string]eval.Result, *suite.Suite) {
	t.Helper()
	s := open(t, o)
	return answerAll(t, s), s
}

func passed(got map[string]eval.Result) []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(got)) {
		if got[id].Passed() {
			out = append(out, id)
		}
	}
	return out
}

// files are the texts below a folder, by their names in it.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return out
}

// The starter suite's memory data.
const (
	scenarios     = 3
	prerequisites = 9 // a backend
	backends      = 3
)

// TestMemory runs the memory categories end to end, whole and killed twice on
// the way: same verdicts, same snapshots, and no conversation that was done is
// led again.
func TestMemory(t *testing.T) {
	r := newRememberer(t)
	o := memoryOptions(t, r)
	whole, s := runAll(t, o)
	require.Equal(t, s.Plan.Cases(), len(whole))
	assert.Greater(t, len(passed(whole)), s.Plan.Cases()*9/10, "it knows nearly all: %v", whole)
	assert.EqualValues(t, prerequisites*backends, r.conversations.Load())
	assert.Equal(t, "local", s.Plan.Run.Parameters["embedder"])
	folder := filepath.Join(o.RunDir, "result", "agentic", "memory")
	snapshots := files(t, filepath.Join(folder, "kv", "memory_snapshot"))
	assert.Len(t, snapshots, prerequisites+scenarios)
	assert.Contains(t, snapshots["allotment_final.json"], `"archival_memory": {`)
	assert.Equal(t, snapshots["allotment_final.json"], snapshots["prereq_checkpoints/memory_kv_prereq_2-allotment-2.json"])
	rows := testkit.Must(record.Read(filepath.Join(folder, "kv", "BFCL_v4_memory_kv_prereq_result.json"), false))(t)
	assert.Len(t, rows, prerequisites)

	r.slow.Store(int64(2 * time.Millisecond))
	o.RunDir, o.Resume, o.Concurrency = filepath.Join(o.Root, "killed"), true, 4
	text := testkit.Must(json.Marshal(o))(t)
	need := r.served.Load()
	for kill := range int64(2) {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+string(text))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		goal := need + need*(1+2*kill)/4
		require.Eventually(t, func() bool { return r.served.Load() >= goal }, time.Minute, time.Millisecond)
		require.NoError(t, child.Process.Kill())
		_ = child.Wait()
	}
	r.slow.Store(0)
	resumed, _ := runAll(t, o)
	assert.Equal(t, passed(whole), passed(resumed))
	assert.LessOrEqual(t, r.conversations.Load(), int64(2*prerequisites*backends+2*4), "a kill loses at most the conversations in flight")
	assert.Equal(t, snapshots, files(t, filepath.Join(o.RunDir, "result", "agentic", "memory", "kv", "memory_snapshot")))

	before := r.served.Load()
	again, _ := runAll(t, o)
	assert.Equal(t, passed(whole), passed(again))
	assert.Equal(t, before, r.served.Load(), "what is recorded is not asked again")
}

// TestMemorySelection runs one question: the conversations before it are led
// through all the same, those of other scenarios are not.
func TestMemorySelection(t *testing.T) {
	r := newRememberer(t)
	o := memoryOptions(t, r)
	o.Concurrency, o.IDs = 1, "memory_rec_sum_0-allotment-0"
	got, _ := runAll(t, o)
	assert.Equal(t, []string{"memory_rec_sum_0-allotment-0"}, passed(got))
	assert.EqualValues(t, prerequisites/scenarios, r.conversations.Load())

	o.Trials, o.RunDir = 2, filepath.Join(o.Root, "trials")
	s := open(t, o)
	part := s.Plan.Parts[0]
	s.Expect(t.Context(), t.Context())
	for trial := range 2 {
		assert.True(t, s.Engine.Run(t.Context(), part.Category, part.Cases[0], trial).Passed())
	}
	require.NoError(t, s.Finish(false))
	assert.EqualValues(t, 3*prerequisites/scenarios, r.conversations.Load(), "each trial has a memory of its own")
	assert.FileExists(t, filepath.Join(o.RunDir, "trial_2", "result", "agentic", "memory", "rec_sum", "memory_snapshot", "allotment_final.json"))
}

// TestMemoryTrouble lets a server refuse one turn of one scenario: that
// scenario's questions are errors that name the cause, others are not, and
// resuming repairs them.
func TestMemoryTrouble(t *testing.T) {
	r := newRememberer(t)
	o := memoryOptions(t, r)
	o.Categories = "memory_kv"
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	before := testkit.Must(d.Prerequisites(categories.Find("memory_kv")))(t)
	broken := before[1]
	words := broken.Turns[1][0].Content
	fault := func(asked string) bool { return asked == words }
	r.fault.Store(&fault)
	got, s := runAll(t, o)
	wrong := 0
	for _, c := range s.Plan.Parts[0].Cases {
		out := got[c.ID]
		if c.Scene.Scenario != broken.Scene.Scenario {
			assert.NotEqual(t, eval.Error, out.Status, c.ID)
			continue
		}
		wrong++
		assert.Equal(t, "infrastructure:prerequisite", out.ErrorType)
		assert.ErrorContains(t, out.Err, broken.ID+", which must come first, failed")
		assert.ErrorContains(t, out.Err, "no such luck")
	}
	assert.Positive(t, wrong)

	r.fault.Store(nil)
	led := r.conversations.Load()
	o.Resume = true
	got, _ = runAll(t, o)
	for id, out := range got {
		assert.NotEqual(t, eval.Error, out.Status, id)
	}
	assert.EqualValues(t, 2, r.conversations.Load()-led, "the conversation that failed and the one after it")
}

// TestMemoryRepair damages what a run left of a memory. Resuming makes it
// anew from the records, says so, and asks no conversation again.
func TestMemoryRepair(t *testing.T) {
	r := newRememberer(t)
	o := memoryOptions(t, r)
	o.Categories, o.IDs = "memory_rec_sum", "memory_rec_sum_0-allotment-0"
	_, _ = runAll(t, o)
	led := r.conversations.Load()
	folder := filepath.Join(o.RunDir, "result", "agentic", "memory", "rec_sum", "memory_snapshot")
	sound := files(t, folder)
	o.Resume, o.IDs = true, "memory_rec_sum_1-allotment-1"
	for name, damage := range map[string]func(path string) error{
		"torn":                func(path string) error { return os.Truncate(path, 7) },
		"of another model":    func(path string) error { return os.WriteFile(path, []byte(`{"memory": "I am another."}`), 0o644) },
		"of another memory":   func(path string) error { return os.WriteFile(path, []byte(`{"core_memory": {}}`), 0o644) },
		"gone":                os.Remove,
		"not what it must be": func(path string) error { return os.WriteFile(path, []byte(`[]`), 0o644) },
	} {
		require.NoError(t, os.Remove(filepath.Join(o.RunDir, "result", "agentic", "memory", "rec_sum", record.FileName("memory_rec_sum"))))
		require.NoError(t, damage(filepath.Join(folder, "prereq_checkpoints", "memory_rec_sum_prereq_1-allotment-1.json")), name)
		got, s := runAll(t, o)
		assert.Len(t, passed(got), 1, name)
		assert.Equal(t, sound, files(t, folder), name)
		assert.Equal(t, led, r.conversations.Load(), name)
		require.Len(t, s.Remarks(), 1, name)
		assert.Contains(t, s.Remarks()[0], "it was made again from the recorded answers", name)
	}
}

// TestMemoryStopped interrupts a run among its conversations: nothing hangs,
// and nothing counts as an error.
func TestMemoryStopped(t *testing.T) {
	r := newRememberer(t)
	o := memoryOptions(t, r)
	o.Categories, o.Concurrency = "memory_kv", 2
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(string) bool { cancel(); return false }
	r.fault.Store(&stop)
	s := open(t, o)
	part := s.Plan.Parts[0]
	s.Expect(ctx, ctx)
	out := s.Engine.Run(ctx, part.Category, part.Cases[0], 0)
	assert.Equal(t, eval.Error, out.Status)
	assert.ErrorIs(t, ctx.Err(), context.Canceled)
	require.NoError(t, s.Finish(true))
	assert.NoFileExists(t, filepath.Join(o.RunDir, "errors.jsonl"))
}

// TestMemoryEmbedder searches by a server's vectors, which then fails: the
// questions are errors that name it, and are asked again on resume.
func TestMemoryEmbedder(t *testing.T) {
	var down atomic.Bool
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		var body struct{ Input []string }
		_ = json.Unmarshal(q.Text, &body)
		if down.Load() {
			return `404 {"error": {"message": "no such embedder"}}`
		}
		data := make([]any, len(body.Input))
		for i, text := range body.Input {
			data[i] = map[string]any{"index": i, "embedding": []int{len(text) + 1, 1}}
		}
		return string(testkit.Must(json.Marshal(map[string]any{"data": data}))(t))
	})
	r := newRememberer(t)
	o := memoryOptions(t, r)
	o.Categories, o.Embedder = "memory_vector", "openai:lengths@"+server.URL+"/v1"
	down.Store(true)
	got, s := runAll(t, o)
	for id, out := range got {
		assert.Equal(t, "infrastructure:model_not_found", out.ErrorType, id)
		assert.ErrorContains(t, out.Err, "embeddings of http://", id)
		assert.ErrorContains(t, out.Err, "no such embedder", id)
	}
	assert.NoError(t, s.Engine.Halted(), "the model is not to blame")
	asked, _ := server.Asked()
	assert.Positive(t, asked)

	down.Store(false)
	led := r.conversations.Load()
	o.Resume = true
	got, s = runAll(t, o)
	assert.Greater(t, len(passed(got)), s.Plan.Cases()*9/10)
	assert.Equal(t, led, r.conversations.Load(), "the conversations were done")
	assert.Equal(t, "openai:lengths@"+server.URL+"/v1", s.Plan.Run.Parameters["embedder"])
}
