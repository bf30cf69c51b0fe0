package classes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/mathapi"
)

// TestGoldenMathSums compares sums under the newer Python, whose sum compensates.
func TestGoldenMathSums(t *testing.T) {
	rows := 0
	env, err := sim.NewLibrary(mathapi.Class).Open(sim.Setup{Entry: "multi_turn_base_0", Involved: []string{"MathAPI"}})
	require.NoError(t, err)
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "sum_vectors.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		for _, method := range []string{"sum_values", "mean", "standard_deviation"} {
			call := method + "(numbers=" + testkit.Text(row, "numbers") + ")"
			assert.Equal(t, testkit.Text(row, method+"_py312"), env.Call(call).Text, "%q", call)
		}
	})
	t.Logf("%d lists compared, three results each", rows)
}
