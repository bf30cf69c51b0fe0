// Package cohere asks a model over version 2 of Cohere's chat protocol.
// docs/adapters.md says what is sent and how each reply is read.
//
//	cohere.go   the adapter and the request
//	reply.go    the reply
package cohere
