package why

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Dotted counts the tool calls of an answer that name a function with dots as
// its document does, and those that have underscores for them.
func Dotted(c *eval.Case, result pyval.Value) (dots, underscores int) {
	for _, item := range items(result) {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() == 0 {
			continue
		}
		key, _ := call.At(0)
		for _, tool := range c.Tools {
			switch own, _ := tool.Text("name"); {
			case !strings.Contains(own, "."):
			case pyval.Text(key) == own:
				dots++
			case pyval.Text(key) == underscored(own):
				underscores++
			}
		}
	}
	return dots, underscores
}
