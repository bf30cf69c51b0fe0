package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// An exporting is one `bfcl report` in a form for other tools.
type exporting struct {
	*app
	runs        runFlags
	csv, output string
	lmEval      string
	asJSON      bool
}

// register defines the flags that bfcl report does not have itself.
func (e *exporting) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&e.csv, "csv", "", "upstream's leaderboard tables, with its names and columns, into this `folder`")
	flags.StringVar(&e.lmEval, "lm-eval", "", "a results file and samples in the form of lm-evaluation-harness, into this `folder`")
	flags.BoolVar(&e.asJSON, "json", false, "a list of the runs' scores, as bfcl score --json prints one")
	group(flags, "Instead of the page", exportForms...)
	cmd.MarkFlagsMutuallyExclusive(append([]string{"markdown"}, exportForms...)...)
	cmd.MarkFlagsMutuallyExclusive("csv", "lm-eval", "output")
}

// exportForms are the forms for other tools.
var exportForms = []string{"csv", "lm-eval", "json"}

// chosen reports whether one of them is asked for.
func (e *exporting) chosen() bool {
	return e.csv != "" || e.lmEval != "" || e.asJSON
}

func (e *exporting) run(paths []string) error {
	e.runs.o.Answers = true // tables read tokens and latencies as recorded
	runs, err := e.runs.read(e.app, paths)
	if err != nil {
		return err
	}
	if !e.asJSON { // JSON has them inside
		for _, text := range tally.Warnings(runs) {
			fmt.Fprintln(e.err, "bfcl: "+say.Printable(text, 1000))
		}
	}
	switch {
	case e.csv != "":
		return e.tables(runs)
	case e.lmEval != "":
		for _, run := range runs {
			files, err := export.LMEval(run)
			if err := e.wrote("files", e.lmEval, files, err); err != nil {
				return err
			}
		}
		return nil
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
	return e.wrote("tables", e.csv, files, err)
}

func (e *exporting) wrote(what, dir string, files []leaderboard.File, err error) error {
	if err == nil {
		err = leaderboard.WriteFiles(dir, files)
	}
	if err == nil {
		fmt.Fprintf(e.err, "bfcl: %d %s in %s\n", len(files), what, dir)
	}
	return err
}

func (e *exporting) write(w io.Writer, runs []*tally.Run) error {
	var all []export.ScoreFile
	for _, run := range runs {
		s, err := run.Score(e.runs.allowErrors)
		if err != nil {
			return fmt.Errorf("%s: %w", say.Plain(run.Name, 200), err)
		}
		all = append(all, export.ScoreOf(run, s))
	}
	return writeJSON(w, all)
}
