// Package leaderboard has upstream's leaderboards: the tables that it writes, to
// the last digit, and the figures of the public one, with where another run
// would stand among them.
//
//	Tables, TablesV1  the files of a release, a row per Entry
//	Usage, Spend      tokens and seconds of a run; what they cost
//	Sensitivity       how much the accuracy depends on the prompt's format
//	All, Find         the published models, the best first; those of a name
//	Place             the ranks that a score's interval allows
//
// What enters an upstream table is computed exactly as upstream does, in its
// order of operations. The published figures are counts of right answers, from
// which the percentages can be computed to the last digit.
package leaderboard
