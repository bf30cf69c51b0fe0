package compare

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/table"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A Shift is how a variant's difference changed from one run to another, over
// the cases that both answered plain and varied.
type Shift struct {
	Variant string `json:"variant"`
	Cases   int    `json:"cases"`
	// A and B are the two runs' differences to their own plain cases.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// Moved is B less A, case by case, with its 95% interval over clusters. P
	// is the level at which the interval would touch 0, and Adjusted is P
	// adjusted for the number of variants.
	Moved       float64 `json:"moved"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	P           float64 `json:"p"`
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
}

// Shifts returns how two runs of the same cases differ in the variants that
// both have with the same seed; nil if there are none.
func Shifts(a, b *tally.Run, allowErrors bool) []Shift {
	if a.Digest != b.Digest || a.Seed != b.Seed {
		return nil
	}
	clusters := a.Clusters()
	of := map[string]string{}
	for cat, result := range a.All() {
		of[cat.Name+"/"+result.Case.ID] = clusters.Of(result.Case)
	}
	var out []Shift
	var ps []float64
	for _, v := range a.Variants {
		for _, w := range b.Variants {
			if v.Name != w.Name {
				continue
			}
			c, ok := shift(gains(a, v.Run, allowErrors), gains(b, w.Run, allowErrors), of)
			if c.Variant = v.Name; ok {
				out, ps = append(out, c), append(ps, c.P)
			}
		}
	}
	for i, p := range stat.Holm(ps) {
		out[i].Adjusted, out[i].Significant = p, p < Significance
	}
	return out
}

// differences returns a variant's differences to the plain cases by category
// and id, for the cases that were answered both ways.
func gains(plain, varied *tally.Run, allowErrors bool) map[string]float64 {
	share := map[string]float64{}
	for _, a := range plain.Attempted(allowErrors) {
		if a.Answered > 0 {
			share[a.Category.Name+"/"+a.Case.ID] = float64(a.Right) / float64(a.Answered)
		}
	}
	out := map[string]float64{}
	for _, a := range varied.Attempted(allowErrors) {
		at := a.Category.Name + "/" + a.Case.ID
		if before, ok := share[at]; ok && a.Answered > 0 {
			out[at] = float64(a.Right)/float64(a.Answered) - before
		}
	}
	return out
}

func shift(a, b map[string]float64, clusters map[string]string) (Shift, bool) {
	var c Shift
	blocks, at := []stat.Block(nil), map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(a)) { // sums must not depend on a map's order
		before := a[key]
		after, ok := b[key]
		cluster, known := clusters[key]
		if !ok || !known {
			continue
		}
		blocks = stat.AddTo(blocks, at, cluster, (after-before)/2) // between -1 and 1, as intervals of differences want it
		c.Cases++
		c.A += before
		c.B += after
	}
	if c.Cases == 0 {
		return c, false
	}
	c.A /= float64(c.Cases)
	c.B /= float64(c.Cases)
	composite := stat.Compose([]stat.Stratum{{Weight: 1, Blocks: blocks}})
	i := composite.Difference(stat.Z95)
	c.Moved, c.Low, c.High = 2*i.Estimate, 2*i.Low, 2*i.High
	c.P = stat.Level(composite.Difference)
	return c, true
}

// WriteShifts prints how variants' differences changed, for a terminal or as
// Markdown.
func WriteShifts(w io.Writer, shifts []Shift, markdown bool) error {
	if len(shifts) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\nVariants: what each run gains on its own plain cases, in points\n\n")
	t := &table.Table{Head: []string{"variant", "cases", "A", "B", "B − A", "95% interval", "adj. p"}}
	for _, c := range shifts {
		t.Add(c.Variant, strconv.Itoa(c.Cases), tenths(c.A), tenths(c.B), tenths(c.Moved),
			fmt.Sprintf("%s to %s", tenths(c.Low), tenths(c.High)), Level(c.Adjusted))
	}
	if markdown {
		t.Markdown(&b)
	} else {
		t.Text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
