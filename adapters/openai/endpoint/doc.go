// Package endpoint is what the adapters of OpenAI's two protocols share: where
// a server is reached and how a key travels (url.go, endpoint.go, hide.go),
// what goes into every request (config.go, body.go), how a body that a server
// wrote is read without trusting it (reply.go), and which replies are faults
// of the provider (fault.go). Adapters over a provider's own SDK share the
// reading and the hiding of keys (wire.go, talk.go).
package endpoint
