package run_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

func loop(t testing.TB) *engine.Loop {
	t.Helper()
	return &engine.Loop{Library: classes.Library, Wording: wording(t), Model: "m", Settings: eval.SettingsFor(eval.FC)}
}

// lead plays a plan on a case as an agent.
func lead(t *testing.T, c *eval.Case, p plan, limits endpoint.Limits) *eval.Response {
	t.Helper()
	return testkit.Must(loop(t).LeadAgent(t.Context(), c, 0, p.agent(t), agents(t, limits)))(t)
}

// TestDialogueAgentEffort: an agent's calls, failures and late calls are
// counted per turn.
func TestDialogueAgentEffort(t *testing.T) {
	right, wrong := one("add", onePlusTwo), one("add", `{"a": 1}`)
	for _, c := range []struct {
		name  string
		turns plan
		want  eval.Effort
	}{
		{"nothing", plan{nil, nil}, eval.Effort{Steps: 2}},
		{"a call each", plan{{right}, {right}}, eval.Effort{Steps: 4, Calls: 2}},
		{"recovered", plan{{wrong, right}, {wrong}}, eval.Effort{Steps: 5, Calls: 3, Failed: 2, Recovered: 1}},
		{"too late to recover", plan{{right, wrong}, {right}}, eval.Effort{Steps: 5, Calls: 3, Failed: 1}},
		{"again and again", plan{{right, right, right}, {right}}, eval.Effort{Steps: 6, Calls: 4, Redundant: 2}},
		{"not shown", plan{{one("cosine", `{}`), right}, nil}, eval.Effort{Steps: 4, Calls: 2, Failed: 1, WrongTools: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := *lead(t, sum(t, 2, false), c.turns, endpoint.Limits{}).Effort
			assert.Positive(t, got.Wall)
			got.Wall = 0
			assert.Equal(t, c.want, got)
		})
	}
}

// TestDialogueAgentRecord: an agent's record has upstream's format, and each
// turn ends with a text.
func TestDialogueAgentRecord(t *testing.T) {
	resp := lead(t, sum(t, 2, false), plan{{one("add", onePlusTwo), one("add", `{}`)}, nil}, endpoint.Limits{})
	assert.Equal(t, `[[[{'add': '{"a":1,"b":2}'}], [{'add': '{}'}], 'Done.'], ['Done.']]`, pyval.Repr(resp.Result))
	assert.Equal(t, [][]int{{0, 0, 1}, {1}}, resp.Talk.InputTokens)
	assert.Equal(t, 2, resp.InputTokens)
	assert.Equal(t, 4, resp.OutputTokens)
	log := pyval.Repr(resp.Talk.Log)
	for _, want := range []string{"begin_of_turn_query", "step_0", "step_1", "step_2", `{"result": 3}`, "missing 2 required", "Error decoding"} {
		assert.Contains(t, log, want)
	}
}

// TestDialogueAgentLimit: a case with too many calls ends as a failure.
func TestDialogueAgentLimit(t *testing.T) {
	call := one("add", onePlusTwo)
	c := sum(t, 3, false)
	c.Answer = pyval.NewList(pyval.NewList(), pyval.NewList(), pyval.NewList())
	p := plan{{call}, {call, call, call, call}, {call}}
	resp := lead(t, c, p, endpoint.Limits{Calls: 3})
	assert.True(t, resp.Effort.Exceeded)
	assert.Equal(t, 3, resp.Effort.Calls)
	assert.Equal(t, `[[[{'add': '{"a":1,"b":2}'}], 'Done.'], [[{'add': '{"a":1,"b":2}'}], [{'add': '{"a":1,"b":2}'}]]]`, pyval.Repr(resp.Result))
	_, v := categories.Find("multi_turn_base").Verdict(c, resp.Result, eval.SettingsFor(eval.FC))
	assert.Equal(t, "multi_turn:force_terminated", v.ErrorType)
}

// TestDialogueAgentLate: calls after a turn's end change nothing and are counted.
func TestDialogueAgentLate(t *testing.T) {
	a := agents(t, endpoint.Limits{})
	var session *mcp.ClientSession
	a.Release = func(string) {
		for range 2 {
			result := testkit.Must(session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": 1, "b": 2}}))(t)
			assert.True(t, result.IsError)
		}
	}
	resp, err := loop(t).LeadAgent(t.Context(), sum(t, 1, false), 0, func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		session = dial(t, req.Endpoint)
		return says("Done."), nil
	}, a)
	require.NoError(t, err)
	assert.Equal(t, 2, resp.Effort.Late)
	assert.Zero(t, resp.Effort.Calls)
	assert.Equal(t, `[['Done.']]`, pyval.Repr(resp.Result))
}

func dial(t testing.TB, e *eval.Endpoint) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "scripted", Version: "1"}, nil)
	session, err := client.Connect(context.WithoutCancel(t.Context()), &mcp.StreamableClientTransport{
		Endpoint: e.URL, HTTPClient: &http.Client{Transport: authorized{e}},
	}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestDialogueAgentHeldOut: a held-out function appears with its turn, and the
// turn's text announces it.
func TestDialogueAgentHeldOut(t *testing.T) {
	var session *mcp.ClientSession
	var seen []string
	_, err := loop(t).LeadAgent(t.Context(), sum(t, 3, true), 0, func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		if session == nil {
			session = dial(t, req.Endpoint)
		}
		list := testkit.Must(session.ListTools(ctx, nil))(t)
		seen = append(seen, fmt.Sprint(len(list.Tools), req.Endpoint.Changed))
		for _, tool := range list.Tools {
			assert.Equal(t, "add", tool.Name)
			assert.Contains(t, fmt.Sprint(tool.InputSchema), "type:number")
			assert.True(t, strings.HasPrefix(tool.Description, "Adds two numbers."))
		}
		return says("Done."), nil
	}, agents(t, endpoint.Limits{}))
	require.NoError(t, err)
	assert.Equal(t, []string{"0 false", "1 true", "1 false"}, seen)
}

// TestDialogueAgentTrouble: an agent that does not answer is an infrastructure
// error.
func TestDialogueAgentTrouble(t *testing.T) {
	a := agents(t, endpoint.Limits{})
	_, err := loop(t).LeadAgent(t.Context(), sum(t, 2, false), 0, func(context.Context, *eval.Request) (*eval.Response, error) {
		return nil, eval.Infra("exited", "it died")
	}, a)
	assert.Equal(t, "exited", eval.InfraKind(err))
	assert.ErrorContains(t, err, "turn 1: exited: exited: it died; the agent never connected to its tools")
	a.Time = time.Millisecond
	_, err = loop(t).LeadAgent(t.Context(), sum(t, 2, false), 0, func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		dial(t, req.Endpoint)
		<-ctx.Done()
		return nil, ctx.Err()
	}, a)
	assert.Equal(t, "timeout", eval.InfraKind(err))
	assert.ErrorContains(t, err, "the case took too long (-agent-time)")
	assert.NotContains(t, err.Error(), "never connected")
	require.NoError(t, a.Host.Close())
	_, err = loop(t).LeadAgent(t.Context(), sum(t, 2, false), 0, nil, a)
	assert.True(t, errors.Is(err, endpoint.ErrClosed))
}

// TestDialogueAskAgent: the answer to a single-turn case is the agent's calls,
// or its text if it made none.
func TestDialogueAskAgent(t *testing.T) {
	c := sum(t, 1, false)
	for _, want := range []struct {
		calls plan
		text  string
	}{
		{plan{{one("add", onePlusTwo), one("other", `{}`)}}, `[{'add': '{"a":1,"b":2}'}, {'other': '{}'}]`},
		{plan{nil}, `'Done.'`},
	} {
		posed := &eval.Request{ID: c.ID, Messages: c.Turns[0], Tools: c.Tools}
		resp := testkit.Must(engine.AskAgent(t.Context(), posed, endpoint.Noted{}, wording(t), want.calls.agent(t), agents(t, endpoint.Limits{})))(t)
		assert.Equal(t, want.text, pyval.Repr(resp.Result))
		assert.NotNil(t, resp.Effort)
		assert.Equal(t, 1, resp.InputTokens)
	}
}

// TestDialogueAgentsInterleaved: of a hundred concurrent agents each sees only
// its own world.
func TestDialogueAgentsInterleaved(t *testing.T) {
	const n, rounds = 100, 5
	a := agents(t, endpoint.Limits{})
	l := loop(t)
	var begun, all sync.WaitGroup
	begun.Add(n)
	for i := range n {
		all.Go(func() {
			c := &eval.Case{ID: fmt.Sprint("multi_turn_base_", i), Scene: &eval.Scene{Classes: []string{"GorillaFileSystem"}}, Turns: [][]eval.Message{{{Role: "user", Content: "Go."}}}}
			there := sync.OnceFunc(begun.Done)
			defer there()
			resp, err := l.LeadAgent(t.Context(), c, 0, func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
				session := dial(t, req.Endpoint)
				there()
				begun.Wait()
				for k := range rounds {
					_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "touch", Arguments: map[string]any{"file_name": fmt.Sprintf("f%d_%d", i, k)}})
					if err != nil {
						return nil, err
					}
				}
				result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "ls"})
				if err != nil {
					return nil, err
				}
				return says(result.Content[0].(*mcp.TextContent).Text), nil
			}, a)
			if !assert.NoError(t, err) {
				return
			}
			want := `{"current_directory_content": [`
			for k := range rounds {
				want += fmt.Sprintf(`"f%d_%d", `, i, k)
			}
			turn := resp.Result.(*pyval.List).Items[0].(*pyval.List).Items
			assert.Equal(t, strings.TrimSuffix(want, ", ")+"]}", pyval.Text(turn[len(turn)-1]))
		})
	}
	all.Wait()
}

// fixed is a script that gives one answer to everything.
type fixed struct{}

func (fixed) Execute(*eval.Case, pyval.Value, eval.Settings) (calls, results []string, err error) {
	return []string{"add()"}, []string{`{"sum": 3}`}, nil
}

// TestDialogueAgentScript: on a suite's own tools an agent sees the tools as
// written and gets the suite's results.
func TestDialogueAgentScript(t *testing.T) {
	c := sum(t, 1, false)
	c.Scene = &eval.Scene{Script: fixed{}}
	c.Sent = []*pyval.Dict{c.Tools[0].Clone()}
	c.Sent[0].SetStr("description", pyval.Str("Written by its owner."))
	c.Sent[0].Delete(pyval.Str("parameters"))
	var answered, described string
	_, err := loop(t).LeadAgent(t.Context(), c, 0, func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		session := dial(t, req.Endpoint)
		list, err := session.ListTools(ctx, nil)
		if err != nil {
			return nil, err
		}
		described = list.Tools[0].Description
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": 1}})
		if err != nil {
			return nil, err
		}
		answered = result.Content[0].(*mcp.TextContent).Text
		return says("Done."), nil
	}, agents(t, endpoint.Limits{}))
	require.NoError(t, err)
	assert.Equal(t, `{"sum": 3}`, answered)
	assert.Equal(t, "Written by its owner.", described)
}
