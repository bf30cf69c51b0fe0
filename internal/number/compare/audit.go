package compare

import (
	"fmt"
	"maps"
	"slices"

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
		d := &c.pooled
		if c.Overall != nil {
			d = c.Overall
		}
		return []string{note + fmt.Sprintf("A %s, B %s, change %s, 95%% interval %s (%s).", percent(d.A), percent(d.B), points(d.Value), interval(d.Low, d.High), PValue(d.Adjusted))}, nil
	}
	ranked, err := Rank(rest, o)
	if err != nil {
		return nil, err
	}
	for i := range ranked.Runs {
		r := &ranked.Runs[i]
		note += fmt.Sprintf("%s %s %s, ", r.Ranks(), r.Name, percent(r.Overall.Value))
	}
	return []string{note[:len(note)-2] + "."}, nil
}
