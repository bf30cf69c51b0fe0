package multiturn

import "github.com/gobfcl/bfcl/internal/eval"

// Check judges decoded turns: upstream's multi_turn_checker. It returns nil if
// they are right.
func Check(c *eval.Case, turns Turns, model string) *Fault {
	e, err := newEntry(c, model)
	if err != nil {
		return unusable(err)
	}
	if len(turns) != len(e.answer) {
		return e.terminated(len(turns))
	}
	return e.check(turns, e.live)
}
