// Package pose turns cases into what models are shown: tool schemas, system
// prompts, chat templates.
//
// It may import the wings from kit to eval.
package pose
