// Package nethttp asks a server of Chat Completions with nothing but net/http.
package nethttp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gobfcl/bfcl"
)

// A Model is a model behind an address such as http://localhost:8000/v1.
type Model struct{ Address, Key, ID string }

// Generate asks for one chat completion.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	body, err := json.Marshal(map[string]any{"model": m.ID, "messages": messages(req.Messages), "tools": tools(req.Tools), "temperature": 0})
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Address+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Authorization", "Bearer "+m.Key)
	resp, err := http.DefaultClient.Do(post)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server says %s", resp.Status)
	}
	var reply completion
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return nil, fmt.Errorf("the server's reply: %w", err)
	}
	return reply.response()
}
