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
