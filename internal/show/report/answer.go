package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// This file makes the first screen: of one run what failed and what to do next,
// of two runs where the difference lies and whether it is more than chance.

// A stroke is a bar of points: to the left if they are lost.
type stroke struct {
	X, W string
	Lost bool
}

// half is how wide the longest stroke is.
const half = 100

func strokeOf(points, most float64) stroke {
	if most == 0 {
		return stroke{X: strconv.Itoa(half), W: "0"}
	}
	w := half * math.Abs(points) / most
	s := stroke{X: strconv.Itoa(half), W: strconv.FormatFloat(w, 'f', 1, 64), Lost: points < 0}
	if s.Lost {
		s.X = strconv.FormatFloat(half-w, 'f', 1, 64)
	}
	return s
}

// A pairView is the comparison of two runs.
type pairView struct {
	*compare.Difference        // of the overall
	First, Second       *Entry // A and B
	Class               string // better, worse or chance
	Cases               int
	Parts               []addend
	Gate                *decided // nil if none was made
	Next                []step
	Lost, Won           flipView
	Spend               [][]string
	Rows                []diffRow
	Remarks             []string
	flips               [][3]int
}

// An addend is a part of the overall with its points of the difference.
type addend struct {
	Title, Points, Link string
	stroke
}

// A flipView is the flips in one direction by cause.
type flipView struct {
	Count   int
	Points  string
	Reasons []reason
}

type reason struct {
	Group, Count int
	Text, Points string
	Suspect      string
	IDs          []string
	stroke
}

// A diffRow is a category or group of a comparison.
type diffRow struct {
	*compare.Difference
	Title, Link string
	Depth       int
}

// mostPaired is how many runs can be compared on the page with each other.
const mostPaired = 8

// pairs returns the comparisons of each two of the first runs: those in the
// order in which the runs were given first, then those in the other order. Two
// runs of different cases are compared on those that both have.
func (b *book) pairs(r *Report) []*pairView {
	order := make([]int, min(mostPaired, len(b.runs)))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(b.runs[i].given, b.runs[k].given) })
	var two, turned [][2]int
	for n, i := range order {
		for _, k := range order[n+1:] {
			two, turned = append(two, [2]int{i, k}), append(turned, [2]int{k, i})
		}
	}
	two = append(two, turned...)
	evidence := make([]map[string]string, len(b.runs))
	parallel.Each(len(order), func(n int) { evidence[order[n]] = b.runs[order[n]].run.Evidence() })
	out := make([]*pairView, len(two))
	parallel.Each(len(two), func(n int) { out[n] = b.pair(two[n][0], two[n][1], r, evidence) })
	return slices.DeleteFunc(out, func(v *pairView) bool { return v == nil })
}

func (b *book) pair(i, k int, r *Report, evidence []map[string]string) *pairView {
	v := &pairView{First: b.runs[i], Second: b.runs[k]}
	both := []*tally.Run{b.runs[i].run, b.runs[k].run}
	o := compare.Options{AllowErrors: r.allowErrors, Intersect: true}
	var c *compare.Comparison // the ranking's, if it has one
	var notes []string
	at := slices.IndexFunc(r.compared, func(c *compare.Comparison) bool {
		return c.A.Name == strconv.Itoa(v.First.given) && c.B.Name == strconv.Itoa(v.Second.given)
	})
	if at < 0 {
		var err error
		if both, notes, err = compare.Align(both, o); err != nil {
			return nil // nothing in common
		}
		if c, err = compare.Pair(both[0], both[1], o); err != nil {
			return nil
		}
	} else {
		c, notes = r.compared[at], compare.Besides(both)
	}
	if c.Overall == nil {
		return nil
	}
	c.Weigh(evidence[i], evidence[k])
	v.Cases = c.Cases
	v.fill(c)
	lost, won := c.Reasons()
	most := 0.0
	for _, r := range slices.Concat(lost, won) {
		most = max(most, math.Abs(r.Points))
	}
	v.Lost, v.Won = b.flipView(v, lost, k, most, -1), b.flipView(v, won, i, most, 1)
	for _, note := range notes {
		v.Remarks = append(v.Remarks, say.Printable(note, 500))
	}
	v.decide(lost)
	return v
}

func (v *pairView) fill(c *compare.Comparison) {
	const all = 100
	d := c.Overall
	v.Difference = d
	switch {
	case !d.Significant:
		v.Class = "chance"
	case d.Value < 0:
		v.Class = "worse"
	default:
		v.Class = "better"
	}
	v.Remarks = append(v.Remarks, fmt.Sprintf("These two runs %s (80%% power).", say.Detects(all*d.Detectable)), c.Intervals())
	if c.Errors > 0 {
		v.Remarks = append(v.Remarks, say.Count(c.Errors, "case is", "cases are")+" left out: infrastructure errors in one of the runs")
	}
	parts, most := c.Parts(), 0.0
	for i := range parts {
		most = max(most, math.Abs(parts[i].Points))
	}
	for i := range parts {
		p := &parts[i]
		v.Parts = append(v.Parts, addend{p.Title, say.Signed("%+.2f", p.Points), link("category", p.Name, "among", "differ"), strokeOf(p.Points, most)})
	}
	v.Spend = c.Spend.Rows()
	v.rows(c)
}

// rows adds the layout's groups and categories that were compared.
func (v *pairView) rows(c *compare.Comparison) {
	c.Walk(func(d *compare.Difference, n *score.Node, depth int, _ bool) {
		v.Rows = append(v.Rows, diffRow{d, say.Printable(titleOf(n), 80), link("category", d.Name, "among", "differ"), depth})
	})
}

// flipView groups flips by the cause in the run that did worse, and notes which
// cases of the page they are. Bars are as long as their share of most, in both
// directions alike; sign is that of all points.
func (b *book) flipView(v *pairView, reasons []compare.Because, run int, most, sign float64) flipView {
	const few = 5
	points, cases, _ := compare.Added(reasons)
	out := flipView{Count: cases, Points: say.Signed("%+.2f", math.Copysign(points, sign))}
	slices.SortStableFunc(reasons, func(x, y compare.Because) int { return cmp.Compare(math.Abs(y.Points), math.Abs(x.Points)) }) // as rounded
	for _, r := range reasons {
		at, known := b.byGroup[groupKey{0, r.Cause}]
		if !known {
			at = -1
		}
		points := math.Copysign(r.Points, sign)
		one := reason{Group: at, Count: len(r.Flips), Text: say.Printable(r.Cause.Text(), 200), Points: say.Signed("%+.2f", points), Suspect: r.Suspect, stroke: strokeOf(points, most)}
		for i, f := range r.Flips {
			if i < few {
				one.IDs = append(one.IDs, say.Printable(f.ID, 200))
			}
			v.flips = append(v.flips, [3]int{b.byCase[caseKey{f.Category, f.ID}], at, run})
		}
		out.Reasons = append(out.Reasons, one)
	}
	return out
}

// A packedPair is a comparison as the page's script takes it, made by the page's template.
type packedPair struct {
	A    int    `json:"a"`
	B    int    `json:"b"`
	HTML string `json:"html"`
	// Flips are cases with their group of causes and the run that did worse.
	Flips [][3]int `json:"flips"`
}

// packPairs puts the comparisons into chunks, and their places into the index.
func (b *book) packPairs(pairs []*pairView) error {
	b.Pairs = [][4]int{}
	for _, v := range pairs {
		var text strings.Builder
		if err := page().ExecuteTemplate(&text, "pair", v); err != nil {
			return err
		}
		chunk, place := b.packer.add(encoded(packedPair{v.First.Index, v.Second.Index, text.String(), v.flips}))
		b.Pairs = append(b.Pairs, [4]int{v.First.Index, v.Second.Index, chunk, place})
	}
	return nil
}

// A runView is the first screen of one run.
type runView struct {
	*Entry
	Accuracy, Of, Interval, Failed string
	Facts                          []fact
	Split                          []share
	Costly                         []costly
	Next                           []step
}

// A share is a part of the 100 points: what was right, and what the evidence about
// the lost ones speaks for.
type share struct{ Words, Points, Class, X, W string }

// split returns the shares; what a Blame does not count was lost to errors that were to count.
func split(right float64, b *tally.Blame) (out []share) {
	const all, least = 100, 0.005
	at, left := 0.0, float64(all)
	add := func(words, class, text string, points float64) {
		out = append(out, share{words, text, class, fmt.Sprintf("%.2f", at), fmt.Sprintf("%.2f", points)})
		at, left = at+points, left-points
	}
	add("right", "right", fmt.Sprintf("%.2f", all*right), all*right)
	for _, who := range say.Evidences {
		switch part := b.Parts[who]; {
		case part.Cases > 0:
			add(say.Evidence(who), who, say.Signed("%.2f", part.Points), -part.Points)
		case who == say.Server:
			add(say.NoServer, who, "", 0)
		}
	}
	if left > least {
		add("no answer, counted as wrong", "none", say.Signed("%.2f", -left), left)
	}
	return out
}

// A costly group is one of those that cost most.
type costly struct {
	Text, Points, Link, Suspect string
	Count                       int
	stroke
}

// A step is what one would do next.
type step struct{ Text, Command, Link string }

// mostCostly is how many groups the first screen names.
const mostCostly = 3

// answer returns the first screen of a page of one run; nil for more runs.
func (b *book) answer(r *Report) (*runView, error) {
	if len(b.runs) != 1 {
		return nil, nil
	}
	e := b.runs[0]
	failures, err := e.run.Failures(tally.Grouping{By: cause.ByKind})
	if err != nil {
		return nil, err
	}
	i, o := e.overall(), &e.Score.Overall
	v := &runView{
		Entry: e, Accuracy: accuracyText(i), Of: "of " + say.Cases(o.Cases), Interval: fmt.Sprintf("%.1f to %.1f", 100*i.Low, 100*i.High), Facts: e.facts(r),
		Failed: "Every answer passed",
	}
	if basis := e.Score.Basis; basis.Cases < basis.Of {
		v.Of = fmt.Sprintf("of %d answered (upstream counts %d unanswered as wrong: %.2f%%)", basis.Cases, basis.Of-basis.Cases, 100*basis.Upstream)
	}
	blame := failures.Blame
	if failures.Wrong+failures.Errors > 0 {
		v.Failed, v.Split = failures.String(), split(i.Value, blame)
	}
	for k := range failures.Groups[:min(mostCostly, len(failures.Groups))] {
		g := &failures.Groups[k]
		one := costly{Text: g.Text(), Count: g.Count, Points: say.Signed("%.2f", -g.Lost), stroke: strokeOf(-g.Lost, failures.Groups[0].Lost), Suspect: say.Unexplained}
		words := []string{"cause", string(g.Kind), "by", string(cause.ByFunction)}
		if g.Got != "" {
			words = append(words, "got", g.Got)
		}
		if one.Link = link(words...); g.Suspect != nil {
			one.Suspect = say.Printable(g.Suspect.Evidence, 500)
		}
		v.Costly = append(v.Costly, one)
	}
	v.Next = e.next(failures, blame)
	return v, nil
}

// facts returns the run's dataset, model and settings, for the side of a score.
func (e *Entry) facts(r *Report) []fact {
	var facts []fact
	add := func(name, value string) { facts = append(facts, fact{name, value}) }
	add("Data", r.title())
	if e.run.Mode != "" {
		add("Mode", string(e.run.Mode))
	}
	if e.run.Server != "" {
		add("Server", say.Printable(e.run.Server, 300))
	}
	if !e.Started.IsZero() {
		add("Begun", e.Started.UTC().Format("2006-01-02 15:04")+" UTC")
	}
	if x := latency(e); x > 0 {
		add("Latency", seconds(x)+" a request")
	}
	if x := cost(e); x > 0 {
		add("Cost", e.priced(x)+" for 1,000 answers")
	}
	if s := e.Standing; s != nil {
		add("Public leaderboard", fmt.Sprintf("would stand at %d of %d (%d to %d)", s.Rank, s.Of, s.Best, s.Worst))
	}
	return facts
}

// next proposes steps for a run: those that complete its number, then the cause
// that costs most, then what evidence there is of others' faults. It leaves out
// steps that the run does not allow.
func (e *Entry) next(f *tally.Failures, b *tally.Blame) (steps []step) {
	run := e.named()
	if c, ok := run.Resume(); ok && len(e.Missing) > 0 {
		steps = append(steps, step{"Ask what is missing", c.String(), ""})
	}
	if len(f.Groups) > 0 {
		g := &f.Groups[0]
		c := run.Show("failures", "--cause", string(g.Kind), "--group", "function")
		steps = append(steps, step{"Look at the costliest cause: " + g.Text(), c.String(), link("cause", string(g.Kind), "by", string(cause.ByFunction))})
	}
	if c, ok := run.Doctor(); ok && b.Parts[say.Server].Cases > 0 {
		steps = append(steps, step{say.Signed("Ask the server, whose fault may be %.2f points", b.Parts[say.Server].Points), c.String(), ""})
	}
	if part := b.Parts[say.Benchmark]; part.Cases > 0 {
		c := advise.Command{Words: []string{"errata", part.Example}}
		steps = append(steps, step{say.Signed("Read a confirmed defect; such cases cost %.2f points", part.Points), c.String(), ""})
	}
	return steps
}

// named returns the run as commands name it on this page.
func (e *Entry) named() advise.Run {
	run := e.run.Named()
	run.Path = e.path()
	return run
}
