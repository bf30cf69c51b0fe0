package tally

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
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
func TrialsOf(r *Run, allowErrors bool) *Trials {
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

// estimate fills in the overall, the groups and the categories.
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

// An Attempted is a case with the results of its trials.
type Attempted struct {
	Category *eval.Category
	Case     *eval.Case
	// Right of Answered trials were right. Infrastructure errors are not
	// answers, unless they count.
	Right, Answered int
	// Tokens is the number of tokens that the answers took; 0 if not known.
	Tokens float64
}

// Attempted returns the run's cases in the benchmark's order.
func (r *Run) Attempted(allowErrors bool) []Attempted {
	var out []Attempted
	for cat, result := range r.All() {
		if n := len(out); n == 0 || out[n-1].Case.ID != result.Case.ID || out[n-1].Category != cat {
			out = append(out, Attempted{Category: cat, Case: result.Case})
		}
		a := &out[len(out)-1]
		if !counted(result, allowErrors) {
			continue
		}
		a.Answered++
		a.Tokens += float64(result.Tokens())
		if result.Right() {
			a.Right++
		}
	}
	return out
}

// A Measured is a run with a measure of its cases by category.
type Measured struct {
	layout *score.Layout
	sizes  map[string]int // of the dataset's categories
	parts  map[string]measuredPart
}

type measuredPart struct {
	cases  int
	at     map[string]int
	blocks []stat.Block
	unit   string
}

// Measure computes a measure for every case that has enough answers for it.
func (r *Run) Measure(m stat.Measure, allowErrors bool) *Measured {
	clusters := r.Clusters()
	out := &Measured{layout: r.Layout(), sizes: r.Sizes(), parts: map[string]measuredPart{}}
	for _, a := range r.Attempted(allowErrors) {
		value, ok := m.Of(a.Answered, a.Right)
		if !ok {
			continue
		}
		part := out.parts[a.Category.Name]
		if part.cases++; part.at == nil {
			part.at, part.unit = map[string]int{}, eval.Unit(a.Category)
		}
		part.blocks = stat.AddTo(part.blocks, part.at, clusters.Of(a.Case), value)
		out.parts[a.Category.Name] = part
	}
	return out
}

// Of returns the measure of a category, a group or the overall, with the
// benchmark's weights over what was run, its 95% interval and the number of
// cases. ok is false if nothing was measured.
func (m *Measured) Of(target string) (i stat.Estimate, cases int, ok bool) {
	var strata []stat.Stratum
	for _, share := range m.layout.Below(target).Shares(func(category string) (int, bool) {
		part := m.parts[category]
		return max(m.sizes[category], part.cases), part.cases > 0
	}) {
		part := m.parts[share.Category]
		strata = append(strata, stat.Stratum{Weight: share.Weight, Blocks: part.blocks, Unit: part.unit})
		cases += part.cases
	}
	return stat.Compose(strata).Share(stat.Z95), cases, len(strata) > 0
}

// A Whole is what a sample says about the dataset that it was taken from.
type Whole struct {
	// Accuracy is the overall that the whole dataset would give, with its
	// 95% interval.
	Accuracy float64 `json:"accuracy"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	// Cases is the number of cases asked, chosen by Seed, of the Of cases that
	// count.
	Cases int    `json:"cases"`
	Of    int    `json:"of"`
	Seed  uint64 `json:"seed"`
}

// WholeOf returns nil if the run is not a sample, or if the sample has no case of
// a category that counts.
func WholeOf(r *Run, allowErrors bool) *Whole {
	if r.Sample == nil {
		return nil
	}
	out, sizes, right := &Whole{Seed: r.Sample.Seed}, r.Sizes(), map[string][]float64{}
	for _, a := range r.Attempted(allowErrors) {
		if a.Answered > 0 {
			right[a.Category.Name] = append(right[a.Category.Name], float64(a.Right)/float64(a.Answered))
		}
	}
	all := func(category string) (int, bool) {
		return max(sizes[category], len(right[category])), len(right[category]) > 0
	}
	var strata []stat.Drawn
	for _, share := range r.Layout().Overall.Shares(all) {
		of, _ := all(share.Category)
		s := stat.Drawn{Weight: share.Weight, All: of, Values: right[share.Category]}
		strata = append(strata, s)
		out.Cases += len(s.Values)
		out.Of += s.All
	}
	if len(strata) == 0 {
		return nil
	}
	i := stat.Whole(strata, stat.Z95)
	out.Accuracy, out.Low, out.High = i.Value, i.Low, i.High
	return out
}

// String returns the estimate in a sentence.
func (w *Whole) String() string {
	const all = 100
	return fmt.Sprintf("This is a sample of %d cases (seed %d). All %d would give an overall of %.1f%%, between %.1f%% and %.1f%%\n"+
		"  in 95 of 100 samples; this is an estimate: do not list it with published scores without the interval.", w.Cases, w.Seed, w.Of, all*w.Accuracy, all*w.Low, all*w.High)
}
