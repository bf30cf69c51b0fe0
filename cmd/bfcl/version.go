package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
)

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Hidden:  true,
		Short:   "Print the version",
		Long:    "Print the version of the command and of the Go it was built with.",
		Example: "  bfcl version --json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(a.out, map[string]string{
					"version": version.String(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			fmt.Fprintf(a.out, "bfcl %s, %s %s/%s\n", version.String(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func writeJSON(w io.Writer, v any) error { return say.EncodeJSON(w, v, "  ") }
