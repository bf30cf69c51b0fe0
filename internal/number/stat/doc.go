// Package stat has the statistics behind scores: the exact means, deviations,
// percentiles and roundings of upstream's tables, and intervals and tests. It
// knows nothing about cases or categories.
//
//	Mean, StdDev, Percentile, Round2   upstream's figures, to the last digit
//	Compose, Composite                 a weighted mean of strata: its intervals
//	Cluster, Block, Summary            values that share something
//	McNemar, Level, Holm, Together     two models, or more, on the same cases
//	Few                                a mean that stands on few units
//	PassAt, PassHat                    several trials of a case
//	Detectable                         what a sample can tell
//
// docs/statistics.md gives formulas, sources and assumptions.
//
// Products that are added to something are converted with float64(): the
// conversion forbids fusing both operations into one instruction, because the
// last digit would depend on the machine.
package stat
