package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// FuzzSelect reads lists of categories and files of ids: what is selected is
// there, each case once.
func FuzzSelect(f *testing.F) {
	f.Add("all", "simple_python_0\n# no case\n\nirrelevance_1,irrelevance_2")
	f.Add("live,parallel", "live_simple_0")
	f.Add("python,", "simple_python_0 simple_python_0")
	dataset, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, names, ids string) {
		path := filepath.Join(t.TempDir(), "ids")
		if err := os.WriteFile(path, []byte(ids), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := suite.ReadIDs("@" + path)
		if err != nil {
			return
		}
		s, err := suite.Select(dataset, names, list)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, part := range s.Parts {
			for _, c := range part.Cases {
				if seen[c.ID] {
					t.Fatalf("%s is selected twice", c.ID)
				}
				seen[c.ID] = true
			}
		}
		if len(seen) == 0 || len(seen) != s.Cases() {
			t.Fatalf("%d cases of %d", len(seen), s.Cases())
		}
	})
}
