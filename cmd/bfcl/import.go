package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/dataset/calllog"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
)

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Make a suite of logs, an MCP server or an OpenAPI document",
		Long:  "Make a suite of your own from logs, an MCP server or an OpenAPI document.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.importLogCommand(), a.importMCPCommand(), a.importOpenAPICommand())
	return cmd
}

func (a *app) importLogCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "openai-log FILE -o FOLDER",
		Short: "Make cases of logged chat completions",
		Long: `Read a log of chat completions, a JSON object a line with the request and the
response, and write a suite: each request becomes a case, the calls of its
response the possible answer, marked "review: true" until a person has checked
it. Tools are written once, however many requests show them.

Only messages, tools and calls are taken from a line. Texts in them that look
like keys are replaced by ***; headers are never read. Lines that make no case
are listed with the reason. - reads standard input.

Exit codes: 0 done, with or without lines left out; 2 nothing was written;
3 wrong usage.`,
		Example: `  bfcl import openai-log calls.jsonl -o my-suite
  bfcl validate my-suite`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			log, err := a.readLog(args[0])
			if err != nil {
				return err
			}
			return a.writeLog(log, dir, asJSON)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write the suite into")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagRequired("output")
	return cmd
}

func (a *app) readLog(name string) (*calllog.Log, error) {
	in := a.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, misuse.Mark(err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	return calllog.Read(in)
}

func (a *app) writeLog(log *calllog.Log, dir string, asJSON bool) error {
	a.tellSkipped(log)
	if len(log.Cases) == 0 {
		return errors.New("no line makes a case: nothing was written")
	}
	names, files, err := log.Files(filepath.Base(filepath.Clean(dir)))
	if err != nil {
		return err
	}
	if err := ownsuite.WriteNew(dir, names, files); err != nil {
		return err
	}
	if asJSON {
		return writeJSON(a.out, map[string]any{
			"lines": log.Lines, "cases": len(log.Cases), "tools": len(log.Tools), "renamed": log.Renamed,
			"masked": log.Masked, "skipped": append([]calllog.Skip{}, log.Skipped...), "files": names,
		})
	}
	fmt.Fprintf(a.out, "%d of %d lines made cases, with %d tools", len(log.Cases), log.Lines, len(log.Tools))
	if log.Renamed > 0 {
		fmt.Fprintf(a.out, " (%d had the name of another and got a number)", log.Renamed)
	}
	if log.Masked > 0 {
		fmt.Fprintf(a.out, "; %d texts that looked like keys were replaced", log.Masked)
	}
	folder := shellWord(asFolder(dir))
	fmt.Fprintf(a.out, "\nLook the answers over in %s, then: %s validate %s\n", safe.Printable(filepath.Join(dir, "cases"), 300), program(), folder)
	return nil
}

// tellSkipped names the lines that were left out.
func (a *app) tellSkipped(log *calllog.Log) {
	const most = 20
	for i, s := range log.Skipped {
		if i == most {
			fmt.Fprintf(a.err, "bfcl: and %d more lines left out\n", len(log.Skipped)-most)
			return
		}
		fmt.Fprintf(a.err, "bfcl: line %d left out: %s\n", s.Line, safe.Printable(s.Reason, 300))
	}
}
