package compare

import "fmt"

const longestCell = 100

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// points is a difference in percentage points.
func points(x float64) string { return fmt.Sprintf("%+.2f", 100*x) }

func interval(low, high float64) string {
	return fmt.Sprintf("%+.1f to %+.1f", 100*low, 100*high)
}

// Level returns a p value, without pretence below a thousandth of a percent.
func Level(p float64) string {
	switch {
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return fmt.Sprintf("%.5f", p)
	}
	return fmt.Sprintf("%.3f", p)
}

// PValue returns a p value in a sentence.
func PValue(p float64) string {
	if text := Level(p); text[0] == '<' {
		return "p < " + text[1:]
	}
	return "p = " + Level(p)
}
