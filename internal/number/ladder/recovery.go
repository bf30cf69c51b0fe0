package ladder

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Recovery is how often a model still passed a turn in which a tool had
// answered with an error.
type Recovery struct {
	Recovered
	// Categories are the categories with such turns.
	Categories map[string]Recovered `json:"categories"`

	order []string
}

// Recovered are the judged turns of some cases in which a tool answered with
// an error.
type Recovered struct {
	// Turns is the number of turns, of which Passed passed.
	Turns  int `json:"turns"`
	Passed int `json:"passed"`
	// Rate is the share of turns that passed, with its 95% Wilson interval.
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func recovered(r eval.Recovery) Recovered {
	i := stat.Wilson(r.Passed, r.Turns, stat.Z95)
	return Recovered{Turns: r.Turns, Passed: r.Passed, Rate: i.Estimate, Low: i.Low, High: i.High}
}

// Recover adds the recoveries of one conversation.
func (n *Count) Recover(cat *eval.Category, r eval.Recovery) {
	if r.Turns > 0 {
		t := n.of(cat)
		t.recovery.Add(r)
	}
}

// recovery returns nil if no judged turn saw an error.
func (n *Count) recovery() *Recovery {
	out := &Recovery{Categories: map[string]Recovered{}}
	var all eval.Recovery
	for _, cat := range n.order {
		r := n.tally[cat].recovery
		if r.Turns == 0 {
			continue
		}
		out.Categories[cat.Name] = recovered(r)
		out.order = append(out.order, cat.Name)
		if n.sums(cat) {
			all.Add(r)
		}
	}
	if len(out.order) == 0 {
		return nil
	}
	out.Recovered = recovered(all)
	return out
}

func (r *Recovery) write(b *strings.Builder) {
	b.WriteString("\nTurns passed after a tool had answered with an error:\n")
	for _, name := range r.order {
		r.Categories[name].write(b, name)
	}
	if len(r.order) > 1 {
		r.Recovered.write(b, "all")
	}
}

func (r Recovered) write(b *strings.Builder, name string) {
	const percent = 100
	fmt.Fprintf(b, "  %-26s %6.2f%%  %d of %d  (95%% interval %.2f–%.2f)\n", name, r.Rate*percent, r.Passed, r.Turns, r.Low*percent, r.High*percent)
}
