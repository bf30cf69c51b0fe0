// Package test holds what tests share, and the tests of the whole.
package test_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const module = "github.com/gobfcl/bfcl"

// closed lists imports that are forbidden whatever the wings allow: adapters
// see no judges and no datasets, judges see no HTTP and no adapters.
var closed = []struct{ from, to string }{
	{"adapters/heuristic", "fixtures"}, {"adapters/command", "fixtures"}, {"adapters/replay", "fixtures"},
	{"adapters", "internal/judge"}, {"adapters", "categories"},
	{"internal/judge", "net/http"}, {"categories", "net/http"}, {"internal/read", "net/http"},
	{"internal/judge", "adapters"},
}

type listed struct {
	ImportPath, ForTest       string
	Imports, Deps             []string
	TestGoFiles, XTestGoFiles []string
}

func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,ForTest,Imports,Deps,TestGoFiles,XTestGoFiles"}, args...)...)
	cmd.Dir = testkit.ModuleRoot(t)
	out := testkit.Must(cmd.Output())(t)
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		require.NoError(t, dec.Decode(&p))
		all = append(all, p)
	}
	return all
}

func relative(importPath string) (string, bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// TestLayers compares every import with the order of the wings.
func TestLayers(t *testing.T) {
	for _, p := range goList(t, "./...") {
		pkg, _ := relative(p.ImportPath)
		at := wingOf(pkg)
		if !assert.GreaterOrEqual(t, at, 0, "package %q stands in no wing: move it into one, or put a new wing into the table of internal/test/layer_test.go", pkg) {
			continue
		}
		for _, imported := range p.Imports {
			if dep, own := relative(imported); own {
				assert.LessOrEqual(t, wingOf(dep), at, "%s may not import %s, which is of a higher wing", pkg, dep)
			}
		}
		for _, c := range closed {
			if !within(c.from, pkg) {
				continue
			}
			for _, dep := range p.Deps {
				rel, own := relative(dep)
				assert.False(t, own && within(c.to, rel) || dep == c.to, "%s may not reach %s", pkg, c.to)
			}
		}
	}
}

// TestFlagsLinked: every test binary knows the suite's flags, so `go test ./...
// -model=x` fails in no package for an unknown flag.
func TestFlagsLinked(t *testing.T) {
	withTests := 0
	for _, p := range goList(t, "-test", "./...") {
		if !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		withTests++
		assert.True(t, slices.Contains(p.Deps, module+"/internal/test/testkit") || strings.Contains(strings.Join(p.Deps, " "), module+"/internal/test/testkit "),
			"the tests of %s do not link internal/test/testkit: add a blank import", strings.TrimSuffix(p.ImportPath, ".test"))
	}
	assert.Greater(t, withTests, 5)
}

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
