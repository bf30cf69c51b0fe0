// Package provider is what adapters of providers share. An Adapter leads a
// request to its answer (adapter.go) over a Protocol, which is all that a
// provider has of its own: how a body is written, sent and read.
//
// Protocols that are plain HTTP embed an Endpoint: where a server is reached
// and how a key travels (url.go, endpoint.go, hide.go). Those over a provider's
// own SDK embed a Wire, which carries body and reply past it (wire.go). Both
// share what goes into every request (config.go, body.go), the forms of
// conversations (chat.go, block.go, talk.go), how a body that a server wrote is
// read without trusting it (reply.go), and which replies are faults of the
// provider (fault.go).
package provider
