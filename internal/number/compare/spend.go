package compare

import "github.com/gobfcl/bfcl/internal/number/stat"

// A Spend holds the changes in what cases take; nil if not known for both runs.
type Spend struct {
	// Latency is in seconds per case.
	Latency *Change `json:"latency,omitempty"`
	// InputTokens and OutputTokens are per case.
	InputTokens  *Change `json:"input_tokens,omitempty"`
	OutputTokens *Change `json:"output_tokens,omitempty"`
	// Cost is in dollars per case.
	Cost *Change `json:"cost,omitempty"`
}

// A Change is the change in a mean over the same cases, B less A.
type Change struct {
	Cases int     `json:"cases"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	stat.Estimate
}

func (m *matching) spend() Spend {
	return Spend{
		Latency:      m.change(func(u *unit) float64 { return u.seconds }),
		InputTokens:  m.change(func(u *unit) float64 { return u.input }),
		OutputTokens: m.change(func(u *unit) float64 { return u.output }),
		Cost:         m.change(func(u *unit) float64 { return u.dollars }),
	}
}

// change returns nil if fewer than two clusters have values in both runs.
func (m *matching) change(of func(*unit) float64) *Change {
	var a, b mean
	at := map[string]int{}
	var blocks []stat.Block
	for _, name := range m.order {
		for _, p := range m.parts[name].pairs {
			x, y := of(p.a), of(p.b)
			if x < 0 || y < 0 {
				continue
			}
			a.add(x)
			b.add(y)
			blocks = stat.AddTo(blocks, at, p.a.cluster, y-x)
		}
	}
	s := stat.Summarize(blocks)
	if s.K < 2 {
		return nil
	}
	return &Change{Cases: s.N, A: a.value(), B: b.value(), Estimate: s.Mean95()}
}
