package gemini

import (
	"regexp"
	"strconv"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// thoughtless matches the models that do not think and refuse requests for
// their thoughts.
var thoughtless = regexp.MustCompile(`gemini-(1|2\.0)|gemma|learnlm`)

// thinking returns the thinkingConfig, nil if there is nothing to configure. As
// in upstream's GeminiHandler, the reply is to include thoughts, so that they
// are marked as such. A ReasoningEffort that is a number is a budget in tokens,
// any other is a level.
func thinking(c *provider.Config) *pyval.Dict {
	if c.ReasoningEffort == "" && thoughtless.MatchString(c.Model) {
		return nil
	}
	config := pyval.Object("includeThoughts", pyval.Bool(true))
	if budget, err := strconv.ParseInt(c.ReasoningEffort, 10, 32); err == nil {
		config.SetStr("thinkingBudget", pyval.MakeInt(budget))
	} else if c.ReasoningEffort != "" {
		config.SetStr("thinkingLevel", pyval.Str(c.ReasoningEffort))
	}
	return config
}
