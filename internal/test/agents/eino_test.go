package agents_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestEino: a ReAct agent of CloudWeGo's eino, with a scripted chat model and
// another client of the protocol, solves all starter conversations, and its
// mistakes are judged as a model's are. It is a module of its own, which is
// built here.
func TestEino(t *testing.T) {
	testkit.Extra(t, "fetches and builds eino")
	program := filepath.Join(cached(t), "eino-agent") // go build leaves it where it is up to date
	for _, args := range [][]string{{"mod", "download"}, {"build", "-o", program, "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = filepath.Join("testdata", "eino")
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] == "mod" {
			t.Skipf("eino's modules cannot be fetched: %v: %s", err, out)
		}
		require.NoError(t, err, "%s", out)
	}
	einoAgent := func(_, script string) string {
		t.Setenv(scriptVariable, script)
		return "agent:'" + program + "'"
	}
	solves(t, einoAgent, conversations...)
	errs(t, einoAgent)
}
