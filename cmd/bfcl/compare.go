package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// A comparing is one `bfcl compare`.
type comparing struct {
	*app
	read     tally.Options
	o        compare.Options
	measure  string
	flips    int
	markdown bool
	verbose  bool
	// names are the runs as the user named them, and given the flags that say how
	// they are read.
	names, given []string
}

func (a *app) compareCommand() *cobra.Command {
	c := &comparing{app: a}
	cmd := &cobra.Command{
		Use:   "compare A B [C...]",
		Short: "Compare runs case by case: what changed, is it real, and ranks",
		Long: `Compare two runs, or rank several. Each is a run folder, a JUnit file, the
shards of a run (their folder, or their names separated by commas), or one of
upstream's result folders, whose answers are judged; a folder with several
models gives one run for each.

Runs are compared on the same cases. One screen says whether B is better or
worse than A, whether that is real, where and why, and what to beware of; -v
adds groups and categories with p values, all notes, the cases fixed and broken,
cost and latency. With more than two runs, each gets the range of ranks that
significant differences allow. Runs of different cases are refused; --intersect
compares the cases that all have.

` + exitCodes,
		Example: `  bfcl compare results/old results/new
  bfcl compare --markdown baseline.xml results/new > comparison.md
  bfcl compare --data bfcl-data upstream/result results/mine results/other
  bfcl compare shard-0,shard-1 results/new`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			c.verbose = c.verbose || cmd.Flags().Changed("flips")
			for _, name := range []string{"intersect", "dataset", "data", "partial"} {
				if f := cmd.Flags().Lookup(name); f.Changed {
					c.given = append(c.given, strings.TrimSuffix("--"+name+"="+f.Value.String(), "=true"))
				}
			}
			return c.run(names)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "show everything: groups and categories, all notes, the cases that differ, cost")
	flags.StringVar(&c.measure, "measure", "accuracy", "the `measure` to compare: accuracy or, for several trials, pass@k or pass^k, such as pass^3")
	flags.BoolVar(&c.o.Intersect, "intersect", false, "if the runs have different cases, compare those that all have")
	flags.BoolVar(&c.o.AllowErrors, "allow-errors", false, "count infrastructure errors as upstream does; without it, their cases are left out")
	flags.IntVar(&c.flips, "flips", 5, "list at most this many `cases` that differ in each direction, with all that -v shows; -1 for all")
	a.jsonFlag(cmd, "print JSON")
	flags.BoolVar(&c.markdown, "markdown", false, "print Markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	registerRead(cmd, &c.read)
	return cmd
}

func (c *comparing) run(names []string) error {
	var err error
	if c.o.Measure, err = stat.ParseMeasure(c.measure); err != nil {
		return option.Misuse("--measure: %w", err)
	}
	names = c.together(names, c.o.Intersect, 2)
	c.names = names
	c.read.Answers = len(names) == 2
	c.read.Each = func(run *tally.Run) {
		for _, r := range run.All() {
			r.Text, r.Entry, r.Log = "", nil, "" // they take memory, and are not compared
		}
	}
	runs, err := tally.ReadAll(names, c.read)
	if err != nil {
		return err
	}
	if len(runs) < 2 {
		return option.Misuse("got only one run: name the runs to compare it with")
	}
	c.noteAll(runs)
	runs, notes, err := compare.Align(runs, c.o)
	if err != nil {
		return err
	}
	if c.flips < 0 {
		c.flips = 1 << 30
	}
	audited, err := compare.Audit(runs, c.o)
	if err != nil {
		return err
	}
	notes = append(notes, tally.Warnings(runs, c.o.AllowErrors)...)
	if len(runs) == 2 {
		return c.pair(runs, notes, audited)
	}
	return c.rank(runs, append(notes, audited...))
}

// noteAll prints the runs' remarks, each once.
func (a *app) noteAll(runs []*tally.Run) {
	var said []string
	for _, r := range runs {
		for _, note := range r.Notes {
			if !slices.Contains(said, note) {
				said = append(said, note)
				a.tell(say.Printable(note, 500))
			}
		}
	}
}

func (c *comparing) pair(runs []*tally.Run, notes, audited []string) error {
	result, err := compare.Pair(runs[0], runs[1], c.o)
	if err != nil {
		return err
	}
	changed := compare.TransformationBetween(runs[0], runs[1])
	result.Notes, result.Figures = notes, append(audited, result.Blame(runs[0], runs[1])...)
	switch {
	case c.asJSON:
		return writeJSON(c.out, struct {
			*compare.Comparison
			Change *compare.Transformation `json:"change,omitempty"`
		}{result, changed})
	case c.markdown:
		err = export.Comparison(c.out, say.Screen{Markdown: true}, result, c.flips)
	case !c.verbose:
		said := ""
		if changed != nil {
			said = changed.String()
		}
		return export.Difference(c.out, screenOf(c.out), result, said, c.next(result, runs)...)
	default:
		err = export.Comparison(c.out, screenOf(c.out), result, c.flips)
	}
	if err != nil || changed == nil {
		return err
	}
	return changed.Write(c.out)
}

// next proposes commands after a comparison: the costliest case, all figures, a decision.
func (c *comparing) next(result *compare.Comparison, runs []*tally.Run) (lines []string) {
	paths := c.names
	if len(paths) != 2 { // one folder with both
		paths = []string{runs[0].Path, runs[1].Path}
	}
	worse := 1
	reasons, won := result.Reasons()
	if d := result.Overall; d != nil && d.Value > 0 {
		worse, reasons = 0, won
	}
	name := show.Named(runs[worse], paths[worse], c.read.Data)
	for _, r := range runs[worse].All() {
		if len(reasons) > 0 && r.Case.ID == reasons[0].Flips[0].ID && r.Trial == 0 {
			if explain, ok := name.Explain(r.Case.ID, r.Case.Scene != nil); ok {
				lines = append(lines, explain.String())
			}
		}
	}
	propose := func(words ...string) string { return advise.Command{Words: append(words, c.given...)}.String() }
	return append(lines, propose("compare", "-v", paths[0], paths[1]),
		advise.Command{Words: []string{"gate", "--init"}}.String()+" > gate.yaml && "+propose("gate", "--config", "gate.yaml", paths[1], "--baseline", paths[0]))
}

func (c *comparing) rank(runs []*tally.Run, notes []string) error {
	result, err := compare.Rank(runs, c.o)
	if err != nil {
		return err
	}
	result.Notes = append(notes, compare.Suspects(runs)...)
	switch {
	case c.asJSON:
		return writeJSON(c.out, result)
	case c.markdown:
		return export.Ranking(c.out, say.Screen{Markdown: true}, result)
	}
	return export.Ranking(c.out, screenOf(c.out), result)
}

// screenOf is the screen a comparison is printed on.
func screenOf(w io.Writer) say.Screen {
	return say.Screen{Width: columns(w), Colour: colour(w)}
}
