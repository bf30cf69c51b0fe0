package run_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	_ "github.com/gobfcl/bfcl/internal/world/endpoint/mcptools"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// A plan is what is called in each turn of a case, in steps.
type plan [][][]eval.ToolCall

// oraclePlan returns the calls of a case's possible answer.
func oraclePlan(t testing.TB, c *eval.Case) plan {
	t.Helper()
	adapter := oracle.New(func(string) *eval.Case { return c })
	out := make(plan, len(c.Turns))
	for turn := range c.Turns {
		resp := testkit.Must(adapter.Generate(t.Context(), &eval.Request{ID: c.ID, Turn: turn, Conversation: true, Mode: eval.FC}))(t)
		if m := resp.AsMessage(); len(m.Calls) > 0 {
			out[turn] = [][]eval.ToolCall{m.Calls}
		}
	}
	return out
}

// A mistake changes the calls of a turn; the cases take the mistakes in
// rotation.
type mistake struct {
	name string
	make func(turn [][]eval.ToolCall) [][]eval.ToolCall
}

// one returns a step with a single call.
func one(name, arguments string) []eval.ToolCall {
	return []eval.ToolCall{{Name: name, Arguments: arguments}}
}

var mistakes = []mistake{
	{"leaves the last call out", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		last := s[len(s)-1]
		return append(slices.Clone(s[:len(s)-1]), last[:len(last)-1])
	}},
	{"calls nothing", func([][]eval.ToolCall) [][]eval.ToolCall { return nil }},
	{"calls everything twice", func(s [][]eval.ToolCall) [][]eval.ToolCall { return append(slices.Clone(s), s...) }},
	{"begins with an unknown tool", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		return append([][]eval.ToolCall{one("launch_missiles", `{"at": "moon"}`)}, s...)
	}},
	{"invents an argument", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		return append([][]eval.ToolCall{one(s[0][0].Name, `{"no_such_parameter": [1.0, "x"]}`)}, s[1:]...)
	}},
	{"gives no object, then goes on", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		return append(slices.Clone(s), one(s[0][0].Name, `{}`), one("ls", `{"a": true}`))
	}},
	{"calls backwards", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		out := slices.Clone(s[0])
		slices.Reverse(out)
		return [][]eval.ToolCall{out}
	}},
	{"forgets the arguments", func(s [][]eval.ToolCall) [][]eval.ToolCall {
		out := slices.Clone(s[0])
		out[0].Arguments = `{}`
		return [][]eval.ToolCall{out}
	}},
}

// with returns the plan with a mistake in the given turn, counting only turns
// that make calls.
func (p plan) with(m mistake, turn int) plan {
	out := slices.Clone(p)
	var calling []int
	for i := range p {
		if len(p[i]) > 0 {
			calling = append(calling, i)
		}
	}
	if len(calling) > 0 {
		i := calling[turn%len(calling)]
		out[i] = m.make(p[i])
	}
	return out
}

// singly returns the plan with one step per call: a verdict's details show
// steps, and which calls an agent makes together cannot be planned. A plan that
// would exceed the step limit stays as it is.
func (p plan) singly() (_ plan, ok bool) {
	const most = 20
	out := make(plan, len(p))
	for turn, steps := range p {
		n := 0
		for _, calls := range steps {
			if n += len(calls); n > most {
				return p, false
			}
			for i := range calls {
				out[turn] = append(out[turn], calls[i:i+1])
			}
		}
	}
	return out, true
}

// direct answers one step at a time, as a model does.
func (p plan) direct(_ context.Context, req *eval.Request) (*eval.Response, error) {
	if steps := p[req.Turn]; req.Step < len(steps) {
		return &eval.Response{Result: eval.CallsResult(steps[req.Step])}, nil
	}
	return says("Done."), nil
}

// authorized adds the endpoint's header to each request.
type authorized struct{ *eval.Endpoint }

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(a.Header, a.Value)
	return http.DefaultTransport.RoundTrip(r)
}

// agent makes the calls with the SDK's client, in one session per conversation.
func (p plan) agent(t testing.TB) eval.Ask {
	var session *mcp.ClientSession
	return func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		if session == nil {
			var err error
			client := mcp.NewClient(&mcp.Implementation{Name: "scripted", Version: "1"}, nil)
			session, err = client.Connect(context.WithoutCancel(ctx), &mcp.StreamableClientTransport{
				Endpoint: req.Endpoint.URL, HTTPClient: &http.Client{Transport: authorized{req.Endpoint}}, DisableStandaloneSSE: true,
			}, nil)
			if err != nil {
				return nil, err
			}
			t.Cleanup(func() { _ = session.Close() })
		}
		for _, calls := range p[req.Turn] {
			for _, call := range calls {
				if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: json.RawMessage(call.Arguments)}); err != nil {
					return nil, err
				}
			}
		}
		return says("Done."), nil
	}
}

func agents(t testing.TB, limits endpoint.Limits) *engine.Agents {
	t.Helper()
	host := testkit.Must(endpoint.Listen())(t)
	t.Cleanup(func() { _ = host.Close() })
	return &engine.Agents{Host: host, Limits: limits, Release: func(string) {}}
}

// bothWays plays a plan on a case as a model and as an agent, and requires
// equal verdicts.
func bothWays(t *testing.T, l *engine.Loop, a *engine.Agents, c *eval.Case, p plan, what string) (v eval.Verdict) {
	t.Helper()
	cat := categories.Find(c.Category)
	p, steps := p.singly()
	direct, err := l.Run(t.Context(), c, 0, p.direct)
	require.NoError(t, err, c.ID)
	over, err := l.LeadAgent(t.Context(), c, 0, p.agent(t), a)
	require.NoError(t, err, c.ID)
	_, want := cat.Verdict(c, direct.Result, l.Settings)
	_, got := cat.Verdict(c, over.Result, l.Settings)
	if want.Status != got.Status || want.ErrorType != got.ErrorType || steps && pyval.Repr(orNone(want.Detail)) != pyval.Repr(orNone(got.Detail)) {
		t.Errorf("%s, an agent that %s: directly %v %s, as an agent %v %s", c.ID, what, want.Status, want.ErrorType, got.Status, got.ErrorType)
	}
	return want
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

// compareWays plays every case both ways, with the oracle's calls and with a
// mistake, and logs how many verdicts it compared.
func compareWays(t *testing.T, d *fixtures.Dataset, cases []*eval.Case) {
	t.Helper()
	w := testkit.Must(d.Wording())(t)
	l := &engine.Loop{Library: classes.Library, Wording: w, Model: "m", Settings: eval.SettingsFor(eval.FC)}
	a := agents(t, endpoint.Limits{})
	var mu sync.Mutex
	verdicts := map[string]int{}
	t.Run("cases", func(t *testing.T) {
		for i, c := range cases {
			t.Run(c.ID, func(t *testing.T) {
				t.Parallel()
				p := oraclePlan(t, c)
				right := bothWays(t, l, a, c, p, "knows the answer")
				assert.Equal(t, eval.Pass, right.Status, "%s: %v", c.ID, right.Detail)
				m := mistakes[i%len(mistakes)]
				wrong := bothWays(t, l, a, c, p.with(m, i/len(mistakes)), m.name)
				mu.Lock()
				defer mu.Unlock()
				verdicts[right.ErrorType]++
				verdicts[wrong.ErrorType]++
			})
		}
	})
	t.Logf("%s: %d conversations compared both ways, each right and with a mistake; verdicts: %v", d.Name, len(cases), verdicts)
	assert.Greater(t, verdicts["multi_turn:instance_state_mismatch"]+verdicts["multi_turn:execution_response_mismatch"], len(cases)/8)
}

func conversations(t *testing.T, d *fixtures.Dataset, each int, names ...string) (out []*eval.Case) {
	t.Helper()
	for _, name := range names {
		cases := testkit.Must(d.Cases(categories.Find("multi_turn_" + name)))(t)
		out = append(out, cases[:min(each, len(cases))]...)
	}
	return out
}

// TestDialogueAgents: all starter conversations get the same verdicts directly and
// over the protocol.
func TestDialogueAgents(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	compareWays(t, d, conversations(t, d, 1000, "base", "miss_func", "miss_param", "long_context", "composite"))
}

// TestGoldenDialogueAgents does the same with 200 official conversations.
func TestGoldenDialogueAgents(t *testing.T) {
	d := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	compareWays(t, d, conversations(t, d, 50, "base", "miss_func", "miss_param", "long_context"))
}
