package main

import (
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
)

func (a *app) modelsCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models [name]...",
		Short: "List the models known by name, with prices and keys",
		Long: `List the models that -model knows by name: those built in, and those of your own
models.yaml. Prices are dollars per million tokens. A model that is not listed
runs as adapter:id, as in openai:my-model with -base-url.`,
		Example: `  bfcl models
  bfcl models --models my-models.yaml --json
  bfcl models gpt-4.1-mini`,
		RunE: func(_ *cobra.Command, names []string) error {
			entries, err := modelEntries(file, names)
			if err != nil {
				return misuse.Mark(err)
			}
			if asJSON {
				return writeJSON(a.out, catalog.Rows(entries, catalog.Process()))
			}
			return catalog.WriteTable(a.out, entries, catalog.Process())
		},
	}
	cmd.Flags().StringVar(&file, "models", "", "a `file` of models of your own (default $BFCL_MODELS, else ./models.yaml where it exists)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
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
		entry, err := models.Resolve(name)
		if err != nil {
			return nil, err
		}
		out = append(out, entry)
	}
	return out, nil
}
