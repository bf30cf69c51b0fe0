package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
)

// Exit codes, the same for all commands.
const (
	exitOK          = 0
	exitNo          = 1 // a gate failed, an answer is refused, a check found something
	exitTrouble     = gotest.ExitTrouble
	exitMisuse      = gotest.ExitMisuse
	exitInterrupted = gotest.ExitInterrupted
)

const exitCodes = `Exit codes: 0 done, or the gate passed; 1 the gate failed, or the answer was
refused; 2 could not tell: an incomplete run, a sample that is too small, or
data that was refused; 3 wrong usage or configuration; 130 interrupted.`

// An exit ends the command with a code, after all messages have been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// An app is one run of the command.
type app struct {
	in       io.Reader
	out, err io.Writer
	// began reports whether a command has accepted its flags and arguments: an
	// error before that is wrong usage.
	began bool
	// asJSON is --json, which most commands have.
	asJSON bool
	// all reports whether the help shows all commands and flags.
	all bool
}

// Main runs the command and returns its exit code.
func Main(args []string, in io.Reader, out, err io.Writer) int {
	a := &app{in: in, out: out, err: err}
	root := a.command()
	root.SetArgs(a.helpAll(doubleDashes(args)))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(err)
	a.watch(root)
	cmd, failed := root.ExecuteC()
	if failed != nil && !a.began {
		if cmd.HasParent() {
			failed = fmt.Errorf("%w\nusage: %s; see `%s --help`", failed, cmd.UseLine(), cmd.CommandPath())
		}
		failed = option.MarkMisuse(failed)
	}
	return a.code(failed)
}

// watch notes when a command begins. It first refuses a -data folder that does
// not exist: not every command opens a dataset, and some download one first.
func (a *app) watch(cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkData(cmd); err != nil {
			return err
		}
		a.began = true
		return run(cmd, args)
	}
	for _, sub := range cmd.Commands() {
		a.watch(sub)
	}
}

// code prints an error, unless that has been done, and returns its exit code.
func (a *app) code(err error) int {
	var code exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	}
	a.complain(err)
	if option.IsMisuse(err) {
		return exitMisuse
	}
	return exitTrouble
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:     "bfcl",
		Version: version.String(),
		Short:   "Measure how well a model calls functions",
		Long: `bfcl measures how well a model calls functions, with the Berkeley
Function-Calling Leaderboard: run the suite against a model, see why it failed,
and decide by it.`,
		Example: `  bfcl run -model=heuristic
  bfcl failures results/heuristic
  bfcl report results/heuristic`,
		Annotations:   map[string]string{moreKey: exitCodes},
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(
		a.runCommand(),
		a.failuresCommand(),
		a.reportCommand(),
		a.viewCommand(),
		a.compareCommand(),
		a.gateCommand(),
		a.scoreCommand(),
		a.traceCommand(),
		a.judgeCommand(),
		a.modelsCommand(),
		a.fetchCommand(),
		a.doctorCommand(),
		a.initCommand(),
		a.validateCommand(),
		a.evaluateCommand(),
		a.errataCommand(),
		a.mcpConnectCommand(),
		a.versionCommand(),
	)
	a.addOthers(root)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetUsageFunc(a.usage)
	root.SetFlagErrorFunc(wrongFlag)
	root.SetGlobalNormalizationFunc(normalize)
	return root
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %.80q", cmd.CommandPath(), args[0])
	}
	return nil
}

// doubleDashes allows long flags with one dash, as in go test.
func doubleDashes(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if len(name) > 1 && arg[0] == '-' && name[0] >= 'a' && name[0] <= 'z' {
			out[i] = "-" + arg
		}
	}
	return out
}

// complain prints an error; control characters, which others' files may bring
// in, are escaped, and commands that it proposes begin as this one was called.
func (a *app) complain(err error) {
	const longest = 4000
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(err.Error(), "\n"), "\n") {
		lines = append(lines, say.Printable(strings.ReplaceAll(advise.Named(line), "\t", "  "), longest))
	}
	fmt.Fprintln(a.err, "bfcl: "+strings.Join(lines, "\n  "))
}

// terminal reports whether a writer is one.
func terminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colour reports whether a writer wants ANSI escapes.
func colour(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// columns is how wide tables may be: COLUMNS, the terminal, or what fits every screen and log.
func columns(w io.Writer) int {
	const narrow, usual = 40, 80
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, narrow)
	}
	if file, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
			return max(n, narrow)
		}
	}
	return usual
}

// program is how this command was called, for the commands that it proposes.
func program() string {
	path, err := os.Executable()
	cache := os.Getenv("GOCACHE")
	short, outside := filepath.Rel(cache, path)
	built := strings.Contains(path, "go-build") || cache != "" && outside == nil && filepath.IsLocal(short) // by `go run` or `go test`
	if err == nil && built && filepath.Ext(path) != ".test" {
		return advise.GoRun
	}
	return "bfcl"
}

func (a *app) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Hidden:  true,
		Short:   "Print the version",
		Long:    "Print the version of the command and of the Go it was built with.",
		Example: "  bfcl version --json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			v, platform := version.String(), runtime.GOOS+"/"+runtime.GOARCH
			return a.show(map[string]string{"version": v, "go": runtime.Version(), "platform": platform}, func() error {
				_, err := fmt.Fprintf(a.out, "bfcl %s, %s %s\n", v, runtime.Version(), platform)
				return err
			})
		},
	}
	a.jsonFlag(cmd, "print JSON")
	return cmd
}

// jsonFlag defines --json.
func (a *app) jsonFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&a.asJSON, "json", false, usage)
}

// show prints a value: as JSON, or as text does.
func (a *app) show(v any, text func() error) error {
	if a.asJSON {
		return writeJSON(a.out, v)
	}
	return text()
}

func writeJSON(w io.Writer, v any) error { return say.EncodeJSON(w, v, "  ") }
