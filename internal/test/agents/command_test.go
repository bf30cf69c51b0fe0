package agents_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// scriptedAgent is an agent that knows the answers of the starter suite.
func scriptedAgent() {
	if err := asked(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestCommand runs the command with the scripted agent: testdata/agent.txtar.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	testkit.Must(testkit.Command(dir))(t)
	testscript.Run(t, testscript.Params{
		Files:               []string{"testdata/agent.txtar"},
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("PATH", dir+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

// exits is the script command "exits CODE PROGRAM ARGUMENTS…".
func exits(ts *testscript.TestScript, _ bool, args []string) {
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
