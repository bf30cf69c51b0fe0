// Package score turns counts of right answers into scores: upstream's groups
// and overall of each release, the tables its leaderboard shows, cost and
// latency, and the score a run ends with, as JSON and as text.
//
//	Accuracy      a share of right answers and the three ways to average it
//	Layout        which categories make up which group, and by which rule
//	Usage, Spend  tokens and seconds of a run; what they cost
//	Sensitivity   how much the accuracy depends on the prompt's format
//	Entry         one model's row in the Leaderboard files
//	Tally, Score  a run's counts per category; its score with intervals
//
// What enters an upstream table is computed exactly as upstream does, in its
// order of operations; intervals and partial means are this project's own.
package score
