package catalog

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// An Environment looks up a variable; os.LookupEnv is one.
type Environment func(name string) (value string, ok bool)

// Process returns the environment of this process.
func Process() Environment { return os.LookupEnv }

// An Access is an entry together with what the environment adds to it.
type Access struct {
	// Entry is the model, with its base URL as it is used. At a host other than
	// the catalogue's it has no prices (see Entry.At).
	Entry Entry
	// Key is the key, "" if none is sent; KeyVariable is where it was
	// found.
	Key         Secret
	KeyVariable string
	// Headers are sent with each request.
	Headers map[string]Secret
}

// Secrets returns the texts that must not appear in anything that is written.
func (a Access) Secrets() []string {
	var all []string
	if a.Key != "" {
		all = append(all, string(a.Key))
	}
	for _, name := range sorted(a.Headers) {
		if a.Entry.Headers[name] != string(a.Headers[name]) {
			all = append(all, string(a.Headers[name]))
		}
	}
	return all
}

// HeaderMarks names the headers. Their values choose models and routes, so each
// that is no credential has a salted, short hash of its value beside it, which
// tells two values apart and does not give one away.
func (a Access) HeaderMarks() string {
	marks := sorted(a.Headers)
	for i, name := range marks {
		if !credential().MatchString(name) {
			sum := sha256.Sum256([]byte("bfcl header\x00" + strings.ToLower(name) + "\x00" + string(a.Headers[name])))
			marks[i] += fmt.Sprintf("=%x", sum[:4])
		}
	}
	return strings.Join(marks, ", ")
}

// missing is the error for variables of which none is set, though one is enough.
func (e Entry) missing(what string, variables ...string) error {
	return fmt.Errorf("model %s: %s is missing: set %s in the environment or in .env", plainfile.Printable(e.Name), what, strings.Join(variables, " or "))
}

// Access takes the address, key and headers from the environment. If a variable
// that is needed is not set, or is empty, the error names it.
func (e Entry) Access(env Environment) (Access, error) {
	e, err := e.addressed(env)
	if err != nil {
		return Access{}, err
	}
	a := Access{Entry: e}
	if err := a.findKey(env); err != nil {
		return Access{}, err
	}
	for _, name := range sorted(e.Headers) {
		value, err := e.expand("header "+name, e.Headers[name], env)
		if err != nil {
			return Access{}, err
		}
		if strings.ContainsFunc(value, isControl) {
			return Access{}, fmt.Errorf("model %s: the value of header %s holds a control character", plainfile.Printable(e.Name), name)
		}
		if a.Headers == nil {
			a.Headers = map[string]Secret{}
		}
		a.Headers[name] = Secret(value)
	}
	return a, nil
}

// addressed returns the entry with its base URL set: its own, or else the one
// in the provider's variable.
func (e Entry) addressed(env Environment) (Entry, error) {
	from := "base_url"
	if e.BaseURL == "" {
		for _, p := range providers {
			if p.address == "" || !slices.Contains(p.adapters, e.Adapter) {
				continue
			}
			if value, _ := env(p.address); value != "" {
				e, from = e.At(value), p.address
			}
		}
	}
	base, err := e.expand("base_url", e.BaseURL, env)
	if err != nil {
		return e, err
	}
	if err := guardURL(base); err != nil {
		return e, fmt.Errorf("model %s: %s: %w", plainfile.Printable(e.Name), from, err)
	}
	e.BaseURL = base
	return e, nil
}

// The variables by which upstream finds a model's server, and its port there.
const (
	remoteURL    = "REMOTE_OPENAI_BASE_URL"
	remoteKey    = "REMOTE_OPENAI_API_KEY"
	localHost    = "LOCAL_SERVER_ENDPOINT"
	localPort    = "LOCAL_SERVER_PORT"
	upstreamPort = "1053"
)

// AtOwnServer returns the entry at the server that upstream's variables name, if
// the model is one that a user's own server has and nothing else says where.
func (e Entry) AtOwnServer(env Environment) Entry {
	own := strings.HasPrefix(e.Origin, embeddedName) && isLocal(hostOf(e.BaseURL))
	if !own && (e.Adapter != "completions" || e.BaseURL != "") {
		return e
	}
	url, _ := env(remoteURL)
	host, _ := env(localHost)
	port, _ := env(localPort)
	if url == "" && host+port != "" {
		url = "http://" + cmp.Or(host, "localhost") + ":" + cmp.Or(port, upstreamPort) + "/v1"
	}
	if url != "" {
		e = e.At(url)
	}
	if key, _ := env(remoteKey); key != "" {
		e.Key = remoteKey
	}
	return e
}

// expand replaces each ${VAR}.
func (e Entry) expand(where, text string, env Environment) (string, error) {
	var missing error
	out := reference().ReplaceAllStringFunc(text, func(ref string) string {
		name := ref[2 : len(ref)-1]
		value, _ := env(name)
		if value == "" && missing == nil {
			missing = e.missing(where, name)
		}
		return strings.TrimSpace(value)
	})
	return out, missing
}

func (a *Access) findKey(env Environment) error {
	variables, needed := a.Entry.Keys()
	for _, name := range variables {
		value, _ := env(name)
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		if strings.ContainsFunc(value, isControl) {
			return fmt.Errorf("the key in %s holds a control character", name)
		}
		a.Key, a.KeyVariable = Secret(value), name
		return nil
	}
	if needed && !a.Entry.carriesKey() {
		return a.Entry.missing("the key", variables...)
	}
	return nil
}

// carriesKey reports whether a header replaces the key.
func (e Entry) carriesKey() bool {
	return slices.ContainsFunc(sorted(e.Headers), credential().MatchString)
}

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
