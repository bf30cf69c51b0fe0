package nethttp_test

import (
	"testing"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/examples/internal/library"
	nethttp "github.com/gobfcl/bfcl/examples/nethttp"
)

func TestFunctionCalling(t *testing.T) {
	model := nethttp.Model{Address: library.Chat(t), Key: "unused", ID: "m"}
	bfcl.Run(t, model, bfcl.Suite(library.Suite), bfcl.Gate(library.Gate))
	library.Converse(t, model)
}
