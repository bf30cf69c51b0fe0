package compare

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Transformation is what turns one run's answers into another's.
type Transformation struct {
	// Heading names the model's servers, or the runs, with the points between
	// them.
	Heading string `json:"heading"`
	// Broken says what was done to the answers of B that newly fail, and Mended
	// what was done to those of A that newly pass.
	Broken TransformedHalf `json:"newly_failed"`
	Mended TransformedHalf `json:"newly_passed"`
}

// A TransformedHalf is a change in one direction.
type TransformedHalf struct {
	// Cases changed their verdict; Explained of them show one of the Steps.
	Cases     int                  `json:"cases"`
	Explained int                  `json:"explained"`
	Steps     []TransformationStep `json:"steps,omitempty"`
}

// A TransformationStep is one thing that was done to answers.
type TransformationStep struct {
	Kind  string    `json:"kind"`
	Layer why.Layer `json:"layer"`
	// Cases changed their verdict and show it, which cost Points of the overall.
	// Others show it and did not change; Against could show it and do not.
	Cases   int     `json:"cases"`
	Points  float64 `json:"points"`
	Others  int     `json:"others"`
	Against int     `json:"against"`
	// Examples are up to three pairs as they came.
	Examples []TransformationExample `json:"examples"`
}

// A TransformationExample is a pair of answers to one case.
type TransformationExample struct {
	ID string `json:"id"`
	A  string `json:"a"`
	B  string `json:"b"`
}

// TransformationBetween compares two runs that were read with their answers; nil if they are
// of different models, or nothing explains at least three cases.
func TransformationBetween(a, b *tally.Run) (*Transformation, error) {
	if !SameModel(a, b) {
		return nil, nil
	}
	worth, err := a.Worth()
	if err != nil {
		return nil, err
	}
	pairs, points := pairsOf(a, b, worth)
	c := &Transformation{
		Heading: fmt.Sprintf("same model%s: %+.2f points", between(a, b), points),
		Broken:  explain(pairs, false), Mended: explain(pairs, true),
	}
	if len(c.Broken.Steps)+len(c.Mended.Steps) == 0 {
		return nil, nil
	}
	return c, nil
}

// SameModel reports whether two runs are of the same weights, as far as the names
// tell that they were asked for or answered with.
func SameModel(a, b *tally.Run) bool {
	for _, x := range names(a) {
		if slices.Contains(names(b), x) {
			return true
		}
	}
	return false
}

func names(r *tally.Run) (out []string) {
	for _, name := range append(slices.Clone(r.Served), r.Parameters["id"], r.Model) {
		name = strings.ToLower(name[strings.LastIndexAny(name, "/:_")+1:])
		if name = strings.TrimSuffix(name, "-fc"); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// between names what differs: the servers' versions, or the runs.
func between(a, b *tally.Run) string {
	x, _, _ := strings.Cut(a.Server, ",")
	y, _, _ := strings.Cut(b.Server, ",")
	if x == "" || y == "" || x == y {
		x, y = path.Base(a.Path), path.Base(b.Path)
	}
	if x == y {
		return ""
	}
	if kind, version, ok := strings.Cut(y, " "); ok && strings.HasPrefix(x, kind+" ") {
		y = version
	}
	return ", " + say.Plain(x, 100) + " → " + say.Plain(y, 100)
}

// A pair is a case that both runs answered.
type pairChange struct {
	id     string
	a, b   why.Answer
	lost   bool // a passed and b did not
	won    bool
	points float64
	// there and back are how b's answer differs from a's, and a's from b's.
	there, back []why.Difference
}

func pairsOf(a, b *tally.Run, worth map[string]float64) (out []pairChange, points float64) {
	type key struct {
		id    string
		trial int
	}
	others := map[key]*eval.Result{}
	habitsA, habitsB := habits(a), habits(b)
	for _, r := range b.All() {
		others[key{r.Case.ID, r.Trial}] = r
	}
	for cat, r := range a.All() {
		o := others[key{r.Case.ID, r.Trial}]
		if o == nil || r.Status == eval.Error || o.Status == eval.Error {
			continue
		}
		p := pairChange{id: r.Case.ID, lost: r.Passed() && !o.Passed(), won: !r.Passed() && o.Passed(), points: worth[cat.Name]}
		if !cat.MultiTurn() && r.Result != nil && o.Result != nil {
			p.a, p.b = answer(r), answer(o)
			p.there, p.back = why.Differ(p.a, p.b), why.Differ(p.b, p.a)
		}
		p.there = append(p.there, signs(habitsB, o, r, habitsA)...)
		p.back = append(p.back, signs(habitsA, r, o, habitsB)...)
		switch {
		case p.lost:
			points -= p.points
		case p.won:
			points += p.points
		}
		out = append(out, p)
	}
	return out, points
}

func answer(r *eval.Result) why.Answer {
	a := why.Read(r.Result)
	a.Reasoning, a.CutOff, a.Tokens = r.Reasoning, r.CutOff, r.OutputTokens
	return a
}

func habits(r *tally.Run) *why.Habits {
	h := &why.Habits{}
	for _, result := range r.All() {
		h.Add(result.Trace)
	}
	return h
}

// signs returns the signs of the server that an answer shows and the other one
// does not.
func signs(h *why.Habits, r, other *eval.Result, of *why.Habits) (out []why.Difference) {
	have := of.Of(other.Trace)
	for _, sign := range h.Of(r.Trace) {
		if !slices.Contains(have, sign) {
			out = append(out, why.DamageSign(sign, r.Result))
		}
	}
	return out
}

// enough is the least number of cases that a step explains.
const enough = 3

// A direction is one way to look at the pairs: the answers that became another
// run's, the changes of verdict that follow, and the differences.
type direction struct {
	pairs   []pairChange
	changed func(p *pairChange) bool
	from    func(p *pairChange) why.Answer
	found   func(p *pairChange) []why.Difference
	// frequent says that a kind of difference is not the model's chance: it is
	// several times as frequent as in the other direction.
	frequent map[string]bool
}

func newDirection(pairs []pairChange, back bool) *direction {
	d := &direction{pairs: pairs, frequent: map[string]bool{},
		changed: func(p *pairChange) bool { return p.lost }, from: func(p *pairChange) why.Answer { return p.a }, found: func(p *pairChange) []why.Difference { return p.there }}
	if back {
		d.changed, d.from, d.found = func(p *pairChange) bool { return p.won }, func(p *pairChange) why.Answer { return p.b }, func(p *pairChange) []why.Difference { return p.back }
	}
	there, other := map[string]int{}, map[string]int{}
	for i := range pairs {
		for _, x := range d.found(&pairs[i]) {
			there[x.Kind]++
		}
		for _, x := range slices.Concat(pairs[i].there, pairs[i].back) {
			other[x.Kind]++ // of both directions
		}
	}
	for kind, n := range there {
		d.frequent[kind] = n > enough*(other[kind]-n)
	}
	return d
}

// explain chooses the fewest steps that explain the most cases, greedily: of the
// differences that servers make, the one that most unexplained cases show.
func explain(pairs []pairChange, back bool) (h TransformedHalf) {
	d := newDirection(pairs, back)
	explained := map[string]bool{}
	for i := range pairs {
		h.Cases += one(d.changed(&pairs[i]))
	}
	for {
		step, kind := d.best(explained)
		if step == nil {
			h.Explained = len(explained)
			return h
		}
		d.count(step, kind, explained, back)
		h.Steps = append(h.Steps, *step)
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// best returns the step that explains most of the cases that are left; nil if
// none explains enough.
func (d *direction) best(explained map[string]bool) (*TransformationStep, why.Difference) {
	const many = 10 // of what models do, too: it has to explain half of the cases
	steps, kinds, changed := map[string]*TransformationStep{}, map[string]why.Difference{}, 0
	for i := range d.pairs {
		p := &d.pairs[i]
		if !d.changed(p) {
			continue
		}
		if changed++; explained[p.id] {
			continue
		}
		for _, x := range d.found(p) {
			if !d.frequent[x.Kind] {
				continue
			}
			if steps[x.Kind] == nil {
				steps[x.Kind], kinds[x.Kind] = &TransformationStep{Kind: x.Kind, Layer: x.Layer}, x
			}
			steps[x.Kind].Cases++
		}
	}
	maps.DeleteFunc(steps, func(kind string, s *TransformationStep) bool {
		return !kinds[kind].Known && (s.Cases < many || 2*s.Cases < changed)
	})
	order := slices.SortedFunc(maps.Values(steps), func(x, y *TransformationStep) int {
		return cmp.Or(cmp.Compare(y.Cases, x.Cases), cmp.Compare(x.Kind, y.Kind))
	})
	if len(order) == 0 || order[0].Cases < enough {
		return nil, why.Difference{}
	}
	return order[0], kinds[order[0].Kind]
}

// count counts a step's cases, and takes them as explained.
func (d *direction) count(s *TransformationStep, kind why.Difference, explained map[string]bool, back bool) {
	const most = 3
	s.Cases = 0
	for i := range d.pairs {
		p := &d.pairs[i]
		list := d.found(p)
		at := slices.IndexFunc(list, func(x why.Difference) bool { return x.Kind == s.Kind })
		switch {
		case at < 0:
			s.Against += one(kind.Applies(d.from(p)))
			continue
		case !d.changed(p):
			s.Others++
			continue
		}
		s.Cases++
		s.Points += p.points
		explained[p.id] = true
		if len(s.Examples) < most {
			e := TransformationExample{p.id, list[at].Want, list[at].Got}
			if back {
				e.A, e.B = e.B, e.A
			}
			s.Examples = append(s.Examples, e)
		}
	}
}

// Write prints the change in a few lines.
func (c *Transformation) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", c.Heading)
	c.Broken.write(&b, "newly failed", "")
	c.Mended.write(&b, "newly passed", ", gone in the second")
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *TransformedHalf) write(b *strings.Builder, what, gone string) {
	if len(h.Steps) == 0 {
		return
	}
	fmt.Fprintf(b, "  %d of %d %s are explained:\n", h.Explained, h.Cases, what)
	for _, s := range h.Steps {
		fmt.Fprintf(b, "  %4d × %s (%s)%s\n         %.2f points; %d more show it and did not change, %d could and do not\n",
			s.Cases, say.Plain(s.Kind, 100), s.Layer.Words(), gone, s.Points, s.Others, s.Against)
		for _, e := range s.Examples {
			const side = 100
			fmt.Fprintf(b, "         %s: %s → %s\n", say.Plain(e.ID, 60), cmp.Or(say.Plain(e.A, side), "–"), cmp.Or(say.Plain(e.B, side), "–"))
		}
	}
}

// String returns the change in one line: what explains most.
func (c *Transformation) String() string {
	h, what := &c.Broken, "newly failed"
	if c.Mended.Explained > h.Explained {
		h, what = &c.Mended, "newly passed"
	}
	return fmt.Sprintf("%s; %d of %d %s: %s", c.Heading, h.Steps[0].Cases, h.Cases, what, h.Steps[0].Kind)
}
