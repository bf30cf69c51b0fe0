// Package command asks a program of the user's own: the program reads one JSON
// request per line on standard input and writes one JSON answer per line on
// standard output. docs/adding-a-model.md describes the lines.
//
//	command.go     the pool: which process serves which request
//	program.go     a program for other adapters, one copy per conversation
//	process.go     one process: start, exchange of a line, end
//	wire.go        the lines
//	words.go       the command line
package command
