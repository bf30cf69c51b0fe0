// Package sqlrun carries out the statements of SQL cases and compares what
// comes of them, so that a statement passes that is written in another way and
// does the same. The engine is SQLite in Go, in memory; it is opened when the
// first statement is run, and each statement has a database of its own.
//
//	statement  a decoded call, put together to one statement
//	fragment   the pieces of SQL that a model wrote, and what is refused of them
//	run        a statement on a case's tables, within bounds
//	outcome    result and tables, and how two of them differ
//	judge      the verdict beside that of package judge, which compares calls
//
// It stands beside package exec: judges and categories use it, and it knows
// nothing of where cases come from.
package sqlrun
