package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// Audit returns notes on what the list of errata leaves of a comparison or a
// ranking of runs that Align has accepted; nil if no entry concerns them.
func Audit(runs []*tally.Run, o Options) ([]string, error) {
	listed := map[string]bool{}
	for _, r := range runs {
		defects, err := r.Defects()
		if err != nil {
			return nil, err
		}
		for id := range defects {
			listed[id] = true
		}
	}
	ids := slices.Collect(maps.Keys(listed))
	rest, left := make([]*tally.Run, len(runs)), 0
	for i, r := range runs {
		var gone []string
		rest[i], gone = r.Without(ids)
		left = len(gone)
	}
	if left == 0 || rest[0].Len() == 0 {
		return nil, nil
	}
	note := fmt.Sprintf("Audited, without %s that `bfcl errata` lists as defective: ", say.Cases(left))
	if len(runs) == 2 {
		c, err := Pair(rest[0], rest[1], o)
		if err != nil {
			return nil, err
		}
		d := c.Whole()
		return []string{note + fmt.Sprintf("A %.2f%%, B %.2f%%, change %s, 95%% interval %s (%s).", 100*d.A, 100*d.B, Points(d.Value), Interval(d.Low, d.High), PValue(d.Adjusted))}, nil
	}
	ranked, err := Rank(rest, o)
	if err != nil {
		return nil, err
	}
	for i := range ranked.Runs {
		r := &ranked.Runs[i]
		note += fmt.Sprintf("%s %s %.2f%%, ", r.Ranks(), r.Name, 100*r.Overall.Value)
	}
	return []string{note[:len(note)-2] + "."}, nil
}

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
	return Suspects(both)
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
