// Package stat holds the statistics that scores are made of: the exact means,
// deviations, percentiles and roundings of upstream's tables, and the
// intervals and tests beside them. It knows nothing of cases or categories.
//
//	Mean, StdDev, Percentile, Round2   upstream's figures, to the last digit
//	Compose, Composite                 a weighted mean of strata: its intervals
//	Cluster, Block, Summary            values that share something
//	McNemar, Level, Holm               two models on the same cases
//	PassAt, PassHat                    several trials of a case
//	Detectable                         what a sample can tell
//	Bootstrap                          a check on all of these
//
// docs/statistics.md gives formulas, sources and assumptions.
//
// Products that are added to something stand in float64(): the conversion
// forbids fusing both into one instruction, whose last digit would depend on
// the machine.
package stat
