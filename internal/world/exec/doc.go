// Package exec is the executable half of the benchmark's first version: calls
// are not compared with possible answers but carried out, and their results
// judged.
//
// Its parts, each a file or a few:
//
//	function      the table of functions
//	math, money   the functions that compute, on pyval's arithmetic
//	ask           the functions that ask a public HTTP API
//	client        who answers their requests; package web asks the APIs
//	get, prepare  a request as Python's requests package would send it
//	run, builtin  a call's text to its result; text is parsed and dispatched,
//	              never evaluated as code
//	judge         match rules and verdicts of the executable categories
//	rest          the one call of the REST category and its verdict
//
// Exceptions that Python would raise are *pyval.Exception and end in a
// verdict; trouble with the network is an *eval.InfraError and never does.
package exec
