package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupKey annotates a flag with its heading in the help.
const groupKey = "bfcl_group"

// group puts flags under a heading in the help.
func group(set *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		_ = set.SetAnnotation(name, groupKey, []string{heading})
	}
}

// usage prints cobra's usage text, with the flags under headings.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-12s %s\n", sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(&b, "\nUse `%s <command> --help` for more about a command.\n", cmd.CommandPath())
	}
	writeFlags(&b, cmd.Flags())
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}

const plainHeading = "Flags"

func writeFlags(b *strings.Builder, all *pflag.FlagSet) {
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	all.SortFlags = false
	all.VisitAll(func(f *pflag.Flag) {
		heading := plainHeading
		if marks := f.Annotations[groupKey]; len(marks) > 0 {
			heading = marks[0]
		}
		if sets[heading] == nil {
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
			headings = append(headings, heading)
		}
		sets[heading].AddFlag(f)
	})
	for _, heading := range headings {
		if text := sets[heading].FlagUsagesWrapped(80); text != "" {
			fmt.Fprintf(b, "\n%s:\n%s", heading, text)
		}
	}
}
