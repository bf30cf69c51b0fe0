package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestV3 reads a folder of the third release: files side by side, categories
// and ids under today's names.
func TestV3(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "org_model")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, text := range map[string]string{
		"simple":               `{"id": "simple_7", "result": "a"}`,
		"java":                 `{"id": "java_1", "result": "b"}`,
		"live_simple":          `{"id": "live_simple_3-1-0", "result": "c"}`,
		"multi_turn_miss_func": `{"id": "multi_turn_miss_func_12", "result": []}`,
		"exec_simple":          `{"id": "plain", "result": "d"}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v3_"+name+"_result.json"), []byte(text+"\n"), 0o644))
	}
	f, err := record.Find(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Equal(t, "org_model", f.Name())
	ids := map[string]string{}
	for category, path := range f.Files {
		assert.True(t, record.FromV3(path))
		rows, err := record.Read(path, false)
		require.NoError(t, err)
		ids[category] = rows[0].ID
	}
	assert.Equal(t, map[string]string{
		"simple_python": "simple_python_7", "simple_java": "simple_java_1", "live_simple": "live_simple_3-1-0",
		"multi_turn_miss_func": "multi_turn_miss_func_12", "exec_simple": "plain",
	}, ids)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v4_simple_python_result.json"), []byte(`{"id": "simple_python_7", "result": "a"}`), 0o644))
	_, err = record.Find(dir)
	assert.ErrorContains(t, err, "category simple_python is recorded twice")

	twice := filepath.Join(dir, "BFCL_v2_rest_result.json")
	require.NoError(t, os.WriteFile(twice, []byte(`{"id": "rest_1", "result": "a"}`+"\n"+`{"id": "rest_1", "result": "b"}`), 0o644))
	_, err = record.Read(twice, false)
	assert.ErrorContains(t, err, `:2: "rest_1" has a different answer on line 1`)
}

// TestV1 reads a folder of the first release: rows by their id, their number, or
// their place, and the settings of a model of its leaderboard.
func TestV1(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gemini-1.5-pro-preview-0514")
	require.NoError(t, os.Mkdir(dir, 0o755))
	path := filepath.Join(dir, "gorilla_openfunctions_v1_test_simple_result.json")
	const lines = `{"id": "simple_9", "result": "a"}
{"idx": 7, "result": "b"}
{"id": 5, "idx": 6, "result": "c"}
{"id": null, "result": "d"}
{"result": "e"}
{"idx": 7, "result": "f"}
`
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o644))
	assert.True(t, record.Positional(path))
	rows, err := record.Read(path, false)
	require.NoError(t, err)
	var ids []string
	for i, row := range rows {
		ids = append(ids, row.ID)
		assert.Equal(t, i+1, row.Line)
	}
	assert.Equal(t, []string{"simple_9", "simple_7", "simple_5", "simple_3", "simple_4", "simple_7"}, ids)
	f, err := record.Find(dir)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"simple": path}, f.Files)
	settings, ok := f.V1Settings(eval.FC)
	assert.True(t, ok)
	assert.Equal(t, eval.Settings{Mode: eval.FC, UnderscoreToDot: true, Dialect: "gemini"}, settings)

	unknown := *f
	unknown.Model = "nobody-knows"
	_, ok = unknown.V1Settings(eval.FC)
	assert.False(t, ok)
	f.Files["rest"] = filepath.Join(dir, "BFCL_v4_rest_result.json")
	_, ok = f.V1Settings(eval.FC)
	assert.False(t, ok, "not all files are of the first release")

	for text, said := range map[string]string{"{": "invalid JSON", "[]": "expected a JSON object, got a list", `{"id": 1}`: `"result" is missing`} {
		require.NoError(t, os.WriteFile(path, []byte(`{"result": "a"}`+"\n"+text+"\n"), 0o644))
		_, err = record.Read(path, false)
		require.ErrorContains(t, err, said)
		require.ErrorContains(t, err, ":2:")
	}
}
