package evaluate

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzHeader reads the first line of score files that lie in the score folder
// already.
func FuzzHeader(f *testing.F) {
	f.Add(`{"accuracy": 0.5, "correct_count": 1, "total_count": 2}` + "\n{}")
	f.Add("[]")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "score.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if head, err := readHeader(path); (head == nil) == (err == nil) {
			t.Fatalf("neither header nor error, or both: %v", err)
		}
	})
}
