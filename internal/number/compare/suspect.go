package compare

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// Suspects returns a note for each run of whose lost points there is evidence: a
// difference between two runs may be the benchmark's or a server's.
func Suspects(runs []*tally.Run) (notes []string) {
	for _, r := range runs {
		if b := r.Blame(); b.String() != "" {
			notes = append(notes, named(r)+": "+b.String())
		}
	}
	return notes
}

// Weigh lets the cases that differ carry the evidence of their own failures in A
// and in B; see tally.Run.Evidence.
func (c *Comparison) Weigh(a, b map[string]string) { c.evidence = [2]map[string]string{a, b} }

// Blame returns Suspects of the two runs' compared cases, and weighs those that
// differ.
func (c *Comparison) Blame(a, b *tally.Run) []string {
	c.Weigh(a.Evidence(), b.Evidence())
	both := answered([]*tally.Run{a, b}, c.matching.options)
	notes := Suspects(both)
	x, y := tally.CallsOf(both[0]), tally.CallsOf(both[1])
	if f1, ok := tally.ToolCallF1(both[1], both[0]); ok && x != nil && y != nil {
		notes = append(notes, fmt.Sprintf("tool_call_f1 %.4f with A as the reference; schema_accuracy %.4f in A, %.4f in B", f1, x.Schema, y.Schema))
	}
	return notes
}

// split counts what the evidence of some failures speaks for; "" if for nothing.
func split(flips []Flip, evidence map[string]string) string {
	counts := map[string]int{}
	for _, f := range flips {
		counts[evidence[f.ID]]++
	}
	var parts []string
	for _, who := range []string{say.Benchmark, say.Server, say.Listed} {
		if counts[who] > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", counts[who], say.Evidence(who)))
		}
	}
	return strings.Join(parts, " · ")
}
