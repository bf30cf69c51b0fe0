// Package eino asks with a chat model of github.com/cloudwego/eino.
package eino

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/gobfcl/bfcl"
)

// A Model is any eino chat model that calls tools.
type Model struct{ Chat model.ToolCallingChatModel }

// Generate asks once. eino's messages have the form of a chat completion's and
// are read from them.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	body, err := req.ChatCompletion(nil)
	if err != nil {
		return nil, err
	}
	var asked struct {
		Messages []*schema.Message
		Tools    []struct{ Function function }
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	var tools []*schema.ToolInfo
	for _, t := range asked.Tools {
		tools = append(tools, &schema.ToolInfo{Name: t.Function.Name, Desc: t.Function.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(t.Function.Parameters)})
	}
	reply, err := m.Chat.Generate(ctx, asked.Messages, model.WithTemperature(0), model.WithTools(tools))
	if err != nil {
		return nil, err
	}
	out := &bfcl.Response{Text: reply.Content, Reasoning: reply.ReasoningContent}
	if meta := reply.ResponseMeta; meta != nil {
		out.CutOff = meta.FinishReason == "length"
		if meta.Usage != nil {
			out.Usage = bfcl.Usage{InputTokens: meta.Usage.PromptTokens, OutputTokens: meta.Usage.CompletionTokens}
		}
	}
	for _, call := range reply.ToolCalls {
		out.Calls = append(out.Calls, bfcl.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	return out, nil
}

type function struct {
	Name, Description string
	Parameters        *jsonschema.Schema
}
