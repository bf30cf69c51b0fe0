package tally_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// FuzzJUnit reads JUnit files that anybody may have written: what is read has
// exactly the manifest's cases, and scores.
func FuzzJUnit(f *testing.F) {
	d, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		f.Fatal(err)
	}
	digest, err := d.Digest()
	if err != nil {
		f.Fatal(err)
	}
	props := map[string]string{"model": "m", "dataset": "starter", "digest": digest, "categories": "irrelevance", "trials": "1", "selection": "irrelevance_0"}
	for _, leaf := range []string{
		element("TestBFCL/irrelevance/irrelevance_0", "", nil),
		element("TestBFCL/irrelevance/irrelevance_0", failed("x"), map[string]string{"error_type": "value_error"}),
		element("TestBFCL/irrelevance/irrelevance_0/2", "<skipped message='x'/>", nil),
	} {
		f.Add("<testsuites><testsuite name=\"p\">" + element("TestBFCL", "", props) + leaf + "</testsuite></testsuites>")
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run, err := tally.Read([]string{path}, tally.Options{})
		if err != nil {
			return
		}
		n := 0
		for _, part := range run.Parts {
			n += len(part.Results)
		}
		if n == 0 || n%run.Trials != 0 {
			t.Fatalf("%d results of %d trials", n, run.Trials)
		}
		if _, err := run.Score(true); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzErrors reads a run folder's errors.jsonl.
func FuzzErrors(f *testing.F) {
	f.Add(`{"id":"irrelevance_0","category":"irrelevance","trial":0,"kind":"reset","error":"reset: peer"}` + "\n{")
	f.Add("[]\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		run := `{"model":"m","mode":"fc","dataset":"starter","categories":["irrelevance"],"ids":["irrelevance_0"],"trials":1}`
		for name, text := range map[string]string{"run.json": run, "errors.jsonl": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = tally.Read([]string{dir}, tally.Options{})
	})
}
