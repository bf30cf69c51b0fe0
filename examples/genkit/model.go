// Package genkit asks with a model of github.com/firebase/genkit/go.
package genkit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/firebase/genkit/go/ai"

	"github.com/gobfcl/bfcl"
)

// A Model is any Genkit model. It is called directly, because Genkit's own
// Generate would carry out the calls.
type Model struct{ Model ai.Model }

// Generate asks once.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	asked := &ai.ModelRequest{}
	for _, t := range req.Tools {
		var schema map[string]any
		if err := json.Unmarshal(t.Parameters, &schema); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		asked.Tools = append(asked.Tools, &ai.ToolDefinition{Name: t.Name, Description: t.Description, InputSchema: schema})
	}
	for _, message := range req.Messages {
		asked.Messages = append(asked.Messages, convert(message))
	}
	reply, err := m.Model.Generate(ctx, asked, nil)
	if err != nil {
		return nil, err
	}
	out := &bfcl.Response{Text: reply.Text(), Reasoning: reply.Reasoning(), CutOff: reply.FinishReason == ai.FinishReasonLength}
	if u := reply.Usage; u != nil {
		out.Usage = bfcl.Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens}
	}
	for _, call := range reply.ToolRequests() {
		arguments, err := json.Marshal(call.Input)
		if err != nil {
			return nil, err
		}
		out.Calls = append(out.Calls, bfcl.Call{ID: call.Ref, Name: call.Name, Arguments: string(arguments)})
	}
	return out, nil
}

func convert(m bfcl.Message) *ai.Message {
	if m.Role == bfcl.ToolRole {
		return ai.NewMessage(ai.RoleTool, nil, ai.NewToolResponsePart(&ai.ToolResponse{Name: m.Name, Ref: m.CallID, Output: m.Content}))
	}
	role := map[string]ai.Role{bfcl.System: ai.RoleSystem, bfcl.User: ai.RoleUser, bfcl.Assistant: ai.RoleModel}[m.Role]
	out := ai.NewMessage(role, nil)
	if m.Content != "" {
		out.Content = append(out.Content, ai.NewTextPart(m.Content))
	}
	for _, c := range m.Calls {
		var input any
		_ = json.Unmarshal([]byte(c.Arguments), &input) // broken arguments go back as null
		out.Content = append(out.Content, ai.NewToolRequestPart(&ai.ToolRequest{Name: c.Name, Ref: c.ID, Input: input}))
	}
	return out
}
