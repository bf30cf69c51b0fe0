// Package completion writes a conversation as the text that a model goes on
// from: what a server does behind its chat endpoint, done here.
//
//	own        with the model's own chat template
//	source     where that template stands: a file or a model's folder
//	message    messages and tools as templates see them
package completion
