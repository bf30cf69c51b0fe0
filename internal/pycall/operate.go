package pycall

import "github.com/gobfcl/bfcl/internal/pyval"

// An Operator is one of Python's binary operators.
type Operator uint8

// The operators that Operate knows.
const (
	Add      Operator = Operator(tPlus)
	Subtract Operator = Operator(tMinus)
	Multiply Operator = Operator(tStar)
	Divide   Operator = Operator(tSlash)
	Power    Operator = Operator(tDoubleStar)
)

// Operate computes left op right as Python does; the error is an *Error with
// the exception's class and text. Results that would take too much memory are
// errors.
func Operate(op Operator, left, right pyval.Value) (pyval.Value, error) {
	var p parser
	var n node
	v := p.binaryValue(&n, token(op), left, right)
	return v, p.err
}
