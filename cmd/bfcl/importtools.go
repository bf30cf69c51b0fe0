package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/dataset/toolserver"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A serverImport makes a suite of a live MCP server's tools.
type serverImport struct {
	*app
	dir     string
	headers []string
	timeout time.Duration
}

// run asks the server at an address or, if there is none, the program that the
// words start. Only the list of tools is requested.
func (s *serverImport) run(ctx context.Context, address string, program []string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	limits := toolserver.Limits{Timeout: s.timeout}
	var listing *toolserver.Listing
	var err error
	switch {
	case address != "":
		listing, err = s.address(ctx, address, limits)
	case len(s.headers) > 0:
		return misuse.Errorf("--header needs the address of a server, not a program")
	default:
		listing, err = toolserver.Command(ctx, program, limits)
	}
	if ctx.Err() != nil && err != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	return s.write(listing)
}

func isAddress(word string) bool {
	return strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://")
}

func (s *serverImport) address(ctx context.Context, address string, limits toolserver.Limits) (*toolserver.Listing, error) {
	headers := http.Header{}
	for _, h := range s.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, misuse.Errorf(`--header must be "Name: value"`)
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
			return nil, misuse.Errorf("--header %s: the environment variable %s is not set", strings.TrimSpace(name), missing)
		}
		headers.Set(strings.TrimSpace(name), value)
	}
	return toolserver.URL(ctx, address, headers, limits)
}

func (s *serverImport) write(listing *toolserver.Listing) error {
	whole := pyval.NewDict(1)
	whole.SetStr("tools", listing.Tools)
	text, err := pyval.JSONIndent(whole, 2)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s has %s\n", safe.Plain(listing.Server, 100), count.Of(len(listing.Tools.Items), "tool", "tools"))
	return s.begin(s.dir, "mcp.json", "mcp", []byte(text+"\n"))
}

// mostTools bounds a file of tools.
const mostTools = 64 << 20

// beginFrom makes a suite from a file of tools.
func (a *app) beginFrom(dir, file, format string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return misuse.Mark(err)
	case info.IsDir():
		return misuse.Errorf("%s is a folder: name a file of tools", file)
	case info.Size() > mostTools:
		return misuse.Errorf("%s is larger than %d MB", file, mostTools>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return misuse.Mark(err)
	}
	return a.begin(dir, filepath.Base(file), format, data)
}

// begin writes a suite from tools, and prints what was lost and what to do next.
func (a *app) begin(dir, file, format string, data []byte) error {
	s, err := ownsuite.Begin(filepath.Base(filepath.Clean(dir)), file, format, data)
	var faults ownsuite.Faults
	if errors.As(err, &faults) {
		return fmt.Errorf("the tools cannot be used, nothing was written:\n%w", err)
	}
	if err != nil {
		return err
	}
	if err := ownsuite.WriteNew(dir, s.Names, s.Files); err != nil {
		return err
	}
	for _, name := range s.Names {
		fmt.Fprintln(a.out, safe.Printable(filepath.Join(dir, filepath.FromSlash(name)), 300))
	}
	a.tellLost(s.Tools)
	folder := shellWord(asFolder(dir))
	fmt.Fprintf(a.out, "\n%s. Put your users' questions into %s, then run:\n  %s validate %s\n  %s run -dataset=%s -model=heuristic\n",
		count.Of(len(s.Tools), "tool", "tools"), safe.Printable(filepath.Join(dir, "cases", "requests.yaml"), 300), program(), folder, program(), folder)
	return nil
}

// tellLost lists what a tool cannot express, each with the operations it is about.
func (a *app) tellLost(tools []ownsuite.Tool) {
	by := map[string][]string{}
	var order []string
	for _, tool := range tools {
		for _, what := range tool.Lost {
			if by[what] == nil {
				order = append(order, what)
			}
			by[what] = append(by[what], tool.Name)
		}
	}
	slices.Sort(order)
	const most = 5
	for _, what := range order {
		names := by[what]
		more := ""
		if n := len(names) - most; n > 0 {
			names, more = names[:most], fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(a.err, "bfcl: lost: %s (%s%s)\n", safe.Printable(what, 200), safe.Printable(strings.Join(names, ", "), 300), more)
	}
}
