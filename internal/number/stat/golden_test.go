package stat_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func costRows(t *testing.T, name string) []pyval.Value {
	t.Helper()
	text, err := os.ReadFile(testkit.GoldenFile(t, "cost", "cost.json"))
	require.NoError(t, err)
	v, err := pyval.ParseJSON(string(text))
	require.NoError(t, err)
	return testkit.Field(v.(*pyval.Dict), name).(*pyval.List).Items
}

func float(t *testing.T, v pyval.Value, name string) float64 {
	t.Helper()
	f, ok := testkit.Field(v.(*pyval.Dict), name).(pyval.Float)
	require.True(t, ok, "%s of %s", name, pyval.Repr(v))
	return float64(f)
}

func TestGoldenPercentile(t *testing.T) {
	all := costRows(t, "percentile_examples")
	for _, row := range all {
		var xs []float64
		for _, x := range testkit.Field(row.(*pyval.Dict), "values").(*pyval.List).Items {
			xs = append(xs, float64(x.(pyval.Float)))
		}
		got, err := stat.Percentile(xs, 95)
		require.NoError(t, err)
		assert.Equal(t, float(t, row, "p95"), got, "%v", xs)
		assert.Equal(t, float(t, row, "p95_rounded"), stat.RoundScaled2(got), "%v", xs)
	}
	t.Logf("%d rows compared", len(all))
}

func TestGoldenRounding(t *testing.T) {
	all := costRows(t, "rounding_examples")
	for _, row := range all {
		x := float(t, row, "value")
		assert.Equal(t, float(t, row, "python_round_2"), stat.Round2(x), "%v", x)
		assert.Equal(t, float(t, row, "numpy_round_2"), stat.RoundScaled2(x), "%v", x)
	}
	t.Logf("%d rows compared", len(all))
}
