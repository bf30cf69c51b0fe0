// Package leaderboard has upstream's leaderboards: the tables that it writes, to
// the last digit, and the figures of the public one, with where another run
// would stand among them.
//
//	Tables, TablesV1  the files of a release, a row per Entry
//	Usage, Spend      tokens and seconds of a run; what they cost
//	Sensitivity       how much the accuracy depends on the prompt's format
//	All               the published models, the best first
//	Place             the ranks that a score's interval allows
//
// What enters an upstream table is computed exactly as upstream does, in its
// order of operations. The published figures are counts of right answers, from
// which the percentages can be computed to the last digit.
package leaderboard

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/number/score"
)

// An Entry is all that upstream's tables know of one model.
type Entry struct {
	// Model names the row.
	Model Model
	// Accuracy is by category; categories that were not run are not in it.
	Accuracy map[string]score.Accuracy
	// Spend is the cost and latency over all categories.
	Spend Spend
	// Format is nil if the format-sensitivity category was not run.
	Format *Sensitivity
}

// A File is a table as upstream writes it: comma-separated without quoting
// and without a newline at the end.
type File struct {
	// Name is the file's name.
	Name string
	// Text is the file's content.
	Text string
}

// Tables is upstream's generate_leaderboard_csv: the six files of V4, a
// row per entry, the best first. It returns an error if a model's text would
// break a row.
func Tables(entries []Entry) ([]File, error) {
	return write(entries, score.V4, v4Tables())
}

// TablesV1 returns the table of the V1 leaderboard, data.csv.
func TablesV1(entries []Entry) ([]File, error) {
	return write(entries, score.V1, []table{v1Table})
}

// WriteFiles writes tables into a folder, creating it if needed.
func WriteFiles(dir string, files []File) error {
	for _, f := range files {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(f.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A row is an entry with all its computed figures.
type row struct {
	*Entry
	groups map[string]score.Accuracy
}

// A column is a title and the cells below it.
type column struct {
	title string
	cell  func(*row) string
}

// A table is a file: its columns after the rank, and the key to sort by. Rows
// without a key come last.
type table struct {
	name    string
	columns []column
	key     func(*row) Figure
}

func write(entries []Entry, l *score.Layout, tables []table) ([]File, error) {
	rows := make([]*row, len(entries))
	for i := range entries {
		e := &entries[i]
		for _, s := range []string{e.Model.Name, e.Model.URL, e.Model.Org, e.Model.License} {
			if strings.ContainsFunc(s, unicode.IsControl) { // would forge a row; commas are allowed, as they are upstream
				return nil, fmt.Errorf("model %.100q: control characters in %.100q are not allowed in a table", e.Model.Name, s)
			}
		}
		rows[i] = &row{Entry: e, groups: l.Evaluate(e.Accuracy)}
	}
	files := make([]File, len(tables))
	for i, t := range tables {
		files[i] = File{Name: t.name, Text: t.text(rows)}
	}
	return files, nil
}

// cellText keeps a spreadsheet from evaluating a name that begins like a
// formula: an apostrophe before it marks it as text.
func cellText(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (t table) text(rows []*row) string {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b *row) int {
		x, y := t.key(a), t.key(b)
		switch {
		case x.Known && y.Known:
			return cmp.Compare(y.Value, x.Value)
		case x.Known:
			return -1
		case y.Known:
			return 1
		}
		return 0
	})
	lines := make([]string, 0, len(rows)+1)
	head := []string{"Rank"}
	for _, c := range t.columns {
		head = append(head, c.title)
	}
	lines = append(lines, strings.Join(head, ","))
	for i, r := range sorted {
		cells := []string{strconv.Itoa(i + 1)}
		for _, c := range t.columns {
			cells = append(cells, c.cell(r))
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	return strings.Join(lines, "\n")
}
