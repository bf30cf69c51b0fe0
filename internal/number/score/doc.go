// Package score turns counts of right answers into scores: upstream's groups
// and overall of each release, and the score a run ends with, as JSON and as
// text.
//
//	Accuracy      a share of right answers and the three ways to average it
//	Layout        which categories make up which group, and by which rule
//	Tally, Score  a run's counts per category; its score with intervals
//
// Accuracies are computed exactly as upstream does, in its order of operations;
// intervals and partial means are this project's own.
package score
