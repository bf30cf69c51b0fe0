// Package openaigo asks with OpenAI's own client, github.com/openai/openai-go/v3.
package openaigo

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/gobfcl/bfcl"
)

// A Model is a model that the client reaches.
type Model struct {
	Client openai.Client
	ID     string
}

// Generate asks for one chat completion. The body is sent as bfcl writes it,
// because maps would lose the order of the tools' keys.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	body, err := req.ChatCompletion(map[string]any{"model": m.ID, "temperature": 0})
	if err != nil {
		return nil, err
	}
	reply, err := m.Client.Chat.Completions.New(ctx, param.Override[openai.ChatCompletionNewParams](body))
	if err != nil {
		return nil, err
	}
	return bfcl.ReadChatCompletion([]byte(reply.RawJSON()))
}
