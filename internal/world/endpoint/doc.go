// Package endpoint serves the tools of one case over the Model Context Protocol
// and notes the calls that arrive.
//
//	host       one loopback listener for any number of endpoints
//	endpoint   one case's endpoint: its turns and the calls in them
//	tool       function documents as tools of the protocol
//	world      what calls act on: simulated APIs, executed functions, nothing
//
// Package mcptools below speaks the protocol.
//
// An endpoint can be reached only with its address and its token, which are
// both random. Calls are carried out one after the other, in the order in which
// they arrive.
package endpoint
