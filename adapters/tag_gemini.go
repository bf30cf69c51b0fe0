//go:build gemini

package adapters

import (
	"github.com/gobfcl/bfcl/adapters/gemini"
	"github.com/gobfcl/bfcl/internal/eval"
)

func init() {
	list = append(list, Kind{
		Name: "gemini", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Doc: "Google's Gemini API",
		Open: func(cfg Config) (eval.Adapter, error) { return gemini.New(serverConfig(cfg)) },
	})
}
