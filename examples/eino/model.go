// Package eino asks with a chat model of github.com/cloudwego/eino.
package eino

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/gobfcl/bfcl"
)

// A Model is any chat model of eino's that calls tools.
type Model struct{ Chat model.ToolCallingChatModel }

// Generate asks once.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	chat := m.Chat
	if len(req.Tools) > 0 {
		tools, err := convertTools(req.Tools)
		if err != nil {
			return nil, err
		}
		if chat, err = chat.WithTools(tools); err != nil {
			return nil, err
		}
	}
	reply, err := chat.Generate(ctx, convert(req.Messages), model.WithTemperature(0))
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

func convertTools(list []bfcl.Tool) ([]*schema.ToolInfo, error) {
	var out []*schema.ToolInfo
	for _, t := range list {
		var parameters jsonschema.Schema
		if err := json.Unmarshal(t.Parameters, &parameters); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		out = append(out, &schema.ToolInfo{Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters)})
	}
	return out, nil
}

func convert(talk []bfcl.Message) []*schema.Message {
	var out []*schema.Message
	for _, m := range talk { // eino's roles have the same names
		next := &schema.Message{Role: schema.RoleType(m.Role), Content: m.Content, ToolCallID: m.CallID, ToolName: m.Name}
		for _, c := range m.Calls {
			next.ToolCalls = append(next.ToolCalls, schema.ToolCall{ID: c.ID, Type: "function", Function: schema.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
		}
		out = append(out, next)
	}
	return out
}
