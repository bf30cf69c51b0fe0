package provider_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/model/provider"
)

func TestVertexOf(t *testing.T) {
	for _, c := range []struct {
		base   string
		want   provider.Vertex
		ok, no bool
	}{
		{"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4", provider.Vertex{Origin: "https://europe-west4-aiplatform.googleapis.com", Version: "v1", Project: "p", Location: "europe-west4"}, true, false},
		{"https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/", provider.Vertex{Origin: "https://aiplatform.googleapis.com", Version: "v1beta1", Project: "p", Location: "global"}, true, false},
		{"https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu", provider.Vertex{Origin: "https://aiplatform.eu.rep.googleapis.com", Version: "v1", Project: "p", Location: "eu"}, true, false},
		{"https://us-central1-aiplatform.googleapis.com", provider.Vertex{}, true, true},
		{"https://us-central1-aiplatform.googleapis.com/v1/projects/p", provider.Vertex{}, true, true},
		{"https://generativelanguage.googleapis.com/v1beta", provider.Vertex{}, false, false},
		{"https://aiplatform.googleapis.com.evil.example/v1/projects/p/locations/l", provider.Vertex{}, false, false},
		{"", provider.Vertex{}, false, false},
	} {
		got, ok, err := provider.VertexOf(c.base)
		assert.Equal(t, c.ok, ok, c.base)
		assert.Equal(t, c.no, err != nil, c.base)
		assert.Equal(t, c.want, got, c.base)
	}
}
