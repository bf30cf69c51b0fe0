// Package pose turns cases into what models are shown: tool schemas, system
// prompts and chat templates.
//
// It may import the wings from pattern to eval.
package pose
