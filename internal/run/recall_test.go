package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

var cat = &eval.Category{Name: "memory_vector", Group: "agentic/memory/vector", Source: "memory", Rule: eval.Agentic, Memory: "MemoryAPI_vector"}

// talks returns a scenario's conversations and a question.
func talks() (before []*eval.Case, question *eval.Case) {
	scene := func() *eval.Scene { return &eval.Scene{Classes: []string{"MemoryAPI_vector"}, Scenario: "attic"} }
	first := &eval.Case{ID: "memory_vector_prereq_0-attic-0", Category: cat.Before().Name, Scene: scene()}
	second := &eval.Case{ID: "memory_vector_prereq_1-attic-1", Category: cat.Before().Name, Scene: scene(), Needs: []string{first.ID}}
	question = &eval.Case{ID: "memory_vector_0-attic-0", Category: cat.Name, Scene: scene(), Needs: []string{first.ID, second.ID}}
	return []*eval.Case{first, second}, question
}

// unreachable is an embedder that never answers.
type unreachable struct{}

func (unreachable) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("out of reach")
}

func recallParse(t *testing.T, text string) pyval.Value {
	t.Helper()
	return testkit.Must(pyval.ParseJSON(text))(t)
}

// resumed returns a schedule of recorded conversations; the second one searched
// the memory.
func resumed(t *testing.T, dir string, embedder memory.Embedder) (*suite.Schedule, *eval.Case) {
	t.Helper()
	before, question := talks()
	rows := map[string]record.Row{}
	for id, result := range map[string]string{
		before[0].ID: `[[[{"core_memory_add": "{\"text\": \"a trunk\"}"}], "ok"]]`,
		before[1].ID: `[[[{"core_memory_retrieve": "{\"query\": \"trunk\"}"}], [{"core_memory_add": "{\"text\": \"a lamp\"}"}], "ok"]]`,
	} {
		rows[id] = record.Row{ID: id, Result: recallParse(t, result), Entry: pyval.NewDict(0)}
	}
	return scheduled(dir, rows, before, embedder), question
}

func scheduled(dir string, rows map[string]record.Row, before []*eval.Case, embedder memory.Embedder) *suite.Schedule {
	return &suite.Schedule{
		Engine: &engine.Engine{Recorded: record.Answers{rows}, Settings: eval.SettingsFor(eval.FC)}, Library: classes.With(classes.Services{Embedder: embedder}),
		Model: "m", Dir: dir, Lines: 2, Before: map[string][]*eval.Case{cat.Name: before},
	}
}

// lamp is the memory that the conversations leave.
const lamp = `{
    "core_memory": {
        "next_id": 2,
        "store": {
            "0": "a trunk",
            "1": "a lamp"
        }
    },
    "archival_memory": {
        "next_id": 0,
        "store": {}
    }
}`

// TestRecallUnreachableEmbedder: without an embedder the memory cannot be made again,
// and its questions, which ask it, too, have no answer.
func TestRecallUnreachableEmbedder(t *testing.T) {
	s, question := resumed(t, t.TempDir(), unreachable{})
	defer s.Close()
	_, err := s.Pose(t.Context(), cat, question, 0)
	require.ErrorContains(t, err, "cannot be made again")
	assert.ErrorContains(t, err, "out of reach")
	assert.ErrorContains(t, err, "memory_vector_prereq_1-attic-1")
	assert.Equal(t, "prerequisite", eval.InfraKind(err))
}

// recallOne is an embedder that gives all texts the same vector.
type recallOne struct{}

func (recallOne) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1}
	}
	return out, nil
}

// TestRecallRestore makes snapshots again from records.
func TestRecallRestore(t *testing.T) {
	dir := t.TempDir()
	s, question := resumed(t, dir, recallOne{})
	s.Expect(t.Context(), t.Context(), cat, question, 0)
	posed := testkit.Must(s.Pose(t.Context(), cat, question, 0))(t)
	s.Close()
	assert.Contains(t, pyval.Repr(posed.Scene.Config), "a lamp")
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "result", "agentic", "memory", "vector", "memory_snapshot", "attic_final.json")))(t)
	assert.Equal(t, lamp, string(text))
	assert.Len(t, s.Notes(), 2)
	assert.True(t, strings.Contains(s.Notes()[0], "is missing; it was made again from the recorded answers"), s.Notes())

	again, question := resumed(t, dir, recallOne{})
	testkit.Must(again.Pose(t.Context(), cat, question, 0))(t)
	again.Close()
	assert.Empty(t, again.Notes())
}

// TestRecallOnlyForQuestions: nothing comes before a question that is answered, and
// what comes before another in that trial begins at once.
func TestRecallOnlyForQuestions(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, question := resumed(t, dir, recallOne{})
		defer s.Close()
		s.Engine.Recorded[0][question.ID] = record.Row{ID: question.ID}
		s.Expect(t.Context(), t.Context(), cat, question, 0)
		synctest.Wait()
		assert.Empty(t, s.Notes())
		other := *question
		other.ID = "memory_vector_1-attic-1"
		s.Expect(t.Context(), t.Context(), cat, &other, 0)
		synctest.Wait()
		assert.Len(t, s.Notes(), 2, "the memory is made again")
	})
}

// TestRecallNotesAreSorted: scenarios run concurrently, and their notes have
// the same order whichever finishes first.
func TestRecallNotesAreSorted(t *testing.T) {
	rows := map[string]record.Row{}
	var before, questions []*eval.Case
	for _, scenario := range []string{"yard", "attic"} {
		scene := &eval.Scene{Classes: []string{"MemoryAPI_vector"}, Scenario: scenario}
		talk := &eval.Case{ID: "memory_vector_prereq_0-" + scenario + "-0", Category: cat.Before().Name, Scene: scene}
		rows[talk.ID] = record.Row{ID: talk.ID, Result: recallParse(t, `[[[{"core_memory_add": "{\"text\": \"a trunk\"}"}], "ok"]]`), Entry: pyval.NewDict(0)}
		before = append(before, talk)
		questions = append(questions, &eval.Case{ID: "memory_vector_0-" + scenario + "-0", Category: cat.Name, Scene: scene, Needs: []string{talk.ID}})
	}
	s := scheduled(t.TempDir(), rows, before, recallOne{})
	for _, question := range questions {
		testkit.Must(s.Pose(t.Context(), cat, question, 0))(t)
	}
	s.Close()
	require.Len(t, s.Notes(), 2)
	assert.Contains(t, s.Notes()[0], "attic")
	assert.Contains(t, s.Notes()[1], "yard")
}

// TestRecallStopping: a question that may no longer begin counts as not run.
func TestRecallStopping(t *testing.T) {
	begin, stop := context.WithCancel(t.Context())
	stop()
	s, question := resumed(t, "", recallOne{})
	defer s.Close()
	s.Expect(begin, t.Context(), cat, question, 0)
	_, err := s.Pose(t.Context(), cat, question, 0)
	notRun, ok := errors.AsType[*engine.NotRun](err)
	require.True(t, ok, "%v", err)
	assert.EqualError(t, notRun.Cause, "the run was interrupted")
}
