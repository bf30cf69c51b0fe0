package eino_test

import (
	"testing"

	"github.com/cloudwego/eino-ext/components/model/openai"

	"github.com/gobfcl/bfcl"
	eino "github.com/gobfcl/bfcl/examples/eino"
	"github.com/gobfcl/bfcl/examples/internal/library"
)

func TestFunctionCalling(t *testing.T) {
	chat, err := openai.NewChatModel(t.Context(), &openai.ChatModelConfig{BaseURL: library.Chat(t), APIKey: "unused", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	model := eino.Model{Chat: chat}
	bfcl.Run(t, model, bfcl.Suite(library.Suite), bfcl.Gate(library.Gate))
	library.Converse(t, model)
}
