package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/show/report"
)

// A reporting is one `bfcl report`.
type reporting struct {
	*app
	runs     runFlags
	output   string
	markdown bool
	lmEval   string // the folder for lm-evaluation-harness' files
}

func (a *app) reportCommand() *cobra.Command {
	r := &reporting{app: a}
	cmd := &cobra.Command{
		Use:   "report RUN... [-o report.html]",
		Short: "Make a page of runs, or Markdown or files for other tools",
		Long: `Make one HTML file of runs that opens in any browser, without a server or a
network: the leaderboard, the causes of failures, the change between two runs,
and every case with its question, expected and actual answer.

` + namingRuns + `

All runs must be of one dataset. The page of an unfinished run, or of one with
infrastructure errors, says what is missing.

` + "`bfcl view`" + ` shows the same page of runs that are chosen from a list, and follows
runs in progress.

` + exitCodes,
		Example: `  bfcl report results/heuristic
  bfcl report results/*/ -o report.html
  bfcl report results/mine results/theirs --markdown`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return r.run(paths) },
	}
	r.runs.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&r.output, "output", "o", "report.html", "the `file` to write the page to")
	flags.BoolVar(&r.markdown, "markdown", false, "print tables in Markdown; write a page only with -o")
	flags.StringVar(&r.lmEval, "lm-eval", "", "instead of the page, write a results file and samples in the form of lm-evaluation-harness into this `folder`")
	cmd.MarkFlagsMutuallyExclusive("markdown", "lm-eval")
	cmd.MarkFlagsMutuallyExclusive("lm-eval", "output")
	cmd.PreRun = func(*cobra.Command, []string) {
		if (r.markdown || r.lmEval != "") && !flags.Changed("output") {
			r.output = ""
		}
	}
	return cmd
}

func (r *reporting) run(paths []string) error {
	if r.lmEval != "" {
		return r.export(paths)
	}
	page, err := r.page(paths)
	if err != nil {
		return err
	}
	if err := r.write(page); err != nil {
		return err
	}
	if r.markdown {
		if err := page.Markdown(r.out); err != nil {
			return err
		}
	}
	code := error(nil) // 2 if the figures of the page leave anything out
	for _, e := range page.Entries {
		for _, text := range e.Missing {
			fmt.Fprintf(r.err, "bfcl: %s: %s\n", say.Printable(e.Name, 200), text)
			code = exit(exitTrouble)
		}
	}
	return code
}

// page makes the report of runs.
func (r *reporting) page(paths []string) (*report.Report, error) {
	var answers *report.Answers
	if r.runs.o.Answers, r.runs.o.Unfinished = r.output != "", true; r.runs.o.Answers {
		answers = &report.Answers{}
		r.runs.o.Each = answers.Take
	}
	runs, err := r.runs.read(r.app, paths)
	if err != nil {
		return nil, err
	}
	return report.New(runs, report.Options{AllowErrors: r.runs.allowErrors, Answers: answers})
}

func (r *reporting) write(page *report.Report) error {
	if r.output == "" {
		return nil
	}
	var b bytes.Buffer
	if err := page.HTML(&b); err != nil {
		return err
	}
	if err := record.WriteFile(r.output, b.Bytes()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	size := fmt.Sprintf("%.1f MB", float64(b.Len())/1e6)
	if b.Len() < 1e5 {
		size = fmt.Sprintf("%d KB", (b.Len()+999)/1000)
	}
	fmt.Fprintf(r.err, "bfcl: %s, %s\n", r.output, size)
	return nil
}

func (r *reporting) export(paths []string) error {
	r.runs.o.Answers = true // samples have them
	runs, err := r.runs.read(r.app, paths)
	if err != nil {
		return err
	}
	r.tell(tally.Warnings(runs, r.runs.allowErrors)...)
	for _, run := range runs {
		files, err := export.LMEval(run)
		if err == nil {
			err = leaderboard.WriteFiles(r.lmEval, files)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(r.err, "bfcl: %d files in %s\n", len(files), r.lmEval)
	}
	return nil
}
