package dataset_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// programSuite writes a suite whose only argument a shell script judges.
func programSuite(t *testing.T, script string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": "name: s\ntools: [{functions: t.yaml}]\ncategories: [{name: c_, kind: simple, cases: c.yaml}]\n",
		"t.yaml":     "[{name: f, parameters: {type: object, properties: {s: {type: string}, n: {type: integer}}}}]",
		"c.yaml":     "- id: a\n  question: q\n  expect:\n    f:\n      s: {program: ./check, example: yes}\n      n: {present: true, optional: true}\n",
		"check":      "#!/bin/sh\n" + script + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	return dir
}

func judgedBy(t *testing.T, dir, args string) eval.Verdict {
	t.Helper()
	s, err := ownsuite.Load(plainfile.Only(os.DirFS(dir)), dir)
	require.NoError(t, err)
	entry := s.Categories[0].Entries[0]
	entry.Expect.Calls[0].Args[0].Options[0].Matcher.(*match.Program).Limit = 2 * time.Second
	return judged(t, entry, args)
}

// TestSuiteProgram: a program gets the value with its call and case, and its
// answer decides.
func TestSuiteProgram(t *testing.T) {
	dir := programSuite(t, `cat >>asked; case "$(tail -n 1 asked)" in
*'"value":"yes"'*) echo '{"accept": true}';;
*) printf '{"accept": false, "reason": "no\\n--- PASS: \\u001b[2J"}';; esac`)
	t.Setenv(match.ProgramsVariable, filepath.Dir(dir)+string(filepath.ListSeparator)+"/nowhere")
	assert.True(t, judgedBy(t, dir, `{"s": "yes", "n": 1}`).Passed())
	v := judgedBy(t, dir, `{"s": "other"}`)
	assert.Equal(t, "matcher:program", v.ErrorType)
	assert.Equal(t, []string{"f", "s"}, v.At)
	assert.Equal(t, `f.s: 'other' is refused by program check: "no\n--- PASS: \x1b[2J"`, pyval.Text(v.Detail.(*pyval.List).Items[0]))
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	require.NoError(t, err)
	assert.Equal(t, `{"case":"a","function":"f","argument":"s","value":"yes","arguments":{"s":"yes","n":1}}
{"case":"a","function":"f","argument":"s","value":"other","arguments":{"s":"other"}}
`, string(asked))
	report, err := validate.Folder(dir, "")
	require.NoError(t, err)
	assert.Empty(t, report.Problems, "the example is accepted")
	for example, want := range map[string]string{", example: no": `\'no\' is refused by program check`, "": "write one as example"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "c.yaml"), []byte("- {id: a, question: q, expect: {f: {s: {program: ./check"+example+"}}}}"), 0o600))
		report, err = validate.Folder(dir, "")
		require.NoError(t, err)
		require.Len(t, report.Problems, 1)
		assert.Contains(t, report.Problems[0].Message, want)
		assert.Equal(t, example == "", report.Errors == 0)
	}
}

// TestSuiteProgramFails: a program that crashes, hangs or writes nonsense says
// nothing about the answer.
func TestSuiteProgramFails(t *testing.T) {
	for script, want := range map[string]string{
		"echo '{\"accept\": true}'; echo lost >&2; exit 3": `exit status 3; standard error: "lost\\n"`,
		"kill -9 $$":               "signal: killed",
		"exec sleep 60":            "no answer within 2s",
		"echo yes":                 `the answer "yes" is not one line`,
		"echo '{}'":                "accept is missing",
		"echo '{\"accept\": 1}'":   "is not one line",
		"yes '{\"accept\": true}'": "more than 64 kB",
		"echo '{\"accept\": true}'; echo '{\"accept\": true}'": "is not one line",
		"head -c 100000 /dev/zero":                             "more than 64 kB",
		"":                                                     `the answer "" is not one line`,
	} {
		dir := programSuite(t, script)
		t.Run(script, func(t *testing.T) {
			t.Setenv(match.ProgramsVariable, dir)
			v := judgedBy(t, dir, `{"s": "yes"}`)
			assert.Equal(t, eval.Error, v.Status)
			assert.Equal(t, "infrastructure:matcher", v.ErrorType)
			assert.Contains(t, pyval.Repr(v.Detail), want)
			assert.Less(t, len(pyval.Repr(v.Detail)), 1000)
		})
	}
}

// TestSuiteProgramOfStrangers: no program is started unless the environment names
// the suite's folder.
func TestSuiteProgramOfStrangers(t *testing.T) {
	dir := programSuite(t, `touch started; echo '{"accept": true}'`)
	elsewhere := t.TempDir()
	require.NoError(t, os.Symlink(dir, filepath.Join(elsewhere, "link")))
	for _, listed := range []string{"", "1", elsewhere, dir + "x", filepath.Join(dir, "c.yaml")} {
		t.Setenv(match.ProgramsVariable, listed)
		v := judgedBy(t, dir, `{"s": "yes"}`)
		assert.Equal(t, "infrastructure:matcher", v.ErrorType, listed)
		assert.Contains(t, pyval.Repr(v.Detail), "BFCL_PROGRAMS="+dir)
		assert.NoFileExists(t, filepath.Join(dir, "started"))
		report, err := validate.Folder(dir, "")
		require.NoError(t, err)
		assert.Len(t, report.Problems, 1, "not known, so neither right nor wrong")
		assert.Zero(t, report.Errors)
		assert.Contains(t, report.Problems[0].Message, "cannot be checked")
	}
	t.Setenv(match.ProgramsVariable, elsewhere)
	v := judgedBy(t, filepath.Join(elsewhere, "link"), `{"s": "yes"}`)
	assert.Equal(t, eval.Error, v.Status, "a link leads out of the folder")
	for _, src := range []string{"{program: ../check}", "{program: /bin/true}", "{program: gone}", "{any_of: [a, {program: ./check}]}", "[{program: ./check}]"} {
		cases := "- {id: a, question: q, expect: {f: {s: " + src + "}}}"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(cases), 0o600))
		_, err := ownsuite.Load(plainfile.Only(os.DirFS(dir)), dir)
		assert.Error(t, err, src)
	}
}
