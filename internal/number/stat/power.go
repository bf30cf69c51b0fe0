package stat

import "math"

// Power80 is the number of standard errors by which an effect must exceed a
// test's critical value to be found in 80% of samples.
const Power80 = 0.8416212335729143

// Detectable returns the smallest true difference that a two-sided test at 5%
// finds in 80% of samples, for a difference whose standard error is se (Miller
// 2024, section 5).
func Detectable(se float64) float64 { return (Z95 + Power80) * se }

// StandardError returns the standard error of a 95% interval.
func (i Interval) StandardError() float64 { return (i.High - i.Low) / (2 * Z95) }

// Independent returns the standard error of the difference of two independent
// estimates with the same standard error.
func Independent(se float64) float64 { return math.Sqrt2 * se }
