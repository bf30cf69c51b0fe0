package stat_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// pairs are blocks of one pair each.
func pairs(onlyA, onlyB, same int) []stat.Block {
	var out []stat.Block
	add := func(n int, x float64) {
		for range n {
			var b stat.Block
			b.Add(x)
			out = append(out, b)
		}
	}
	add(onlyA, 1)
	add(onlyB, -1)
	add(same, 0)
	return out
}

func paired(blocks []stat.Block, z float64) stat.Estimate {
	return stat.Compose([]stat.Stratum{{Weight: 1, Blocks: blocks}}).Difference(z)
}

// TestPaired: Bonett and Price's interval by its formula, with p' = (x+1)/(n+2).
func TestPaired(t *testing.T) {
	airway := paired(pairs(1, 7, 13), stat.Z95)
	p12, p21, n := 2.0/23, 8.0/23, 23.0
	half := stat.Z95 * math.Sqrt((p12+p21-(p12-p21)*(p12-p21))/n)
	assert.InDelta(t, p12-p21-half, airway.Low, 1e-12)
	assert.InDelta(t, p12-p21+half, airway.High, 1e-12)
	assert.InDelta(t, -6.0/21, airway.Value, 1e-12)

	assert.Equal(t, stat.Estimate{Low: -1, High: 1}, paired(nil, stat.Z95))
	alike := paired(pairs(0, 0, 50), stat.Z95)
	assert.Zero(t, alike.Value)
	assert.InDelta(t, -alike.Low, alike.High, 1e-12)
	assert.Greater(t, alike.High, 0.03, "50 pairs that agree do not prove that all do")
	three := paired(pairs(3, 0, 0), stat.Z95)
	assert.Less(t, three.Low, 0.0, "three cases are no proof")
	assert.Equal(t, 1.0, three.High)
}

func square(x float64) float64 { return x * x }

// Student's quantiles are those of any table.
func TestStudent(t *testing.T) {
	for _, c := range []struct {
		freedom float64
		want    float64
	}{{1, 12.706}, {2, 4.303}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {120, 1.980}, {10_000_000, 1.960}} {
		assert.InDelta(t, c.want, stat.Student(stat.Z95, c.freedom), 6e-4, "%d", c.freedom)
	}
	assert.True(t, math.IsInf(stat.Student(stat.Z95, 0), 1))
	assert.Zero(t, stat.Student(0, 3))
	assert.InDelta(t, 0.05, stat.TwoSided(stat.Z95), 1e-12)
}

// TestLevel: where the interval's z touches 0 lies the p value.
func TestLevel(t *testing.T) {
	for _, estimate := range []float64{0.5, 2, -3} {
		p := stat.Level(func(z float64) stat.Estimate {
			return stat.Estimate{Value: estimate, Low: estimate - z, High: estimate + z}
		})
		assert.InEpsilon(t, stat.TwoSided(estimate), p, 1e-6)
	}
	assert.Equal(t, 1.0, stat.Level(func(z float64) stat.Estimate { return stat.Estimate{Low: -z, High: z} }))
	assert.Less(t, stat.Level(func(float64) stat.Estimate { return stat.Estimate{Value: 1, Low: 1, High: 1} }), 1e-200, "and not 0, which is no test")
	at := stat.Level(func(z float64) stat.Estimate { return paired(pairs(1, 12, 30), z) })
	assert.Greater(t, at, 0.0005)
	assert.Less(t, at, 0.01)
}

// TestPassAt: the estimators against counting all choices of k trials.
func TestPassAt(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				some, all, choices := 0.0, 0.0, 0.0
				for mask := range 1 << n {
					if bits.OnesCount(uint(mask)) != k {
						continue
					}
					right := bits.OnesCount(uint(mask & (1<<c - 1))) // the first c trials are right
					choices++
					some += of(right > 0)
					all += of(right == k)
				}
				at, ok := stat.Measure{K: k}.Of(n, c)
				assert.True(t, ok)
				assert.InDelta(t, some/choices, at, 1e-12, "pass@%d of %d in %d", k, c, n)
				hat, _ := stat.Measure{K: k, All: true}.Of(n, c)
				assert.InDelta(t, all/choices, hat, 1e-12, "pass^%d of %d in %d", k, c, n)
			}
			_, ok := stat.Measure{K: n + 1, All: c%2 == 0}.Of(n, c)
			assert.False(t, ok, "more than there are trials")
		}
	}
	// 1 - C(150,10)/C(200,10): with 50 of 200 right, ten tries.
	at, _ := stat.Measure{K: 10}.Of(200, 50)
	assert.InDelta(t, 0.947906, at, 5e-7)
}

// TestDetectable: with 1,000 independent cases at 50% the standard error of a
// difference is 2.24 points, and 6.3 points can be told (2.8 standard errors).
func TestDetectable(t *testing.T) {
	half := stat.Z95 * math.Sqrt(0.25/1000)
	assert.InDelta(t, 0.0626, stat.Estimate{Low: 0.5 - half, High: 0.5 + half}.Detectable(), 5e-5)
}

// TestFinds: a loss of the size that a comparison of 100 cases says it finds is
// found in 80 of 100, though nothing had changed before; with five units whose
// values go together it says less, and nothing if there is one.
func TestFinds(t *testing.T) {
	const cases, n = 100, 2000
	still := stat.Compose([]stat.Stratum{{Weight: 1, Blocks: []stat.Block{{N: 1}}, Alone: cases - 1}})
	loss, found := still.Finds(0.05), 0
	random := rand.New(rand.NewPCG(1, 1))
	for range n {
		blocks := make([]stat.Block, cases)
		for i := range blocks {
			x := 0.0
			if random.Float64() < loss {
				x = -1
			}
			blocks[i].Add(x)
		}
		if stat.Compose([]stat.Stratum{{Weight: 1, Blocks: blocks}}).Difference(stat.Z95).High < 0 {
			found++
		}
	}
	assert.InDelta(t, 0.8, float64(found)/n, 0.08, "a loss of %.3f", loss)
	five := stat.Compose([]stat.Stratum{{Weight: 1, Unit: "scenario", Blocks: []stat.Block{{Key: "a", N: 20}, {Key: "b", N: 20}, {Key: "c", N: 20}, {Key: "d", N: 20}, {Key: "e", N: 20}}}})
	assert.Greater(t, five.Finds(0.05), 2*loss)
	assert.Less(t, five.Even().Finds(0.05), five.Finds(0.05))
	assert.InDelta(t, 1, stat.Composite{}.Finds(0.05), 0)
}
