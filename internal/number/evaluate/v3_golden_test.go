package evaluate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// before are the third release's names of three categories.
var before = map[string]string{"simple_python": "simple", "simple_java": "java", "simple_javascript": "javascript"}

// asV3 lays a folder of results out as the third release did, with a file of a
// category and a case that the current release dropped.
func asV3(t *testing.T, results, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(results, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		name := strings.TrimSuffix(strings.TrimPrefix(entry.Name(), "BFCL_v4_"), "_result.json")
		text := string(data)
		if old := before[name]; old != "" {
			text, name = strings.ReplaceAll(text, `"id": "`+name+`_`, `"id": "`+old+`_`), old
		}
		if name == "simple" {
			text += `{"id": "simple_9999", "result": "[f(x=1)]"}` + "\n"
		}
		write(t, filepath.Join(dir, filepath.Base(filepath.Dir(filepath.Dir(path))), "BFCL_v3_"+name+"_result.json"), text)
		return nil
	}))
	write(t, filepath.Join(dir, "Qwen_Qwen3-8B-FC", "BFCL_v3_rest_result.json"), `{"id": "rest_0", "result": "[f(x=1)]"}`)
}

// TestGoldenV3: results in the third release's layout give the score files that
// the same results give in the current one.
func TestGoldenV3(t *testing.T) {
	results := testkit.Shared(t, "recorded", "v4", "open", "result")
	v3, today, old := t.TempDir(), t.TempDir(), t.TempDir()
	asV3(t, results, v3)
	_, err := evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: results, Partial: true}, today)
	require.NoError(t, err)
	report, err := evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: v3, Partial: true}, old)
	require.NoError(t, err)
	notes := strings.Join(report.Notes, "\n")
	assert.Contains(t, notes, `Qwen_Qwen3-8B-FC: cases that dataset "v4" no longer has are left out: rest`)
	assert.Contains(t, notes, `BFCL_v3_simple_result.json: cases that dataset "v4" no longer has are left out: simple_python_9999`)
	files := 0
	require.NoError(t, filepath.WalkDir(today, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(today, path)
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(old, rel))
		require.NoError(t, err)
		assert.True(t, string(want) == string(got), rel)
		files++
		return nil
	}))
	t.Logf("%d files compared", files)
}
