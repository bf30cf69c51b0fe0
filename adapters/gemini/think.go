//go:build gemini

package gemini

import (
	"regexp"
	"strconv"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// thoughtless are the models that do not think and refuse to be asked for
// their thoughts.
var thoughtless = regexp.MustCompile(`gemini-(1|2\.0)|gemma|learnlm`)

// thinking is the thinkingConfig: as in upstream's GeminiHandler, thoughts are
// asked for, so that they are told from the answer. A ReasoningEffort that is
// a number is a budget in tokens, any other a level; nil is not a
// configuration.
func thinking(c *Config) *pyval.Dict {
	if c.ReasoningEffort == "" && thoughtless.MatchString(c.Model) {
		return nil
	}
	config := provider.Object("includeThoughts", pyval.Bool(true))
	if budget, err := strconv.ParseInt(c.ReasoningEffort, 10, 32); err == nil {
		config.SetStr("thinkingBudget", pyval.MakeInt(budget))
	} else if c.ReasoningEffort != "" {
		config.SetStr("thinkingLevel", pyval.Str(c.ReasoningEffort))
	}
	return config
}
