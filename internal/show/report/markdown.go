package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/show/chart"
)

// Markdown writes the tables: the leaderboard by groups, the ladder, the
// taxonomy and, for complete runs of V4, the place among the published models.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## BFCL %s: %s\n\n", cellText(r.title()), count.Of(len(r.Runs()), "run", "runs"))
	for _, e := range r.Runs() {
		for _, text := range e.Missing {
			fmt.Fprintf(&b, "> %s: %s\n\n", cellText(e.Name), safe.PlainMarkdown(text))
		}
	}
	for _, text := range r.warnings() {
		fmt.Fprintf(&b, "> %s\n\n", safe.PlainMarkdown(text))
	}
	r.markdownBoard(&b)
	for _, e := range r.Runs() {
		if e.Standing != nil {
			fmt.Fprintf(&b, "**%s** %s\n\n", cellText(e.Name), lowerFirst(e.Standing.String()))
		}
	}
	if rows := r.ladderRows(); len(rows) > 0 {
		matrix(&b, "How far answers got where calls were wanted", levelTitles(), rows)
	}
	if kinds := r.kindsOf(); len(kinds) > 0 {
		var titles []string
		for _, kind := range kinds {
			titles = append(titles, kind.Title())
		}
		matrix(&b, r.kindsTitle(), titles, r.kindRows(kinds))
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

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
		if one.Published {
			cells[1] += " (published)"
		}
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

func matrix(b *strings.Builder, title string, columns []string, rows []chart.Line) {
	fmt.Fprintf(b, "### %s\n\n", title)
	writeRow(b, append([]string{"model"}, columns...))
	writeRow(b, append([]string{"---"}, strings.Split(strings.Repeat("--: ", len(columns)-1)+"--:", " ")...))
	for _, row := range rows {
		writeRow(b, append([]string{row.Name}, row.Labels...))
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
	return safe.PlainMarkdown(s)
}
