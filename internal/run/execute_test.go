package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestExecutable: the oracle's calls are carried out with the recorded answers
// of the starter suite.
func TestExecutable(t *testing.T) {
	o := options(t)
	o.Model, o.Categories = "oracle", "executable"
	s := open(t, o)
	assert.Len(t, s.Plan.Parts, 5)
	for id, out := range answerAll(t, s) {
		assert.True(t, out.Passed(), "%s: %s", id, out.ErrorType)
	}
}

// TestMissingKeys: live, a category whose keys are not set is left out with a
// note, and refused where it is asked for by name.
func TestMissingKeys(t *testing.T) {
	o := options(t)
	o.Categories, o.Exec = "executable,multiple", "live"
	s, err := suite.Open(o)
	require.NoError(t, err)
	defer func() { _ = s.Close() }()
	assert.Equal(t, []string{"multiple"}, s.Plan.Names())
	assert.Contains(t, strings.Join(s.Plan.Notes, "\n"), `category "rest" is skipped: `)
	assert.Contains(t, s.Plan.Run.Skipped["rest"], "RAPID_API_KEY")
	assert.NotContains(t, s.Plan.Run.Skipped, "multiple")
	o.Categories = "rest"
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, "calls APIs that need keys: set ")
	o.Exec = "never"
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, "-api must be replay, live or record")
}

// retired are the categories that the official dataset keeps apart, with their
// numbers of cases and of those whose own calls do not pass: executable ones
// that expect an API's error or write an argument without its name, REST cases
// whose stored answer is newer than the recording, and SQL cases with numbers
// where texts are declared, or with two calls.
var retired = []struct {
	name         string
	cases, fails int
}{
	{"exec_simple", 100, 0}, {"exec_multiple", 50, 0}, {"exec_parallel", 50, 1}, {"exec_parallel_multiple", 40, 2},
	{"rest", 70, 5}, {"sql", 100, 10}, {"chatable", 200, 0},
}

// TestGoldenRetired: with the official dataset retired categories are run by
// their own names, and in no group.
func TestGoldenRetired(t *testing.T) {
	o := options(t)
	o.Dataset, o.Data, o.Model = "v4", testkit.Shared(t, "bfcl"), "oracle"
	o.Exec, o.ExecReplay = "replay", testkit.GoldenFile(t, "exec", "replay.jsonl")+","+testkit.GoldenFile(t, "rest", "replay.jsonl")
	judged := 0
	for _, want := range retired {
		o.Categories = want.name
		var failed []string
		got := answerAll(t, open(t, o))
		for id, out := range got {
			if !out.Passed() {
				failed = append(failed, id+" "+out.ErrorType)
			}
		}
		judged += len(got)
		assert.Len(t, got, want.cases, want.name)
		assert.Len(t, failed, want.fails, "%s: %s", want.name, strings.Join(failed, "\n"))
	}
	t.Logf("%d cases judged", judged)
	d, err := fixtures.Open("v4", o.Data)
	require.NoError(t, err)
	for _, group := range []string{"all", "executable"} {
		sel, err := suite.Select(d, group, "")
		if group == "executable" {
			assert.ErrorContains(t, err, "ask for it by its own name")
			continue
		}
		require.NoError(t, err)
		assert.NotContains(t, sel.Names(), "sql")
	}
}
