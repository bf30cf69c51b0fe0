// Package anthropic asks a model over Anthropic's Messages protocol, through
// Anthropic's SDK. It is empty unless built with the tag anthropic.
// docs/adapters.md says what is sent and how each reply is read.
//
//	anthropic.go   the adapter and the request
//	model.go       what depends on the model's name
//	reply.go       the reply
//	stream.go      a reply that comes as a stream
//	vertex.go      models on Google's Vertex AI
package anthropic
