package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// shown are the commands that the help lists; --help-all lists the others.
var shown = []struct {
	title    string
	commands []string
}{
	{"Measure and decide", []string{"run", "failures", "report", "compare", "gate"}},
	{"Look closer", []string{"score", "trace", "judge", "view"}},
	{"Before a run", []string{"doctor", "models", "fetch"}},
	{"Questions of your own", []string{"init", "validate"}},
	{"Upstream's result files", []string{"evaluate"}},
}

// Annotations of flags and commands.
const (
	// groupKey is a flag's heading in the help, and its place there.
	groupKey = "bfcl_group"
	// rareKey marks a flag that only --help-all shows.
	rareKey = "bfcl_rare"
	// moreKey is what --help-all adds to a command's help.
	moreKey = "bfcl_more"
)

const (
	helpFlag    = "--help"
	helpAllFlag = "--help-all"
)

// helpAll makes --help of --help-all, and remembers it.
func (a *app) helpAll(args []string) []string {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == helpAllFlag {
			args[i], a.all = helpFlag, true
		}
	}
	return args
}

// group puts flags under a heading in the help, in this order.
func group(set *pflag.FlagSet, heading string, names ...string) {
	above := map[string]bool{}
	set.VisitAll(func(f *pflag.Flag) { above[place(f)[0]] = true })
	for i, name := range names {
		_ = set.SetAnnotation(name, groupKey, []string{heading, fmt.Sprintf("%02d %02d", len(above), i)})
	}
}

// rare keeps flags out of the help, except of --help-all.
func rare(set *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = set.SetAnnotation(name, rareKey, []string{"yes"})
	}
}

// usage prints how to use a command, with the flags and commands under headings.
func (a *app) usage(cmd *cobra.Command) error {
	var b strings.Builder
	line := cmd.UseLine()
	if !cmd.HasParent() {
		line = "bfcl COMMAND [flags]"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	switch {
	case !cmd.HasParent():
		a.writeCommands(&b, cmd)
	default:
		rest := writeFlags(&b, cmd.Flags(), a.all)
		if rest += len(cmd.Annotations[moreKey]); rest > 0 && !a.all {
			fmt.Fprintf(&b, "\n`%s %s` shows the rest.\n", cmd.CommandPath(), helpAllFlag)
		}
	}
	if more := cmd.Annotations[moreKey]; a.all && more != "" {
		fmt.Fprintf(&b, "\n%s\n", more)
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}

func (a *app) writeCommands(b *strings.Builder, root *cobra.Command) {
	listed := map[string]bool{}
	line := func(sub *cobra.Command) {
		fmt.Fprintf(b, "  %-11s %s\n", sub.Name(), sub.Short)
		listed[sub.Name()] = true
	}
	for _, g := range shown {
		fmt.Fprintf(b, "\n%s:\n", g.title)
		for _, name := range g.commands {
			if sub, _, err := root.Find([]string{name}); err == nil && sub != root {
				line(sub)
			}
		}
	}
	if a.all {
		b.WriteString("\nSeldom needed, or for programs:\n")
		for _, sub := range root.Commands() {
			if !listed[sub.Name()] && !sub.DisableFlagParsing && sub.Name() != "help" {
				line(sub)
			}
		}
	}
	fmt.Fprintf(b, "\n`%s COMMAND --help` explains a command, `%s --help-all` lists all of them.\n", root.Name(), root.Name())
}

const plainHeading = "Flags"

// writeFlags writes flags under their headings, and returns how many it leaves out.
func writeFlags(b *strings.Builder, set *pflag.FlagSet, all bool) (left int) {
	var headings []string
	by := map[string][]*pflag.Flag{}
	set.SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[rareKey] != nil && !all {
			left++
			return
		}
		heading := place(f)[0]
		if f.Name == "help" {
			return
		}
		if by[heading] == nil {
			headings = append(headings, heading)
		}
		by[heading] = append(by[heading], f)
	})
	inOrder := func(x, y *pflag.Flag) int { return cmp.Compare(place(x)[1], place(y)[1]) }
	slices.SortStableFunc(headings, func(x, y string) int { return inOrder(by[x][0], by[y][0]) })
	for _, heading := range headings {
		slices.SortStableFunc(by[heading], inOrder)
		part := pflag.NewFlagSet(heading, pflag.ContinueOnError)
		part.SortFlags = false
		for _, f := range by[heading] {
			part.AddFlag(f)
		}
		if text := part.FlagUsagesWrapped(80); text != "" {
			fmt.Fprintf(b, "\n%s:\n%s", heading, text)
		}
	}
	return left
}

// place is a flag's heading, and its place under it.
func place(f *pflag.Flag) []string {
	if marks := f.Annotations[groupKey]; len(marks) == 2 {
		return marks
	}
	return []string{plainHeading, ""}
}

// upstreamFlags are upstream's names of flags, which are understood.
var upstreamFlags = map[string]string{"test-category": "categories", "partial-eval": "partial", "num-threads": "concurrency"}

// normalize reads upstream's names of flags.
func normalize(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(cmp.Or(upstreamFlags[name], name))
}

// wrongFlag says whether an unknown flag is upstream's, go test's, or misspelt.
func wrongFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if why := option.Refused(name); why != "" {
		return errors.New(why)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	err = fmt.Errorf("%w%s", err, say.Hint(name, known))
	if cmd.Name() == "run" {
		err = fmt.Errorf("%w; flags of go test are for `go test . -model=…` in a checkout, and -ids chooses cases by patterns, too", err)
	}
	return err
}
