package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
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
		return misuse.Errorf("got %d runs, need one: name a model's folder", len(runs))
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
		_, err := fmt.Fprint(f.out, f.text(run, r, all, name))
		return err
	})
}

func (f *failing) options() (tally.Grouping, error) {
	o := tally.Grouping{By: cause.By(f.by), Categories: f.categories}
	if !slices.Contains(cause.Groupings, o.By) {
		return o, misuse.Errorf("--group must be cause, function or parameter, not %q", f.by)
	}
	if f.limit < 0 {
		return o, misuse.Errorf("--limit must not be negative, got %d", f.limit)
	}
	for _, name := range f.kinds {
		kind := cause.Kind(name)
		if kind.Title() == "" {
			return o, misuse.Errorf("--cause: unknown cause %q%s", name, say.Hint(name, kindNames()))
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
			return misuse.Errorf("the run has no category %q%s", name, say.Hint(name, have))
		}
	}
	return nil
}

// width is how wide a line of the table becomes.
const width = 80

func (f *failing) text(run *tally.Run, r *tally.Failures, all int, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s:\n%s.\n", say.Plain(run.Name, 60), say.Plain(run.Dataset, 40), say.Count(r.Total, "result", "results"), r)
	switch {
	case r.Wrong+r.Errors == 0:
		return b.String()
	case r.Ran != nil:
		fmt.Fprintf(&b, "Cases run: %d of %d that count.\n", r.Ran.Cases, r.Ran.Of)
	}
	b.WriteString("\n")
	if blame := r.Blame.String(); blame != "" {
		fmt.Fprintf(&b, "%s.\n\n", strings.Join(say.Wrap(blame, width), "\n"))
	}
	if r.Listed > 0 {
		fmt.Fprintf(&b, "%s to cases with a listed defect: see `bfcl errata`.\n\n", say.Count(r.Listed, "wrong answer is", "wrong answers are"))
	}
	b.WriteString("  n   share  points  cause\n")
	for i := range r.Groups {
		g := &r.Groups[i]
		line := fmt.Sprintf("%4d %6.1f%% %7.2f  %s", g.Count, 100*g.Share, g.Lost, g.Text())
		fmt.Fprintf(&b, "%s\n%s\n", clip(line, width), indent(g))
		if g.Suspect != nil {
			for _, line := range say.Wrap(say.Plain(g.Suspect.String(), 500), 51) {
				fmt.Fprintf(&b, "%*s%s\n", beside, "", line)
			}
		}
	}
	if all > len(r.Groups) {
		fmt.Fprintf(&b, "\n%s more: --limit 0 shows all.\n", say.Count(all-len(r.Groups), "group", "groups"))
	}
	b.WriteString("\n" + f.next(run, r, name))
	return b.String()
}

// beside is the indentation of texts on a group.
const beside = 22

// indent is a line with the categories of a group's failures and a few of their
// ids.
func indent(g *tally.Alike) string {
	most, n := "", 0
	for name, count := range g.Categories {
		if count > n || count == n && name < most {
			most, n = name, count
		}
	}
	where := most
	if rest := len(g.Categories) - 1; rest > 0 {
		where = fmt.Sprintf("%s %d, %s", most, n, say.Count(rest, "other category", "other categories"))
	}
	line := "                      " + where + ": "
	for i, id := range g.Examples {
		if id = say.Plain(id, 60); utf8.RuneCountInString(line)+len(id)+2 > width && i > 0 {
			break
		}
		if i > 0 {
			line += ", "
		}
		line += id
	}
	return line
}

// next lists the commands that show more.
func (f *failing) next(run *tally.Run, r *tally.Failures, name string) string {
	from, top := named(run, name, f.runs.Data), r.Groups[0]
	var b strings.Builder
	b.WriteString("next:\n")
	if cause.By(f.by) != cause.ByParameter {
		finer := map[cause.By]cause.By{cause.ByKind: cause.ByFunction, cause.ByFunction: cause.ByParameter}[cause.By(f.by)]
		fmt.Fprintf(&b, "  %s\n", from.Show("failures", "--cause", string(top.Kind), "--group", string(finer)))
	}
	if c, ok := from.Explain(top.Examples[0], isConversation(run, top.Examples[0])); ok {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String()
}

// isConversation reports whether a case of the run is a conversation.
func isConversation(run *tally.Run, id string) bool {
	for _, part := range run.Parts {
		for i := range part.Results {
			if c := part.Results[i].Case; c.ID == id {
				return c.Scene != nil
			}
		}
	}
	return false
}

func kindNames() (names []string) {
	for _, kind := range cause.Kinds() {
		names = append(names, string(kind))
	}
	return names
}
