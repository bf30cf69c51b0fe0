//go:build bedrock

package adapters

import (
	"net/http"

	"github.com/gobfcl/bfcl/adapters/bedrock"
	"github.com/gobfcl/bfcl/internal/eval"
)

func init() {
	list = append(list, Kind{
		Name: "bedrock", Argument: "id", Concurrency: remote, Remote: true, Chat: true,
		// A signature is dated: each attempt needs its own.
		Base: func() http.RoundTripper { return bedrock.Signing(nil) },
		Open: func(cfg Config) (eval.Adapter, error) { return bedrock.New(serverConfig(cfg)) },
	})
}
