package agents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A served agent answers over HTTP, in this process: for each turn it makes the
// calls that are set, on a client of its own.
type servedAgent struct{ calls []eval.ToolCall }

func (a *servedAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		return
	}
	said := map[string]string{"text": "Done."}
	if err := a.turn(r); err != nil {
		said = map[string]string{"error": err.Error()}
	}
	_ = json.NewEncoder(w).Encode(said)
}

func (a *servedAgent) turn(r *http.Request) error {
	var t struct {
		MCP struct {
			URL     string
			Headers map[string]string
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "served-agent", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: t.MCP.URL, HTTPClient: &http.Client{Transport: carrier(t.MCP.Headers)}}
	session, err := client.Connect(r.Context(), transport, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	for _, call := range a.calls {
		if _, err := session.CallTool(r.Context(), &mcp.CallToolParams{Name: call.Name, Arguments: json.RawMessage(call.Arguments)}); err != nil {
			return err
		}
	}
	return nil
}

// TestGoldenExecutable: the first release's executable categories, the official
// ones with recorded answers of their APIs: an agent's calls get the verdict that
// the same calls get of a model, right and with mistakes.
func TestGoldenExecutable(t *testing.T) {
	replay := testkit.GoldenFile(t, "exec", "replay.jsonl") + "," + testkit.GoldenFile(t, "rest", "replay.jsonl")
	executable(t, suite.Options{Dataset: "v1", Data: testkit.Shared(t, "bfcl"), Exec: "replay", ExecReplay: replay},
		"executable_simple", "executable_multiple_function", "executable_parallel_function", "executable_parallel_multiple_function", "rest")
}

// TestExecutable: so do the starter suite's.
func TestExecutable(t *testing.T) {
	executable(t, suite.Options{Dataset: fixtures.Starter}, "exec_simple", "exec_multiple", "exec_parallel", "exec_parallel_multiple", "rest")
}

func executable(t *testing.T, o suite.Options, names ...string) {
	t.Helper()
	a := &servedAgent{}
	server := httptest.NewServer(a)
	defer server.Close()
	o.Categories, o.Trials = strings.Join(names, ","), 2
	open := func(model string) *suite.Suite {
		o.Model, o.RunDir = model, t.TempDir()
		s := testkit.Must(suite.Open(o))(t)
		s.Start()
		t.Cleanup(func() { assert.NoError(t, s.Finish(false)) })
		return s
	}
	s, knowing := open("agent+"+server.URL+"/turn"), open("oracle")
	compared, rows := 0, map[string]int{}
	for _, part := range s.Plan.Parts {
		for i, c := range part.Cases {
			right := callsOf(knowing.Engine.Run(t.Context(), part.Category, c, 0).Result)
			require.NotEmpty(t, right, c.ID)
			for trial, calls := range [][]eval.ToolCall{right, mistaken(right, i)} {
				a.calls = calls
				got := s.Engine.Run(t.Context(), part.Category, c, trial)
				_, want := part.Category.Verdict(c, eval.CallsResult(calls), s.Engine.Settings)
				if len(calls) == 0 {
					_, want = part.Category.Verdict(c, eval.TextResult("Done."), s.Engine.Settings)
				}
				alike(t, fmt.Sprintf("%s, trial %d (%v)", c.ID, trial, got.Err), want, got.Verdict)
				if trial == 0 && got.Passed() {
					assert.Zero(t, got.Effort.Failed, "%s: the agent is told of errors that there are not", c.ID)
				}
				compared++
				rows[fmt.Sprint(part.Category.Name, " ", want.Status)]++
			}
		}
	}
	t.Logf("%s: %d rows compared both ways, each case right and with a mistake: %v", o.Dataset, compared, rows)
}

// callsOf are the calls of a result.
func callsOf(result pyval.Value) (calls []eval.ToolCall) {
	list, _ := result.(*pyval.List)
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		for name, arguments := range item.(*pyval.Dict).All() {
			calls = append(calls, eval.ToolCall{Name: pyval.Text(name), Arguments: pyval.Text(arguments)})
		}
	}
	return calls
}

// mistaken are calls with a mistake.
func mistaken(right []eval.ToolCall, i int) []eval.ToolCall {
	var calls []Call
	for _, c := range right {
		calls = append(calls, Call{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
	}
	turns := Mistakes[i%len(Mistakes)].In([][]Call{calls})
	out := []eval.ToolCall{}
	for _, c := range turns[0] {
		out = append(out, eval.ToolCall{Name: c.Name, Arguments: string(c.Arguments)})
	}
	return out
}
