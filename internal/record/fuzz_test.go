package record_test

import (
	"path/filepath"
	"testing"

	"github.com/gobfcl/bfcl/internal/record"
)

// FuzzRun reads a stranger's run.json; what is read is written as the same.
func FuzzRun(f *testing.F) {
	f.Add(`{"model": "m", "mode": "fc", "dataset": "starter", "trials": 1, "parameters": {"api_replay": "x"}, "ids": ["a"]}`)
	f.Add(`{"trials": -1, "started": "2026-01-01T00:00:00Z", "prices": {"input": 1e308}}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "run.json"), text)
		run, err := record.ReadRun(dir)
		if err != nil {
			return
		}
		_ = run.Settings()
		if err := record.WriteRun(dir, run); err != nil {
			t.Fatal(err)
		}
		again, err := record.ReadRun(dir)
		if err != nil {
			t.Fatal(err)
		}
		if note, err := record.Resumable(run, again); err != nil || note != "" {
			t.Fatalf("%v %s", err, note)
		}
	})
}

// FuzzReadV1 reads result files of the first release, whose lines have no ids
// and many forms.
func FuzzReadV1(f *testing.F) {
	f.Add("{\"idx\": 0, \"result\": \"f()\"}\n{\"id\": 1, \"text\": \"f()\"}")
	f.Add("{\"question_id\": \"a\", \"result\": [{\"f\": \"{}\"}], \"latency\": [[1]]}\n{")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "gorilla_openfunctions_v1_test_simple_result.json")
		if !record.Positional(path) {
			t.Fatalf("%s is no file of the first release", path)
		}
		write(t, path, text)
		rows, err := record.Read(path, true)
		for _, row := range rows {
			_ = row.Response()
		}
		if err != nil && rows != nil {
			t.Fatal("rows beside an error")
		}
	})
}
