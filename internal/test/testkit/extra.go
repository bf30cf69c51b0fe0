package testkit

import (
	"os"
	"testing"
)

// AllVariable is the environment variable that makes Extra tests run.
const AllVariable = "BFCL_TEST_ALL"

// Extra skips a test that builds the module again, or installs other people's
// packages, unless $BFCL_TEST_ALL is set, as it is in CI, and -short is not. does
// says what the test does.
func Extra(t testing.TB, does string) {
	t.Helper()
	if testing.Short() || os.Getenv(AllVariable) == "" {
		t.Skipf("%s: runs with %s=1 and without -short", does, AllVariable)
	}
}
