// Package effort measures what agents take for the cases they solve. Scores,
// comparisons, gates and the report page all use its list of figures.
//
//	Of       what an agent took for a run
//	Figures  what is measured
//	Total    sums over trials, which give the figures
package effort
