package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
}
