package curate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

const good = `- dataset: v4
  digests: ["0000000000000000000000000000000000000000000000000000000000000000"]
  cases:
    - {id: simple_python_0, kind: refused, reason: why, reference: "https://example.com/1"}
    - {id: simple_python_1, kind: misread, mode: prompt, reason: why}
`

func TestErrataParse(t *testing.T) {
	lists, err := errata.Parse("e.yaml", []byte(good))
	require.NoError(t, err)
	assert.Equal(t, []string{"simple_python_0"}, lists[0].Excluded())
	for _, test := range []struct{ old, with, want string }{
		{"v4", "v9", "e.yaml:1: dataset: want one of v4, v1"},
		{"000\"", "x\"", "e.yaml:2: digests: a digest has 64 digits"},
		{"kind: refused", "kind: unfair", "e.yaml:4: kind: want one of [refused misread contradiction reported]"},
		{"mode: prompt, ", "", "e.yaml:5: case: kind misread, and no other, needs the mode"},
		{"mode: prompt", "mode: loud", "e.yaml:5: mode: want fc or prompt"},
		{"kind: refused", "kind: refused, mode: fc", "e.yaml:4: case: kind misread, and no other"},
		{"reason: why, ref", "ref", "e.yaml:4: case: id, kind and reason are required"},
		{"https://", "javascript://", "e.yaml:4: reference: want an https address"},
		{"simple_python_1", "simple_python_0", "e.yaml:5: case simple_python_0 is listed twice"},
		{"simple_python_1", "\"a\\e[0m\"", "e.yaml:5: id: want a case's id"},
		{"reason: why}", "reason: \"a\\nb\"}", "e.yaml:5: reason: want one line"},
		{"kind: misread, mode: prompt", "kind: reported", "e.yaml:5: case: kind reported needs the reference"},
		{"kind: misread", "kinds: misread", `e.yaml:5: case: unknown key "kinds"`},
		{good[strings.Index(good, "cases:"):], "cases: 1", "cases: want a list, found a whole number"},
		{"  digests", "  #", "dataset and digests are required"},
	} {
		_, err := errata.Parse("e.yaml", []byte(strings.Replace(good, test.old, test.with, 1)))
		assert.ErrorContains(t, err, test.want)
	}
}

// TestErrataFind: cases that refuse their own answer, that contradict their document,
// and that are right.
func TestErrataFind(t *testing.T) {
	dir := t.TempDir()
	question := func(id string) string {
		return `{"id": "` + id + `", "question": [[{"role": "user", "content": "x"}]], "function": [{"name": "f", "description": "", "parameters": {"type": "dict", "properties": {"a": {"type": "integer"}, "b": {"type": "any"}}, "required": ["a"]}}]}`
	}
	var questions, answers []string
	for i, answer := range []string{`{"a": [1]}`, `{"a": ["", 1]}`, `{"a": []}`, `{"b": [1]}`, `{"a": [1], "c": [2]}`, `{"a": [1], "c": ["", 2]}`, `{"a": [1], "b": ["", null]}`} {
		id := "simple_python_" + string(rune('0'+i))
		questions, answers = append(questions, question(id)), append(answers, `{"id": "`+id+`", "ground_truth": [{"f": `+answer+`}]}`)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "possible_answer"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v4_simple_python.json"), []byte(strings.Join(questions, "\n")), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "possible_answer", "BFCL_v4_simple_python.json"), []byte(strings.Join(answers, "\n")), 0o644))
	d, err := fixtures.Open(dir, "")
	require.NoError(t, err)
	found, cases, err := errata.Find(d)
	require.NoError(t, err)
	assert.Equal(t, 7, cases)
	got := map[string]string{}
	for _, f := range found {
		got[f.ID] = string(f.Kind()) + " " + f.Refused[eval.FC] + " " + strings.Join(f.Conflicts, "; ")
	}
	assert.Equal(t, map[string]string{
		"simple_python_1": "contradiction  a is required, but the answer may leave it out",
		"simple_python_2": "refused type_error:simple a is required, but no value of it is accepted",
		"simple_python_3": "refused simple_function_checker:missing_required a is required, but the answer does not have it",
		"simple_python_4": "refused simple_function_checker:unexpected_param c is required by the answer, but not in the document",
		"simple_python_5": "contradiction  c is in the answer, which may leave it out, but not in the document",
	}, got)
	list := errata.List{Items: []errata.Item{{ID: "simple_python_1", Kind: errata.Refused}, {ID: "simple_python_9", Kind: errata.Misread}, {ID: "simple_python_0", Kind: errata.Reported}}}
	assert.Equal(t, []string{
		"simple_python_1 is listed as refused, but found to be contradiction",
		"simple_python_2 is found to be refused, but not in the list",
		"simple_python_3 is found to be refused, but not in the list",
		"simple_python_4 is found to be refused, but not in the list",
		"simple_python_5 is found to be contradiction, but not in the list",
		"simple_python_9 is listed as misread, but nothing is found against it",
	}, list.Against(found))
	other := errata.List{Items: []errata.Item{{ID: "simple_java_1", Kind: errata.Misread, Mode: eval.Prompt}}}
	assert.Equal(t, []string{"simple_java_1 is listed as misread in prompt mode, but its answer is accepted there"},
		other.Against([]errata.Finding{{ID: "simple_java_1", Refused: map[eval.Mode]string{eval.FC: "x"}}}))
}
