package eval

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A Database is what the statement of an SQL case runs on.
type Database struct {
	Tables []Table
}

// A Table is a table of a Database with the rows it begins with.
type Table struct {
	Name    string
	Columns []Column
	// Rows have one value per column: Int, Float, Str or None.
	Rows [][]pyval.Value
}

// A Column is a column of a Table.
type Column struct {
	Name string
	// Type is INTEGER, REAL, TEXT or NUMERIC.
	Type string
}
