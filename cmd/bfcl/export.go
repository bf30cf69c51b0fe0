package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// An exporting is one `bfcl export`.
type exporting struct {
	*app
	runs          runFlags
	csv, output   string
	inspect       string
	asJSON, lines bool
	promptfoo     bool
	answers       bool
}

func (a *app) exportCommand() *cobra.Command {
	e := &exporting{app: a}
	cmd := &cobra.Command{
		Use:   "export RUN... (--csv FOLDER | --json | --jsonl | --inspect FOLDER | --promptfoo)",
		Short: "Write runs as upstream's tables, JSON, or JSON lines per case",
		Long: `Write runs for notebooks, dashboards and other tools:

  --csv        upstream's leaderboard tables, with upstream's names and columns
  --json       a list with each run's score, as bfcl score --json prints it
  --jsonl      a line of JSON for each case and trial
  --inspect    a folder with an Inspect log for each run, for inspect view
  --promptfoo  results for promptfoo import

Fields of --jsonl are named as in OpenTelemetry's semantic conventions for
generative AI, if they define a name (gen_ai.request.model,
gen_ai.usage.input_tokens, gen_ai.evaluation.score.value); all others begin with
"bfcl.". docs/report.md lists them. --inspect and --promptfoo include questions
and answers; promptfoo's totals are not the score.

` + namingRuns + `

` + exitCodes,
		Example: `  bfcl export results/*/ --csv tables
  bfcl export results/mine --json
  bfcl export results/mine --inspect logs && inspect view --log-dir logs
  bfcl export results/old results/new --promptfoo -o old-new.json
  bfcl export results/mine results/theirs --jsonl -o cases.jsonl
  bfcl export results/mine --jsonl --answers | jq 'select(."bfcl.kind" == "value")'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return e.run(paths) },
	}
	e.runs.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&e.csv, "csv", "", "write upstream's tables into this `folder`")
	flags.BoolVar(&e.asJSON, "json", false, "print the scores as JSON")
	flags.BoolVar(&e.lines, "jsonl", false, "print a line of JSON for each case")
	flags.StringVar(&e.inspect, "inspect", "", "write an Inspect log for each run into this `folder`")
	flags.BoolVar(&e.promptfoo, "promptfoo", false, "print results as promptfoo imports them")
	flags.BoolVar(&e.answers, "answers", false, "with --jsonl, the recorded answers too")
	flags.StringVarP(&e.output, "output", "o", "", "write to this `file` instead of standard output")
	forms := []string{"csv", "json", "jsonl", "inspect", "promptfoo"}
	cmd.MarkFlagsMutuallyExclusive(forms...)
	cmd.MarkFlagsOneRequired(forms...)
	cmd.MarkFlagsMutuallyExclusive("csv", "output")
	cmd.MarkFlagsMutuallyExclusive("inspect", "output")
	return cmd
}

func (e *exporting) run(paths []string) error {
	if e.answers && !e.lines {
		return misuse.Errorf("--answers needs --jsonl")
	}
	e.runs.o.Answers = true // tables read tokens and latencies as recorded
	runs, err := e.runs.read(e.app, paths)
	if err != nil {
		return err
	}
	if !e.asJSON { // JSON has them inside
		for _, text := range tally.Warnings(runs) {
			fmt.Fprintln(e.err, "bfcl: "+safe.Printable(text, 1000))
		}
	}
	switch {
	case e.csv != "":
		return e.tables(runs)
	case e.inspect != "":
		return e.logs(runs)
	}
	if e.output == "" {
		return e.write(e.out, runs)
	}
	var b bytes.Buffer
	if err := e.write(&b, runs); err != nil {
		return err
	}
	return record.WriteFile(e.output, b.Bytes())
}

func (e *exporting) tables(runs []*tally.Run) error {
	files, err := export.Tables(runs, e.runs.allowErrors)
	if err != nil {
		return err
	}
	if err := leaderboard.WriteFiles(e.csv, files); err != nil {
		return err
	}
	fmt.Fprintf(e.err, "bfcl: %d tables in %s\n", len(files), e.csv)
	return nil
}

// logs writes Inspect's logs.
func (e *exporting) logs(runs []*tally.Run) error {
	files, err := export.Inspect(runs, e.runs.allowErrors)
	if err != nil {
		return err
	}
	if err := leaderboard.WriteFiles(e.inspect, files); err != nil {
		return err
	}
	fmt.Fprintf(e.err, "bfcl: %d logs in %s\n", len(files), e.inspect)
	return nil
}

func (e *exporting) write(w io.Writer, runs []*tally.Run) error {
	if e.promptfoo {
		return export.Promptfoo(w, runs)
	}
	if e.lines {
		return export.Lines(w, runs, e.answers)
	}
	var all []export.ScoreFile
	for _, run := range runs {
		s, err := run.Score(e.runs.allowErrors)
		if err != nil {
			return fmt.Errorf("%s: %w", safe.Plain(run.Name, 200), err)
		}
		all = append(all, export.ScoreOf(run, s))
	}
	return writeJSON(w, all)
}
