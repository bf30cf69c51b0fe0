package run_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A replayer speaks Chat Completions. It answers each step of a case with what
// a real model answered there; which step it is, the number of the model's
// messages tells. Cases are asked one after the other.
type replayer struct {
	*testkit.Chat
	row    record.Row // of the case at hand
	steps  int
	faults []string
}

func newReplayer(t *testing.T) *replayer {
	r := &replayer{}
	r.Chat = testkit.ServeChat(t, r.serve)
	return r
}

type chat struct {
	Messages []struct {
		Role       string
		ToolCallID string                `json:"tool_call_id"`
		ToolCalls  []struct{ ID string } `json:"tool_calls"`
	}
}

func (r *replayer) serve(q *testkit.Question) string {
	var c chat
	_ = json.Unmarshal(q.Text, &c)
	r.steps++
	return r.reply(r.follow(&c))
}

// follow counts the model's messages, and notes results that name no call of
// the message before them.
func (r *replayer) follow(c *chat) (step int) {
	known := map[string]bool{}
	for _, m := range c.Messages {
		switch m.Role {
		case "assistant":
			step++
			known = map[string]bool{}
			for _, call := range m.ToolCalls {
				known[call.ID] = true
			}
		case "tool":
			if !known[m.ToolCallID] {
				r.faults = append(r.faults, fmt.Sprintf("%s: a result of call %q, which the model did not make", r.row.ID, m.ToolCallID))
			}
		}
	}
	return step
}

// reply is the recorded answer of a step, with ids that no other step has.
func (r *replayer) reply(step int) string {
	answer := nthStep(r.row.Result, step)
	if answer == nil {
		r.faults = append(r.faults, fmt.Sprintf("%s: step %d is not recorded", r.row.ID, step))
		answer = pyval.Str("")
	}
	return strings.ReplaceAll(string(reply(answer)), `"id":"call_`, fmt.Sprintf(`"id":"call_%d_`, step))
}

// nthStep is a step of a recorded conversation, all turns counted through; nil
// where there is none.
func nthStep(result pyval.Value, n int) pyval.Value {
	for _, turn := range result.(*pyval.List).Items {
		steps := turn.(*pyval.List).Items
		if n < len(steps) {
			return steps[n]
		}
		n -= len(steps)
	}
	return nil
}

// TestGoldenConversations leads a server that answers with a real model's
// recorded steps through its multi-turn cases again, over the openai adapter:
// the same steps are asked for and recorded, the same results fed back, and
// the verdicts are upstream's. Cases that upstream failed to ask are left out.
func TestGoldenConversations(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	folder := testkit.Must(record.Find(filepath.Join(recorded, "result")))(t)
	answers := testkit.Must(folder.Answers())(t)
	server := newReplayer(t)
	o := options(t)
	o.Dataset, o.Data, o.Model = "v4", testkit.Shared(t, "bfcl"), "openai:gpt-oss-120b"
	o.Categories = "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"
	o.BaseURL, o.RunDir = server.URL+"/v1", filepath.Join(o.Root, "run")
	s := open(t, o)
	compared, passed, left := 0, 0, 0
	for _, part := range s.Plan.Parts {
		want := upstreamFailures(t, filepath.Join(recorded, "score", "openai_gpt-oss-120b", part.Category.Group, "BFCL_v4_"+part.Category.Name+"_score.json"))
		for i, c := range part.Cases {
			if i%testkit.Some(6, 1) > 0 {
				continue
			}
			row, ok := answers.Get(c.ID, 0)
			require.True(t, ok, c.ID)
			if _, ok := row.Result.(*pyval.List); !ok {
				left++
				continue
			}
			server.row = row
			out := s.Engine.Run(t.Context(), part.Category, c, 0)
			assert.Equal(t, want[c.ID], out.ErrorType, c.ID)
			compared++
			if out.Passed() {
				passed++
			}
		}
	}
	require.NoError(t, s.Finish(false))
	for i, fault := range server.faults {
		if i < 20 {
			t.Error(fault)
		}
	}
	lines, results := sameRecords(t, o.RunDir, s, answers)
	t.Logf("%d cases compared, %d passed, %d left out; %d requests; %d recorded results equal, with %d tool results", compared, passed, left, server.steps, lines, results)
}

// syntaxError is a syntax error in CPython's own words, which change between its
// versions.
var syntaxError = regexp.MustCompile(`^Error during execution: .* \(<string>, line \d+\)$`)

// sameRecords compares what was written with upstream's record: the steps, and
// what the tools answered.
func sameRecords(t *testing.T, dir string, s *suite.Suite, answers record.Answers) (lines, results int) {
	t.Helper()
	written := testkit.Must(record.ReadAnswers(dir, s.Plan.Categories(), 1))(t)
	for id, row := range written[0] {
		want, _ := answers.Get(id, 0)
		got, expected := toolResults(row), toolResults(want)
		if assert.Equal(t, pyval.Repr(want.Result), pyval.Repr(row.Result), id) && assert.Equal(t, len(expected), len(got), id) {
			lines++
		}
		for i := range min(len(got), len(expected)) {
			if syntaxError.MatchString(got[i]) && syntaxError.MatchString(expected[i]) || assert.Equal(t, expected[i], got[i], id) {
				results++
			}
		}
	}
	return lines, results
}

// toolResults are the tools' rows of an inference log.
func toolResults(row record.Row) []string {
	var out []string
	log, _ := pyval.ParseJSON(row.Log)
	turns, _ := log.(*pyval.List)
	for _, turn := range turns.Items {
		steps, ok := turn.(*pyval.Dict)
		if !ok {
			continue
		}
		for _, step := range steps.All() {
			for _, item := range step.(*pyval.List).Items {
				if entry := item.(*pyval.Dict); testkit.Text(entry, "role") == "tool" {
					out = append(out, testkit.Text(entry, "content"))
				}
			}
		}
	}
	return out
}

// TestGoldenOracleConverses leads the oracle through conversations in both modes.
func TestGoldenOracleConverses(t *testing.T) {
	for mode, some := range map[eval.Mode]string{eval.FC: "multi_turn_base,multi_turn_miss_func", eval.Prompt: "multi_turn_miss_param,multi_turn_long_context"} {
		o := options(t)
		o.Dataset, o.Data, o.Model, o.Mode = "v4", testkit.Shared(t, "bfcl"), "oracle", string(mode)
		o.Categories = []string{some, "multi_turn"}[testkit.Some(0, 1)]
		s := open(t, o)
		passed := 0
		for id, out := range answerAll(t, s) {
			if assert.Empty(t, out.ErrorType, "%s: %v %.300v", id, out.Err, out.Detail) {
				passed++
			}
		}
		t.Logf("%s: %d of %d references accepted", mode, passed, s.Plan.Cases())
	}
}

// TestGoldenReplayedConversations judges recorded conversations as they are.
func TestGoldenReplayedConversations(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	o := options(t)
	o.Dataset, o.Data, o.Model, o.Categories = "v4", testkit.Shared(t, "bfcl"), "replay:"+filepath.Join(recorded, "result"), "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"
	s := open(t, o)
	got := answerAll(t, s)
	equal, failed := 0, 0
	for _, part := range s.Plan.Parts {
		want := upstreamFailures(t, filepath.Join(recorded, "score", "openai_gpt-oss-120b", part.Category.Group, "BFCL_v4_"+part.Category.Name+"_score.json"))
		for _, c := range part.Cases {
			switch out := got[c.ID]; {
			case want[c.ID] == "multi_turn:inference_error":
				assert.Equal(t, "infrastructure:recorded_error", out.ErrorType, c.ID)
				failed++
			case assert.Equal(t, want[c.ID], out.ErrorType, c.ID):
				equal++
			}
		}
	}
	t.Logf("%d of %d verdicts equal, %d were never answered", equal, len(got)-failed, failed)
}
