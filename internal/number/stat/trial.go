package stat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// chooseRatio returns C(m, k) / C(n, k), for m up to n.
func chooseRatio(m, n, k int) float64 {
	ratio := 1.0
	for i := range k {
		ratio *= float64(max(m-i, 0)) / float64(n-i)
	}
	return ratio
}

// A Measure combines several trials of a case into one value. The zero Measure
// is the accuracy, the share of right trials.
type Measure struct {
	// K is the k of pass@k or pass^k; 0 for the accuracy.
	K int
	// All wants all K trials to be right, which is pass^k; otherwise one is
	// enough.
	All bool
}

// ParseMeasure reads "accuracy", "pass@3" or "pass^3".
func ParseMeasure(text string) (Measure, error) {
	kind, count, found := text, "", false
	for _, sign := range []string{"@", "^"} {
		if before, after, ok := strings.Cut(text, sign); ok {
			kind, count, found = before, after, true
		}
	}
	if !found && kind == "accuracy" {
		return Measure{}, nil
	}
	k, err := strconv.Atoi(count)
	if kind != "pass" || err != nil || k < 1 || k > math.MaxInt32 {
		return Measure{}, fmt.Errorf("want accuracy, or pass@k or pass^k with a number such as pass^3, not %q", text)
	}
	return Measure{K: k, All: strings.Contains(text, "^")}, nil
}

// String returns the measure as ParseMeasure reads it.
func (m Measure) String() string {
	switch {
	case m.K == 0:
		return "accuracy"
	case m.All:
		return "pass^" + strconv.Itoa(m.K)
	}
	return "pass@" + strconv.Itoa(m.K)
}

// Of estimates the measure without bias from n trials of which c were right. ok is
// false if there are fewer trials than the measure needs.
func (m Measure) Of(n, c int) (value float64, ok bool) {
	switch {
	case m.K == 0:
		return float64(c) / float64(max(n, 1)), n > 0
	case m.K > n:
		return 0, false
	case m.All: // all of k trials are right (Yao et al. 2024, "tau-bench")
		return chooseRatio(c, n, m.K), true
	}
	// At least one is (Chen et al. 2021, "Evaluating Large Language Models Trained on Code").
	return 1 - chooseRatio(n-c, n, m.K), true
}
