package categories

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// v1Exec is a category of the first release whose calls are carried out.
func v1Exec(name string) *eval.Category {
	return &eval.Category{
		Name: name, Group: firstRelease, Executes: true,
		Decode: decodeTexts,
		Judge: func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
			if s.Executor == nil {
				return eval.NoExecutor(c)
			}
			return s.Executor.Execute(c, decoded, err)
		},
	}
}

var (
	// v1ExecSimple: one function, one call.
	v1ExecSimple = v1Exec("executable_simple")
	// v1ExecMultiple: several functions, one call.
	v1ExecMultiple = v1Exec("executable_multiple_function")
	// v1ExecParallel: one function, several calls in any order.
	v1ExecParallel = v1Exec("executable_parallel_function")
	// v1ExecParallelMultiple: several functions, several calls in any order.
	v1ExecParallelMultiple = v1Exec("executable_parallel_multiple_function")
	// v1REST: one request to a public API.
	v1REST = v1Exec("rest")
)

// decodeTexts reads the calls of a result as the texts of Python calls,
// upstream's decode_execute.
func decodeTexts(_ *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	return callTexts(result, v1Dialect(s), dialect.V1(decode.Python))
}

// callTexts reads a result's calls in a dialect as the texts of Python calls.
func callTexts(result pyval.Value, name string, g dialect.Grammar) (pyval.Value, error) {
	d := dialect.Find(name)
	if d == nil {
		return nil, dialect.Check(name)
	}
	texts, err := d.Execute(result, g)
	var handed *dialect.HandedOn
	switch {
	case errors.As(err, &handed):
		return handed.Value, nil
	case err != nil:
		return nil, err
	}
	out := &pyval.List{Items: make([]pyval.Value, len(texts))}
	for i, text := range texts {
		out.Items[i] = pyval.Str(text)
	}
	return out, nil
}
