package evaluate_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenOpen evaluates real answers of three models with open weights, each
// in the dialect that its folder's name tells: every score file is upstream's,
// but for CPython's words for what is no Python.
func TestGoldenOpen(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "open")
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: filepath.Join(recorded, "result"), Partial: true}, out)
	require.NoError(t, err)
	read := map[string]string{}
	for _, m := range report.Models {
		read[m.Name] = m.Settings().Dialect
	}
	assert.Equal(t, map[string]string{
		"Qwen_Qwen3-8B-FC": "qwen-fc", "Team-ACE_ToolACE-2-8B": "llama", "meta-llama_Llama-3.1-8B-Instruct-FC": "llama-fc",
	}, read)
	row := table(t, filepath.Join(out, "data_overall.csv"), "Qwen3-8B (FC)")
	assert.Equal(t, []string{"https://huggingface.co/Qwen/Qwen3-8B", "Qwen", "apache-2.0"}, []string{row["Model Link"], row["Organization"], row["License"]})
	files, whole, failed, identical, words := 0, 0, 0, 0, 0
	scores := filepath.Join(recorded, "score")
	require.NoError(t, filepath.WalkDir(scores, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_score.json") {
			return err
		}
		file, _ := filepath.Rel(scores, path)
		want, got := lines(t, path), lines(t, filepath.Join(out, file))
		files++
		before := identical + words
		assert.Equal(t, want[0], got[0], "header of %s", file)
		if !assert.Equal(t, len(want), len(got), "failed cases of %s", file) {
			return nil
		}
		for i := 1; i < len(want); i++ {
			failed++
			switch {
			case want[i] == got[i]:
				identical++
			case assert.Empty(t, apartFromWords(t, want[i], got[i]), "%s, line %d of %s", field(t, want[i], "id"), i+1, file):
				words++
			}
		}
		if identical+words-before == len(want)-1 {
			whole++
		}
		return nil
	}))
	assert.Equal(t, files, whole)
	t.Logf("%d score files compared, %d of them equal; %d failed cases, %d of their lines identical to the byte, %d but for CPython's words",
		files, whole, failed, identical, words)
}

// apartFromWords are the fields that differ, but for texts of CPython's parsers.
func apartFromWords(t *testing.T, want, got string) []string {
	want, got = syntaxErrors.ReplaceAllString(want, ""), syntaxErrors.ReplaceAllString(got, "")
	var out []string
	for _, name := range fieldsThatDiffer(t, want, got) {
		if name != "error" || !strings.HasSuffix(field(t, want, "error_type"), ":decoder_failed'") {
			out = append(out, name)
		}
	}
	return out
}
