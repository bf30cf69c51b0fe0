package categories

// v1SQL: one function that takes the parts of an SQL statement; not in the
// score.
var v1SQL = v1Unscored(v1AST("sql", python))
