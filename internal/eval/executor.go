package eval

import "github.com/gobfcl/bfcl/internal/python/pyval"

// An Executor judges the answers of categories that carry calls out. It is
// safe for concurrent use.
type Executor interface {
	// Execute carries out a case's decoded calls, the texts of Python calls,
	// and judges the results. A verdict of status Error says that something
	// could not be asked.
	Execute(c *Case, decoded pyval.Value, decodeErr error) Verdict
	// Calls returns the texts of the calls of a case's possible answer.
	Calls(c *Case) ([]string, error)
}

// NoExecutor returns the verdict of a category that carries calls out if there
// is no Executor.
func NoExecutor(c *Case) Verdict {
	return Verdict{Status: Error, ErrorType: "infrastructure:no_executor", Detail: pyval.Str("there is no executor for the calls of case " + c.ID)}
}
