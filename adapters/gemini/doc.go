// Package gemini asks a model over the Gemini API's generateContent.
// docs/adapters.md says what is sent and how each reply is read.
//
//	gemini.go   the adapter and the request
//	think.go    what is asked of models that think
//	reply.go    the reply
package gemini
