package test_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A shop is the test binary of a module outside of this one, built with the race
// detector, in the folder of its sources.
type shop struct{ dir, binary string }

// newShop builds one offline, from the modules that this one has been built of.
func newShop(t *testing.T) *shop {
	t.Helper()
	testkit.Extra(t, "builds the module with the race detector")
	root := testkit.ModuleRoot(t)
	s := &shop{dir: t.TempDir()}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS(filepath.Join("testdata", "shop"))))
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "testdata", "suite"), os.DirFS(filepath.Join(root, "testdata", "library"))))
	mod := testkit.Must(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module example.com/shop")
	text = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(text, "")
	text += fmt.Sprintf("\nrequire github.com/gobfcl/bfcl v0.0.0\nreplace github.com/gobfcl/bfcl => %s\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "go.mod"), []byte(text), 0o600))
	sums := testkit.Must(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "go.sum"), sums, 0o600))
	s.binary = filepath.Join(s.dir, "shop.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-race", "-tags=outside", "-c", "-o", s.binary, ".")
	build.Dir = s.dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=1")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return s
}

// test runs one test of the shop; what it says, and whether it passed.
func (s *shop) test(t *testing.T, name string, args ...string) (said string, passed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var env []string
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		env, args = append(env, args[0]), args[1:]
	}
	run := exec.CommandContext(ctx, s.binary, append([]string{"-test.v", "-test.run=" + name}, args...)...)
	run.Dir, run.Env = s.dir, append(os.Environ(), env...)
	out, err := run.CombinedOutput()
	require.NoError(t, ctx.Err())
	assert.NotContains(t, string(out), "DATA RACE")
	assert.NotContains(t, string(out), "goleak: Errors")
	return string(out), err == nil
}

// outcomes are the results of a test's cases, as the output tells them.
func outcomes(said string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^ +--- ([A-Z]+): Test\w+/([^ ]+) \(`).FindAllStringSubmatch(said, -1) {
		if strings.Contains(m[2], "/") {
			out[m[2]] = m[1]
		}
	}
	return out
}

// TestOutside: the package as a module elsewhere sees it.
func TestOutside(t *testing.T) {
	s := newShop(t)
	t.Run("its own tests", func(t *testing.T) {
		for _, name := range []string{"TestRight", "TestEverything", "TestAgent", "TestOpened", "TestCanceled", "TestConcurrency"} {
			said, passed := s.test(t, "^"+name+"$")
			assert.True(t, passed, "%s", said)
		}
	})
	t.Run("a case a subtest", func(t *testing.T) {
		said, passed := s.test(t, "^TestRight$")
		assert.True(t, passed)
		assert.Equal(t, map[string]string{
			"requests/requests_0": "PASS", "requests/requests_1": "PASS", "requests/requests_2": "PASS", "requests/requests_3": "PASS",
			"errands/errands_0": "PASS", "no_tool_fits/no_tool_fits_0": "PASS", "no_tool_fits/no_tool_fits_1": "PASS",
		}, outcomes(said))
		said, _ = s.test(t, "^TestTrials$/^requests$/^requests_1$/^2$")
		assert.Equal(t, map[string]string{"requests/requests_1": "PASS", "requests/requests_1/2": "PASS"}, outcomes(said))
	})
	t.Run("mistakes", s.mistakes)
	t.Run("gates", s.gates)
	t.Run("trouble", s.trouble)
	t.Run("hostile", s.hostile)
	t.Run("refused", s.refused)
	t.Run("flags", s.flags)
}

// mistakes are failed subtests, and the folder is one that the command reads.
func (s *shop) mistakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	said, passed := s.test(t, "^TestWrong$", "RUN_DIR="+dir)
	assert.False(t, passed)
	assert.Equal(t, map[string]string{
		"requests/requests_0": "PASS", "requests/requests_1": "FAIL", "requests/requests_2": "FAIL", "requests/requests_3": "PASS",
		"errands/errands_0": "PASS", "no_tool_fits/no_tool_fits_0": "FAIL", "no_tool_fits/no_tool_fits_1": "PASS",
	}, outcomes(said))
	assert.Contains(t, said, "4 of 7 passed, 3 failed, 0 infrastructure errors")
	assert.Regexp(t, `\n +shop_test.go:\d+: type_error`, said, "failures are at the caller's line")
	assert.NotContains(t, said, "run.go:")
	assert.NotContains(t, said, "gotest.go:")
	for _, name := range []string{"run.json", "score.json", "report.xml"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	root := testkit.ModuleRoot(t)
	for _, args := range [][]string{{"score", dir}, {"report", dir, "-o", filepath.Join(t.TempDir(), "page.html")}} {
		command := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/bfcl"}, args...)...)
		command.Dir = root
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
	}
}

// gates decide alone.
func (s *shop) gates(t *testing.T) {
	for _, row := range []struct {
		name, rules string
		passed      bool
		says        string
	}{
		{"open", "{floors: {overall: 30}, min_cases: 1}", true, "Gate passed"},
		{"closed", "{floors: {overall: 99}, min_cases: 1}", false, "DO NOT MERGE: 1 of 1 rules failed"},
		{"undecided", "{floors: {overall: 50}, min_cases: 100}", false, "Gate undecided"},
		{"no gate file", "floors: {over: 1}", false, `unknown key "over"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "gate.yaml")
			require.NoError(t, os.WriteFile(file, []byte(row.rules), 0o600))
			said, passed := s.test(t, "^TestGated$", "GATE="+file, "RUN_DIR="+filepath.Join(dir, "run"))
			assert.Equal(t, row.passed, passed, "%s", said)
			assert.Contains(t, said, row.says)
			if got := outcomes(said); len(got) > 0 {
				assert.Equal(t, "SKIP", got["requests/requests_1"], "the gate decides")
				assert.Contains(t, said, "type_error:simple")
			}
		})
	}
	file := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(file, []byte("{floors: {overall: 30}, min_cases: 1}"), 0o600))
	said, passed := s.test(t, "^TestGated$/^requests$/_0$", "GATE="+file, "RUN_DIR="+filepath.Join(t.TempDir(), "run"))
	assert.False(t, passed)
	assert.Contains(t, said, "the gate could not decide on this run")
}

// trouble is no wrong answer, and is asked again.
func (s *shop) trouble(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	said, passed := s.test(t, "^TestTrouble$", "RUN_DIR="+dir, "DOWN=1")
	assert.False(t, passed)
	assert.Contains(t, said, "infrastructure:adapter: the connection broke")
	assert.Contains(t, said, "6 of 7 passed, 0 failed, 1 infrastructure errors")
	assert.NoFileExists(t, filepath.Join(dir, "score.json"), "a run with errors has no score")
	said, passed = s.test(t, "^TestTrouble$", "RUN_DIR="+dir)
	assert.True(t, passed, "%s", said)
	var file struct{ Overall struct{ Correct, Total int } }
	data := testkit.Must(os.ReadFile(filepath.Join(dir, "score.json")))(t)
	require.NoError(t, json.Unmarshal(data, &file))
	assert.Equal(t, 7, file.Overall.Correct)
}

// hostile models keep no other case from its verdict, and forge none.
func (s *shop) hostile(t *testing.T) {
	said, passed := s.test(t, "^TestHostile$")
	assert.False(t, passed)
	assert.Equal(t, map[string]string{
		"requests/requests_0": "FAIL", "requests/requests_1": "FAIL", "requests/requests_2": "FAIL", "requests/requests_3": "FAIL",
		"errands/errands_0": "FAIL", "no_tool_fits/no_tool_fits_0": "PASS", "no_tool_fits/no_tool_fits_1": "FAIL",
	}, outcomes(said))
	for _, want := range []string{
		"infrastructure:panic: the model panicked: no ", "shop_test.TestHostile", "infrastructure:adapter: the model returned neither a response nor an error",
		"infrastructure:too_large: the answer has 17825792 bytes", "infrastructure:timeout: context deadline exceeded, and the model did not return",
		"infrastructure:exited: the model ended its goroutine", "1 of 7 passed, 1 failed, 5 infrastructure errors",
	} {
		assert.Contains(t, said, want)
	}
	assert.NotContains(t, said, "\x16")
	assert.NotContains(t, said, "\n--- PASS")
	assert.NotContains(t, said, "\n=== RUN TestForged")
	assert.Less(t, len(said), 100_000)
	said, passed = s.test(t, "^TestDead$")
	assert.False(t, passed)
	assert.Contains(t, said, "asked 20\n")
	assert.Contains(t, said, "20 requests in a row failed, the last with: 401 no such key")
}

// refused is what cannot be run, with what to do.
func (s *shop) refused(t *testing.T) {
	for name, says := range map[string]string{
		"TestNil": "the model is nil", "TestNoSuite": `there is no folder "testdata/nowhere"`,
	} {
		said, passed := s.test(t, "^"+name+"$")
		assert.False(t, passed)
		assert.Contains(t, said, says)
	}
}

// flags are go test's alone: importing the package adds none.
func (s *shop) flags(t *testing.T) {
	for _, name := range []string{"model", "dataset", "gate"} {
		said, passed := s.test(t, "^TestRight$", "-"+name+"=x")
		assert.False(t, passed)
		assert.Contains(t, said, "flag provided but not defined: -"+name)
	}
}
