package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A world draws cases in clusters: in each the chance of a right answer is
// drawn anew around a mean, so that cases of a cluster are alike.
type world struct {
	random   *rand.Rand
	clusters int
	mean     float64
	spread   float64 // of the clusters' chances, on the logit scale
}

// chance is a cluster's, and shared with every part that takes it.
func (w *world) chance() float64 {
	return 1 / (1 + math.Exp(-(math.Log(w.mean/(1-w.mean)) + w.spread*w.random.NormFloat64())))
}

// truth is the mean of the chances, by a fine sum over the normal.
func (w *world) truth() float64 {
	var sum, weight float64
	for x := -8.0; x <= 8; x += 0.01 {
		density := math.Exp(-x * x / 2)
		sum += density / (1 + math.Exp(-(math.Log(w.mean/(1-w.mean)) + w.spread*x)))
		weight += density
	}
	return sum / weight
}

func (w *world) draw(chance float64, size int) int {
	right := 0
	for range size {
		if w.random.Float64() < chance {
			right++
		}
	}
	return right
}

// covered is the share of repetitions whose interval holds the truth.
func covered(repetitions int, truth float64, interval func() stat.Interval) float64 {
	held := 0
	for range repetitions {
		if i := interval(); i.Low <= truth && truth <= i.High {
			held++
		}
	}
	return float64(held) / float64(repetitions)
}

const repetitions = 2000

// TestCoverage: of intervals over clustered cases that are made with a known
// truth, 95% hold it. Two standard errors of the simulation are 1 point.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		name         string
		clusters     int
		mean, spread float64
		sizes        []int
	}{
		{"independent", 200, 0.8, 0, []int{1}},
		{"live questions", 138, 0.75, 1.5, []int{1, 1, 2, 4}},
		{"variants of conversations", 200, 0.5, 2, []int{4}},
		{"memory, three backends", 155, 0.2, 1, []int{3}},
		{"few clusters", 24, 0.6, 1, []int{5}},
		{"high accuracy", 150, 0.95, 1, []int{2, 6}},
	} {
		w := &world{rand.New(rand.NewPCG(1, uint64(len(c.name)))), c.clusters, c.mean, c.spread}
		truth := w.truth()
		share := func() (correct, total int, clusters []stat.Cluster) {
			for i := range w.clusters {
				size := c.sizes[i%len(c.sizes)]
				one := stat.Cluster{Correct: w.draw(w.chance(), size), Total: size}
				correct, total, clusters = correct+one.Correct, total+size, append(clusters, one)
			}
			return correct, total, clusters
		}
		got := covered(repetitions, truth, func() stat.Interval {
			correct, total, clusters := share()
			return stat.ClusteredWilson(correct, total, clusters, stat.Z95)
		})
		assert.InDelta(t, 0.95, got, 0.02, "%s: clustered Wilson", c.name)
		blind := covered(repetitions, truth, func() stat.Interval {
			correct, total, _ := share()
			return stat.Wilson(correct, total, stat.Z95)
		})
		t.Logf("%-26s clustered %.1f%%, blind to clusters %.1f%%", c.name, 100*got, 100*blind)
		if c.spread >= 1.5 {
			assert.Less(t, blind, 0.93, "%s: clusters that nobody would miss prove nothing", c.name)
		}
	}
}

// TestCoverageOfFormula: the interval of a weighted sum holds where two parts
// share their clusters, as multi-turn variants do, and a third is apart.
func TestCoverageOfFormula(t *testing.T) {
	w := &world{rand.New(rand.NewPCG(7, 7)), 150, 0.5, 2}
	apart := &world{w.random, 100, 0.8, 0}
	const shared = 4
	weights := []float64{0.15, 0.15, 0.15, 0.15, 0.4}
	truth := 0.6*w.truth() + 0.4*apart.mean
	draw := func() ([]stat.Interval, [][]stat.Block) {
		counts := make([][]stat.Cluster, shared+1)
		for i := range w.clusters {
			chance, key := w.chance(), string(rune('a'+i))
			for part := range shared {
				counts[part] = append(counts[part], stat.Cluster{Key: key, Correct: w.draw(chance, 1), Total: 1})
			}
		}
		for range apart.clusters {
			counts[shared] = append(counts[shared], stat.Cluster{Correct: w.draw(apart.mean, 1), Total: 1})
		}
		parts, blocks := make([]stat.Interval, len(counts)), make([][]stat.Block, len(counts))
		for i, clusters := range counts {
			correct := 0
			for _, c := range clusters {
				correct += c.Correct
			}
			parts[i], blocks[i] = stat.ClusteredWilson(correct, len(clusters), clusters, stat.Z95), stat.Blocks(clusters)
		}
		return parts, blocks
	}
	with := covered(repetitions, truth, func() stat.Interval {
		parts, blocks := draw()
		return stat.Combine(weights, parts, stat.Correlation(blocks))
	})
	without := covered(repetitions, truth, func() stat.Interval {
		parts, _ := draw()
		return stat.Combine(weights, parts, nil)
	})
	t.Logf("weighted sum: %.1f%%, without the correlation %.1f%%", 100*with, 100*without)
	assert.InDelta(t, 0.95, with, 0.02)
	assert.Less(t, without, 0.93)
}

// TestCoverageOfPairs: differences of two models on the same cases.
func TestCoverageOfPairs(t *testing.T) {
	for _, c := range []struct {
		name        string
		clusters    int
		size        int
		a, b        float64 // chances of the two models
		together    float64 // how often they take the same draw
		spread      float64
		least, most float64
	}{
		{"many pairs", 400, 1, 0.8, 0.75, 0.7, 0, 0.93, 0.97},
		{"few pairs", 30, 1, 0.7, 0.6, 0.5, 0, 0.93, 0.97},
		{"nearly alike", 200, 1, 0.9, 0.9, 0.95, 0, 0.93, 1}, // three pairs that differ, say: conservative, as it should be
		{"clusters", 120, 4, 0.7, 0.65, 0.3, 0.25, 0.93, 0.97},
		{"few clusters", 25, 4, 0.7, 0.65, 0.3, 0.25, 0.93, 0.97},
	} {
		random := rand.New(rand.NewPCG(3, uint64(len(c.name))))
		got := covered(repetitions, c.a-c.b, func() stat.Interval {
			blocks := make([]stat.Block, c.clusters)
			for i := range blocks {
				shift := c.spread * (2*random.Float64() - 1)
				for range c.size {
					x := random.Float64()
					y := x
					if random.Float64() >= c.together {
						y = random.Float64()
					}
					blocks[i].Add(of(x < c.a+shift) - of(y < c.b-shift))
				}
			}
			return stat.Paired(blocks, stat.Z95)
		})
		t.Logf("%-14s %.1f%%", c.name, 100*got)
		assert.True(t, got >= c.least && got <= c.most, "%s: %.3f", c.name, got)
	}
}

func of(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
