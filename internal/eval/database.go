package eval

import (
	"context"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

// Statements judges an SQL case by what its statement does to the case's
// tables. compared is the verdict of comparing the statement's parts.
type Statements func(ctx context.Context, c *Case, decoded pyval.Value, underscoreToDot bool, compared Verdict) Verdict

var statements Statements

// CarryOut sets what carries out SQL statements. A program that judges none
// need not contain a database.
func CarryOut(s Statements) { statements = s }

// CarriesOut reports whether SQL statements can be carried out.
func CarriesOut() bool { return statements != nil }

// JudgeStatement judges an SQL case with tables; the verdict is an error if
// statements cannot be carried out.
func JudgeStatement(c *Case, decoded pyval.Value, underscoreToDot bool, compared Verdict) Verdict {
	if statements == nil {
		return Verdict{
			Status: Error, ErrorType: "infrastructure:sql",
			Detail: pyval.Str("this program does not carry out SQL, as case " + c.ID + " needs: import github.com/gobfcl/bfcl/full"),
		}
	}
	return statements(context.Background(), c, decoded, underscoreToDot, compared)
}

// MostRows bounds the rows of a table at the beginning of a case.
const MostRows = 32
