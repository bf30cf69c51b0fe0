package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestAloneAreBlocksOfOne: values that are counted tell what as many blocks of one
// value do, among clusters and in several strata.
func TestAloneAreBlocksOfOne(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 500 {
		var counted, listed []stat.Stratum
		for range 1 + draw.IntN(4) {
			s := stat.Stratum{Weight: draw.Float64(), Known: float64(draw.IntN(2)) * draw.Float64()}
			for _, key := range []string{"a", "b", "c"}[:draw.IntN(4)] {
				b := stat.Block{Key: key}
				for range draw.IntN(5) {
					b.Add(float64(draw.IntN(2)))
				}
				s.Blocks = append(s.Blocks, b)
			}
			s.Alone = draw.IntN(40)
			s.Right = draw.IntN(s.Alone + 1)
			counted = append(counted, s)
			for i := range s.Alone {
				b := stat.Block{}
				b.Add(float64(min(1, max(0, s.Right-i))))
				s.Blocks = append(s.Blocks, b)
			}
			s.Alone, s.Right = 0, 0
			listed = append(listed, s)
		}
		got, want := stat.Compose(counted), stat.Compose(listed)
		require.Equal(t, [3]int{want.N, want.K, want.Strata}, [3]int{got.N, got.K, got.Strata})
		for _, pair := range [][2]float64{
			{want.Mean, got.Mean}, {want.Size, got.Size}, {want.Square, got.Square}, {want.Effect, got.Effect},
			{want.Most, got.Most}, {want.Freedom, got.Freedom}, {want.Share(stat.Z95).Low, got.Share(stat.Z95).Low},
		} {
			compared++
			if math.IsInf(pair[0], 1) {
				require.Equal(t, pair[0], pair[1])
				continue
			}
			assert.InDelta(t, pair[0], pair[1], 1e-9*(1+math.Abs(pair[0])))
		}
	}
	t.Logf("%d figures compared", compared)
}
