package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) {
	if process.Part(os.Args) != nil { // of a run that a test began by calling Main
		main()
		return
	}
	if filepath.Base(os.Args[0]) != "bfcl" { // or it is a command that a test started, with the test's environment
		_, _, _ = os.Setenv("OPENAI_API_KEY", "unused"), os.Setenv("NO_COLOR", "1"), os.Setenv("GOGC", "400") // hundreds of short processes
		testkit.Waiting()
	}
	testscript.Main(tidy{m}, map[string]func(){"bfcl": main, "model-server": modelServer})
}

// A tidy removes what the tests share when they have run.
type tidy struct{ *testing.M }

// Run runs the tests.
func (m tidy) Run() int {
	code := m.M.Run()
	if made != "" {
		_ = os.RemoveAll(made)
	}
	return code
}

// made is the folder of shared, once it is there.
var made string

// A ran is how the command ended.
type ran struct {
	out, errs string
	code      int
}

// bfcl runs the command: in this process or, if it is to run the suite, this test's
// binary under the command's name, which testscript puts on the PATH.
func bfcl(t *testing.T, args ...string) ran {
	t.Helper()
	if args[0] == "run" {
		return runIn(t, "", nil, "bfcl", args...)
	}
	return here(args...)
}

// here runs the command in this process.
func here(args ...string) ran {
	var out, errs bytes.Buffer
	code := Main(args, strings.NewReader(""), &out, &errs)
	return ran{out.String(), errs.String(), code}
}

// shared is a folder with a run of everything that many tests read, whole, and what
// it printed, whole.txt.
var shared = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "bfcl-whole"); err != nil {
		return "", err
	}
	made = dir
	cmd := exec.Command("bfcl", "run", "-q", "-model=heuristic", "-run-dir=whole")
	cmd.Dir = dir
	out, err := cmd.Output()
	return dir, errors.Join(err, os.WriteFile(filepath.Join(dir, "whole.txt"), out, 0o600))
})

// wholeRun is the run folder in shared.
func wholeRun(t *testing.T) string {
	t.Helper()
	dir := testkit.Must(shared())(t)
	return filepath.Join(dir, "whole")
}

// runIn runs a program in a folder, with an environment; nil is this process's.
func runIn(t *testing.T, dir string, env []string, program string, args ...string) ran {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, env
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); !errors.As(err, new(*exec.ExitError)) {
		require.NoError(t, err)
	}
	return ran{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// TestScripts runs the scripts of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("BFCL_UPDATE_SCRIPTS") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("EXAMPLES", filepath.Join(testkit.ModuleRoot(t), "examples"))
			env.Setenv("SHARED", filepath.Dir(wholeRun(t)))
			return nil
		},
	})
}

// exits is the script command "exits CODE PROGRAM ARGUMENTS…": exec for a
// certain exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [arguments]")
	}
	code := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// TestSuiteFlagsArriveAtTheTest sets every flag and reads the arguments as
// the test does.
func TestSuiteFlagsArriveAtTheTest(t *testing.T) {
	given := map[string]string{"request-timeout": "3s", "server-wait": "3s", "stream": "true", "grace": "3s", "agent-time": "3s", "header": "A: b"}
	var flags suiteFlags
	ours := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.register(ours)
	ours.VisitAll(func(f *pflag.Flag) {
		value, ok := given[f.Name]
		switch {
		case f.Hidden: // it sets another
			return
		case !ok && f.Value.Type() == "bool":
			value = "true"
		case !ok:
			value = "7"
		}
		require.NoError(t, ours.Set(f.Name, value), f.Name)
	})
	var got option.Options
	theirs := flag.NewFlagSet("suite", flag.ContinueOnError)
	got.Register(theirs)
	require.NoError(t, theirs.Parse(flags.o.Args()))
	assert.Equal(t, flags.o, got)
	theirs.VisitAll(func(f *flag.Flag) {
		if ours.Lookup(f.Name).Hidden {
			return
		}
		assert.NotEqualf(t, f.DefValue, f.Value.String(), "-%s", f.Name)
		assert.NotEmptyf(t, ours.Lookup(f.Name).Annotations[groupKey], "-%s stands under no heading", f.Name)
	})
}

// TestNoFlagIsGos: a flag that go test takes for its own never arrives, so none
// of the suite's is one, and bfcl run understands or refuses them all.
func TestNoFlagIsGos(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, topic := range []string{"build", "testflag", "test"} {
		out := testkit.Must(exec.Command("go", "help", topic).Output())(t)
		for _, found := range regexp.MustCompile(`(?m)^\t-([a-zA-Z]+)`).FindAllStringSubmatch(string(out), -1) {
			taken[found[1]] = true
		}
	}
	require.True(t, taken["exec"] && taken["run"] && taken["race"], "go help has another form: %v", taken)
	var o option.Options
	ours := flag.NewFlagSet("suite", flag.ContinueOnError)
	o.Register(ours)
	ours.VisitAll(func(f *flag.Flag) { assert.False(t, taken[f.Name], "-%s is go test's own", f.Name) })
	understood := []string{"timeout", "json", "v"} // -json means the score, -v all of it
	for name := range taken {
		if slices.Contains(understood, name) {
			continue
		}
		got := here("run", "-"+name+"=1")
		assert.Equal(t, exitMisuse, got.code)
		assert.Contains(t, got.errs, "flags of go test are for `go test . -model=")
	}
}

func TestShownArgumentsHideHeaders(t *testing.T) {
	var flags suiteFlags
	ours := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.register(ours)
	require.NoError(t, ours.Set("header", "X-Key: secret"))
	require.NoError(t, ours.Set("header", "X-Other: ${OTHER}"))
	assert.Equal(t, []string{"-header=X-Key: …", "-header=X-Other: ${OTHER}"}, flags.shownArgs())
}

// TestHelpFitsTheTerminal: no line of a help text is wider than 80 columns, but
// for the commands to type.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	var visit func(words []string, cmd *cobra.Command)
	visit = func(words []string, cmd *cobra.Command) {
		help := says(t, append(words, "--help-all")...)
		assert.Contains(t, help, "\nUsage:\n  "+cmd.CommandPath(), words)
		assert.Contains(t, help, "\nExamples:\n", words)
		for line := range strings.Lines(help) {
			if !strings.HasPrefix(line, "  bfcl ") && !strings.HasPrefix(line, "  echo ") {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, "%v: %s", words, line)
			}
		}
		for _, sub := range cmd.Commands() {
			if !sub.DisableFlagParsing && sub.Name() != "help" {
				visit(append(slices.Clip(words), sub.Name()), sub)
			}
		}
	}
	visit(nil, (&app{}).command())
}

// TestHelpIsShort: the help lists at most 16 commands, those that matter first,
// and that of run fits a screen and a half.
func TestHelpIsShort(t *testing.T) {
	var names []string
	for _, line := range regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`).FindAllStringSubmatch(says(t, "help"), -1) {
		names = append(names, line[1])
	}
	assert.Equal(t, []string{"run", "failures", "report", "compare", "gate"}, names[:5])
	most := 0
	for _, g := range shown {
		most += len(g.commands)
	}
	assert.LessOrEqual(t, most, 16)
	root := (&app{}).command()
	for _, name := range names {
		found, _, err := root.Find([]string{name})
		require.NoError(t, err)
		assert.False(t, found.Hidden, name)
	}
	for _, sub := range root.Commands() {
		assert.Equal(t, slices.Contains(names, sub.Name()), !sub.Hidden && sub.Name() != "help", "%s stands under no heading, and is not hidden", sub.Name())
	}
	help := says(t, "run", "--help")
	assert.LessOrEqual(t, strings.Count(help, "\n"), 60)
	assert.Equal(t, 14, strings.Count(help, "\n      --"))
}
