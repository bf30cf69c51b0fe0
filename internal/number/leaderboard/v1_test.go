package leaderboard

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func numbers(t *testing.T, all *pyval.Dict, table string) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for key, v := range testkit.Field(all, table).(*pyval.Dict).All() {
		switch v := v.(type) {
		case pyval.Int:
			out[pyval.Text(key)], _ = v.Float64()
		case pyval.Float:
			out[pyval.Text(key)] = float64(v)
		}
	}
	return out
}

// TestGoldenV1Model compares prices, batch times and models without a cost
// with the first leaderboard's.
func TestGoldenV1Model(t *testing.T) {
	text := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "cost", "cost.json")))(t)
	v := testkit.Must(pyval.ParseJSON(string(text)))(t)
	all := v.(*pyval.Dict)
	in, out := numbers(t, all, "input_price_per_million_tokens"), numbers(t, all, "output_price_per_million_tokens")
	used := map[string]bool{}
	for name := range in {
		m := V1Model(name)
		if assert.NotNil(t, m.InputPrice, name) {
			assert.Equal(t, [2]float64{in[name], out[name]}, [2]float64{*m.InputPrice, *m.OutputPrice}, name)
			used[name] = true
		}
	}
	for name := range v1Prices {
		assert.True(t, used[name] || used[name+"-FC"], "%s has no published price", name)
	}
	batch := numbers(t, all, "oss_batch_latency_seconds")
	assert.Equal(t, batch, v1BatchSeconds)
	free := testkit.Field(all, "no_cost_models").(*pyval.List).Items
	for _, name := range free {
		assert.True(t, slices.Contains(v1NoCost, pyval.Text(name)), pyval.Text(name))
	}
	assert.Len(t, v1NoCost, len(free))
	t.Logf("%d prices, %d batch times and %d models without a cost compared", len(in), len(batch), len(free))
}
