// Package embed turns texts into vectors for memory_vector, with the embedder
// that the user names: the embedded one, or a server that speaks OpenAI's
// protocol for embeddings.
//
//	embed    names to embedders
//	local    the embedded one
//	server   one at an address
//
// Upstream's figures come from the model all-MiniLM-L6-v2. A server with that
// model gives comparable figures; those of the embedded embedder are not
// comparable.
package embed

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Default is the name of the embedded embedder.
const Default = "local"

// openaiPrefix begins the name of an embedder at a server: openai:id@url.
const openaiPrefix = "openai:"

// An Embedder turns texts into vectors, one for each, all of the same dimension
// and of Euclidean length 1. It is safe for concurrent use.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Close() error
}

// Open finds an embedder by name; "" is Default. Keys come from the
// environment that lookup reads.
func Open(name string, lookup func(string) string) (Embedder, error) {
	switch {
	case name == "" || name == Default:
		return Local{}, nil
	case strings.HasPrefix(name, openaiPrefix):
		id, url, ok := strings.Cut(strings.TrimPrefix(name, openaiPrefix), "@")
		if !ok || id == "" || url == "" {
			return nil, fmt.Errorf("-embedder=%.100q: write openai:<id>@<address>, as in openai:all-MiniLM-L6-v2@http://localhost:8000/v1", name)
		}
		return newServer(id, url, lookup)
	}
	return nil, fmt.Errorf("unknown -embedder %.100q: use %s or openai:<id>@<address>", name, Default)
}

// Name returns an embedder's name as a score shows it, without the secrets of
// its address.
func Name(name string) string {
	head, url, ok := strings.Cut(name, "@")
	switch {
	case name == "":
		return Default
	case !ok:
		return name
	}
	return head + "@" + bare(url)
}

// bare is an address without user, password and query.
func bare(url string) string {
	url, _, _ = strings.Cut(url, "?")
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if path != "" {
		path = "/" + path
	}
	return scheme + "://" + host + path
}

// normal scales a vector to length 1; ok is false if its length is zero or not
// finite.
func normal(v []float64) (out []float32, ok bool) {
	var square float64
	for _, x := range v {
		square += float64(x * x)
	}
	length := math.Sqrt(square)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, false
	}
	out = make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / length)
	}
	return out, true
}
