// Package agents tests the suite with agents that are not its own: each is
// built with a framework, and reaches its tools over the Model Context Protocol
// like any agent. In place of a model each has a script, which knows what the
// oracle knows.
//
//	go        the SDK's own client, in Go
//	eino      CloudWeGo's eino, a module of its own (testdata/eino)
//	node      npm's agents (testdata/node)
package agents
