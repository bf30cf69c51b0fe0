package categories

import (
	"context"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sqlrun"
)

// v1SQL: one function that takes the parts of an SQL statement; not in the
// score. Where the case has tables, the statement is carried out on them too.
var v1SQL = v1Unscored(carriedOutSQL(v1AST("sql", python)))

// carriedOutSQL lets what a statement does decide, where that can be told.
func carriedOutSQL(c *eval.Category) *eval.Category {
	compare := c.Judge
	c.Judge = func(item *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
		compared := compare(item, decoded, err, s)
		if item.Database == nil {
			return compared
		}
		return sqlrun.Judge(context.Background(), item, decoded, s.UnderscoreToDot, compared)
	}
	return c
}
