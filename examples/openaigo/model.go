// Package openaigo asks with OpenAI's own client, github.com/openai/openai-go/v3.
package openaigo

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/gobfcl/bfcl"
)

// A Model is a model that the client reaches.
type Model struct {
	Client openai.Client
	ID     string
}

// Generate asks for one chat completion.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	params := openai.ChatCompletionNewParams{Model: m.ID, Temperature: openai.Float(0)}
	for _, message := range req.Messages {
		params.Messages = append(params.Messages, convert(message))
	}
	for _, t := range req.Tools {
		// The definition travels as it is: a map would lose the order of its keys.
		params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(param.Override[shared.FunctionDefinitionParam](t.Definition)))
	}
	reply, err := m.Client.Chat.Completions.New(ctx, params)
	if err != nil {
		return nil, err
	}
	if len(reply.Choices) == 0 {
		return nil, errors.New("the reply has no choices")
	}
	choice := reply.Choices[0]
	out := &bfcl.Response{
		Text: choice.Message.Content, CutOff: choice.FinishReason == "length", Served: reply.Model,
		Usage: bfcl.Usage{InputTokens: int(reply.Usage.PromptTokens), OutputTokens: int(reply.Usage.CompletionTokens)},
		Raw:   json.RawMessage(choice.Message.RawJSON()),
	}
	for _, call := range choice.Message.ToolCalls {
		out.Calls = append(out.Calls, bfcl.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	return out, nil
}

func convert(m bfcl.Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case bfcl.System:
		return openai.SystemMessage(m.Content)
	case bfcl.ToolRole:
		return openai.ToolMessage(m.Content, m.CallID)
	case bfcl.Assistant:
		out := openai.AssistantMessage(m.Content)
		for _, c := range m.Calls {
			out.OfAssistant.ToolCalls = append(out.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: c.ID, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments}},
			})
		}
		return out
	}
	return openai.UserMessage(m.Content)
}
