// Package nethttp asks a Chat Completions server with only net/http.
package nethttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/gobfcl/bfcl"
)

// A Model is a model behind an address such as http://localhost:8000/v1.
type Model struct{ Address, Key, ID string }

// Generate asks for one chat completion.
func (m Model) Generate(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	body, err := req.ChatCompletion(map[string]any{"model": m.ID, "temperature": 0})
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
	reply, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s: %.300s", resp.Status, reply)
	}
	return bfcl.ReadChatCompletion(reply)
}
