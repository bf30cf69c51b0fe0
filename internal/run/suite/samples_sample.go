package suite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Stratum is a set of cases of which a sample takes some.
type Stratum struct {
	// Scale says how much a case of the stratum adds to the precision of an
	// estimate: the total weight of the cases times their standard deviation.
	Scale float64
	// Cases are indexes in the caller's list.
	Cases []int
}

// Order returns the order in which to ask cases. Any beginning of it has as
// many cases of each stratum as make the estimate most precise (Wright 2012,
// which is Neyman's allocation in whole cases). Which cases of a stratum come
// first depends only on the seed and the cases' ids.
func Order(strata []Stratum, seed uint64, id func(i int) string) []int {
	queue := make([]Stratum, len(strata))
	total := 0
	for k, s := range strata {
		lots := make([]lot[uint64], len(s.Cases))
		for n, i := range s.Cases {
			lots[n] = lot[uint64]{draw(seed, id(i)), id(i), i}
		}
		queue[k] = Stratum{s.Scale, sorted(lots)}
		total += len(s.Cases)
	}
	taken := make([]int, len(queue))
	out := make([]int, 0, total)
	for len(out) < total {
		best := next(queue, taken)
		out = append(out, queue[best].Cases[taken[best]])
		taken[best]++
	}
	return out
}

// A lot places a case in a random order, by its number, and by its id if two
// numbers are equal.
type lot[N cmp.Ordered] struct {
	number N
	id     string
	i      int
}

// sorted returns the cases in the order of their lots.
func sorted[N cmp.Ordered](lots []lot[N]) []int {
	slices.SortFunc(lots, func(a, b lot[N]) int {
		if n := cmp.Compare(a.number, b.number); n != 0 {
			return n
		}
		return cmp.Compare(a.id, b.id)
	})
	out := make([]int, len(lots))
	for k, l := range lots {
		out[k] = l.i
	}
	return out
}

// next returns the stratum of which one more case reduces the variance most.
// The first case of each stratum comes before any second one, because without
// it nothing is known of the stratum. A stratum of scale 0 comes last.
func next(queue []Stratum, taken []int) int {
	best, most := -1, -1.0
	for k, s := range queue {
		if taken[k] == len(s.Cases) {
			continue
		}
		n := float64(taken[k])
		gain := s.Scale / math.Sqrt(n*(n+1))
		switch {
		case s.Scale == 0:
			gain = 0
		case n == 0:
			gain = math.MaxFloat64
		}
		if gain > most {
			best, most = k, gain
		}
	}
	return best
}

// Weighted returns a random order of cases. Each next case is drawn from those
// left with a probability proportional to its weight (Efraimidis and Spirakis
// 2006). The order depends only on the seed and the cases' ids.
func Weighted(weights []float64, seed uint64, id func(i int) string) []int {
	lots := make([]lot[float64], len(weights))
	for i, w := range weights {
		const bits = 53
		uniform := (float64(draw(seed, id(i))>>(64-bits)) + 0.5) / (1 << bits)
		lots[i] = lot[float64]{-math.Log(uniform) / w, id(i), i}
	}
	return sorted(lots)
}

// draw returns a number that depends on the seed and an id.
func draw(seed uint64, id string) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	_, _ = h.Write(b[:])
	_, _ = h.Write([]byte(id))
	// FNV's upper bits hardly depend on an id's last letters.
	x := h.Sum64()
	for range 2 {
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
	}
	return x ^ x>>33
}

// A Spec is the value of -sample.
type Spec struct {
	// Cases is how many to ask; 0 for all.
	Cases int
	// BySize allocates cases in proportion to the sizes of the categories,
	// instead of making the overall most precise.
	BySize bool
	// ByCategory takes the first cases of the categories in turn: a first look,
	// which estimates nothing.
	ByCategory bool
}

var errSpec = errors.New("want a number of cases, such as 500, 500,by=size or 20,by=category")

var allocations = []string{"", "by=precision", "by=size", "by=category"}

// Parse reads "500", "500,by=precision", "500,by=size" or "20,by=category". "" is
// no sample.
func Parse(text string) (Spec, error) {
	if text == "" {
		return Spec{}, nil
	}
	count, by, _ := strings.Cut(text, ",")
	n, err := strconv.Atoi(strings.TrimSpace(count))
	s := Spec{Cases: n, BySize: by == "by=size", ByCategory: by == "by=category"}
	if err != nil || n < 1 || !slices.Contains(allocations, by) {
		return Spec{}, fmt.Errorf("%w, not %q", errSpec, text)
	}
	return s, nil
}

// String returns the sample in the form that Parse reads.
func (s Spec) String() string {
	if s.Cases == 0 {
		return ""
	}
	return strconv.Itoa(s.Cases) + "," + s.Allocation()
}

// Allocation returns how the cases are divided among the categories. Of two
// samples with the same allocation and seed, the smaller is part of the larger.
func (s Spec) Allocation() string {
	switch {
	case s.BySize:
		return "by=size"
	case s.ByCategory:
		return "by=category"
	}
	return "by=precision"
}

// Choose takes a sample of some categories' cases and returns their ids, sorted
// by their place in the dataset. Each category is a stratum. It is an error to
// ask for fewer cases than there are categories that count.
func (s Spec) Choose(cats []*eval.Category, cases [][]*eval.Case, seed uint64) ([]string, error) {
	var all []*eval.Case
	var strata []Stratum
	counting := 0
	for k := range cats {
		stratum := Stratum{Scale: s.scale(cats, k, len(cases[k]))}
		for _, c := range cases[k] {
			stratum.Cases = append(stratum.Cases, len(all))
			all = append(all, c)
		}
		if stratum.Scale > 0 {
			counting++
		}
		strata = append(strata, stratum)
	}
	switch {
	case s.Cases >= len(all):
		return nil, fmt.Errorf("a sample of %d is not smaller than the %d cases there are: omit -sample", s.Cases, len(all))
	case s.Cases < counting:
		return nil, fmt.Errorf("a sample of %d has fewer cases than the %d categories that count: ask for more, or choose -categories", s.Cases, counting)
	}
	chosen := Order(strata, seed, func(i int) string { return all[i].ID })[:s.Cases]
	slices.Sort(chosen)
	ids := make([]string, len(chosen))
	for k, i := range chosen {
		ids[k] = all[i].ID
	}
	return ids, nil
}

// scale returns the scale of a category: the one for V4 if
// any of the categories is V4's. A category that does not count in V4 has none.
func (s Spec) scale(cats []*eval.Category, k, cases int) float64 {
	current := slices.ContainsFunc(cats, func(c *eval.Category) bool { return scales[c.Name] > 0 })
	if s.BySize || !current {
		return float64(cases)
	}
	return scales[cats[k].Name]
}
