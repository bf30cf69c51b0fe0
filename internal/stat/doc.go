// Package stat holds the statistics that scores are made of: the exact means,
// deviations, percentiles and roundings of upstream's tables, and the
// intervals beside them. It knows nothing of cases or categories.
//
// Products that are added to something stand in float64(): the conversion
// forbids fusing both into one instruction, whose last digit would depend on
// the machine.
package stat
