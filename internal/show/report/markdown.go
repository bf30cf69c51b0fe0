package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// Markdown writes the tables: the leaderboard by groups, the ladder, the
// taxonomy and, for complete runs of V4, the place among the published models.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## BFCL %s: %s\n\n", cellText(r.title()), say.Count(len(r.Entries), "run", "runs"))
	for _, e := range r.Entries {
		for _, text := range e.Missing {
			fmt.Fprintf(&b, "> %s: %s\n\n", cellText(e.Name), say.PlainMarkdown(text))
		}
	}
	for _, text := range r.warnings() {
		fmt.Fprintf(&b, "> %s\n\n", say.PlainMarkdown(text))
	}
	r.markdownBoard(&b)
	for _, e := range r.Entries {
		if e.Standing != nil {
			fmt.Fprintf(&b, "**%s** %s\n\n", cellText(e.Name), strings.ToLower(e.Standing.String()[:1])+e.Standing.String()[1:])
		}
	}
	for _, g := range []*grid{r.ladder(), r.kinds()} {
		if g != nil {
			g.markdown(&b)
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func (r *Report) markdownBoard(b *strings.Builder) {
	columns, rows := r.table()
	head, line := []string{"#", "model"}, []string{"--:", "---"}
	for _, c := range columns {
		if !c.Hidden {
			head, line = append(head, c.Title), append(line, "--:")
		}
	}
	writeRow(b, head)
	writeRow(b, line)
	for _, one := range rows {
		cells := []string{one.Rank, one.Name}
		for i, c := range one.Cells {
			if columns[i].Hidden {
				continue
			}
			text := c.Text
			if i == 0 && c.Small != "" {
				text += " (" + c.Small + ")"
			} else if strings.HasSuffix(c.Small, "*") {
				text += "*"
			}
			cells = append(cells, text)
		}
		writeRow(b, cells)
	}
	b.WriteString("\nAccuracy in percent; the overall with its 95% interval.")
	if text := r.aboutRanks(); text != "" {
		b.WriteString(" " + text)
	}
	if r.partial() {
		b.WriteString(" A star marks a figure over only part of the cases, which cannot be compared with that of a complete run.")
	}
	b.WriteString("\n\n")
}

func (g *grid) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "### %s\n\n", g.Title)
	writeRow(b, append([]string{"model"}, g.Heads...))
	writeRow(b, append([]string{"---"}, slices.Repeat([]string{"--:"}, len(g.Heads))...))
	for _, row := range g.Rows {
		cells := []string{row.Name}
		for _, c := range row.Cells {
			cells = append(cells, c.Text)
		}
		writeRow(b, cells)
	}
	b.WriteString("\n")
}

func writeRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		b.WriteString("| " + cellText(c) + " ")
	}
	b.WriteString("|\n")
}

// cellText escapes a name for Markdown. Figures and the marks of a column's
// alignment stay as they are.
func cellText(s string) string {
	if _, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64); err == nil || strings.Trim(s, "-:") == "" {
		return s
	}
	return say.PlainMarkdown(s)
}
