package provider

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// A Vertex is an address of models on Google's Vertex AI.
type Vertex struct {
	// Origin is the address without its path.
	Origin string
	// Version is the API's; Project and Location say whose models are asked.
	Version, Project, Location string
}

var (
	vertexHost = regexp.MustCompile(`^([a-z0-9-]+-)?aiplatform(\.[a-z]+\.rep)?\.googleapis\.com$`)
	vertexPath = regexp.MustCompile(`^/(v1(?:beta1)?)/projects/([^/]+)/locations/([^/]+)/?$`)
)

// VertexOf reads a base URL of Vertex AI, known by its host; ok is false for
// others.
func VertexOf(base string) (v Vertex, ok bool, err error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || !vertexHost.MatchString(strings.ToLower(u.Hostname())) {
		return v, false, nil
	}
	parts := vertexPath.FindStringSubmatch(u.Path)
	if parts == nil || u.User != nil {
		return v, true, errors.New("an address of Vertex AI must have the form https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION")
	}
	return Vertex{Origin: u.Scheme + "://" + u.Host, Version: parts[1], Project: parts[2], Location: parts[3]}, true, nil
}

// Path returns the path of a method of a publisher's model, without a leading
// slash.
func (v Vertex) Path(publisher, model, method string) string {
	return v.Version + "/projects/" + v.Project + "/locations/" + v.Location + "/publishers/" + publisher + "/models/" + model + ":" + method
}

// Wire returns a Wire to Vertex AI and the Authorization header of its
// requests: the configuration's own, or its key as an access token. If there is
// neither, the header is "" and Google's default credentials should be used.
func (v Vertex) Wire(c *Config) (w *Wire, authorization string, err error) {
	c.BaseURL = v.Origin
	if w, err = NewWire(c, v.Origin, nil); err != nil {
		return nil, "", err
	}
	authorization = c.Headers.Get("Authorization")
	if authorization == "" && c.Key != "" {
		authorization = "Bearer " + c.Key
	}
	return w, authorization, nil
}

// ErrNoGoogle means that Google's own credentials cannot be found. It replaces
// the errors of Google's library, which may show paths and parts of files.
var ErrNoGoogle = errors.New("no Google Cloud credentials: give the model a key_command such as `gcloud auth print-access-token`, or set GOOGLE_APPLICATION_CREDENTIALS")
