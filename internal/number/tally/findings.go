package tally

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// Findings are how far a run's answers got, why results failed, and what
// conversations recovered from.
type Findings struct {
	// Ladder is nil if no case wants calls that are compared, or where
	// answers are not available.
	Ladder *Ladder `json:"ladder,omitempty"`
	// Taxonomy counts why results failed.
	Taxonomy Taxonomy `json:"taxonomy"`
	// Outside counts the results that did not pass in categories outside the
	// score, by category: the Taxonomy leaves them out.
	Outside map[string]int `json:"outside,omitempty"`
	// Recovery is nil if in no judged conversation a tool answered with an
	// error.
	Recovery *Recovery `json:"recovery,omitempty"`

	// unseen reports whether answers were not available.
	unseen bool
}

// A Ladder is how many answers reached each level.
type Ladder struct {
	Rungs
	// Categories are the categories whose cases want calls.
	Categories map[string]Rungs `json:"categories"`
}

// Rungs are the levels of some cases.
type Rungs struct {
	// Total is the number of cases, or of results if there are trials.
	Total int `json:"total"`
	// Levels are the levels, the lowest first.
	Levels []Rung `json:"levels"`
}

// A Rung is one level: how many answers reached it, and their share of all.
type Rung struct {
	Level   string  `json:"level"`
	Reached int     `json:"reached"`
	Rate    float64 `json:"rate"`
}

// A Taxonomy is the number of results of each kind that occurred.
type Taxonomy map[cause.Kind]int

// Kinds returns the kinds in the order of the taxonomy, which does not depend on
// the numbers.
func (t Taxonomy) Kinds() []cause.Kind {
	return slices.DeleteFunc(cause.Kinds(), func(k cause.Kind) bool { return t[k] == 0 })
}

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
	return Recovered{Turns: r.Turns, Passed: r.Passed, Rate: i.Value, Low: i.Low, High: i.High}
}

// climbs counts the results of a category at each level.
type climbs [cause.Values + 1]int

func (c climbs) rungs() Rungs {
	out := Rungs{}
	for _, n := range c {
		out.Total += n
	}
	left := out.Total
	for level := cause.Call; level <= cause.Values; level++ {
		left -= c[level-1]
		rung := Rung{Level: level.String(), Reached: left}
		if out.Total > 0 {
			rung.Rate = float64(left) / float64(out.Total)
		}
		out.Levels = append(out.Levels, rung)
	}
	return out
}

// Findings returns how far the answers got, and why results failed.
// Infrastructure errors are no wrong answers, and on the ladder only if the score
// counts them. Categories that do not count are not in the sums, unless
// nothing else was run.
func (r *Run) Findings(allowErrors bool) *Findings {
	out := &Findings{Taxonomy: Taxonomy{}, Recovery: &Recovery{Categories: map[string]Recovered{}}}
	var all climbs
	var turns eval.Recovery
	byName, counts := map[string]Rungs{}, r.counting()
	for _, part := range r.Parts {
		name, sums := part.Category.Name, counts(part.Category)
		var own climbs
		var recovery eval.Recovery
		for i := range part.Results {
			result := &part.Results[i]
			recovery.Add(result.Recovery)
			switch kind := result.Cause.Kind; {
			case result.Status != eval.Fail || kind == "": // an error is no wrong answer
			case sums:
				out.Taxonomy[kind]++
			default:
				if out.Outside == nil {
					out.Outside = map[string]int{}
				}
				out.Outside[name]++
			}
			if counted(result, allowErrors) && why.OnLadder(part.Category) {
				own[result.Level]++
				out.unseen = out.unseen || !result.Seen
			}
		}
		if rungs := own.rungs(); rungs.Total > 0 {
			byName[name] = rungs
		}
		if recovery.Turns > 0 {
			out.Recovery.Categories[name] = recovered(recovery)
			out.Recovery.order = append(out.Recovery.order, name)
		}
		if sums {
			turns.Add(recovery)
			for level, n := range own {
				all[level] += n
			}
		}
	}
	if len(byName) > 0 && !out.unseen {
		out.Ladder = &Ladder{Rungs: all.rungs(), Categories: byName}
	}
	if out.Recovery.Recovered = recovered(turns); len(out.Recovery.order) == 0 {
		out.Recovery = nil
	}
	return out
}

// Write prints the ladder, the taxonomy and the recovery for a terminal, as far
// as there are any.
func (f *Findings) Write(w io.Writer) error {
	var b strings.Builder
	switch {
	case f.Ladder != nil && f.Ladder.Total > 0:
		fmt.Fprintf(&b, "\nWhere calls went wrong (%s; the share that reached each level):\n", say.Count(f.Ladder.Total, "answer", "answers"))
		for i, rung := range f.Ladder.Levels {
			const width = 24 // which only a share of 1 fills
			full := int(rung.Rate * width)
			bar := strings.Repeat("█", full) + strings.Repeat("░", width-full)
			fmt.Fprintf(&b, "  %-26s  %s  %6.2f%%  %d\n", (cause.Call + cause.Level(i)).Title(), bar, rung.Rate*100, rung.Reached)
		}
	case f.unseen:
		b.WriteString("\nJUnit alone does not show how far the answers got: score the run folder, with run.json and result/.\n")
	}
	if len(f.Taxonomy) > 0 {
		sum := 0
		for _, n := range f.Taxonomy {
			sum += n
		}
		fmt.Fprintf(&b, "\nWhy %d failed:\n", sum)
		for _, kind := range say.Frequent(f.Taxonomy) {
			fmt.Fprintf(&b, "  %5d  %s\n", f.Taxonomy[kind], kind.Title())
		}
	}
	if len(f.Outside) > 0 {
		var names []string
		sum := 0
		for _, name := range slices.Sorted(maps.Keys(f.Outside)) {
			names = append(names, fmt.Sprintf("%s (%d)", say.Plain(name, 80), f.Outside[name]))
			sum += f.Outside[name]
		}
		if len(f.Taxonomy) == 0 {
			b.WriteString("\nNone failed in the categories that count. ")
		}
		fmt.Fprintf(&b, "%d more failed in categories that do not count: %s\n", sum, strings.Join(names, ", "))
	}
	if r := f.Recovery; r != nil {
		line := func(name string, r Recovered) {
			fmt.Fprintf(&b, "  %-26s %6.2f%%  %d of %d  (95%% interval %.2f–%.2f)\n", name, 100*r.Rate, r.Passed, r.Turns, 100*r.Low, 100*r.High)
		}
		b.WriteString("\nRecovered after a tool error:\n")
		for _, name := range r.order {
			line(name, r.Categories[name])
		}
		if len(r.order) > 1 {
			line("all", r.Recovered)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
