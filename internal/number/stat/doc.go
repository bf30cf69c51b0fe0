// Package stat has the statistics behind scores: the exact means, deviations,
// percentiles and roundings of upstream's tables, and intervals and tests. It
// knows nothing about cases or categories.
//
//	Mean, Spread, Percentile, Round2   upstream's figures, to the last digit
//	Estimate                           a value with its interval and its test
//	Compose, Composite                 a weighted mean of strata over units
//	Holm                               several tests
//	Measure                            several trials of a case
//	Drawn, Whole                       a sample of a finite whole
//
// docs/statistics.md gives formulas, sources and assumptions.
//
// Products that are added to something are converted with float64(): the
// conversion forbids fusing both operations into one instruction, because the
// last digit would depend on the machine.
package stat
