package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestLongContext(t *testing.T) {
	for _, data := range []string{"", "[]", "{}", `{"WATCH_LIST_EXTENSION": 1}`, strings.Repeat("[", 1<<20)} {
		assert.Error(t, testkit.Err(eval.ParseLongContext([]byte(data))), "%.40q", data)
	}
}

// FuzzLongContext reads long_context.json of a stranger's dataset.
func FuzzLongContext(f *testing.F) {
	f.Add([]byte(`{"WATCH_LIST_EXTENSION": ["A"]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		long, err := eval.ParseLongContext(data)
		if (long == nil) == (err == nil) {
			t.Fatalf("neither data nor error, or both: %v", err)
		}
	})
}
