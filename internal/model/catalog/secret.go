package catalog

import (
	"fmt"
	"log/slog"
)

const hidden = "[hidden]"

// A Secret is a key or another text that must not be seen. However it is
// printed or encoded, the result is "[hidden]"; converting it to string reveals
// it. In a struct it must be an exported field, because package fmt does not
// call the methods of others, and it must not be a map's key, because
// encoding/json does not call the methods of a string key.
type Secret string

// String hides the secret.
func (Secret) String() string { return hidden }

// GoString hides the secret from %#v.
func (Secret) GoString() string { return hidden }

// Format hides the secret from every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// MarshalText hides the secret from encoders of text.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// MarshalJSON hides the secret from JSON.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// MarshalYAML hides the secret from YAML.
func (Secret) MarshalYAML() (any, error) { return hidden, nil }

// LogValue hides the secret from structured logs.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
