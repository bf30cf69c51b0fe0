#!/usr/bin/env bash
# github.com/tmc/langchaingo v0.1.14: the Ollama model takes llms.WithTools and sends
# a request without tools, without an error; the OpenAI model of the same module,
# called alike, sends them. Seen with Go 1.26: "ollama: 0 tools", "openai: 1 tools".
# Whoever compares models through this interface sees an Ollama model that never calls.
set -euo pipefail
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Tools []any }
		_ = json.NewDecoder(r.Body).Decode(&body)
		fmt.Printf("%s: %d tools\n", map[bool]string{true: "ollama", false: "openai"}[r.URL.Path == "/api/chat"], len(body.Tools))
		fmt.Fprint(w, `{"model":"m","message":{"role":"assistant","content":"hi"},"done":true,"choices":[{"message":{"role":"assistant","content":"hi"}}]}`)
	}))
	defer server.Close()
	local, err := ollama.New(ollama.WithServerURL(server.URL), ollama.WithModel("m"))
	if err != nil {
		panic(err)
	}
	remote, err := openai.New(openai.WithBaseURL(server.URL), openai.WithToken("unused"), openai.WithModel("m"))
	if err != nil {
		panic(err)
	}
	tools := []llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{
		Name: "tides", Description: "the next high tide", Parameters: json.RawMessage(`{"type":"object","properties":{"port":{"type":"string"}}}`),
	}}}
	ask := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "When is high tide in Cork?")}
	for _, model := range []llms.Model{local, remote} {
		if _, err := model.GenerateContent(context.Background(), ask, llms.WithTools(tools)); err != nil {
			fmt.Println("error:", err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/tmc/langchaingo@v0.1.14 >/dev/null 2>&1
go mod tidy >/dev/null 2>&1
seen="$(go run .)"
echo "$seen"
[ "$seen" = $'ollama: 0 tools\nopenai: 1 tools' ] || { echo "this has changed"; exit 1; }
