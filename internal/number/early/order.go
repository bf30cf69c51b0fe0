package early

import "github.com/gobfcl/bfcl/internal/run/sample"

// Looks returns after how many of the given number of cases a run is looked at.
// The guarantee holds for any looks: there are more of them at the beginning,
// because most runs are decided there.
func Looks(cases int) (out []int) {
	for share := 0.02; share < 0.97; share += max(0.01, share/10) {
		if n := int(share * float64(cases)); n > 0 && (len(out) == 0 || n > out[len(out)-1]) {
			out = append(out, n)
		}
	}
	return out
}

// Order returns the order to ask cases in: each is drawn from those left with a
// probability proportional to its weight.
func Order(cases []Case, seed uint64, id func(i int) string) []int {
	weights := make([]float64, len(cases))
	for i, c := range cases {
		weights[i] = c.Weight
	}
	return sample.Weighted(weights, seed, id)
}
