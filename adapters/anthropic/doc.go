// Package anthropic asks a model over Anthropic's Messages protocol.
// docs/adapters.md says what is sent and how each reply is read.
//
//	anthropic.go   the adapter and the request
//	model.go       what depends on the model's name
//	reply.go       the reply
//	stream.go      a reply that comes as a stream
package anthropic
