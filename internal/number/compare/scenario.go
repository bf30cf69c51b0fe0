package compare

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A ByScenario is a difference's interval and its p value if memory's questions
// of one scenario are one unit. They share a conversation, and there are too few
// scenarios to know how much that matters.
type ByScenario struct {
	Scenarios int     `json:"scenarios"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	P         float64 `json:"p"`
}

// byScenario returns nil if no question of the categories has a scenario.
func (m *matching) byScenario(shares []score.Share) *ByScenario {
	var few, rest []stat.Stratum
	names := map[string]bool{}
	for _, s := range shares {
		part := m.parts[s.Category]
		if len(part.scenes) == 0 {
			rest = append(rest, stat.Stratum{Weight: s.Weight, Blocks: part.blocks})
			continue
		}
		few = append(few, stat.Stratum{Weight: s.Weight, Blocks: part.scenes})
		for _, b := range part.scenes {
			names[b.Key] = true
		}
	}
	if len(names) < 2 {
		return nil
	}
	interval := stat.Few(few, rest, stat.Composite.Difference)
	i := interval(stat.Z95)
	return &ByScenario{len(names), max(i.Low, -1), min(i.High, 1), stat.Level(interval)}
}

// Units says whether the difference is significant at a level with scenarios as
// units, and what it would be; "" without scenarios.
func (d *Difference) Units(level float64) string {
	s := d.Scenarios
	if s == nil {
		return ""
	}
	said := "significant"
	if s.P >= level {
		said = "not significant"
	}
	return fmt.Sprintf("memory stands on %d scenarios: with them as units the difference is %s (%s, %s)", s.Scenarios, said, interval(s.Low, s.High), PValue(s.P))
}
