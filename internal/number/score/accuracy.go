package score

import "fmt"

// An Accuracy is the share of right answers in a category or group, with what
// upstream stores with it.
type Accuracy struct {
	// Value is the share, 0 to 1. A missing part counts as 0.
	Value float64
	// Total is the number of cases: those judged, or those the category
	// would have had.
	Total int
	// NA reports whether a part is missing, so that upstream's tables print
	// N/A.
	NA bool
}

// String returns the accuracy as upstream's tables show it: in percent, or N/A.
func (a Accuracy) String() string {
	if a.NA {
		return "N/A"
	}
	return a.Percent()
}

// Percent returns the accuracy as a number even if a part is missing, for the
// columns in which upstream's display_na_if_category_missing is off.
func (a Accuracy) Percent() string { return fmt.Sprintf("%.2f%%", a.Value*100) }

// Mean is upstream's calculate_unweighted_accuracy: every part counts the same.
func Mean(parts ...Accuracy) Accuracy {
	var sum float64
	for _, p := range parts {
		sum += p.Value
	}
	return whole(parts, over(sum, float64(len(parts))))
}

// WeightedMean is upstream's calculate_weighted_accuracy: every case counts the
// same.
func WeightedMean(parts ...Accuracy) Accuracy {
	var sum float64
	var cases int
	for _, p := range parts {
		sum += float64(p.Value * float64(p.Total))
		cases += p.Total
	}
	return whole(parts, over(sum, float64(cases)))
}

// PercentMean is upstream's calculate_percentage_weighted_accuracy: each part
// counts by its weight; the weights need not add up to 1. A part without a
// weight does not count.
func PercentMean(weights []float64, parts ...Accuracy) Accuracy {
	var sum, weight float64
	for _, w := range weights {
		weight += w
	}
	for i, p := range parts[:min(len(parts), len(weights))] {
		sum += float64(p.Value * over(weights[i], weight))
	}
	return whole(parts, sum)
}

func whole(parts []Accuracy, value float64) Accuracy {
	all := Accuracy{Value: value}
	for _, p := range parts {
		all.Total += p.Total
		all.NA = all.NA || p.NA
	}
	return all
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
