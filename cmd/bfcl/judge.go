package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/failure"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A judging is one `bfcl judge`.
type judging struct {
	*app
	data              dataFlags
	id, dir           string
	trial             int
	mode, underscores string
	dialect           string
	asJSON            bool

	dataset  *fixtures.Dataset
	settings eval.Settings
	// parameters are those of the recorded run.
	parameters map[string]string
	trials     int
	seed       uint64 // of variants, with --run
	result     pyval.Value
}

func (a *app) judgeCommand() *cobra.Command {
	j, d := &judging{app: a}, &decoding{app: a}
	cmd := &cobra.Command{
		Use:   "judge (--id ID | --decode) (ANSWER | - | --run FOLDER)",
		Short: "Judge one answer, and explain the verdict",
		Long: `Judge one answer to one case: given as text, on standard input (-), or recorded
in a run folder. An answer that is a JSON list is read as function calls in the
form of result files, [{"name": {"argument": "value"}}]; any other answer is
read as prompt-mode text. --mode overrides that.

For a refused answer, the output shows where it differs from what is accepted,
and the schema of the parameter that the verdict is about.

With --decode there is no case, and no verdict: the calls in the answer are
printed, as JSON if JSON can hold them, and as Python. --format says in which of
the prompts' formats they are written (fc is the list of a result file), or
--dialect how the model writes them.

` + exitCodes,
		Example: `  bfcl judge --id simple_python_0 --run results/heuristic
  bfcl judge --id simple_python_0 '[triangle_area(base=3, height=4)]'
  echo '[{"f": {"x": 1}}]' | bfcl judge --id simple_python_0 -
  bfcl judge --decode --format java 'new Point(x=1)'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if d.only {
				d.dialect, d.asJSON = j.dialect, j.asJSON
				return d.run(args)
			}
			if err := j.prepare(cmd, args); err != nil {
				return err
			}
			return j.judge()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&j.id, "id", "", "the case's `id`")
	flags.StringVar(&j.dir, "run", "", "take the recorded answer from this run `folder`")
	flags.IntVar(&j.trial, "trial", 1, "the `number` of the trial to judge, with --run")
	j.data.register(cmd)
	flags.StringVar(&j.mode, "mode", "", "how the answer carries calls: `fc or prompt` (default detected from the answer, or the run's)")
	flags.StringVar(&j.underscores, "underscore-to-dot", "", "whether the model saw dots in function names as underscores: `yes or no` (default by the mode, or the run's)")
	flags.StringVar(&j.dialect, "dialect", "", "how the model writes calls, a `name` such as hermes or granite")
	flags.BoolVar(&j.asJSON, "json", false, "print JSON")
	d.register(flags)
	cmd.MarkFlagsOneRequired("id", "decode")
	cmd.MarkFlagsMutuallyExclusive("id", "decode")
	cmd.MarkFlagsMutuallyExclusive("run", "decode")
	return cmd
}

// prepare finds the dataset, the settings and the answer.
func (j *judging) prepare(cmd *cobra.Command, args []string) (err error) {
	if (j.dir == "") == (len(args) == 0) {
		return misuse.Errorf("give an answer, - to read it from standard input, or --run with a run folder")
	}
	if j.dir != "" {
		err = j.recorded(cmd.Flags().Changed("dataset"))
	} else {
		err = j.given(args[0])
	}
	if err != nil {
		return err
	}
	if j.dataset, err = j.data.open(); err != nil {
		return err
	}
	if j.dir != "" {
		if err = j.readAnswer(); err != nil {
			return err
		}
	}
	change, err := override(j.mode, j.underscores, j.dialect)
	if err != nil {
		return err
	}
	j.settings = change(j.settings)
	j.settings.Executor, err = execution.ForRun(cmd.Context(), j.dataset, j.parameters)
	return err
}

func (j *judging) recorded(otherDataset bool) error {
	run, err := record.ReadRun(j.dir)
	if err != nil {
		return misuse.Errorf("not a run folder: %w", err)
	}
	if !otherDataset {
		j.data.dataset = run.DatasetPath()
	}
	j.settings, j.parameters, j.seed = run.Settings(), run.Parameters, run.Seed
	if j.trial < 1 || j.trial > run.Trials {
		return misuse.Errorf("there is no trial %d: the run has %s", j.trial, count.Of(run.Trials, "trial", "trials"))
	}
	j.trials = run.Trials
	return nil
}

// readAnswer finds the answer among the recorded ones.
func (j *judging) readAnswer() error {
	cats := j.dataset.Categories().All()
	if _, put := variant.Cut(j.id); put != "" {
		for i := range cats {
			cats[i] = variant.Category(cats[i], put)
		}
	}
	answers, err := record.ReadAnswers(j.dir, cats, j.trials)
	if err != nil {
		return err
	}
	row, ok := answers.Get(j.id, j.trial-1)
	if !ok {
		return fmt.Errorf("%s has no answer to %q: if the case ended in an infrastructure error, errors.jsonl there has it", j.dir, j.id)
	}
	j.result = row.Result
	return nil
}

func (j *judging) given(answer string) error {
	answer, err := j.read(answer)
	if err != nil {
		return err
	}
	j.settings = eval.SettingsFor(eval.Prompt)
	j.result = pyval.Str(answer)
	if strings.EqualFold(j.mode, string(eval.Prompt)) {
		return nil
	}
	v, err := pyval.ParseJSON(answer)
	calls, ok := v.(*pyval.List)
	switch {
	case err == nil && ok:
		j.settings = eval.SettingsFor(eval.FC)
		j.result = asRecorded(calls)
	case strings.EqualFold(j.mode, string(eval.FC)) && err == nil:
		j.result = v
	}
	return nil
}

// asRecorded writes arguments given as objects as the JSON text that result
// files hold.
func asRecorded(calls *pyval.List) pyval.Value {
	out := &pyval.List{Items: make([]pyval.Value, len(calls.Items))}
	for i, item := range calls.Items {
		out.Items[i] = item
		call, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		written := pyval.NewDict(call.Len())
		for name, args := range call.All() {
			if _, object := args.(*pyval.Dict); object {
				if text, err := pyval.AppendJSON(nil, args, 0); err == nil {
					args = pyval.Str(text)
				}
			}
			written.SetStr(pyval.Text(name), args)
		}
		out.Items[i] = written
	}
	return out
}

// everything names all categories of a dataset, the retired ones too.
func everything(d *fixtures.Dataset) string {
	names := []string{"all"}
	for _, cat := range d.Categories().All() {
		if d.Has(cat) && d.Retired(cat) {
			names = append(names, cat.Name)
		}
	}
	return strings.Join(names, ",")
}

func (j *judging) judge() error {
	cat, c, err := j.find()
	if err != nil {
		return err
	}
	out := j.outcome(cat, c)
	if err := j.print(cat, c, out); err != nil {
		return err
	}
	switch out.Status {
	case eval.Pass:
		return nil
	case eval.Fail:
		return exit(exitNo)
	}
	return exit(exitTrouble)
}

// find is the case, in the variant that the id names, if any.
func (j *judging) find() (*eval.Category, *eval.Case, error) {
	id, put := variant.Cut(j.id)
	found, err := suite.Select(j.dataset, everything(j.dataset), id)
	switch {
	case err != nil:
		return nil, nil, misuse.Mark(err)
	case found.Cases() != 1:
		return nil, nil, misuse.Errorf("--id matches %d cases: judge one at a time", found.Cases())
	case put != "" && j.dir == "":
		return nil, nil, misuse.Errorf("--id=%s needs --run: the run's seed says how the case was varied", safe.Plain(j.id, 200))
	case put != "":
		return findVaried(j.dataset, found.Names(), id, put, j.seed)
	}
	return found.Parts[0].Category, found.Parts[0].Cases[0], nil
}

// outcome judges as a run does, with the answer as if it had been recorded.
func (j *judging) outcome(cat *eval.Category, c *eval.Case) engine.Outcome {
	entry := pyval.NewDict(2)
	entry.SetStr("id", pyval.Str(c.ID))
	entry.SetStr("result", j.result)
	answers := record.Answers{{c.ID: record.Row{ID: c.ID, Result: j.result, Entry: entry}}}
	e := &engine.Engine{Settings: j.settings, Recorded: answers}
	return e.Run(context.Background(), cat, c, 0)
}

func (j *judging) print(cat *eval.Category, c *eval.Case, out engine.Outcome) error {
	if j.asJSON {
		said := map[string]string{
			"id": c.ID, "category": cat.Name, "mode": string(j.settings.Mode), "verdict": out.Status.String(),
			"error_type": out.ErrorType, "error": detailText(out), "decoded": reprOf(out.Decoded),
		}
		if out.Compared != nil {
			said["compared"] = out.ComparedWord()
		}
		if about := failure.Schema(c, out); about != nil && !out.Passed() {
			said["parameter"] = about.Place
			if about.Schema != nil {
				said["schema"] = about.JSON()
			}
		}
		return writeJSON(j.out, said)
	}
	fmt.Fprintf(j.out, "%s  %s  (%s mode)\n", out.Status, safe.Plain(c.ID, 200), j.settings.Mode)
	if out.Passed() {
		fmt.Fprintf(j.out, "  got       %s\n", safe.Plain(reprOf(out.Decoded), 2000))
		if by := failure.Compared(out.Verdict); by != "" {
			fmt.Fprintf(j.out, "  by parts  %s\n", by)
		}
		return nil
	}
	fmt.Fprintln(j.out, failure.Text(c, out))
	if about := failure.Schema(c, out); about != nil {
		fmt.Fprintf(j.out, "  schema    %s\n", about)
	}
	return nil
}

func detailText(out engine.Outcome) string {
	if out.Detail == nil {
		return ""
	}
	return pyval.Repr(out.Detail)
}

func reprOf(v pyval.Value) string {
	if v == nil {
		return ""
	}
	return pyval.Repr(v)
}
