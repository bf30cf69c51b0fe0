// Package compare compares runs case by case: which of two models is better, by
// how much, how certain that is, and on which cases they differ. It also ranks
// several runs.
//
//	Align         runs to the same cases, or an error that names what differs
//	Pair          two runs: differences with intervals and tests, flips, spend
//	Rank          several runs: the ranks that the data leave open to each
//
// docs/statistics.md gives the formulas.
package compare
