package agents_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A turn is a line that an agent gets.
type turn struct {
	ID, History, Text string
	Turn              int
	MCP               struct {
		URL     string
		Headers map[string]string
	}
}

// A carrier adds headers to requests.
type carrier map[string]string

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range c {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Go is an agent built on the SDK's client: it looks for the tool that its
// script calls next among the tools offered, and calls it. A clumsy agent
// begins each turn with a call of a tool that does not exist, and makes its
// first call twice.
func Go(script Script, clumsy bool) error {
	ctx := context.Background()
	var session *mcp.ClientSession
	var plan [][]Call
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil // the conversation is over
		}
		var t turn
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			return err
		}
		if session == nil {
			plan = script[t.Text]
			client := mcp.NewClient(&mcp.Implementation{Name: "go-agent", Version: "1"}, nil)
			session, err = client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: t.MCP.URL, HTTPClient: &http.Client{Transport: carrier(t.MCP.Headers)}}, nil)
			if err != nil {
				return err
			}
		}
		if plan == nil {
			return fmt.Errorf("no script begins with %q", t.Text)
		}
		tools, err := session.ListTools(ctx, nil)
		if err != nil {
			return err
		}
		there := map[string]bool{}
		for _, tool := range tools.Tools {
			there[tool.Name] = true
		}
		calls := plan[t.Turn]
		if clumsy && len(calls) > 0 {
			calls = append([]Call{{"launch_rocket", json.RawMessage(`{}`)}, calls[0]}, calls...)
		}
		said := json.RawMessage(`"Done."`)
		for _, call := range calls {
			if call.Name == "" {
				said = call.Arguments
				continue
			}
			if !there[call.Name] && !clumsy {
				return fmt.Errorf("there is no tool %q", call.Name)
			}
			if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments}); err != nil {
				return err
			}
		}
		answer, _ := json.Marshal(map[string]any{"id": t.ID, "text": said, "input_tokens": 10, "output_tokens": 2, "cost": 0.001})
		fmt.Println(string(answer))
	}
}

// asked runs the Go agent as a program. Its arguments are the starter category
// whose answers it knows and, for a clumsy agent, "clumsy".
func asked(args []string) error {
	d, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		return err
	}
	cat := categories.Find(args[0])
	if cat == nil {
		return fmt.Errorf("there is no category %q", args[0])
	}
	cases, err := Cases(d, cat)
	if err != nil {
		return err
	}
	script, err := OracleScript(context.Background(), cases)
	if err != nil {
		return err
	}
	return Go(script, len(args) > 1 && args[1] == "clumsy")
}

// Cases returns a category's cases, and the conversations before them.
func Cases(d *fixtures.Dataset, cat *eval.Category) ([]*eval.Case, error) {
	cases, err := d.Cases(cat)
	if err != nil {
		return nil, err
	}
	before, err := d.Prerequisites(cat)
	if err != nil || !cat.Executes || cat.Rule == eval.REST {
		return append(before, cases...), err
	}
	answers, err := d.Executions(cat.Name)
	if err != nil {
		return nil, err
	}
	cases = slices.Clone(cases)
	for i, c := range cases { // whose possible answer is only calls
		answered := *c
		answered.Answer = &pyval.List{}
		for _, call := range answers[c.ID].Calls {
			answered.Answer.Items = append(answered.Answer.Items, pyval.Str(call))
		}
		cases[i] = &answered
	}
	return cases, nil
}
