package sim

import "testing"

// FuzzLongContext reads long_context.json of a stranger's dataset.
func FuzzLongContext(f *testing.F) {
	f.Add([]byte(`{"WATCH_LIST_EXTENSION": ["A"]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		long, err := LoadLongContext(data)
		if (long == nil) == (err == nil) {
			t.Fatalf("neither data nor error, or both: %v", err)
		}
	})
}
