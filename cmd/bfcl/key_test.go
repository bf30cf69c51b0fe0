package main

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoKeyAnywhere plants keys and has a server throw them back in answers,
// headers and errors of all sorts: they reach no file of the run and nothing
// that is printed, unless the model itself says one in its answer's text.
func TestNoKeyAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the suite")
	}
	const key, header = "sk-planted-0123456789abcdef", "header-secret-9876543210"
	t.Setenv("OPENAI_API_KEY", key)
	t.Setenv("PLANTED_HEADER", header)
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		said := r.Header.Get("Authorization") + " " + r.Header.Get("X-Secret")
		assert.Contains(t, said, key)
		assert.Contains(t, said, header)
		w.Header().Set("X-Echo", said)
		switch n.Add(1) % 4 {
		case 0:
			http.Error(w, fmt.Sprintf(`{"error": {"message": "you sent %s"}}`, said), http.StatusBadRequest)
		case 1:
			http.Error(w, "<html>"+said+"</html>", http.StatusUnprocessableEntity)
		case 2:
			_, _ = fmt.Fprintf(w, `{"error": {"message": "inside 200: %s", "code": 400}}`, said)
		default:
			_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "no"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}`)
		}
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "run")
	printed := refused(t, exitTrouble, "run", "-model=openai:m", "-base-url="+server.URL+"/v1", "-header=X-Secret: ${PLANTED_HEADER}",
		"-categories=simple_python,multiple", "-run-dir="+dir) // infrastructure errors leave the run without a score
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, secret := range []string{key, header} {
			assert.NotContains(t, string(data), secret, path)
		}
		return err
	}))
	for _, secret := range []string{key, header} {
		assert.NotContains(t, printed, secret)
	}
	assert.Greater(t, files, 4)
	t.Logf("%d files searched, %d requests answered", files, n.Load())
}
