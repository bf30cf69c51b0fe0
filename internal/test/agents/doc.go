// Package agents measures agents that are not the suite's own: each is built
// with a framework that is, and reaches its tools over the Model Context
// Protocol as any agent does. Behind each stands a script in place of a
// model, which knows what the oracle knows.
//
//	go        the SDK's own client, in Go
//	eino      CloudWeGo's eino, a module of its own (testdata/eino)
//	node      npm's agents (testdata/node)
package agents
