// Package javacall reads Java call text as upstream's Java parser does, and
// turns argument texts into values as upstream's Java type converter does.
//
// Upstream parses with a fault-tolerant grammar and refuses a text when the
// cheapest tree holds an error node; a tree that is merely short of a closing
// token (most often the final semicolon) passes. Which of the two is cheaper
// depends on the length of the text: `f(a=1)` is refused, `longName(a=1)` is
// not. Package javacall parses strictly, supplies missing closing tokens where
// that grammar would, and compares the same two costs.
//
//	lex.go, literal.go, word.go   text to tokens
//	parse.go                      the parser's core
//	recover.go, mend.go           missing tokens and what they cost
//	expr.go, primary.go           expressions
//	kind.go                       types and annotations
//	stmt.go, switch.go, decl.go   statements and declarations
//	call.go, render.go            the first call of a text as a Python value
//	convert.go, collection.go     argument texts to values of a declared type
//	number.go                     Python's int() and float()
package javacall
