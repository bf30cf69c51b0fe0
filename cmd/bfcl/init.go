package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/dataset/toolserver"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show"
)

// An initiation is one `bfcl init`.
type initiation struct {
	*app
	dir, from string
	// operations choose operations of an OpenAPI document.
	operations []string
	headers    []string // to send to a server
	timeout    time.Duration
}

func (a *app) initCommand() *cobra.Command {
	i := &initiation{app: a}
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
	f.StringArrayVar(&i.headers, "header", nil, "a `header` to send to an address, \"Name: value\"; ${VARIABLE} in the value is taken from the environment; may be repeated")
	f.StringSliceVar(&i.operations, "operations", nil, "the `operations` of an OpenAPI document to use, separated by commas")
	f.DurationVar(&i.timeout, "timeout", time.Minute, "the longest `time` to start and ask a server")
	return cmd
}

func (i *initiation) run(cmd *cobra.Command, args []string) error {
	var words []string
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args, words = args[:dash], args[dash:]
	}
	i.dir = cmp.Or(strings.Join(args[:min(len(args), 1)], ""), "my-suite")
	switch {
	case len(args) > 1:
		return option.Misuse("name one folder, got %s", say.Quote(args[1], 100))
	case len(words) > 0 && i.from != "":
		return option.Misuse("--from and a program both give the tools: use one of them")
	case len(words) > 0, strings.HasPrefix(i.from, "http://"), strings.HasPrefix(i.from, "https://"):
		return i.fromServer(cmd.Context(), words)
	case i.from != "":
		return i.fromFile()
	}
	names, err := ownsuite.WriteExample(i.dir)
	if err != nil {
		return err
	}
	folder := i.wrote(names)
	fmt.Fprintf(i.out, "\nCheck it:  %s validate %s\nRun it:    %s run -dataset=%s -model=heuristic\n", program(), folder, program(), folder)
	return nil
}

// wrote lists the files of the suite, and returns its folder as a word for a shell
// that cannot be mistaken for a dataset's name.
func (i *initiation) wrote(names []string) string {
	for _, name := range names {
		fmt.Fprintln(i.out, say.Printable(filepath.Join(i.dir, filepath.FromSlash(name)), 300))
	}
	if filepath.IsAbs(i.dir) || filepath.Base(i.dir) != filepath.Clean(i.dir) {
		return say.ShellWord(i.dir)
	}
	return say.ShellWord("./" + i.dir)
}

// fromServer asks the MCP server at an address or, if there is none, the program
// that the words start. Only the list of tools is requested.
func (i *initiation) fromServer(ctx context.Context, program []string) error {
	ctx, stop := process.Interrupted(ctx)
	defer stop()
	limits := toolserver.Limits{Timeout: i.timeout}
	var listing *toolserver.Listing
	var err error
	switch {
	case i.from != "":
		listing, err = i.fromAddress(ctx, limits)
	case len(i.headers) > 0:
		return option.Misuse("--header needs the address of a server, not a program")
	default:
		listing, err = toolserver.Command(ctx, program, limits)
	}
	if ctx.Err() != nil && err != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	whole := pyval.NewDict(1)
	whole.SetStr("tools", listing.Tools)
	text, err := pyval.JSONIndent(whole, 2)
	if err != nil {
		return err
	}
	fmt.Fprintf(i.out, "%s has %s\n", say.Plain(listing.Server, 100), say.Count(len(listing.Tools.Items), "tool", "tools"))
	return i.begin(ownsuite.Source{Name: "mcp.json", Data: []byte(text + "\n")})
}

func (i *initiation) fromAddress(ctx context.Context, limits toolserver.Limits) (*toolserver.Listing, error) {
	headers := http.Header{}
	for _, h := range i.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, option.Misuse(`--header must be "Name: value"`)
		}
		missing := ""
		value = os.Expand(strings.TrimSpace(value), func(name string) string {
			v, ok := os.LookupEnv(name)
			if !ok {
				missing = name
			}
			return v
		})
		if missing != "" {
			return nil, option.Misuse("--header %s: the environment variable %s is not set", strings.TrimSpace(name), missing)
		}
		headers.Set(strings.TrimSpace(name), value)
	}
	return toolserver.URL(ctx, i.from, headers, limits)
}

// mostTools bounds a file of tools.
const mostTools = 64 << 20

// fromFile makes a suite from a file of tools.
func (i *initiation) fromFile() error {
	info, err := os.Stat(i.from)
	switch {
	case err != nil:
		return option.MarkMisuse(err)
	case info.IsDir():
		return option.Misuse("%s is a folder: name a file of tools", i.from)
	case info.Size() > mostTools:
		return option.Misuse("%s is larger than %d MB", i.from, mostTools>>20)
	}
	data, err := os.ReadFile(i.from)
	if err != nil {
		return option.MarkMisuse(err)
	}
	return i.begin(ownsuite.Source{Name: filepath.Base(i.from), Data: data, Operations: i.operations})
}

// begin writes a suite from tools, and prints what was lost and what to do next.
func (i *initiation) begin(from ownsuite.Source) error {
	from.Fits = validate.Fits
	s, err := ownsuite.Begin(filepath.Base(filepath.Clean(i.dir)), from)
	var faults ownsuite.Faults
	if errors.As(err, &faults) {
		return fmt.Errorf("the tools cannot be used, nothing was written:\n%w", err)
	}
	if err != nil {
		return err
	}
	if err := ownsuite.WriteNew(i.dir, s.Names, s.Files); err != nil {
		return err
	}
	folder := i.wrote(s.Names)
	i.tell(show.Begun(s)...)
	fmt.Fprintf(i.out, "\n%s. Put your users' questions into %s, then run:\n  %s validate %s\n  %s run -dataset=%s -model=heuristic\n",
		say.Count(len(s.Tools), "tool", "tools"), say.Printable(filepath.Join(i.dir, "cases", "requests.yaml"), 300), program(), folder, program(), folder)
	return nil
}
