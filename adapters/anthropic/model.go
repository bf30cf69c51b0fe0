package anthropic

import (
	"regexp"

	"github.com/gobfcl/bfcl/internal/model/provider"
)

// limits are the most tokens that families of models may answer with; the first
// match counts. The protocol requires a limit. As in upstream's _get_max_tokens
// it is the model's own, up to 64,000.
var limits = []struct {
	model *regexp.Regexp
	most  int
}{
	{regexp.MustCompile(`claude-3-7`), 64000},
	{regexp.MustCompile(`claude-3-5`), 8192},
	{regexp.MustCompile(`claude-(3|2|v2|instant)`), 4096},
	{regexp.MustCompile(`claude-(opus-4|4-opus)(-[01])?([-@]20|-latest|-v|$)`), 32000},
	{regexp.MustCompile(`claude-`), 64000},
}

// otherLimit is for models of other providers that speak the protocol.
const otherLimit = 16384

func maxTokens(c *provider.Config) int {
	if c.MaxTokens > 0 {
		return c.MaxTokens
	}
	for _, l := range limits {
		if l.model.MatchString(c.Model) {
			return l.most
		}
	}
	return otherLimit
}

// untempered matches the models that refuse a temperature.
var untempered = regexp.MustCompile(`claude-(opus-4-([7-9]|[1-9]\d)(\D|$)|(opus|sonnet|haiku)-([5-9]|[1-9]\d)(\D|$)|fable|mythos)`)

func refusesTemperature(model string) bool { return untempered.MatchString(model) }
