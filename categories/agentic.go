package categories

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// agentGroup is the folder upstream files agentic categories under, those of
// memories in a folder of their own each.
const agentGroup = "agentic"

// The files that several categories pose the questions of.
const (
	memories = "memory"
	searches = "web_search"
)

// agent is a category in which a model works with tools of its own choice until
// it has an answer, by which alone it is judged.
func agent(name, group, source string) *eval.Category {
	return &eval.Category{
		Name: name, Group: group, Source: source, Answers: true, MultiTurn: true, Agentic: true,
		Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) { return result, nil },
		Judge: func(c *eval.Case, result pyval.Value, _ error, s eval.Settings) eval.Verdict {
			return agentic.Judge(c, result, s)
		},
	}
}

// remember is an agentic category over a memory that earlier conversations
// filled.
func remember(backend string) *eval.Category {
	return agent(memories+"_"+backend, agentGroup+"/"+memories+"/"+backend, memories)
}

func isAgentic(c *eval.Category) bool {
	return c.Group == agentGroup || strings.HasPrefix(c.Group, agentGroup+"/")
}
