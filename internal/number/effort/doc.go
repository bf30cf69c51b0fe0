// Package effort is what agents take for the cases they solve. Its list of
// figures is the one that scores, comparisons, gates and the report page have
// them from.
package effort
