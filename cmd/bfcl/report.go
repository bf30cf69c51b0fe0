package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/show/report"
)

// A reporting is one `bfcl report`.
type reporting struct {
	*app
	runs      runFlags
	output    string
	markdown  bool
	published []string
	// csv and lmEval are folders for other tools.
	csv, lmEval string
}

func (a *app) reportCommand() *cobra.Command {
	r := &reporting{app: a}
	cmd := &cobra.Command{
		Use:   "report RUN... [-o report.html]",
		Short: "Make a page of runs, or tables and files for other tools",
		Long: `Make one HTML file of runs that opens in any browser, without a server or a
network: the leaderboard, the causes of failures, the change between two runs,
and every case with its question, expected and actual answer.

` + namingRuns + `

All runs must be of one dataset. The page of an unfinished run, or of one with
infrastructure errors, says what is missing. --published puts models of the
public V4 leaderboard beside runs of V4: a number for the best ones, or names or
parts of names.

` + "`bfcl view`" + ` shows the same page of runs that are chosen from a list, and follows
runs in progress.

Other forms, for notebooks, dashboards and tools, go to standard output, or to
the file of -o.

` + exitCodes,
		Example: `  bfcl report results/heuristic
  bfcl report results/*/ -o report.html
  bfcl report results/mine --data ~/bfcl-data --published 5,qwen3-8b
  bfcl report results/mine results/theirs --markdown
  bfcl report results/*/ --csv tables`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return r.run(paths) },
	}
	r.runs.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&r.output, "output", "o", "report.html", "the `file` to write the page to")
	flags.BoolVar(&r.markdown, "markdown", false, "print tables in Markdown; write a page only with -o")
	flags.StringSliceVar(&r.published, "published", nil, "published `models` to show too: a number, or names")
	flags.StringVar(&r.csv, "csv", "", "upstream's leaderboard tables, with its names and columns, into this `folder`")
	flags.StringVar(&r.lmEval, "lm-eval", "", "a results file and samples in the form of lm-evaluation-harness, into this `folder`")
	a.jsonFlag(cmd, "a list of the runs' scores, as bfcl score --json prints one")
	group(flags, "Instead of the page", "csv", "lm-eval", "json")
	cmd.MarkFlagsMutuallyExclusive("markdown", "csv", "lm-eval", "json")
	cmd.MarkFlagsMutuallyExclusive("csv", "lm-eval", "output")
	cmd.PreRun = func(*cobra.Command, []string) {
		if (r.markdown || r.exports()) && !flags.Changed("output") {
			r.output = ""
		}
	}
	return cmd
}

func (r *reporting) run(paths []string) error {
	if r.exports() {
		return r.export(paths)
	}
	models, err := publishedModels(r.published)
	if err != nil {
		return err
	}
	page, err := r.page(paths, models)
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
	for _, e := range page.Runs() {
		for _, text := range e.Missing {
			fmt.Fprintf(r.err, "bfcl: %s: %s\n", say.Printable(e.Name, 200), text)
			code = exit(exitTrouble)
		}
	}
	return code
}

// page makes the report of runs.
func (r *reporting) page(paths []string, models []leaderboard.Published) (*report.Report, error) {
	var answers *report.Answers
	if r.runs.o.Answers, r.runs.o.Unfinished = r.output != "", true; r.runs.o.Answers {
		answers = &report.Answers{}
		r.runs.o.Each = answers.Take
	}
	runs, err := r.runs.read(r.app, paths)
	if err != nil {
		return nil, err
	}
	return report.New(runs, report.Options{AllowErrors: r.runs.allowErrors, Published: models, Answers: answers})
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

// publishedModels are the models that --published names: a number n is the n best.
func publishedModels(names []string) ([]leaderboard.Published, error) {
	var models []leaderboard.Published
	var rest []string
	for _, name := range names {
		n, err := strconv.Atoi(name)
		switch {
		case err != nil:
			rest = append(rest, name)
		case n < 1:
			return nil, option.Misuse("--published %d: give a number of models from 1 to %d, or names", n, len(leaderboard.All()))
		default:
			models = append(models, leaderboard.All()[:min(n, len(leaderboard.All()))]...)
		}
	}
	found, err := leaderboard.Find(rest)
	if err != nil {
		return nil, option.Misuse("--published: %w", err)
	}
	for _, m := range found {
		if !slices.ContainsFunc(models, func(other leaderboard.Published) bool { return other.Rank == m.Rank }) {
			models = append(models, m)
		}
	}
	return models, nil
}

// exports reports whether a form for other tools is asked for.
func (r *reporting) exports() bool { return r.csv != "" || r.lmEval != "" || r.asJSON }

func (r *reporting) export(paths []string) error {
	r.runs.o.Answers = true // tables read tokens and latencies as recorded
	runs, err := r.runs.read(r.app, paths)
	if err != nil {
		return err
	}
	if !r.asJSON { // JSON has them inside
		r.tell(tally.Warnings(runs, r.runs.allowErrors)...)
	}
	switch {
	case r.csv != "":
		files, err := export.Tables(runs, r.runs.allowErrors)
		return r.wrote("tables", r.csv, files, err)
	case r.lmEval != "":
		for _, run := range runs {
			files, err := export.LMEval(run)
			if err := r.wrote("files", r.lmEval, files, err); err != nil {
				return err
			}
		}
		return nil
	}
	if r.output == "" {
		return r.writeScores(r.out, runs)
	}
	var b bytes.Buffer
	if err := r.writeScores(&b, runs); err != nil {
		return err
	}
	return record.WriteFile(r.output, b.Bytes())
}

func (r *reporting) wrote(what, dir string, files []leaderboard.File, err error) error {
	if err == nil {
		err = leaderboard.WriteFiles(dir, files)
	}
	if err == nil {
		fmt.Fprintf(r.err, "bfcl: %d %s in %s\n", len(files), what, dir)
	}
	return err
}

func (r *reporting) writeScores(w io.Writer, runs []*tally.Run) error {
	var all []export.ScoreFile
	for _, run := range runs {
		s, err := run.Score(r.runs.allowErrors)
		if err != nil {
			return fmt.Errorf("%s: %w", say.Plain(run.Name, 200), err)
		}
		all = append(all, export.ScoreOf(run, s))
	}
	return writeJSON(w, all)
}
