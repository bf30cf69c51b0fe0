package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
)

func (a *app) modelsCommand() *cobra.Command {
	var file string
	var dialects, categories bool
	var data dataFlags
	cmd := &cobra.Command{
		Use:   "models [name]...",
		Short: "List the models known by name; the dialects; the categories",
		Long: `List the models that -model knows by name: the built-in ones, and those in your
own models.yaml. Prices are in dollars per million tokens. A model that is not
listed runs as adapter:id, such as openai:my-model with -base-url.

With --dialects, list the ways of writing calls that bfcl reads: those of the
leaderboards' models and of later ones, and what each reading was compared with:
upstream's handler, a chat template, public reports, or only its own example. A
model's result folder is read in its own dialect.

With --categories, list the benchmark's categories, the groups they belong to,
and how many cases of each the dataset has. -categories of bfcl run takes the
names of both. A retired category runs only if it is named itself.`,
		Example: `  bfcl models
  bfcl models --models my-models.yaml --json
  bfcl models gpt-4.1-mini
  bfcl models --dialects
  bfcl models --categories --dataset v4`,
		RunE: func(_ *cobra.Command, names []string) error {
			switch {
			case categories && len(names) > 0:
				return option.Misuse("--categories takes no names of models")
			case categories:
				return a.listCategories(data)
			case dialects:
				return a.listDialects()
			}
			entries, err := modelEntries(file, names)
			if err != nil {
				return option.MarkMisuse(err)
			}
			return a.show(catalog.Rows(entries, catalog.Process()), func() error { return catalog.WriteTable(a.out, entries, catalog.Process()) })
		},
	}
	cmd.Flags().StringVar(&file, "models", "", "a `file` of models of your own (default $BFCL_MODELS, else ./models.yaml if it exists)")
	a.jsonFlag(cmd, "print JSON")
	cmd.Flags().BoolVar(&dialects, "dialects", false, "list the dialects, the ways of writing calls, instead")
	cmd.Flags().BoolVar(&categories, "categories", false, "list the categories of --dataset instead")
	data.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("dialects", "categories")
	return cmd
}

// listDialects writes each dialect's name, what it was compared with and what it looks like.
func (a *app) listDialects() error {
	type row struct {
		Name string `json:"name"`
		Doc  string `json:"looks_like"`
		Held string `json:"held_against"`
	}
	var rows []row
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, d := range dialect.All() {
		rows = append(rows, row{d.Name, d.Doc, d.Held()})
		for i, line := range say.Wrap(d.Doc, 43) {
			name, held := d.Name, d.Held()
			if i > 0 {
				name, held = "", ""
			}
			_, _ = fmt.Fprintf(t, "%s\t%s\t%s\n", name, held, line)
		}
	}
	return a.show(rows, t.Flush)
}

func modelEntries(file string, names []string) ([]catalog.Entry, error) {
	if _, err := catalog.LoadEnv(".env"); err != nil {
		return nil, err
	}
	models, err := catalog.Load(catalog.Files(file, catalog.Process())...)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return models.List(), nil
	}
	var out []catalog.Entry
	for _, name := range names {
		entry, err := adapters.Resolve(models, name)
		if err != nil {
			return nil, err
		}
		if family, ok := dialect.FamilyOf(entry.Name + " " + entry.ID); ok && entry.Dialect == "" && entry.Mode != eval.Prompt {
			entry.Dialect = family.Dialect.Name
		}
		out = append(out, entry)
	}
	return out, nil
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
func (a *app) listCategories(data dataFlags) error {
	dataset, err := data.open()
	if err != nil {
		return err
	}
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
				return err
			}
			row.Cases, row.Retired = len(cases), dataset.Retired(cat)
		}
		rows = append(rows, row)
	}
	if a.asJSON {
		return writeJSON(a.out, rows)
	}
	total := 0
	fmt.Fprintf(a.out, "%-24s %6s  %-11s %s\n", "category", "cases", "language", "groups")
	for _, row := range rows {
		total += row.Cases
		groups := strings.Join(say.Wrap(strings.Join(row.Groups, ", "), 35), fmt.Sprintf("\n%45s", ""))
		if row.Retired {
			groups = "retired: runs only if named"
		}
		fmt.Fprintf(a.out, "%-24s %6d  %-11s %s\n", row.Name, row.Cases, row.Language, groups)
	}
	fmt.Fprintf(a.out, "%-24s %6d  in dataset %s\n", "", total, say.Plain(dataset.Name, 200))
	return nil
}
