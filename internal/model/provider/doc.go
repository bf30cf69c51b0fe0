// Package provider is what the adapters of providers share. An Adapter takes a
// request to its answer (adapter.go) over a Protocol, which is what differs
// between providers: how a body is written and how a reply is read.
//
// It sends bodies to an Endpoint: the address of a server and how a key is sent
// (url.go, own.go, endpoint.go, hide.go). Protocols share what goes into every
// request (config.go, body.go), the forms of conversations
// (chat.go, blocks.go), how a body that a server wrote is read without
// trusting it (reply.go), and which replies are faults of the provider
// (fault.go).
package provider
