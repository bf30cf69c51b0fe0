package stat

import (
	"math"
	"strconv"
)

// Round2 is Python's round(x, 2): the exact binary value is rounded to two
// decimals, halves to even.
func Round2(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 2, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// RoundScaled2 is NumPy's round(x, 2), which upstream applies to its
// percentile: the value is first scaled by 100 in floating point, so 2.675
// becomes 2.68 although its binary value is below the half.
func RoundScaled2(x float64) float64 {
	scaled := x * 100
	if math.IsInf(scaled, 0) {
		return x
	}
	return math.RoundToEven(scaled) / 100
}
