// Package responses asks a model over OpenAI's Responses protocol, which
// OpenAI, Azure and vLLM speak. docs/adapters.md says what is sent and how
// each reply is read; what it shares with Chat Completions is in package
// internal/model/provider.
package responses
