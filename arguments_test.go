package bfcl_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLeftoverArguments: in `go test -model=x ./...` the package is an argument of
// the test, and flags behind it would be ignored: nothing is run.
func TestLeftoverArguments(t *testing.T) {
	for _, args := range [][]string{{"./...", "-model=oracle"}, {"-model=oracle", "./..."}, {"-categories=live", "stray"}} {
		out, err := exec.Command(os.Args[0], append([]string{"-test.run=^TestBFCL$", "-test.v"}, args...)...).CombinedOutput()
		var ended *exec.ExitError
		require.Truef(t, errors.As(err, &ended), "%v: %s", args, out)
		assert.Equal(t, 3, ended.ExitCode())
		assert.Contains(t, string(out), "for arguments of the test, which has none: name the packages first and flags after them")
		assert.NotContains(t, string(out), "TestBFCL")
	}
}
