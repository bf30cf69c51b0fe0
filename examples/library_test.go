package examples_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl"
)

// A function is the function of a call.
type function struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// answers are the calls of the server that the examples ask for a question of
// testdata/library that contains a word. One has a text instead of a number.
var answers = map[string][]function{
	"Ernaux":       {{"find_books", `{"author": "Ernaux", "language": "fr"}`}},
	"Winter Bread": {{"reserve_book", `{"title": "Winter Bread", "member": "20417"}`}},
	"Saturday":     {{"opening_hours", `{"branch": "harbour", "day": "Saturday"}`}},
	"Dürrenmatt":   {{"find_books", `{"author": "Dürrenmatt", "limit": 5}`}},
	"Low Tide":     {{"reserve_book", `{"title": "Low Tide", "member": 311}`}, {"opening_hours", `{"branch": "harbour"}`}},
}

// A request has the fields that are read, in Chat Completions and in Ollama's
// chat.
type request struct {
	Model    string `json:"model"`
	Messages []struct {
		Role       string     `json:"role"`
		Content    any        `json:"content"`
		ToolCallID string     `json:"tool_call_id"`
		ToolCalls  []toolCall `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Parameters  struct {
				Type       string         `json:"type"`
				Properties map[string]any `json:"properties"`
				Required   []string       `json:"required"`
			} `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

type toolCall struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"`
	Function function `json:"function"`
}

// check reports what a client has lost.
func (r *request) check(withIDs bool) error {
	for _, tool := range r.Tools {
		f := tool.Function
		if f.Name == "" || f.Description == "" || f.Parameters.Type != "object" || len(f.Parameters.Properties) < 2 || len(f.Parameters.Required) == 0 {
			return fmt.Errorf("a tool is incomplete: %+v", f)
		}
	}
	for i, m := range r.Messages {
		if m.Role != "tool" {
			continue
		}
		if i == 0 || len(r.Messages[i-1].ToolCalls) != 1 || r.Messages[i-1].Role != "assistant" {
			return fmt.Errorf("no call comes before the result: %+v", r.Messages)
		}
		if withIDs && (m.ToolCallID != "call_1" || r.Messages[i-1].ToolCalls[0].ID != "call_1") {
			return fmt.Errorf("the result does not name its call: %+v", r.Messages)
		}
	}
	if len(r.Messages) == 0 || r.Model == "" {
		return fmt.Errorf("no messages or no model: %+v", r)
	}
	return nil
}

// answer is the text or the calls for the last message.
func (r *request) answer() (text string, calls []function) {
	last := r.Messages[len(r.Messages)-1]
	if last.Role == "tool" {
		return "The library has it.", nil
	}
	for word, calls := range answers {
		if strings.Contains(fmt.Sprint(last.Content), word) && len(r.Tools) > 0 {
			return "", calls
		}
	}
	return "I cannot help with that.", nil
}

// read reads a request. A wrong one fails the test and is refused.
func read(t *testing.T, w http.ResponseWriter, r *http.Request, withIDs bool) *request {
	var req request
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err == nil {
		err = req.check(withIDs)
	}
	if err != nil {
		t.Errorf("%s: %v", body, err)
		http.Error(w, `{"error": {"message": "bad request"}}`, http.StatusBadRequest)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	return &req
}

// chat returns the address of a Chat Completions server, without
// /chat/completions.
func chat(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		req := read(t, w, r, true)
		if req == nil {
			return
		}
		text, functions := req.answer()
		message, finish := map[string]any{"role": "assistant", "content": text}, "stop"
		var calls []toolCall
		for i, f := range functions {
			calls, finish = append(calls, toolCall{fmt.Sprintf("call_%d", i+1), "function", f}), "tool_calls"
		}
		if calls != nil {
			message["tool_calls"] = calls
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "model": req.Model,
			"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": message}},
			"usage":   map[string]int{"prompt_tokens": 80, "completion_tokens": 12, "total_tokens": 92},
		})
	})
}

// ollamaServer returns the address of a server that speaks Ollama's protocol.
func ollamaServer(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		req := read(t, w, r, false)
		if req == nil {
			return
		}
		text, functions := req.answer()
		var calls []toolCall
		for _, f := range functions {
			calls = append(calls, toolCall{Function: function{f.Name, json.RawMessage(f.Arguments.(string))}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": req.Model, "created_at": "2026-01-01T00:00:00Z", "done": true,
			"message": map[string]any{"role": "assistant", "content": text, "tool_calls": calls},
		})
	})
}

func serve(t *testing.T, handle http.HandlerFunc) string {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

// converse checks that a model accepts the result of its call.
func converse(t *testing.T, model bfcl.Model) {
	t.Helper()
	answer, err := model.Generate(t.Context(), &bfcl.Request{Messages: []bfcl.Message{
		{Role: bfcl.System, Content: "You work in a library."},
		{Role: bfcl.User, Content: "Do you have anything by Ernaux in French?"},
		{Role: bfcl.Assistant, Calls: []bfcl.Call{{ID: "call_1", Name: "find_books", Arguments: `{"author": "Ernaux"}`}}},
		{Role: bfcl.ToolRole, CallID: "call_1", Name: "find_books", Content: `["A Woman's Story"]`},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Text != "The library has it." || len(answer.Calls) > 0 {
		t.Errorf("%+v", answer)
	}
}
