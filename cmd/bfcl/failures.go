package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show"
)

// A failing is one `bfcl failures`.
type failing struct {
	*app
	runs       tally.Options
	by         string
	categories []string
	kinds      []string
	limit      int
}

func (a *app) failuresCommand() *cobra.Command {
	f := &failing{app: a}
	cmd := &cobra.Command{
		Use:   "failures RUN",
		Short: "Group a run's failures by cause, the most costly first",
		Long: `Group the failures of a run by cause, with the percentage points that each group
costs the overall. --group says how finely: by cause (the kind of mistake), by
function (the kind and the function), or by parameter (also the parameter, and
what was answered for it).

` + namingRuns + `

` + exitCodes,
		Example: `  bfcl failures results/mine
  bfcl failures results/mine --category parallel --group function
  bfcl failures results/mine --cause value --group parameter --limit 0`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0]) },
	}
	registerRead(cmd, &f.runs)
	flags := cmd.Flags()
	flags.StringVar(&f.by, "group", string(cause.ByKind), "the `level` to group by: cause, function or parameter")
	flags.StringSliceVar(&f.categories, "category", nil, "only these `categories`")
	flags.StringSliceVar(&f.kinds, "cause", nil, "only these `causes`, as --json spells them")
	flags.IntVar(&f.limit, "limit", 20, "show at most `n` groups; 0 for all")
	a.jsonFlag(cmd, "print JSON")
	return cmd
}

func (f *failing) run(name string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	reading := runFlags{o: f.runs}
	runs, err := reading.read(f.app, []string{name})
	if err != nil {
		return err
	}
	if len(runs) != 1 {
		return option.Misuse("got %d runs, need one: name a model's folder", len(runs))
	}
	run := runs[0]
	if err := f.known(run); err != nil {
		return err
	}
	r, err := run.Failures(o)
	if err != nil {
		return err
	}
	all := len(r.Groups)
	if f.limit > 0 {
		r.Groups = r.Groups[:min(f.limit, all)]
	}
	return f.show(r, func() error {
		_, err := fmt.Fprint(f.out, show.Failures(run, r, all, o.By, show.Named(run, name, f.runs.Data)))
		return err
	})
}

func (f *failing) options() (tally.Grouping, error) {
	o := tally.Grouping{By: cause.By(f.by), Categories: f.categories}
	if !slices.Contains(cause.Groupings, o.By) {
		return o, option.Misuse("--group must be cause, function or parameter, not %q", f.by)
	}
	if f.limit < 0 {
		return o, option.Misuse("--limit must not be negative, got %d", f.limit)
	}
	for _, name := range f.kinds {
		kind := cause.Kind(name)
		if kind.Title() == "" {
			var names []string
			for _, kind := range cause.Kinds() {
				names = append(names, string(kind))
			}
			return o, option.Misuse("--cause: unknown cause %q%s", name, say.Hint(name, names))
		}
		o.Kinds = append(o.Kinds, kind)
	}
	return o, nil
}

// known refuses categories that the run does not have.
func (f *failing) known(run *tally.Run) error {
	var have []string
	for _, part := range run.Parts {
		have = append(have, part.Category.Name)
	}
	for _, name := range f.categories {
		if !slices.Contains(have, name) {
			return option.Misuse("the run has no category %q%s", name, say.Hint(name, have))
		}
	}
	return nil
}
