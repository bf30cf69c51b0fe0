package agent

import (
	"fmt"
	"math"
	"strings"

	"github.com/gobfcl/bfcl/adapters/command"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// turnLine returns a turn as one line. The id is the adapter's own number, and
// the history is the endpoint's: a case's id names its category, which an agent
// must not know.
func turnLine(id string, req *eval.Request) ([]byte, error) {
	messages := pyval.NewList()
	var text, system []string
	for _, m := range req.Messages {
		messages.Items = append(messages.Items, pyval.Object("role", pyval.Str(m.Role), "content", pyval.Str(m.Content)))
		if m.Role == "system" {
			system = append(system, m.Content)
			continue
		}
		text = append(text, m.Content)
	}
	e := req.Endpoint
	turn := pyval.Object(
		"id", pyval.Str(id),
		"history", pyval.Str(e.History),
		"turn", pyval.MakeInt(int64(req.Turn)),
		"text", pyval.Str(strings.Join(text, "\n\n")),
		"messages", messages,
		"mcp", pyval.Object("url", pyval.Str(e.URL), "headers", pyval.Object(e.Header, pyval.Str(e.Value))),
		"tools_changed", pyval.Bool(e.Changed),
	)
	if len(system) > 0 {
		turn.SetStr("system", pyval.Str(strings.Join(system, "\n\n")))
	}
	line, err := pyval.AppendJSON(nil, turn, pyval.JSONUnicode|pyval.JSONCompact)
	if err != nil {
		return nil, eval.Infra("request", "the turn cannot be written as JSON: %w", err)
	}
	return append(line, '\n'), nil
}

// parseAnswer reads the answer to the turn with the given id; form says what an
// answer must look like. A broken line and the agent's own "error" are
// infrastructure errors.
func parseAnswer(line, id, form string) (*eval.Response, error) {
	answer, err := command.Object(line)
	var resp *eval.Response
	if err == nil {
		if text, ok := answer.GetStr("error"); ok && pyval.Truth(text) {
			return nil, eval.Infra("program", "the agent reports an error: %s", say.Quote(pyval.Text(text), 300))
		}
		resp, err = read(answer, id)
	}
	if err != nil {
		return nil, eval.Infra("protocol", "the agent's answer is wrong: %w; it wrote %s; %s", err, say.Quote(line, 300), form)
	}
	return resp, nil
}

func read(answer *pyval.Dict, id string) (*eval.Response, error) {
	if got, ok := answer.GetStr("id"); ok && got != pyval.Str(id) {
		return nil, fmt.Errorf(`"id" is %s, want %q, the id of the turn, or no id`, say.Quote(pyval.Repr(got), 100), id)
	}
	if answer.Has("calls") {
		return nil, fmt.Errorf(`it has "calls": an agent makes its calls at the address in "mcp"; a program that answers with calls is run as command:<program>`)
	}
	v, _ := answer.GetStr("text")
	text, ok := v.(pyval.Str)
	if !ok {
		return nil, fmt.Errorf(`it has neither a string "text" nor an "error"`)
	}
	resp := &eval.Response{Result: text, Message: eval.Message{Role: "assistant", Content: string(text)}}
	if err := command.Tokens(answer, resp); err != nil {
		return nil, err
	}
	dollars := 0.0
	cost, _ := answer.GetStr("cost")
	switch v := cost.(type) {
	case nil, pyval.NoneType:
	case pyval.Int:
		dollars, _ = v.Float64()
	case pyval.Float:
		dollars = float64(v)
	default:
		dollars = math.NaN()
	}
	if !(dollars >= 0 && dollars < 1<<31) {
		return nil, fmt.Errorf(`"cost" is not a number of dollars`)
	}
	if dollars > 0 {
		resp.Cost = eval.Money{Dollars: dollars, Requests: 1}
	}
	if served, _ := answer.GetStr("model"); served != nil {
		name, _ := served.(pyval.Str)
		resp.Served = string(name)
	}
	return resp, nil
}
