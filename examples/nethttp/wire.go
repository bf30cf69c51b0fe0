package nethttp

import (
	"errors"

	"github.com/gobfcl/bfcl"
)

// A function is a tool, or a call of one.
type function struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Parameters  any    `json:"parameters,omitempty"`
	Arguments   string `json:"arguments,omitempty"`
}

// An item is a function in a list of them.
type item struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []item `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type completion struct {
	Choices []struct {
		Message message `json:"message"`
		Finish  string  `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	} `json:"usage"`
	Model string `json:"model"`
}

func messages(talk []bfcl.Message) []message {
	var out []message
	for _, m := range talk {
		next := message{Role: m.Role, Content: m.Content, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			next.ToolCalls = append(next.ToolCalls, item{c.ID, "function", function{Name: c.Name, Arguments: c.Arguments}})
		}
		out = append(out, next)
	}
	return out
}

func tools(list []bfcl.Tool) []item {
	var out []item
	for _, t := range list {
		out = append(out, item{Type: "function", Function: function{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	return out
}

func (c *completion) response() (*bfcl.Response, error) {
	if len(c.Choices) == 0 {
		return nil, errors.New("the server's reply has no choices")
	}
	choice := c.Choices[0]
	out := &bfcl.Response{
		Text: choice.Message.Content, CutOff: choice.Finish == "length", Served: c.Model,
		Usage: bfcl.Usage{InputTokens: c.Usage.Input, OutputTokens: c.Usage.Output},
	}
	for _, call := range choice.Message.ToolCalls {
		out.Calls = append(out.Calls, bfcl.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	return out, nil
}
