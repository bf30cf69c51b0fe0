package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// A dataFlags pair names the dataset that a command uses.
type dataFlags struct{ dataset, data string }

func (d *dataFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.dataset, "dataset", fixtures.Starter, "the `dataset`: starter, v4, v1, or a folder of dataset files")
	dataFlag(cmd, &d.data)
}

// open opens the dataset that the flags name.
func (d *dataFlags) open() (*fixtures.Dataset, error) {
	dataset, err := fixtures.Open(d.dataset, d.data)
	return dataset, misuse.Mark(err)
}

// place is where the cases of recorded answers are: in their own dataset, unless
// the flag names another.
func (d *dataFlags) place(cmd *cobra.Command, model string) tally.Place {
	at := tally.Place{Data: d.data, Model: model}
	if cmd.Flags().Changed("dataset") {
		at.Dataset = d.dataset
	}
	return at
}

// A categoryRow is what the list says about a category.
type categoryRow struct {
	Name     string   `json:"name"`
	Folder   string   `json:"folder"`
	Language string   `json:"language"`
	Cases    int      `json:"cases"`
	Retired  bool     `json:"retired,omitempty"`
	Groups   []string `json:"groups"`
}

// listCategories prints the categories, with the number of a dataset's cases.
func (a *app) listCategories(data dataFlags, asJSON bool) error {
	dataset, err := data.open()
	if err != nil {
		return err
	}
	rows, err := categoryRows(dataset)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(a.out, rows)
	}
	writeCategories(a.out, dataset.Name, rows)
	return nil
}

func categoryRows(dataset *fixtures.Dataset) ([]categoryRow, error) {
	groups := map[string][]string{}
	for _, g := range dataset.Categories().Groups() {
		for _, name := range g.Categories {
			groups[name] = append(groups[name], g.Name)
		}
	}
	var rows []categoryRow
	for _, cat := range dataset.Categories().All() {
		row := categoryRow{Name: cat.Name, Folder: cat.Group, Language: cat.Language.String(), Groups: groups[cat.Name]}
		if dataset.Has(cat) {
			cases, err := dataset.Cases(cat)
			if err != nil {
				return nil, err
			}
			row.Cases, row.Retired = len(cases), dataset.Retired(cat)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func writeCategories(w io.Writer, dataset string, rows []categoryRow) {
	total := 0
	fmt.Fprintf(w, "%-24s %6s  %-11s %s\n", "category", "cases", "language", "groups")
	for _, row := range rows {
		total += row.Cases
		groups := strings.Join(row.Groups, ", ")
		if row.Retired {
			groups = "retired: runs only if named"
		}
		fmt.Fprintf(w, "%-24s %6d  %-11s %s\n", row.Name, row.Cases, row.Language, groups)
	}
	fmt.Fprintf(w, "%-24s %6d  in dataset %s\n", "", total, say.Plain(dataset, 200))
}
