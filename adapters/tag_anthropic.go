//go:build anthropic

package adapters

import (
	"time"

	"github.com/gobfcl/bfcl/adapters/anthropic"
	"github.com/gobfcl/bfcl/internal/eval"
)

func init() {
	list = append(list, Kind{
		Name: "anthropic", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Streams: true, Doc: "Anthropic's Messages API",
		Timeout: 20 * time.Minute, // upstream's: its models may think for a long time, and an answer comes in one piece
		Open:    func(cfg Config) (eval.Adapter, error) { return anthropic.New(serverConfig(cfg)) },
	})
}
