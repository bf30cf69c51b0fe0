package openaigo_test

import (
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/examples/internal/library"
	openaigo "github.com/gobfcl/bfcl/examples/openaigo"
)

func TestFunctionCalling(t *testing.T) {
	model := openaigo.Model{Client: openai.NewClient(option.WithBaseURL(library.Chat(t)), option.WithAPIKey("unused")), ID: "m"}
	bfcl.Run(t, model, bfcl.Suite(library.Suite), bfcl.Gate(library.Gate))
	library.Converse(t, model)
}
