// Package gemini asks a model over the Gemini API's generateContent, through
// Google's SDK. It is empty unless built with the tag gemini.
// docs/adapters.md says what is sent and how each reply is read.
//
//	gemini.go   the adapter and the request
//	think.go    what is asked of models that think
//	reply.go    the reply
package gemini
