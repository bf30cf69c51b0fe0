package langchaingo_test

import (
	"testing"

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
