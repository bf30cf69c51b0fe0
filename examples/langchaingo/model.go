// Package langchaingo asks with a model of github.com/tmc/langchaingo.
package langchaingo

import (
	"context"
	"errors"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/ollama"

	"github.com/gobfcl/bfcl"
)

// A Model is any langchaingo model that sends its tools.
type Model struct{ LLM llms.Model }

var errNoTools = errors.New("langchaingo's Ollama model (v0.1.14) drops tools without an error: use its OpenAI model with Ollama's /v1")

// Generate asks once.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	if _, ok := m.LLM.(*ollama.LLM); ok && len(req.Tools) > 0 {
		return nil, errNoTools
	}
	var tools []llms.Tool
	for _, t := range req.Tools {
		tools = append(tools, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	reply, err := m.LLM.GenerateContent(ctx, convert(req.Messages), llms.WithTools(tools), llms.WithTemperature(0))
	if err != nil {
		return nil, err
	}
	if len(reply.Choices) == 0 {
		return nil, errors.New("the reply has no choices")
	}
	choice := reply.Choices[0]
	out := &bfcl.Response{Text: choice.Content, Reasoning: choice.ReasoningContent, CutOff: choice.StopReason == "length"}
	out.Usage.InputTokens, _ = choice.GenerationInfo["PromptTokens"].(int)
	out.Usage.OutputTokens, _ = choice.GenerationInfo["CompletionTokens"].(int)
	for _, call := range choice.ToolCalls {
		out.Calls = append(out.Calls, bfcl.Call{ID: call.ID, Name: call.FunctionCall.Name, Arguments: call.FunctionCall.Arguments})
	}
	return out, nil
}

func convert(talk []bfcl.Message) []llms.MessageContent {
	roles := map[string]llms.ChatMessageType{
		bfcl.System: llms.ChatMessageTypeSystem, bfcl.User: llms.ChatMessageTypeHuman,
		bfcl.Assistant: llms.ChatMessageTypeAI, bfcl.ToolRole: llms.ChatMessageTypeTool,
	}
	var out []llms.MessageContent
	for _, m := range talk {
		next := llms.MessageContent{Role: roles[m.Role]}
		switch {
		case m.Role == bfcl.ToolRole:
			next.Parts = append(next.Parts, llms.ToolCallResponse{ToolCallID: m.CallID, Name: m.Name, Content: m.Content})
		case m.Content != "":
			next.Parts = append(next.Parts, llms.TextContent{Text: m.Content})
		}
		for _, c := range m.Calls {
			next.Parts = append(next.Parts, llms.ToolCall{ID: c.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
		}
		out = append(out, next)
	}
	return out
}
