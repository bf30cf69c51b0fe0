//go:build bedrock

package adapters

import (
	"github.com/gobfcl/bfcl/adapters/bedrock"
	"github.com/gobfcl/bfcl/internal/eval"
)

func init() {
	list = append(list, Kind{
		Name: "bedrock", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Doc: "Amazon Bedrock: Nova and other Converse models",
		Open: func(cfg Config) (eval.Adapter, error) { return bedrock.New(serverConfig(cfg)) },
	})
}
