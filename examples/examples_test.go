// Package examples has clients that Go programs use, as models for package
// bfcl: one folder each, with a model in one file. A test runs a suite on each.
// It is a separate module, so that bfcl does not depend on them.
package examples_test

import (
	"strings"
	"testing"

	einoopenai "github.com/cloudwego/eino-ext/components/model/openai"
	kit "github.com/firebase/genkit/go/genkit"
	genkitollama "github.com/firebase/genkit/go/plugins/ollama"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/tmc/langchaingo/llms/ollama"
	langopenai "github.com/tmc/langchaingo/llms/openai"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/examples/eino"
	"github.com/gobfcl/bfcl/examples/genkit"
	"github.com/gobfcl/bfcl/examples/langchaingo"
	"github.com/gobfcl/bfcl/examples/nethttp"
	"github.com/gobfcl/bfcl/examples/openaigo"
)

func TestFunctionCalling(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (bfcl.Model, error){
		"eino": func(t *testing.T) (bfcl.Model, error) {
			chat, err := einoopenai.NewChatModel(t.Context(), &einoopenai.ChatModelConfig{BaseURL: chat(t), APIKey: "unused", Model: "m"})
			return eino.Model{Chat: chat}, err
		},
		"genkit": func(t *testing.T) (bfcl.Model, error) {
			server := &genkitollama.Ollama{ServerAddress: ollamaServer(t), Timeout: 60}
			g := kit.Init(t.Context(), kit.WithPlugins(server))
			return genkit.Model{Model: server.DefineModel(g, genkitollama.ModelDefinition{Name: "qwen2.5", Type: "chat"}, nil)}, nil
		},
		"langchaingo": func(t *testing.T) (bfcl.Model, error) {
			llm, err := langopenai.New(langopenai.WithBaseURL(chat(t)), langopenai.WithToken("unused"), langopenai.WithModel("m"))
			return langchaingo.Model{LLM: llm}, err
		},
		"nethttp": func(t *testing.T) (bfcl.Model, error) {
			return nethttp.Model{Address: chat(t), Key: "unused", ID: "m"}, nil
		},
		"openaigo": func(t *testing.T) (bfcl.Model, error) {
			return openaigo.Model{Client: openai.NewClient(option.WithBaseURL(chat(t)), option.WithAPIKey("unused")), ID: "m"}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			model, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			bfcl.Run(t, model, bfcl.Suite("../testdata/library"), bfcl.Gate("gate.yaml"))
			converse(t, model)
		})
	}
}

// TestRefusesOllama: a model that sends no tools would fail every case that wants
// a call.
func TestRefusesOllama(t *testing.T) {
	llm, err := ollama.New(ollama.WithModel("m"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = langchaingo.Model{LLM: llm}.Generate(t.Context(), &bfcl.Request{Tools: []bfcl.Tool{{Name: "f"}}})
	if err == nil || !strings.Contains(err.Error(), "Ollama") {
		t.Fatalf("got %v, want a refusal that names Ollama", err)
	}
}
