package compare

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// Suspects returns a note for each group of a run's failures that others than
// the model may be to blame for: a difference between two runs may be theirs.
func Suspects(runs []*tally.Run) (notes []string) {
	for _, r := range runs {
		_, said := suspects(r)
		notes = append(notes, said...)
	}
	return notes
}

// Blame returns Suspects of the two runs, and lets the cases that differ carry
// them.
func (c *Comparison) Blame(a, b *tally.Run) []string {
	var ofA, ofB []string
	c.suspects[0], ofA = suspects(a)
	c.suspects[1], ofB = suspects(b)
	return append(ofA, ofB...)
}

// suspects are those of a run, by cause, and in sentences.
func suspects(r *tally.Run) (by map[cause.Cause]string, notes []string) {
	failures, err := r.Failures(tally.Grouping{By: cause.ByKind})
	if err != nil {
		return nil, nil // reported by what compares
	}
	by = map[cause.Cause]string{}
	for i := range failures.Groups {
		if g := &failures.Groups[i]; g.Suspect != nil {
			by[g.Cause] = strings.Join(g.Suspect.Who, " or ")
			notes = append(notes, fmt.Sprintf("%s, %s of %q: %s", named(r), count.Of(g.Count, "failure", "failures"), g.Text(), g.Suspect))
		}
	}
	return by, notes
}
