// Package compare compares runs case by case: which of two models is better, by
// how much, how certain that is, and on which cases they differ. It also ranks
// several runs, and compares a run with the variants of its cases.
//
//	Align         runs to the same cases, or an error that names what differs
//	Pair          two runs: differences with intervals and tests, flips, spend
//	Rank          several runs: the ranks that the data leave open to each
//	RobustnessOf  a run and its variants, which are no part of a score
//
// docs/statistics.md gives the formulas.
package compare
