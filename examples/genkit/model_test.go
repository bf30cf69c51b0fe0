package genkit_test

import (
	"testing"

	kit "github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/ollama"

	"github.com/gobfcl/bfcl"
	genkit "github.com/gobfcl/bfcl/examples/genkit"
	"github.com/gobfcl/bfcl/examples/internal/library"
)

func TestFunctionCalling(t *testing.T) {
	server := &ollama.Ollama{ServerAddress: library.Ollama(t), Timeout: 60}
	g := kit.Init(t.Context(), kit.WithPlugins(server))
	model := genkit.Model{Model: server.DefineModel(g, ollama.ModelDefinition{Name: "qwen2.5", Type: "chat"}, nil)}
	bfcl.Run(t, model, bfcl.Suite(library.Suite), bfcl.Gate(library.Gate))
	library.Converse(t, model)
}
