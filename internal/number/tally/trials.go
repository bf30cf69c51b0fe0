package tally

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// Trials says what several trials of each case show.
type Trials struct {
	// Trials is the number of trials of each case, and Cases the number of
	// cases that count.
	Trials int `json:"trials"`
	Cases  int `json:"cases"`
	// Pass are the estimates by k, from 1, with the benchmark's weights for
	// categories; empty if no category that counts was run.
	Pass []PassK `json:"pass"`
	// Parts are the same estimates by group and category, in the benchmark's
	// order.
	Parts []TrialsPart `json:"parts"`
	// Flaky are the cases that were right in some trials and wrong in others,
	// in the benchmark's order.
	Flaky []Flaky `json:"flaky"`
}

// A TrialsPart has the estimates of a group or category.
type TrialsPart struct {
	Name  string  `json:"name"`
	Title string  `json:"title,omitempty"`
	Depth int     `json:"-"`
	Pass  []PassK `json:"pass"`
}

// PassK estimates how k trials of a case end: At least one right, pass@k, or
// all right, pass^k, each with its 95% interval.
type PassK struct {
	K       int     `json:"k"`
	At      float64 `json:"pass_at_k"`
	AtLow   float64 `json:"pass_at_k_low"`
	AtHigh  float64 `json:"pass_at_k_high"`
	Hat     float64 `json:"pass_hat_k"`
	HatLow  float64 `json:"pass_hat_k_low"`
	HatHigh float64 `json:"pass_hat_k_high"`
	// Cases is the number of cases with that many answered trials.
	Cases int `json:"cases"`
}

// A Flaky is a case that was right in Right of Trials trials.
type Flaky struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	Right    int    `json:"right"`
	Answered int    `json:"answered"`
}

// TrialsOf returns nil for a run with one trial per case. Trials that ended in
// infrastructure errors are left out, unless they count.
func (r *Run) TrialsOf(allowErrors bool) *Trials {
	if r.Trials < 2 {
		return nil
	}
	t := &Trials{Trials: r.Trials, Pass: []PassK{}, Parts: []TrialsPart{}, Flaky: []Flaky{}}
	counts := r.counting()
	for _, a := range r.Attempted(allowErrors) {
		if !counts(a.Category) {
			continue
		}
		t.Cases++
		if a.Right > 0 && a.Right < a.Answered {
			t.Flaky = append(t.Flaky, Flaky{a.Category.Name, a.Case.ID, a.Right, a.Answered})
		}
	}
	t.estimate(r, allowErrors)
	return t
}

// estimate fills in the overall, the groups of several categories and the
// categories.
func (t *Trials) estimate(r *Run, allowErrors bool) {
	layout := r.Layout()
	layout.Walk(func(n *score.Node, depth int, _ bool) {
		t.Parts = append(t.Parts, TrialsPart{Name: n.Name, Title: n.Title, Depth: depth})
	})
	for _, part := range r.Parts {
		if !slices.ContainsFunc(t.Parts, func(p TrialsPart) bool { return p.Name == part.Category.Name }) {
			t.Parts = append(t.Parts, TrialsPart{Name: part.Category.Name})
		}
	}
	for k := 1; k <= r.Trials; k++ {
		at, hat := r.Measure(stat.Measure{K: k}, allowErrors), r.Measure(stat.Measure{K: k, All: true}, allowErrors)
		add := func(pass *[]PassK, name string) {
			a, cases, ok := at.Of(name)
			h, _, _ := hat.Of(name)
			if ok {
				*pass = append(*pass, PassK{k, a.Value, a.Low, a.High, h.Value, h.Low, h.High, cases})
			}
		}
		add(&t.Pass, layout.Overall.Name)
		for i := range t.Parts {
			add(&t.Parts[i].Pass, t.Parts[i].Name)
		}
	}
	t.Parts = slices.DeleteFunc(t.Parts, func(p TrialsPart) bool { return len(p.Pass) == 0 })
}

// Write prints the estimates and the first flaky cases for a terminal.
func (t *Trials) Write(w io.Writer) error {
	const mostK, mostFlaky = 10, 10
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d trials of %s, overall:\n", t.Trials, say.Cases(t.Cases))
	if len(t.Pass) > 0 {
		all := passTable("k")
		for _, p := range t.Pass[:min(mostK, len(t.Pass))] {
			all.Add(append([]string{fmt.Sprint(p.K)}, p.cells()...)...)
		}
		all.Text(&b)
	}
	if len(t.Parts) > 0 {
		parts := passTable(fmt.Sprintf("of %d trials", t.Trials))
		for _, p := range t.Parts {
			if last := p.Pass[len(p.Pass)-1]; last.K == t.Trials {
				parts.Add(append([]string{strings.Repeat("  ", p.Depth) + cmp.Or(p.Title, say.Plain(p.Name, 60))}, last.cells()...)...)
			}
		}
		b.WriteString("\n")
		parts.Text(&b)
	}
	fmt.Fprintf(&b, "\nFlaky, right in some trials and wrong in others: %s\n", say.Cases(len(t.Flaky)))
	for _, f := range t.Flaky[:min(mostFlaky, len(t.Flaky))] {
		fmt.Fprintf(&b, "  %d of %d  %s\n", f.Right, f.Answered, say.Plain(f.ID, 120))
	}
	if left := len(t.Flaky) - mostFlaky; left > 0 {
		fmt.Fprintf(&b, "  … and %d more in the JSON\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func passTable(of string) *say.Table {
	return &say.Table{Head: []string{of, "cases", "pass@k", "one right", "pass^k", "all right"}}
}

func (p PassK) cells() []string {
	const all = 100
	return []string{
		fmt.Sprint(p.Cases), fmt.Sprintf("%.2f%%", all*p.At), fmt.Sprintf("%.1f – %.1f", all*p.AtLow, all*p.AtHigh),
		fmt.Sprintf("%.2f%%", all*p.Hat), fmt.Sprintf("%.1f – %.1f", all*p.HatLow, all*p.HatHigh),
	}
}
