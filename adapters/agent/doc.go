// Package agent sends turns to agents, which make their calls themselves at the
// endpoint that the turn names. docs/agents.md describes the lines.
//
//	agent     conversations and who answers them
//	program   a program, one copy per conversation
//	http      a server on this machine
//	wire      the lines
package agent
