package catalog

import (
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/kit/yamlfile"
)

// A member is a key that a mapping may have, and how its value is read.
type member[T any] struct {
	name string
	read func(r *yamlfile.Reader, into *T, n *yaml.Node)
}

// object reads a mapping whose keys are known.
func object[T any](r *yamlfile.Reader, n *yaml.Node, where string, members []member[T], into *T) {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	r.Known(n, where, names, func(key string, _, v *yaml.Node) {
		for _, m := range members {
			if m.name == key {
				m.read(r, into, v)
			}
		}
	})
}
