package pose_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// FuzzPromptLoad reads prompts.json of a stranger's dataset.
func FuzzPromptLoad(f *testing.F) {
	own, err := os.ReadFile(filepath.Join(testkit.ModuleRoot(f), "fixtures", "starter", "prompts.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own)
	f.Add([]byte(`{"prompts": {}, "tools": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := prompt.Load(data)
		if (w == nil) == (err == nil) {
			t.Fatalf("neither wording nor error, or both: %v", err)
		}
		if err == nil {
			_, _ = w.AgenticAnswer(), w.Scenarios()
		}
	})
}
