package gate

import (
	"cmp"
	"fmt"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// withhold leaves a rule undecided that would be decided otherwise if right
// answers with a call that was not read were wrong, of the run or the baseline.
func (d *decider) withhold(c *Config, run, baseline *tally.Run) error {
	strict, before := run.Strict(), (*tally.Run)(nil)
	if baseline != nil {
		before = baseline.Strict()
	}
	if strict == nil && before == nil {
		return nil
	}
	other, err := decide(c, cmp.Or(strict, run), cmp.Or(before, baseline))
	if err != nil {
		return err
	}
	of, whose := run, "the run's"
	if strict == nil {
		of, whose = baseline, "the baseline's"
	}
	o := of.Overlooked()
	why := fmt.Sprintf("it rests on right answers that hold a call which was not read: %d of %s %d where nothing may be called, such as %s", o.Answers, whose, o.Of, say.Plain(o.First, 100))
	for i := range min(len(d.Rules), len(other.Rules)) {
		if r := &d.Rules[i]; r.Outcome != Undecided && r.Outcome != other.Rules[i].Outcome {
			*r, r.certain = undecided(*r, why), false
		}
	}
	return nil
}
