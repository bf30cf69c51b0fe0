package langchaingo_test

import (
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/examples/internal/library"
	langchaingo "github.com/gobfcl/bfcl/examples/langchaingo"
)

func TestFunctionCalling(t *testing.T) {
	llm, err := openai.New(openai.WithBaseURL(library.Chat(t)), openai.WithToken("unused"), openai.WithModel("m"))
	if err != nil {
		t.Fatal(err)
	}
	model := langchaingo.Model{LLM: llm}
	bfcl.Run(t, model, bfcl.Suite(library.Suite), bfcl.Gate(library.Gate))
	library.Converse(t, model)
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
