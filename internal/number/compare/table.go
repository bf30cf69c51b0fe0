package compare

import (
	"fmt"
	"math"

	"github.com/gobfcl/bfcl/internal/say"
)

const longestCell = 100

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// points formats a difference in percentage points.
func points(x float64) string { return say.Signed("%+.2f", Rounded(100*x)) }

// Rounded rounds points to hundredths. What differs only by the order in which
// it was added up is rounded alike.
func Rounded(x float64) float64 {
	const fine, hundred = 1e6, 100
	return math.RoundToEven(math.Round(x*hundred*fine)/fine)/hundred + 0 // never -0
}

// Shown rounds points so that they add up to their rounded sum.
func Shown(points ...float64) []float64 {
	out, sum, before := make([]float64, len(points)), 0.0, 0.0
	for i, p := range points {
		sum += p
		now := Rounded(sum)
		out[i], before = Rounded(now-before), now
	}
	return out
}

func interval(low, high float64) string {
	return say.Signed("%+.1f to %+.1f", 100*low, 100*high)
}

// Level formats a p value, with no false precision below a thousandth of a
// percent.
func Level(p float64) string {
	switch {
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return fmt.Sprintf("%.5f", p)
	}
	return fmt.Sprintf("%.3f", p)
}

// PValue formats a p value for a sentence, such as "p = 0.02".
func PValue(p float64) string {
	if text := Level(p); text[0] == '<' {
		return "p < " + text[1:]
	}
	return "p = " + Level(p)
}
