package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A judging is one `bfcl judge`.
type judging struct {
	*app
	data    dataFlags
	id, dir string
	replay  string // files of recorded API answers
	trial   int
	reading readingFlags

	settings eval.Settings
	verdict  eval.Result
}

func (a *app) judgeCommand() *cobra.Command {
	j := &judging{app: a}
	cmd := &cobra.Command{
		Use:   "judge [--id ID] (ANSWER | - | --run FOLDER)",
		Short: "Judge an answer and explain the verdict, or judge lines of answers",
		Long: `Judge one answer to one case: given as text, on standard input (-), or recorded
in a run folder. An answer that is a JSON list is read as function calls in the
form of result files, [{"name": {"argument": "value"}}]; any other answer is
read as prompt-mode text. --mode overrides that.

For a refused answer, the output shows where it differs from what is accepted,
and the schema of the parameter that the verdict is about.

With - alone, each line of standard input is an answer, and each line of the
output the verdict on it, in the same order: for other programs, from any
language. A line is a JSON object with the case's id, the answer as text, calls,
message (a provider's, as it came) or result (as in a result file), and, if they
differ from the flags, dataset, mode, dialect and underscore_to_dot. Without a
mode, text is read in prompt mode, and by a dialect as function calls. The rung
is how far the answer got, from 0 to 1: partial credit, and not the score. A
line that cannot be judged has an error, and the exit code is 2.

` + exitCodes,
		Example: `  bfcl judge --id simple_python_0 --run results/heuristic
  bfcl judge --id simple_python_0 '[triangle_area(base=3, height=4)]'
  echo '[{"f": {"x": 1}}]' | bfcl judge --id simple_python_0 -
  echo '{"id": "simple_python_0", "text": "[f(x=1)]"}' | bfcl judge -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case j.id == "" && j.dir == "" && len(args) == 1 && args[0] == "-":
				return j.pipe()
			case j.id == "":
				return option.Misuse("name the case with --id; - alone judges lines of JSON from standard input")
			case (j.dir == "") == (len(args) == 0):
				return option.Misuse("give an answer, - to read it from standard input, or --run with a run folder")
			}
			change, err := j.reading.change()
			if err != nil {
				return err
			}
			if j.dir != "" {
				at := j.data.place(cmd, "")
				at.Path, at.Case, at.Trial, at.Change = j.dir, j.id, j.trial, change
				err = j.recorded(at)
			} else {
				err = j.asked(cmd.Context(), args[0], change)
			}
			if err == nil {
				err = j.print(&j.verdict)
			}
			switch {
			case err != nil || j.verdict.Passed():
				return err
			case j.verdict.Status == eval.Fail:
				return exit(exitNo)
			}
			return exit(exitTrouble)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&j.id, "id", "", "the case's `id`")
	flags.StringVar(&j.dir, "run", "", "take the recorded answer from this run `folder`")
	flags.IntVar(&j.trial, "trial", 1, "the `number` of the trial to judge, with --run")
	flags.StringVar(&j.replay, "api-replay", "", "with -, `files` of recorded API answers, as for bfcl run")
	j.data.register(cmd)
	j.reading.register(flags)
	a.jsonFlag(cmd, "print JSON")
	return cmd
}

// recorded judges the answer that a run recorded.
func (j *judging) recorded(at tally.Place) error {
	run, result, err := tally.One(at)
	if err != nil {
		return err
	}
	if j.verdict, j.settings = *result, run.Settings(); result.Result == nil {
		return fmt.Errorf("%s has no answer to %q: if the case ended in an infrastructure error, errors.jsonl there has it", j.dir, j.id)
	}
	return nil
}

// asked judges an answer as it is given to a case of the dataset.
func (j *judging) asked(ctx context.Context, answer string, change func(eval.Settings) eval.Settings) error {
	dataset, err := j.data.open()
	if err != nil {
		return err
	}
	index, err := suite.IndexOf(dataset, nil)
	if err != nil {
		return err
	}
	of, err := index.Find(j.id)
	if err != nil {
		return err
	}
	result, err := j.given(answer)
	if err != nil {
		return err
	}
	j.settings = change(j.settings)
	if j.settings.Executor, err = suite.ForRun(ctx, dataset, nil); err != nil {
		return err
	}
	j.verdict = engine.Judge(of.Category, of.Case, &eval.Response{Result: result}, j.settings)
	return nil
}

// given returns the answer, and says how it is read.
func (j *judging) given(answer string) (pyval.Value, error) {
	answer, err := j.read(answer)
	if err != nil {
		return nil, err
	}
	j.settings = eval.SettingsFor(eval.Prompt)
	if strings.EqualFold(j.reading.mode, string(eval.Prompt)) {
		return pyval.Str(answer), nil
	}
	v, err := pyval.ParseJSON(answer)
	_, ok := v.(*pyval.List)
	switch {
	case err == nil && ok:
		j.settings = eval.SettingsFor(eval.FC)
		return recorded(v), nil
	case strings.EqualFold(j.reading.mode, string(eval.FC)) && err == nil:
		return v, nil
	}
	return pyval.Str(answer), nil
}

// recorded returns calls as result files hold them; what is not calls stays as it is.
func recorded(v pyval.Value) pyval.Value {
	if calls, err := evaluate.Calls(v); err == nil {
		return calls
	}
	return v
}

// pipe judges lines of answers until there are no more.
func (j *judging) pipe() error {
	if _, err := j.reading.change(); err != nil {
		return err
	}
	p := evaluate.Pipe{Bench: &evaluate.Bench{Data: j.data.data, Replay: j.replay}, Dataset: j.data.dataset, Mode: eval.Mode(strings.ToLower(j.reading.mode)), Dialect: j.reading.dialect}
	if dots := j.reading.underscores == "yes"; j.reading.underscores != "" {
		p.Dots = &dots
	}
	n, err := p.Run(j.in, j.out)
	if err != nil {
		return err
	}
	if n.Bad > 0 {
		return fmt.Errorf("%s of %d cannot be judged, the first in line %d; each says why", say.Count(n.Bad, "line", "lines"), n.Lines, n.FirstBad)
	}
	return nil
}

func (j *judging) print(out *eval.Result) error {
	if j.asJSON {
		detail := ""
		if out.Detail != nil {
			detail = pyval.Repr(out.Detail)
		}
		said := map[string]string{
			"id": out.Case.ID, "category": out.Category.Name, "mode": string(j.settings.Mode), "verdict": out.Status.String(),
			"error_type": out.ErrorType, "error": detail, "decoded": reprOf(out.Decoded),
		}
		return writeJSON(j.out, said)
	}
	fmt.Fprintf(j.out, "%s  %s  (%s mode)\n", out.Status, say.Plain(out.Case.ID, 200), j.settings.Mode)
	if out.Passed() {
		fmt.Fprintf(j.out, "  got       %s\n", say.Plain(reprOf(out.Decoded), 2000))
		return nil
	}
	fmt.Fprintln(j.out, why.Text(out))
	return nil
}

func reprOf(v pyval.Value) string {
	if v == nil {
		return ""
	}
	return pyval.Repr(v)
}

const longestAnswer = 64 << 20

// read is the text itself or, for -, standard input without its last newline.
func (a *app) read(text string) (string, error) {
	if text != "-" {
		return text, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, longestAnswer+1))
	if err != nil {
		return "", err
	}
	if len(data) > longestAnswer {
		return "", fmt.Errorf("the answer is longer than %d MB", longestAnswer>>20)
	}
	return strings.TrimSuffix(string(data), "\n"), nil
}
