// Package completion writes a conversation as the text that a model continues,
// as a server does behind its chat endpoint.
//
//	own        with the model's own chat template
//	source     where that template is: a file or a model's folder
//	handler    as upstream's handlers of local models write it
//	list       those handlers, one row each
//	step       what they do with messages and documents first
//	texts      upstream's texts, which the dataset's folder holds
//	frames/    our templates that put texts in place
package completion
