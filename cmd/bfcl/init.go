package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/dataset/calllog"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/kit/safe"
)

func (a *app) initCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write an example suite to begin your own with",
		Long: `Write an example suite to begin your own with: a suite.yaml, tools from an
OpenAPI document and from a list of functions, and six cases in two categories.
It runs as it is. Nothing is overwritten: if one of its files exists, the exit
code is 2.

With --from the suite has your own tools, read from a file: a list of functions,
OpenAI tools, an OpenAPI 3 document, or an MCP server's answer to tools/list. A
log of model calls gives the cases too, as with bfcl import log. For a live MCP
server use bfcl import mcp.`,
		Example: `  bfcl init my-suite
  bfcl validate my-suite
  bfcl run -dataset=./my-suite -model=heuristic
  bfcl init --from tools.json my-suite`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "my-suite"
			if len(args) > 0 {
				dir = args[0]
			}
			switch {
			case from != "" && isLog(from):
				return (&logImport{app: a, dir: dir, format: string(calllog.Any)}).run(from)
			case from != "":
				return a.beginFrom(dir, from, "")
			}
			names, err := ownsuite.WriteExample(dir)
			if err != nil {
				return err
			}
			for _, name := range names {
				fmt.Fprintln(a.out, safe.Printable(filepath.Join(dir, filepath.FromSlash(name)), 300))
			}
			folder := shellWord(asFolder(dir))
			fmt.Fprintf(a.out, "\nCheck it:  %s validate %s\nRun it:    %s run -dataset=%s -model=heuristic\n", program(), folder, program(), folder)
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "a `file` of tools, or a log, to use instead of the example's tools")
	return cmd
}

// isLog reports whether a file can be read and looks like a log.
func isLog(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false // beginFrom reports it
	}
	defer func() { _ = file.Close() }()
	return calllog.IsLog(file)
}

// asFolder is a folder's name that cannot be mistaken for a dataset's.
func asFolder(dir string) string {
	if filepath.IsAbs(dir) || filepath.Base(dir) != filepath.Clean(dir) {
		return dir
	}
	return "./" + dir
}
