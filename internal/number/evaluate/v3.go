package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

const notExecuted = "categories that carry calls out are left out: they need recorded answers of the APIs (see --replay)"

func (r *Report) noteOnce(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// noteLeft notes which files are left out, and why.
func (r *Report) noteLeft(o Options, folder *record.Folder, chosen []*eval.Category) {
	var gone []string
	for _, name := range slices.Sorted(maps.Keys(folder.Files)) {
		c := o.Dataset.Categories().Find(name)
		switch {
		case slices.Contains(chosen, c):
		case record.FromV3(folder.Files[name]) && o.Categories == "":
			gone = append(gone, name)
		case c == nil:
			r.Notes = append(r.Notes, fmt.Sprintf("%s is left out: this version has no category %q", folder.Files[name], name))
		case c.Executes && o.Executor == nil:
			r.noteOnce(notExecuted)
		}
	}
	if len(gone) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: cases that dataset %q no longer has are left out: %s", folder.Name(), o.Dataset.Name, strings.Join(gone, ", ")))
	}
}

// dropped removes from a file of the third release the rows of cases that
// today's data no longer has, and returns a note that names them; "" if there
// are none.
func (c *Category) dropped(at map[string]int, path, dataset string) string {
	if !record.FromV3(path) {
		return ""
	}
	var ids []string
	kept := c.rows[:0]
	for _, row := range c.rows {
		if _, ok := at[row.ID]; ok {
			kept = append(kept, row)
		} else {
			ids = append(ids, row.ID)
		}
	}
	if c.rows = kept; len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: cases that dataset %q no longer has are left out: %s", path, dataset, some(ids))
}

// some joins the first of many ids.
func some(ids []string) string {
	const few = 5
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
