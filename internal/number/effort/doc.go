// Package effort measures what agents take for the cases they solve. Scores,
// comparisons, gates and the report page all use its list of figures.
package effort
