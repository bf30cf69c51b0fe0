//go:build cohere

package adapters

import (
	"github.com/gobfcl/bfcl/adapters/cohere"
	"github.com/gobfcl/bfcl/internal/eval"
)

func init() {
	list = append(list, Kind{
		Name: "cohere", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Doc: "Cohere's chat API",
		Open: func(cfg Config) (eval.Adapter, error) { return cohere.New(serverConfig(cfg)) },
	})
}
