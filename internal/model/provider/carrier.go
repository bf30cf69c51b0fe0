package provider

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// A carrier puts the current key into requests.
type carrier struct {
	next   http.RoundTripper
	source *Source
	first  string
}

// Carry makes a RoundTripper that replaces the source's first key in a
// request's headers with the current one. If the server refuses that, it sends
// the request once more with a new one.
func (s *Source) Carry(first string, next http.RoundTripper) http.RoundTripper {
	return &carrier{next: next, source: s, first: first}
}

// RoundTrip sends a request, and sends it again with a new key if the server
// refuses the first one.
func (c *carrier) RoundTrip(req *http.Request) (*http.Response, error) {
	key, err := c.source.Key(req.Context())
	if err != nil {
		return refused(req, err)
	}
	resp, err := c.next.RoundTrip(c.with(req, key))
	if err != nil || resp.StatusCode != http.StatusUnauthorized || req.Body != nil && req.GetBody == nil {
		return resp, err
	}
	renewed, err := c.source.Renewed(req.Context(), key)
	if err == nil && renewed == key {
		return resp, nil
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, longest))
	_ = resp.Body.Close()
	if err != nil {
		return refused(req, err)
	}
	again := c.with(req, renewed)
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	return c.next.RoundTrip(again)
}

// CloseIdleConnections closes the connections that are not in use.
func (c *carrier) CloseIdleConnections() {
	if next, ok := c.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

func (c *carrier) with(req *http.Request, key string) *http.Request {
	if key == c.first {
		return req
	}
	out := req.Clone(req.Context())
	for _, values := range out.Header {
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], c.first, key)
		}
	}
	return out
}

// refused returns the reply that a server would give to a request without a
// key, for a key that could not be had.
func refused(req *http.Request, cause error) (*http.Response, error) {
	if req.Context().Err() != nil {
		return nil, req.Context().Err()
	}
	body, err := json.Marshal(map[string]any{"error": map[string]string{"message": cause.Error()}})
	return &http.Response{
		Status: "401 Unauthorized", StatusCode: http.StatusUnauthorized, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, err
}
