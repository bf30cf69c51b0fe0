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
	"github.com/gobfcl/bfcl/internal/record"
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
func Order(strata []Stratum, seed uint64, id func(i int) string) (out []int) {
	queue := make([]Stratum, len(strata))
	total := 0
	for k, s := range strata {
		number := map[int]uint64{}
		for _, i := range s.Cases {
			number[i] = draw(seed, id(i))
		}
		queue[k] = Stratum{s.Scale, slices.Clone(s.Cases)}
		slices.SortFunc(queue[k].Cases, func(a, b int) int {
			return cmp.Or(cmp.Compare(number[a], number[b]), cmp.Compare(id(a), id(b)))
		})
		total += len(s.Cases)
	}
	taken := make([]int, len(queue))
	for len(out) < total {
		// Next is the stratum of which one more case reduces the variance most. The
		// first case of each comes before any second one, because without it nothing
		// is known of the stratum. A stratum of scale 0 comes last.
		best, most := -1, -1.0
		for k, s := range queue {
			n := float64(taken[k])
			gain := s.Scale / math.Sqrt(n*(n+1)) // of the first, infinite
			if s.Scale == 0 {
				gain = 0
			}
			if gain > most && taken[k] < len(s.Cases) {
				best, most = k, gain
			}
		}
		out = append(out, queue[best].Cases[taken[best]])
		taken[best]++
	}
	return out
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
	// By is how they are divided among the categories: "precision" makes the
	// overall most precise, "size" is in proportion to the categories, and
	// "category" takes the first cases of each in turn, a first look, which
	// estimates nothing.
	By string
}

// Parse reads "500", "500,by=precision", "500,by=size" or "20,by=category". "" is
// no sample.
func Parse(text string) (Spec, error) {
	if text == "" {
		return Spec{}, nil
	}
	count, by, _ := strings.Cut(text, ",")
	n, err := strconv.Atoi(strings.TrimSpace(count))
	if err != nil || n < 1 || !slices.Contains([]string{"", "by=precision", "by=size", "by=category"}, by) {
		return Spec{}, fmt.Errorf("want a number of cases, such as 500, 500,by=size or 20,by=category, not %q", text)
	}
	return Spec{n, cmp.Or(strings.TrimPrefix(by, "by="), "precision")}, nil
}

// String returns the sample in the form that Parse reads. Of two samples that
// differ only in the number, the smaller is part of the larger.
func (s Spec) String() string {
	if s.Cases == 0 {
		return ""
	}
	return fmt.Sprintf("%d,by=%s", s.Cases, s.By)
}

// Choose takes a sample of cases and returns their ids, sorted by their place in
// the dataset. Each category is a stratum. It is an error to ask for fewer cases
// than there are categories that count.
func (s Spec) Choose(parts []Part, seed uint64) ([]string, error) {
	current := slices.ContainsFunc(parts, func(p Part) bool { return scales[p.Category.Name] > 0 })
	var all []*eval.Case
	var strata []Stratum
	counting := 0
	for _, part := range parts {
		stratum := Stratum{Scale: float64(len(part.Cases))}
		if s.By != "size" && current { // a category that does not count in V4 has none
			stratum.Scale = scales[part.Category.Name]
		}
		for _, c := range part.Cases {
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

// takeSample keeps the cases of -sample, whose ids the run then states, as it does
// for -ids. A first look is no sample: its score says that it covers only a part.
func (s *Selection) takeSample(o Options) error {
	spec, err := Parse(o.Sample)
	of := s.Cases()
	switch {
	case err != nil:
		return fmt.Errorf("-sample: %w", err)
	case spec.Cases == 0 || spec.By == "category" && spec.Cases >= of:
		return nil
	case spec.By == "category":
		s.IDs = nil
		for i := 0; len(s.IDs) < spec.Cases; i++ {
			for _, part := range s.Parts {
				if i < len(part.Cases) && len(s.IDs) < spec.Cases {
					s.IDs = append(s.IDs, part.Cases[i].ID)
				}
			}
		}
		return s.narrow()
	case o.IDs != "":
		return errors.New("-sample and -ids both choose cases: give one of them")
	}
	if s.Dataset.Own() != nil { // an own suite's categories are not V4's, even if they have the same names
		spec.By = "size"
	}
	if s.IDs, err = spec.Choose(s.Parts, o.Seed); err != nil {
		return fmt.Errorf("-sample: %w", err)
	}
	s.Sample = &record.Sample{Spec: spec.String(), Seed: o.Seed, Of: of}
	return s.narrow()
}

// scales says how much a category's cases add to the precision of V4's overall:
// its weight times the standard deviation of the verdicts of published models.
// The values follow from the layout and the published figures; a test of
// package compare compares them. They are written down here because the packages
// that run cases do not import either. A category that does not count has none.
var scales = map[string]float64{
	"simple_python":           0.00243,
	"simple_java":             0.003936,
	"simple_javascript":       0.003813,
	"multiple":                0.007579,
	"parallel":                0.008292,
	"parallel_multiple":       0.009211,
	"live_simple":             0.007933,
	"live_multiple":           0.03442,
	"live_parallel":           0.0004888,
	"live_parallel_multiple":  0.0008004,
	"live_relevance":          0,
	"irrelevance":             0.01849,
	"live_irrelevance":        0.0205,
	"multi_turn_base":         0.02851,
	"multi_turn_miss_func":    0.02626,
	"multi_turn_miss_param":   0.02702,
	"multi_turn_long_context": 0.02777,
	"web_search_base":         0.03288,
	"web_search_no_snippet":   0.03088,
	"memory_kv":               0.02076,
	"memory_vector":           0.02289,
	"memory_rec_sum":          0.02662,
}

// Scale returns the scale of a category of V4; 0 for others.
func Scale(category string) float64 { return scales[category] }
