package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// conversation is the folder upstream files multi-turn categories under.
const conversation = "multi_turn"

// multiTurn is a category in which a model works over several turns against
// simulated APIs, and is judged by their state and by what it was answered.
// Its result is a list of turns of steps; decoding them is the judge's part,
// since steps that cannot be decoded are left out.
func multiTurn(name string) *eval.Category {
	return &eval.Category{
		Name: name, Group: conversation, Answers: true, MultiTurn: true,
		Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) { return result, nil },
		Judge: func(c *eval.Case, result pyval.Value, _ error, s eval.Settings) eval.Verdict {
			return multiturn.Judge(c, result, s, longContext(c))
		},
	}
}

// unused marks a category as one that is in none of upstream's groups.
func unused(c *eval.Category) *eval.Category {
	c.Unused, c.Unscored = true, true
	return c
}

func longContext(c *eval.Case) *sim.LongContext {
	if c.Scene == nil {
		return nil
	}
	long, _ := c.Scene.Long.(*sim.LongContext)
	return long
}
