package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// Markdown writes the comparison for a pull request or a page, with at most the
// given number of flips in each direction.
func (c *Comparison) Markdown(w io.Writer, flips int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**A** %s against **B** %s on %s, %d cases%s.\n\n", c.A.markdown(), c.B.markdown(), say.Markdown(c.Dataset, longestCell), c.Cases, c.measured())
	if c.Overall != nil {
		fmt.Fprintf(&b, "Change from A to B: %s.\n\n", c.Overall.Sentence())
		t := &say.Table{Head: []string{"", "adds"}}
		for _, d := range c.Parts() {
			t.Add(d.Title, say.Signed("%+.2f", d.Points))
		}
		t.Add("together", say.Signed("%+.2f", c.Overall.Points))
		t.Markdown(&b)
	}
	c.table().Markdown(&b)
	for _, line := range c.remarks() {
		b.WriteString(say.Markdown(line, longestNote) + "\n\n")
	}
	lost, won := c.Reasons()
	c.markdownFlips(&b, "Broken in B", lost, c.Lost(), flips)
	c.markdownFlips(&b, "Fixed in B", won, c.Won(), flips)
	for _, t := range c.took() {
		t.Markdown(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s Side) markdown() string { return say.Markdown(s.Name, 2*longestCell) }

func (c *Comparison) markdownFlips(b *strings.Builder, title string, why []Because, flips []Flip, most int) {
	if len(flips) == 0 || most == 0 {
		return
	}
	points, _ := Added(why)
	b.WriteString(say.Signed("<details><summary>%s: %d%s, %+.2f points</summary>\n\n", title, len(flips), unreadOf(why), points))
	reasons := &say.Table{Head: []string{"points", "cases", "cause"}}
	for _, r := range why {
		reasons.Add(say.Signed("%+.2f", r.Points), fmt.Sprint(len(r.Flips)), r.Cause.Text())
	}
	reasons.Markdown(b)
	t := &say.Table{Head: []string{"case", "cause", ""}, Left: 3}
	for _, f := range flips[:min(most, len(flips))] {
		t.Add(f.ID, f.Cause.Text(), f.trials())
	}
	t.Markdown(b)
	if left := len(flips) - most; left > 0 {
		fmt.Fprintf(b, "… and %d more\n\n", left)
	}
	b.WriteString("</details>\n\n")
}

// Markdown writes the ranking as a table.
func (r *Ranking) Markdown(w io.Writer) error {
	var b strings.Builder
	r.table(1 << 10).Markdown(&b)
	for _, line := range r.remarks() {
		b.WriteString(say.Markdown(line, longestNote) + "\n\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
