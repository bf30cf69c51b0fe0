// Package sqlrun carries out the statements of SQL cases and compares their
// outcomes, so that a statement passes if it is written differently but does
// the same. The engine is SQLite in Go, in memory; it is opened when the first
// statement is run, and each statement has a database of its own.
//
//	statement  a decoded call, put together to one statement
//	fragment   the pieces of SQL that a model wrote, and what is refused in them
//	run        a statement on a case's tables, within bounds
//	outcome    result and tables, and how two of them differ
//	judge      the verdict beside that of package judge, which compares calls
//
// Like package exec, it is used by judges and categories and does not know
// where cases come from.
package sqlrun
