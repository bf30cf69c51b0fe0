// Package openai asks a model over OpenAI's Chat Completions protocol, which
// most servers and routers speak: OpenAI, Azure, vLLM, SGLang, llama.cpp,
// Ollama, LM Studio, OpenRouter, DeepSeek, Mistral, Fireworks, Together.
// docs/adapters.md says what is sent and how each reply is read.
//
//	openai.go      the adapter and the request
//	reply.go       the reply
//
// Package provider has what this package shares with package responses:
// addresses, keys and bodies.
package openai
