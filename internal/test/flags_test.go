package test_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModelSkipsOtherTests: with -model only the benchmark runs; all other
// tests are skipped.
func TestModelSkipsOtherTests(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args []string
		runs bool
	}{
		{nil, true},
		{[]string{"-model=x"}, false},
		{[]string{"-test.skip=Nothing", "-model=oracle"}, false},
		{[]string{"-categories=live"}, true},
	} {
		out, err := exec.Command(os.Args[0], append([]string{"-test.v", "-test.run=^TestSecurityTestsExist$"}, row.args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		if row.runs {
			assert.Contains(t, string(out), "--- PASS: TestSecurityTestsExist", "%v", row.args)
		} else {
			assert.NotContains(t, string(out), "TestSecurityTestsExist", "%v", row.args)
		}
	}
}

// TestWrongFlagIsOneLine: a misspelt flag ends a test binary with one line that
// says what was meant, and exit code 3.
func TestWrongFlagIsOneLine(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ arg, want string }{
		{"--modle=x", "unknown flag -modle (`bfcl run --help` explains the flags); did you mean \"model\"?\n"},
		{"-include-input-log", "-include-input-log is a flag of upstream's: bfcl run -dry-run shows what a model is sent\n"},
		{"-trials=x", "invalid value \"x\" for flag -trials: parse error (`bfcl run --help` explains the flags)\n"},
	} {
		out, err := exec.Command(os.Args[0], row.arg).CombinedOutput()
		assert.Equal(t, row.want, string(out))
		var ended *exec.ExitError
		require.ErrorAs(t, err, &ended)
		assert.Equal(t, 3, ended.ExitCode())
	}
}
