package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// An initiation is one `bfcl init`.
type initiation struct {
	*app
	dir, from string
	// operations choose operations of an OpenAPI document.
	operations []string
	server     serverImport
}

func (a *app) initCommand() *cobra.Command {
	i := &initiation{app: a, server: serverImport{app: a}}
	cmd := &cobra.Command{
		Use:   "init [FOLDER] [--from SOURCE | -- PROGRAM [ARGUMENT...]]",
		Short: "Write a suite: an example, or from your tools",
		Long: `Write an example suite to begin your own with: a suite.yaml, tools from an
OpenAPI document and from a list of functions, and six cases in two categories.
It runs as it is. Nothing is overwritten: if one of its files exists, the exit
code is 2.

With --from the suite has your own tools. SOURCE is a file: a list of functions,
OpenAI tools, an OpenAPI 3 or Swagger 2 document or an MCP server's answer to
tools/list; or the address of a live MCP server. A PROGRAM is started as an MCP
server and ended with all that it started. A server is asked for its list of
tools only.

What a tool cannot express is left out and listed, with counts by reason.
--operations chooses operations of an OpenAPI document: ids, "tag:issues",
methods (GET), paths, or "POST /repos/*"; * is any text, and ! excepts. Names
that providers refuse get new ones, which tools/names.yaml maps.

Exit codes: 0 done; 2 nothing was written; 3 wrong usage; 130 interrupted.`,
		Example: `  bfcl init my-suite
  bfcl run -dataset=./my-suite -model=heuristic
  bfcl init my-suite --from tools.json
  bfcl init my-suite --from https://example.com/mcp --header "Authorization: Bearer ${TOKEN}"
  bfcl init my-suite -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&i.from, "from", "", "a `source` to use instead of the example's tools: a file of tools, or an address")
	f.StringArrayVar(&i.server.headers, "header", nil, "a `header` to send to an address, \"Name: value\"; ${VARIABLE} in the value is taken from the environment; may be repeated")
	f.StringSliceVar(&i.operations, "operations", nil, "the `operations` of an OpenAPI document to use, separated by commas")
	f.DurationVar(&i.server.timeout, "timeout", time.Minute, "the longest `time` to start and ask a server")
	return cmd
}

func (i *initiation) run(cmd *cobra.Command, args []string) error {
	var words []string
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args, words = args[:dash], args[dash:]
	}
	switch {
	case len(args) > 1:
		return misuse.Errorf("name one folder, got %s", say.Quote(args[1], 100))
	case len(args) == 1:
		i.dir = args[0]
	}
	if i.dir == "" {
		i.dir = "my-suite"
	}
	i.server.dir = i.dir
	return i.make(cmd.Context(), words)
}

// make makes the suite of what the source is.
func (i *initiation) make(ctx context.Context, words []string) error {
	switch {
	case len(words) > 0 && i.from != "":
		return misuse.Errorf("--from and a program both give the tools: use one of them")
	case len(words) > 0, isAddress(i.from):
		return i.server.run(ctx, i.from, words)
	case i.from == "-", strings.HasSuffix(i.from, ".jsonl"):
		return misuse.Errorf("%s", option.Gone["-format"])
	case i.from != "":
		return i.beginFrom(i.dir, i.from, i.operations)
	}
	names, err := ownsuite.WriteExample(i.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		fmt.Fprintln(i.out, say.Printable(filepath.Join(i.dir, filepath.FromSlash(name)), 300))
	}
	folder := shellWord(asFolder(i.dir))
	fmt.Fprintf(i.out, "\nCheck it:  %s validate %s\nRun it:    %s run -dataset=%s -model=heuristic\n", program(), folder, program(), folder)
	return nil
}

// asFolder is a folder's name that cannot be mistaken for a dataset's.
func asFolder(dir string) string {
	if filepath.IsAbs(dir) || filepath.Base(dir) != filepath.Clean(dir) {
		return dir
	}
	return "./" + dir
}
