package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// longVariable asks for so many repetitions of each cell, 20000 say.
const longVariable = "BFCL_COVERAGE"

// repetitions of a cell: so many in CI, unless the environment asks for more, and
// fewer elsewhere.
func repetitions(t *testing.T, few, all int) int {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	text := os.Getenv(longVariable)
	if text == "" {
		return testkit.Some(few, all)
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, longVariable)
	return max(n, all)
}

// within reports whether a share seen in a simulation goes with one between two
// limits: three standard errors of the simulation are allowed.
func within(t *testing.T, got, low, high float64, n int, cell string) {
	t.Helper()
	if got < low-3*math.Sqrt(low*(1-low)/float64(n)) || got > high+3*math.Sqrt(high*(1-high)/float64(n)) {
		t.Errorf("%s: %.2f%% of %d, want %.1f%% to %.1f%%", cell, 100*got, n, 100*low, 100*high)
	}
}

// shareOf is how often something holds.
func shareOf(repetitions int, held func() bool) float64 {
	n := 0
	for range repetitions {
		if held() {
			n++
		}
	}
	return float64(n) / float64(repetitions)
}

func holds(i stat.Estimate, truth float64) bool { return i.Low <= truth && truth <= i.High }

// TestCoverageOfTrials: of cases whose trials all end alike, every outcome's
// probability is known, so the coverage is exact: 93% or more, however many
// trials and cases there are.
func TestCoverageOfTrials(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: all outcomes of many samples")
	}
	t.Parallel()
	sizes := []int{16, 17, 20, 24, 25, 30, 40, 50, 64, 100, 155, 200, 300, 400}
	shares := []float64{.02, .05, .1, .2, .35, .5, .65, .8, .9, .95, .98, .99}
	for _, trials := range []int{1, 2, 5, 20, 100} {
		for _, n := range sizes {
			intervals := make([]stat.Estimate, n+1)
			for right := range intervals {
				intervals[right] = share(alike(1, right, n, trials))
			}
			line := fmt.Sprintf("%3d cases, %3d trials:", n, trials)
			for _, p := range shares {
				outcome := distuv.Binomial{N: float64(n), P: p}
				covered := 0.0
				for right, i := range intervals {
					if holds(i, p) {
						covered += outcome.Prob(float64(right))
					}
				}
				line += fmt.Sprintf(" %.1f", 100*covered)
				assert.GreaterOrEqual(t, covered, 0.93, "%d cases, %d trials, %g", n, trials, p)
			}
			t.Log(line)
		}
	}
	t.Logf("coverage in percent at true shares of %v", shares)
}

func draws(random *rand.Rand, n int, p float64) (right int) {
	for range n {
		if random.Float64() < p {
			right++
		}
	}
	return right
}

// A world draws cases in clusters: in each the chance of a right answer is
// drawn anew around a mean, so that cases of a cluster are alike.
type world struct {
	random   *rand.Rand
	clusters int
	mean     float64
	spread   float64 // of the clusters' chances, on the logit scale
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// chance is a cluster's, and shared with every part that takes it.
func (w *world) chance() float64 {
	return logistic(logit(w.mean) + w.spread*w.random.NormFloat64())
}

// truth is the mean of the chances, by a fine sum over the normal.
func (w *world) truth() float64 {
	var sum, weight float64
	for x := -8.0; x <= 8; x += 0.01 {
		density := math.Exp(-x * x / 2)
		sum += density * logistic(logit(w.mean)+w.spread*x)
		weight += density
	}
	return sum / weight
}

// TestCoverageOfClusters: of intervals over clustered cases that are made with
// a known truth, 95% hold it; blind to the clusters they do not.
func TestCoverageOfClusters(t *testing.T) {
	t.Parallel()
	n := repetitions(t, 500, 500)
	for i, c := range []struct {
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
		{"one large cluster of many", 287, 0.8, 1, append([]int{133, 82, 71}, make([]int, 284)...)},
	} {
		w := &world{rand.New(rand.NewPCG(1, uint64(i))), c.clusters, c.mean, c.spread}
		truth := w.truth()
		draw := func() (clustered, blind stat.Stratum) {
			clustered.Weight, blind.Weight = 1, 1
			for i := range w.clusters {
				b, chance := stat.Block{}, w.chance()
				for range max(1, c.sizes[i%len(c.sizes)]) {
					x := of(w.random.Float64() < chance)
					b.Add(x)
					blind.Blocks = append(blind.Blocks, stat.Block{N: 1, Sum: x, Squares: x})
				}
				clustered.Blocks = append(clustered.Blocks, b)
			}
			return clustered, blind
		}
		got := shareOf(n, func() bool { s, _ := draw(); return holds(share(s), truth) })
		blind := shareOf(n, func() bool { _, s := draw(); return holds(share(s), truth) })
		t.Logf("%-26s clustered %.1f%%, blind to clusters %.1f%%", c.name, 100*got, 100*blind)
		within(t, got, 0.93, 0.975, n, c.name)
		if c.spread >= 1.5 {
			assert.Less(t, blind, 0.93, "%s: clusters that nobody would miss prove nothing", c.name)
		}
	}
}

// A structure is a benchmark's weights and cases by category.
type structure struct {
	name    string
	weights []float64
	cases   []int
}

// structures are V4's at several sizes, each category at least one case, and
// the starter suite's.
func structures(t *testing.T) (out []structure) {
	t.Helper()
	l := score.V4
	starter := testkit.Must(fixtures.Open("starter", ""))(t)
	has := map[string]int{}
	for _, cat := range categories.All() {
		if !starter.Has(cat) {
			continue
		}
		cases := testkit.Must(starter.Cases(cat))(t)
		has[cat.Name] = len(cases)
	}
	add := func(name string, size func(category string) int) {
		s := structure{name: name}
		for _, share := range l.Overall.Shares(func(c string) (int, bool) { return l.Sizes[c], true }) {
			s.weights, s.cases = append(s.weights, share.Weight), append(s.cases, size(share.Category))
		}
		out = append(out, s)
	}
	const all = 5106
	for _, n := range []int{50, 200, 400, 1000, all} {
		add(fmt.Sprintf("V4, %d", n), func(c string) int {
			return max(1, int(math.Round(float64(n)*float64(l.Sizes[c])/all)))
		})
	}
	add("starter", func(c string) int { return has[c] })
	return out
}

// chances of the categories: all alike, or from far below to far above.
func (s structure) chances(accuracy, spread float64) (chances []float64, truth float64) {
	for i, w := range s.weights {
		at := spread * (float64(i*7%len(s.weights))/float64(len(s.weights)-1) - 0.5)
		p := logistic(logit(accuracy) + at)
		chances = append(chances, p)
		truth += w * p
	}
	return chances, truth
}

func (s structure) draw(value func(category int) float64) []stat.Stratum {
	out := make([]stat.Stratum, len(s.weights))
	for i, w := range s.weights {
		blocks := make([]stat.Block, s.cases[i])
		for k := range blocks {
			blocks[k].Add(value(i))
		}
		out[i] = stat.Stratum{Weight: w, Blocks: blocks}
	}
	return out
}

var accuracies = []float64{.02, .2, .5, .8, .98}

// TestCoverageOfOverall: the overall's interval, in V4's structure. Where so few
// cases are right, or wrong, that none at all are not unlikely, no interval can
// miss on that side, and about 97.5% hold the truth: see enough.
func TestCoverageOfOverall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 8))
	n := repetitions(t, 60, 150)
	for _, s := range structures(t) {
		for _, spread := range []float64{0, 4} {
			for _, accuracy := range accuracies {
				chances, truth := s.chances(accuracy, spread)
				width, size := 0.0, 0.0
				got := shareOf(n, func() bool {
					c := stat.Compose(s.draw(func(i int) float64 { return of(random.Float64() < chances[i]) }))
					i := c.Share(stat.Z95)
					width, size = width+i.High-i.Low, size+c.Size
					return holds(i, truth)
				})
				expected := size / float64(n) * min(truth, 1-truth)
				cell := fmt.Sprintf("%-8s categories %-6s accuracy %.2f", s.name, alikeOr(spread), accuracy)
				t.Logf("%s: %.1f%%, width %.1f points", cell, 100*got, 100*width/float64(n))
				low, high := 0.94, 0.965
				if expected < enough {
					low, high = 0.93, 1
				}
				within(t, got, low, high, n, cell)
			}
		}
	}
}

// enough is how many independent cases of the rarer kind, right or wrong, an
// interval needs to be able to miss on both sides as often as it should.
const enough = 10

func alikeOr(spread float64) string {
	if spread == 0 {
		return "alike"
	}
	return "differ"
}

// TestCoverageOfSharedClusters: the interval of a weighted sum holds where four
// parts share their clusters, as multi-turn variants do, and a fifth is apart.
func TestCoverageOfSharedClusters(t *testing.T) {
	t.Parallel()
	n := repetitions(t, 200, 500)
	w := &world{rand.New(rand.NewPCG(7, 7)), 150, 0.5, 2}
	const shared, apart, accuracy = 4, 100, 0.8
	truth := 0.6*w.truth() + 0.4*accuracy
	draw := func(keyed bool) []stat.Stratum {
		strata := make([]stat.Stratum, shared+1)
		for i := range w.clusters {
			chance := w.chance()
			for part := range shared {
				b := stat.Block{}
				if keyed {
					b.Key = strconv.Itoa(i)
				}
				b.Add(of(w.random.Float64() < chance))
				strata[part].Weight, strata[part].Blocks = 0.15, append(strata[part].Blocks, b)
			}
		}
		strata[shared] = verdicts(0.4, draws(w.random, apart, accuracy), apart)
		return strata
	}
	with := shareOf(n, func() bool { return holds(stat.Compose(draw(true)).Share(stat.Z95), truth) })
	without := shareOf(n, func() bool { return holds(stat.Compose(draw(false)).Share(stat.Z95), truth) })
	t.Logf("weighted sum: %.1f%%, blind to what the parts share %.1f%%", 100*with, 100*without)
	within(t, with, 0.935, 0.97, n, "weighted sum")
	assert.Less(t, without, 0.93)
}

// TestCoverageOfDifference: how often two equal models are told apart at 5%,
// and how often one is that loses a tenth of what it had right. Half of the
// verdicts are the same for both whatever the chances.
func TestCoverageOfDifference(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 9))
	n := repetitions(t, 60, 150)
	for _, s := range structures(t) {
		for _, spread := range []float64{0, 4} {
			for _, accuracy := range accuracies {
				chances, truth := s.chances(accuracy, spread)
				var size, differ float64
				apart := func(lost float64) func() bool {
					return func() bool {
						c := stat.Compose(s.draw(func(i int) float64 { return pairOf(random, chances[i], lost) }))
						size, differ = size+c.Size, differ+c.Size*(c.Square+c.Mean*c.Mean)
						d := c.Difference(stat.Z95)
						return d.Low > 0 || d.High < 0
					}
				}
				equal := shareOf(n, apart(0))
				pairs := differ / float64(n)
				worse := shareOf(n, apart(0.1))
				cell := fmt.Sprintf("%-8s categories %-6s accuracy %.2f", s.name, alikeOr(spread), accuracy)
				t.Logf("%s: type I error %.1f%%, power against a loss of %.1f points %.1f%%", cell, 100*equal, 10*truth, 100*worse)
				low := 0.035
				if pairs < enough {
					low = 0 // too few pairs differ for any test to err so often
				}
				within(t, equal, low, 0.055, n, cell)
			}
		}
	}
}

// pairOf is the difference of two verdicts on a case, the second's loss a share
// of what is right.
func pairOf(random *rand.Rand, chance, lost float64) float64 {
	a := of(random.Float64() < chance)
	b := a
	if random.Float64() < 0.5 {
		b = of(random.Float64() < chance)
	}
	if lost > 0 && random.Float64() < lost {
		b = 0
	}
	return b - a
}

// TestCoverageOfPairs: differences of two models on the same cases.
func TestCoverageOfPairs(t *testing.T) {
	t.Parallel()
	n := repetitions(t, 200, 500)
	for i, c := range []struct {
		name        string
		clusters    int
		size        int
		a, b        float64 // chances of the two models
		together    float64 // how often they take the same draw
		spread      float64
		least, most float64
	}{
		{"many pairs", 400, 1, 0.8, 0.75, 0.7, 0, 0.94, 0.96},
		{"few pairs", 30, 1, 0.7, 0.6, 0.5, 0, 0.93, 0.97},
		{"nearly alike", 200, 1, 0.9, 0.9, 0.95, 0, 0.93, 1}, // three pairs that differ, say: conservative, as it should be
		{"clusters", 120, 4, 0.7, 0.65, 0.3, 0.25, 0.935, 0.965},
		{"few clusters", 25, 4, 0.7, 0.65, 0.3, 0.25, 0.93, 0.975},
	} {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		got := shareOf(n, func() bool {
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
			return holds(paired(blocks, stat.Z95), c.a-c.b)
		})
		t.Logf("%-14s %.1f%%", c.name, 100*got)
		within(t, got, c.least, c.most, n, c.name)
	}
}

func of(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
