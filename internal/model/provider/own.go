package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pattern"
)

// A Place is where a provider speaks a protocol of its own.
type Place struct {
	// Home is the provider's address, which BaseURL replaces. Tails are the paths
	// that users append to that although Path has them, such as "/v1".
	Home  string
	Tails []string
	// Path is the escaped path of the protocol.
	Path string
	// KeyHeader is the header that carries the key; "" means Authorization, with
	// a bearer token.
	KeyHeader string
	// Header are further headers.
	Header map[string]string
	// Variables are the environment variables that may hold the key, the first
	// that does counts.
	Variables []string
	// Free lets requests go without a key.
	Free bool
}

// Own makes the Endpoint of a provider's own protocol. If the configuration has
// no key, it is taken from the environment.
func Own(c *Config, p Place) (*Endpoint, error) {
	u, err := parseBase(firstOf(c.BaseURL, p.Home))
	if err != nil {
		return nil, err
	}
	u.Fragment = ""
	if err := setPath(u, withoutTails(u.EscapedPath(), p.Tails)+p.Path); err != nil {
		return nil, err
	}
	for _, name := range p.Variables {
		c.Key = firstOf(c.Key, os.Getenv(name))
	}
	if c.Model != "" && !p.Free && c.Key == "" && len(c.Headers) == 0 && c.BaseURL == "" {
		return nil, fmt.Errorf("no key: set the environment variable %s", strings.Join(p.Variables, " or "))
	}
	h := plainHeader()
	for name, value := range p.Header {
		h.Set(name, value)
	}
	if c.Key != "" && p.KeyHeader != "" {
		h.Set(p.KeyHeader, c.Key)
	} else if c.Key != "" {
		h.Set("Authorization", "Bearer "+c.Key)
	}
	for name, values := range c.Headers.Clone() {
		h[http.CanonicalHeaderKey(name)] = values
	}
	keyName := ""
	if len(p.Variables) > 0 {
		keyName = p.Variables[0]
	}
	origin := *u
	origin.Path, origin.RawPath = "", ""
	return endpoint(c, u, redacted(&origin), h, transport.Options{KeyName: keyName})
}

func firstOf(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}

func withoutTails(path string, tails []string) string {
	path = strings.TrimRight(path, "/")
	for _, tail := range tails {
		if cut, ok := strings.CutSuffix(path, tail); ok {
			return strings.TrimRight(cut, "/")
		}
	}
	return path
}

// Endpoint returns the Endpoint of a method of a publisher's model on Vertex AI, a
// path such as "anthropic/models/x:rawPredict". Its requests carry the
// configuration's own Authorization header, its key as an access token, or a
// token of Google's default credentials.
func (v Vertex) Endpoint(c *Config, method string) (*Endpoint, error) {
	var token func() (string, error)
	if c.Key == "" && c.Headers.Get("Authorization") == "" {
		if c.Google == nil {
			return nil, ErrNoGoogle
		}
		var err error
		if token, err = c.Google(); err != nil {
			return nil, ErrNoGoogle
		}
	}
	c.BaseURL = v.Origin
	to, err := Own(c, Place{Path: "/" + v.Version + "/projects/" + url.PathEscape(v.Project) + "/locations/" + url.PathEscape(v.Location) + "/publishers/" + method})
	if err != nil || token == nil {
		return to, err
	}
	plain := to.header
	to.header = func() http.Header {
		h := plain()
		if text, err := token(); err == nil { // otherwise the server refuses the request
			h.Set("Authorization", "Bearer "+text)
		}
		return h
	}
	return to, nil
}

// ErrNoGoogle means that Google's own credentials cannot be found. It replaces
// the errors of Google's library, which may show paths and parts of files.
var ErrNoGoogle = errors.New("no Google Cloud credentials: give the model a key_command such as `gcloud auth print-access-token`; a build with -tags=vertex finds GOOGLE_APPLICATION_CREDENTIALS too")

// A Vertex is an address of models on Google's Vertex AI.
type Vertex struct {
	// Origin is the address without its path.
	Origin string
	// Version is the API's; Project and Location say whose models are asked.
	Version, Project, Location string
}

var (
	vertexHost = pattern.Of(`^([a-z0-9-]+-)?aiplatform(\.[a-z]+\.rep)?\.googleapis\.com$`)
	vertexPath = pattern.Of(`^/(v1(?:beta1)?)/projects/([^/]+)/locations/([^/]+)/?$`)
)

// Vertex reports whether the server is Google's Vertex AI.
func (e *Endpoint) Vertex() bool { return vertexHost().MatchString(e.Host()) }

// VertexOf reads a base URL of Vertex AI, known by its host; ok is false for
// others.
func VertexOf(base string) (v Vertex, ok bool, err error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || !vertexHost().MatchString(strings.ToLower(u.Hostname())) {
		return v, false, nil
	}
	parts := vertexPath().FindStringSubmatch(u.Path)
	if parts == nil || u.User != nil {
		return v, true, errors.New("an address of Vertex AI must have the form https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION")
	}
	return Vertex{Origin: u.Scheme + "://" + u.Host, Version: parts[1], Project: parts[2], Location: parts[3]}, true, nil
}
