// Package published has the figures of the public V4 leaderboard and says where
// another run would stand among them. A published model is a score like any
// other.
//
//	Models   every published model, the best first
//	Find     the models that a name stands for
//	Place    the ranks that a score's interval allows
//
// The data are counts of right answers, from which the published percentages
// can be computed to the last digit.
package published
