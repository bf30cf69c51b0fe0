package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// A planning is one `bfcl plan`.
type planning struct {
	*app
	dataset, data, categories, from string
	within, detect, power, alpha    float64
	trials, cases                   int
	dollars, seconds                float64
	variant                         string
	variants                        int // besides the plain cases
	asJSON                          bool
}

func (a *app) planCommand() *cobra.Command {
	p := &planning{app: a}
	cmd := &cobra.Command{
		Use:   "plan [--within POINTS | --detect POINTS]",
		Short: "Plan how many cases a run needs for a target, and their cost",
		Long: `Plan how many cases of which categories to ask to reach a target: with
--within 2, to estimate the overall of the whole dataset to within 2 points
(95%); with --detect 3, to find a loss of 3 points against a baseline on the
same cases. Without a target, a table shows what 50 cases or more can show.

The spread of verdicts is that of published models, or of a run of yours with
--from. Such a run also has trials, tokens and seconds, so the plan shows
how much verdicts vary between questions and between trials of one question, and
whether more trials help. --cost and --seconds are per case.

With --variant the cases are also asked in each of the named variants. Each
variant is compared with the plain cases in pairs, for which a sample is enough;
--detect is then the loss to find with a variant, corrected for the number of
variants.

` + exitCodes + `
Exit code 2 also means that even all cases do not reach the target; what they
reach is printed.`,
		Example: `  bfcl plan --dataset v4 --within 2
  bfcl plan --dataset v4 --detect 3 --from results/old
  bfcl plan --categories live --detect 5 --cost 0.002 --seconds 0.5
  bfcl plan --dataset v4 --detect 5 --variant none,order,opaque`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return p.run() },
	}
	f := cmd.Flags()
	f.StringVar(&p.dataset, "dataset", "starter", "the `dataset`: starter, v4, v1, or a folder")
	dataFlag(cmd, &p.data)
	f.StringVar(&p.categories, "categories", "all", "`names` of categories and groups, comma separated")
	f.StringVar(&p.from, "from", "", "a `run` whose verdicts, tokens and seconds serve as estimates")
	f.Float64Var(&p.within, "within", 0, "how many `points` the overall may be off, 19 times out of 20")
	f.Float64Var(&p.detect, "detect", 0, "the loss in `points` to find")
	f.Float64Var(&p.power, "power", 0.8, "the `share` of such losses that is to be found")
	f.Float64Var(&p.alpha, "alpha", gate.Level, "the two-sided `level` of the test")
	f.IntVar(&p.trials, "trials", 1, "the `number` of times each case is asked")
	f.Float64Var(&p.dollars, "cost", 0, "what a case costs, in `dollars` (default as in the run of --from)")
	f.Float64Var(&p.seconds, "seconds", 0, "how many `seconds` a case takes, divided by the number in flight (default as in the run of --from)")
	f.IntVar(&p.cases, "cases", 0, "the `number` of cases of a gate, such as a suite is to have (default all)")
	f.StringVar(&p.variant, "variant", "", "`names` of variants, as bfcl run takes them")
	f.BoolVar(&p.asJSON, "json", false, "print JSON")
	return cmd
}

// A planned is a number of cases, and what can be found with it.
type planned struct {
	Cases  int     `json:"cases"`
	Within float64 `json:"within"`
	Detect float64 `json:"detect"`
	// Variant is the smallest loss in points with a variant that is found; nil
	// without variants.
	Variant *float64 `json:"variant_detect,omitempty"`
	// Dollars and Seconds are nil if not known.
	Dollars *float64 `json:"dollars,omitempty"`
	Seconds *float64 `json:"seconds,omitempty"`
	// Parts are the cases by category.
	Parts map[string]int `json:"parts"`
}

func (p *planning) run() error {
	switch {
	case p.within < 0 || p.detect < 0 || p.within > 0 && p.detect > 0:
		return misuse.Errorf("give one target, --within or --detect, in points above 0")
	case p.cases < 0:
		return misuse.Errorf("--cases must be 1 or more")
	case !(p.power > 0.05 && p.power < 1) || !(p.alpha > 0 && p.alpha < 1) || p.trials < 1:
		return misuse.Errorf("--power must be between 0.05 and 1, --alpha between 0 and 1, --trials 1 or more")
	}
	specs, err := variant.Parse(p.variant)
	if err != nil {
		return misuse.Errorf("--variant: %w", err)
	}
	p.variants = len(specs)
	b, err := compare.Open(p.dataset, p.data, p.categories)
	if err != nil {
		return misuse.Mark(err)
	}
	var from *tally.Run
	if p.from != "" {
		runs, err := tally.ReadAll([]string{p.from}, tally.Options{Data: p.data})
		if err != nil {
			return err
		}
		if len(runs) != 1 {
			return misuse.Errorf("--from: got %d runs, need one: name a model's folder", len(runs))
		}
		from = runs[0]
		b.Learn(from)
		p.learn(from)
	}
	var rows []planned
	for _, n := range b.Steps() {
		rows = append(rows, p.at(b, n))
	}
	found := p.find(b)
	if p.asJSON {
		return p.end(found, writeJSON(p.out, map[string]any{"dataset": p.dataset, "categories": b, "steps": rows, "target": found, "worse": p.worse(b)}))
	}
	return p.end(found, p.write(b, rows, found, from))
}

// learn takes cost and time from a run, if the flags do not set them.
func (p *planning) learn(run *tally.Run) {
	spend := run.Spend()
	if p.dollars == 0 && spend.CostPer1000 != nil && spend.Basis == "tokens" {
		p.dollars = *spend.CostPer1000 / 1000
	}
	if p.seconds == 0 && spend.LatencyMean != nil {
		p.seconds = *spend.LatencyMean
	}
}

func (p *planning) at(b compare.Benchmark, n int) planned {
	const all = 100
	cases := b.Allocate(n)
	out := planned{Cases: n, Parts: map[string]int{},
		Within: all * 1.96 * b.Error(cases, p.trials, true),
		Detect: all * compare.Detectable(b.Difference(cases, p.trials), p.alpha, p.power)}
	for i, c := range b {
		out.Parts[c.Name] = cases[i]
	}
	times := float64(n * p.trials * (1 + p.variants))
	if p.variants > 0 {
		loss := all * compare.Detectable(b.Paired(cases), p.alpha/float64(p.variants), p.power)
		out.Variant = &loss
	}
	if p.dollars > 0 {
		dollars := times * p.dollars
		out.Dollars = &dollars
	}
	if p.seconds > 0 {
		seconds := times * p.seconds
		out.Seconds = &seconds
	}
	return out
}

// find is the least number of cases that reaches the target; nil if there is no
// target, or if no number reaches it.
func (p *planning) find(b compare.Benchmark) *planned {
	if p.within == 0 && p.detect == 0 {
		return nil
	}
	low, high := len(b), b.Cases()
	if !p.reaches(p.at(b, high)) {
		return nil
	}
	for low < high {
		if mid := (low + high) / 2; p.reaches(p.at(b, mid)) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	found := p.at(b, low)
	return &found
}

func (p *planning) reaches(n planned) bool {
	if p.within > 0 {
		return n.Within <= p.within
	}
	if n.Variant != nil {
		return *n.Variant <= p.detect
	}
	return n.Detect <= p.detect
}

// end is the exit code: 2 if the target is out of reach.
func (p *planning) end(found *planned, err error) error {
	if err == nil && found == nil && p.within+p.detect > 0 {
		return exit(exitTrouble)
	}
	return err
}

func (p *planning) write(b compare.Benchmark, rows []planned, found *planned, from *tally.Run) error {
	t := &say.Table{Head: []string{"cases", "whole dataset to within", "loss found", "dollars", "time"}}
	if p.variants > 0 {
		t.Head = append(t.Head, "variant's loss found")
	}
	for _, row := range rows {
		cells := []string{strconv.Itoa(row.Cases), fmt.Sprintf("± %.1f points", row.Within), fmt.Sprintf("%.1f points", row.Detect), dollars(row.Dollars), duration(row.Seconds)}
		if row.Variant != nil {
			cells = append(cells, fmt.Sprintf("%.1f points", *row.Variant))
		}
		t.Add(cells...)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %d cases that count in the overall\n\n", p.dataset, b.Cases())
	t.Text(&out)
	fmt.Fprintf(&out, "\nLoss found: in %.0f%% of comparisons with a baseline on the same cases, at a level of %g.\n", 100*p.power, p.alpha)
	fmt.Fprintf(&out, "%s", assumed(from))
	if p.variants > 0 {
		fmt.Fprintf(&out, "Variant's loss found: against the plain cases of the same run, with %s; if only some\ncases can be varied, it must be larger. Dollars and time include the varied cases.\n", say.Count(p.variants, "variant", "variants"))
	}
	if p.within+p.detect == 0 {
		p.writeGate(&out, b)
	}
	switch {
	case from == nil:
	case from.Trials < 2:
		out.WriteString("A run with -trials=2 or more shows whether more trials help.\n")
	default:
		out.WriteString(scatter(b))
	}
	target := fmt.Sprintf("± %g points", p.within)
	if p.detect > 0 {
		target = fmt.Sprintf("a loss of %g points", p.detect)
		if p.variants > 0 {
			target += " with a variant"
		}
	}
	switch all := rows[len(rows)-1]; {
	case p.within+p.detect == 0:
	case found == nil:
		fmt.Fprintf(&out, "\nOut of reach: all %d cases give ± %.1f points and find a loss of %.1f points.\nMore trials (--trials) or more categories may reach %s.\n", all.Cases, all.Within, all.Detect, target)
	default:
		fmt.Fprintf(&out, "\n%s takes %d cases: -sample=%d\n\n", target, found.Cases, found.Cases)
		parts := &say.Table{Head: []string{"category", "weight", "cases", "of"}}
		for _, c := range b {
			parts.Add(c.Name, fmt.Sprintf("%.1f%%", 100*c.Weight), strconv.Itoa(found.Parts[c.Name]), strconv.Itoa(c.Cases))
		}
		parts.Text(&out)
	}
	_, err := io.WriteString(p.out, out.String())
	return err
}

// worse returns how a gate decides on worse models.
func (p *planning) worse(b compare.Benchmark) []compare.Worse {
	worse, _ := b.Worse(cmp.Or(p.cases, b.Cases()), p.alpha)
	return worse
}

// writeGate writes the table for the person who sets a gate.
func (p *planning) writeGate(out *strings.Builder, b compare.Benchmark) {
	n := cmp.Or(p.cases, b.Cases())
	_, smallest := b.Worse(n, p.alpha)
	fmt.Fprintf(out, "\nA gate on a significant loss over %d cases fails %.3g%% of unchanged models, and finds\na loss of %.1f points in 80%%. Of worse models pass:\n\n", n, 50*p.alpha, smallest)
	t := &say.Table{Head: []string{"worse by", "pass", "80% fail with", "requests, at least", "dollars"}}
	for _, w := range p.worse(b) {
		var cost *float64
		if p.dollars > 0 {
			x := p.dollars * float64(w.Cases)
			cost = &x
		}
		t.Add(fmt.Sprintf("%g points", w.Loss), fmt.Sprintf("%.0f%%", 100*w.Passes), say.Cases(w.Cases), strconv.Itoa(b.Requests(w.Cases)), dollars(cost))
	}
	t.Text(out)
}

// assumed says what the figures assume.
func assumed(from *tally.Run) string {
	said := "Assumed: "
	if from == nil {
		said += fmt.Sprintf("verdicts scatter as published models' do (at %.0f%% right if none is published);\n  ", 100*compare.Usual)
	}
	said += fmt.Sprintf("two runs' verdicts on a question correlate by %g (recorded: 0.3 to 0.4),\n  one's on questions with the same base by %g (0.1 to 0.2) or, in two categories, %g\n  (0.4 to 0.6), and how two runs differ on such questions by %g", compare.Together, compare.Base, compare.VariantPlan, compare.Changes)
	if from == nil || from.Trials < 2 {
		said += fmt.Sprintf(";\n  %g of the scatter is between trials of one question", compare.Flaky)
	}
	return said + ".\n"
}

// scatter says how much more trials would help.
func scatter(b compare.Benchmark) string {
	var between, within float64
	for _, c := range b {
		between += c.Weight * c.Scatter
		within += c.Weight * c.Within
	}
	if between+within == 0 {
		return ""
	}
	all := b.All()
	once, twice := b.Error(all, 1, false), b.Error(all, 2, false)
	return fmt.Sprintf("Of the scatter %.0f%% is between questions and %.0f%% between trials of one question:\nasking each twice narrows the interval by %.0f%%, twice as many questions by 29%%.\n",
		100*between/(between+within), 100*within/(between+within), 100*(1-twice/once))
}

func dollars(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("$%.2f", *x)
}

func duration(seconds *float64) string {
	if seconds == nil {
		return ""
	}
	return (time.Duration(math.Ceil(*seconds)) * time.Second).String()
}
