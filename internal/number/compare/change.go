package compare

import (
	"cmp"
	"fmt"
	"io"
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
	Cases     int        `json:"cases"`
	Explained int        `json:"explained"`
	Steps     []why.Step `json:"steps,omitempty"`
}

// TransformationBetween compares two runs that were read with their answers; nil if they are
// of different models, or nothing explains at least three cases.
func TransformationBetween(a, b *tally.Run) *Transformation {
	if others := names(b); !slices.ContainsFunc(names(a), func(x string) bool { return slices.Contains(others, x) }) {
		return nil
	}
	there, back, points := arrivals(a, b, a.Worth())
	c := &Transformation{
		Heading: fmt.Sprintf("same model%s: %s points", between(a, b), say.Signed("%+.2f", points)),
		Broken:  explain(there), Mended: explain(back),
	}
	if len(c.Broken.Steps)+len(c.Mended.Steps) == 0 {
		return nil
	}
	return c
}

// names are those that a run's weights were asked for, or answered with.
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

// arrivals returns the answers that both runs gave, with A's as the expected ones
// and with B's, and the points between the runs. What only went over because a call
// was not read is explained by that.
func arrivals(a, b *tally.Run, worth map[string]float64) (there, back []why.Arrival, points float64) {
	type key struct {
		id    string
		trial int
	}
	others := map[key]*eval.Result{}
	otherA, otherB := tally.OtherModel(a), tally.OtherModel(b)
	for _, r := range b.All() {
		others[key{r.Case.ID, r.Trial}] = r
	}
	for cat, r := range a.All() {
		o := others[key{r.Case.ID, r.Trial}]
		if o == nil || r.Status == eval.Error || o.Status == eval.Error {
			continue
		}
		x, y := arrival(cat, r, o, worth[cat.Name], "A"), arrival(cat, o, r, worth[cat.Name], "B")
		switch {
		case otherB != "" && otherA == "":
			x.Found = append(x.Found, why.FactOf(otherB, why.Weights, o.Result))
		case otherA != "" && otherB == "":
			y.Found = append(y.Found, why.FactOf(otherA, why.Weights, r.Result))
		}
		switch {
		case x.Wrong:
			y.Chance = x.Found
			points -= x.Points
		case y.Wrong:
			x.Chance = y.Found
			points += y.Points
		}
		there, back = append(there, x), append(back, y)
	}
	return there, back, points
}

// notRead is what took a case over without a model's doing.
const notRead = "a call that was not read counts as none in "

// arrival returns an answer of one run with the other run's, which is right where
// this one is to be explained; in names that one.
func arrival(cat *eval.Category, right, r *eval.Result, points float64, in string) why.Arrival {
	out := why.Arrival{ID: r.Case.ID, Wrong: right.Passed() && !r.Passed(), Points: points, Calls: true}
	if !cat.MultiTurn() && right.Result != nil && r.Result != nil {
		came := answer(r)
		out.Want, out.Tools, out.Calls = answer(right), why.ToolsOf(r.Case.Tools), len(came.Calls) > 0
		out.Found = why.Differ(out.Want, came, out.Tools)
	}
	if out.Wrong && len(right.Overlooked) > 0 {
		const side = 160
		unread := why.FactOf(notRead+in, why.Parser, r.Result)
		unread.Want, unread.Got = say.Plain(answer(right).String(), side), say.Plain(answer(r).String(), side)
		out.Found = []why.Difference{unread}
	} else if r.Gateway != "" && right.Gateway == "" {
		out.Found = append(out.Found, why.FactOf(r.Gateway, why.Parser, r.Result))
	} else if r.Trace != nil {
		for _, fact := range r.Trace.Facts {
			if right.Trace == nil || !slices.Contains(right.Trace.Facts, fact) {
				out.Found = append(out.Found, why.FactOf(fact, why.Parser, r.Result))
			}
		}
	}
	return out
}

func answer(r *eval.Result) why.Answer {
	a := why.Read(r.Result)
	a.Reasoning = r.Reasoning
	a.With(&r.Response)
	return a
}

// explain explains the answers that newly are wrong.
func explain(list []why.Arrival) (h TransformedHalf) {
	const enough, many, share = 3, 10, .5
	var of map[int]int
	h.Steps, of = why.Explain(list, why.Rule{Least: enough, Many: many, Share: share})
	h.Explained = len(of)
	for i := range list {
		if list[i].Wrong {
			h.Cases++
		}
	}
	return h
}

// Write prints the change in a few lines.
func (c *Transformation) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", c.Heading)
	c.Broken.write(&b, "newly failed", "")
	c.Mended.write(&b, "newly passed", ", no longer in B")
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *TransformedHalf) write(b *strings.Builder, what, gone string) {
	const side = 100
	if len(h.Steps) == 0 {
		return
	}
	fmt.Fprintf(b, "  %d of %d %s are explained:\n", h.Explained, h.Cases, what)
	for _, s := range h.Steps {
		where := gone
		if strings.HasPrefix(s.Kind, notRead) { // in which run the kind itself says
			where = ""
		}
		fmt.Fprintf(b, "  %4d × %s (%s)%s\n         %.2f points; %d others show it and kept their verdict, %d could and do not\n",
			s.Cases, say.Plain(s.Kind, 100), s.Layer.Words(), where, s.Points, s.Others, s.Against)
		for _, e := range s.Examples {
			if gone != "" {
				e.Want, e.Came = e.Came, e.Want
			}
			fmt.Fprintf(b, "         %s: %s → %s\n", say.Plain(e.ID, 60), cmp.Or(say.Plain(e.Want, side), "–"), cmp.Or(say.Plain(e.Came, side), "–"))
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
