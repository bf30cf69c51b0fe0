package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// Markdown writes the tables: the leaderboard by groups, the ladder, the
// taxonomy and, for complete runs of V4, the place among the published models.
func (r *Report) Markdown(w io.Writer) error {
	p := &say.Page{Screen: say.Screen{Markdown: true}}
	fmt.Fprintf(p, "## BFCL %s: %s\n\n", say.PlainMarkdown(r.title()), say.Count(len(r.Entries), "run", "runs"))
	for _, e := range r.Entries {
		for _, text := range e.Missing {
			fmt.Fprintf(p, "> %s: %s\n\n", say.PlainMarkdown(e.Name), say.PlainMarkdown(text))
		}
	}
	for _, text := range r.warnings() {
		fmt.Fprintf(p, "> %s\n\n", say.PlainMarkdown(text))
	}
	p.Table(r.board())
	about := "Accuracy in percent; the overall with its 95% interval."
	if text := r.aboutRanks(); text != "" {
		about += " " + text
	}
	if r.partial() {
		about += " A star marks a figure over only part of the cases, which cannot be compared with that of a complete run."
	}
	p.Notes(about)
	for _, e := range r.Entries {
		if e.Standing != nil {
			fmt.Fprintf(p, "**%s** %s\n\n", say.PlainMarkdown(e.Name), strings.ToLower(e.Standing.String()[:1])+e.Standing.String()[1:])
		}
	}
	for _, g := range []*grid{r.ladder(), r.kinds()} {
		if g == nil {
			continue
		}
		t := &say.Table{Head: append([]string{"model"}, g.Heads...)}
		for _, row := range g.Rows {
			cells := []string{row.Name}
			for _, c := range row.Cells {
				cells = append(cells, c.Text)
			}
			t.Add(cells...)
		}
		fmt.Fprintf(p, "### %s\n\n", g.Title)
		p.Table(t)
	}
	return p.Send(w)
}

// board is the leaderboard by groups.
func (r *Report) board() *say.Table {
	columns, rows := r.table()
	t := &say.Table{Head: []string{"#", "model"}, Left: 2}
	for _, c := range columns {
		if !c.Hidden {
			t.Head = append(t.Head, c.Title)
		}
	}
	for _, one := range rows {
		cells := []string{one.Rank, one.Name}
		for i, c := range one.Cells {
			switch {
			case columns[i].Hidden:
				continue
			case i == 0 && c.Small != "":
				c.Text += " (" + c.Small + ")"
			case strings.HasSuffix(c.Small, "*"):
				c.Text += "*"
			}
			cells = append(cells, c.Text)
		}
		t.Add(cells...)
	}
	return t
}
