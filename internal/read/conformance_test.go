package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestConformance compares readings with those of upstream's decoders, at the
// commit that docs/upstream-differences.md names, on texts of this project.
// internal/test/bench/upstream writes the rows and says how to check them again.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, f := range []decode.Format{decode.Python, decode.JSON, decode.VerboseXML, decode.ConciseXML, decode.Java, decode.JavaScript, "fc"} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			g := &tally{T: t}
			compare := g.calls
			if f != "fc" {
				compare = func(_ int, row *pyval.Dict) {
					g.rows++
					g.text(row, f)
				}
			}
			testkit.Rows(t, "testdata/conformance/"+string(f)+".jsonl", compare)
			assert.Greater(t, g.rows, 50)
			t.Logf("%d readings compared, %d differences; %d exceptions of the same class", g.rows, g.differ, g.classes)
		})
	}
}
