package compare

import "fmt"

const longestCell = 100

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// points formats a difference in percentage points.
func points(x float64) string { return fmt.Sprintf("%+.2f", 100*x) }

func interval(low, high float64) string {
	return fmt.Sprintf("%+.1f to %+.1f", 100*low, 100*high)
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
