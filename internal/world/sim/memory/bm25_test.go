package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestGoldenIDF(t *testing.T) {
	rows, values := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "bm25_idf.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		keys, _ := testkit.Field(row, "corpus_size").(pyval.Int).Int64()
		for i, want := range testkit.Field(row, "idf").(*pyval.List).Items {
			values++
			assert.Equal(t, pyval.Text(want), pyval.Repr(pyval.Float(idf(int(keys), i+1))), "%d keys, %d with the word", keys, i+1)
		}
	})
	t.Logf("%d rows, %d logarithms compared", rows, values)
}
