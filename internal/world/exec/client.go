package exec

import (
	"context"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Request is an HTTP request with placeholders where API keys belong.
type Request struct {
	// Case is the case that asks, if recorded answers are kept apart by case;
	// else "".
	Case string
	// Method is "GET".
	Method string
	// URL is final, query included.
	URL string
	// Header holds the headers beyond a client's own.
	Header map[string]string
	// Body is sent as it is; most often "".
	Body string
	// KeepRedirect returns redirects instead of following them.
	KeepRedirect bool
}

// A Response is an API's answer.
type Response struct {
	Status int
	Body   string
}

// A Client answers requests: from a recording, or by asking. It is safe for
// concurrent use. Errors are *eval.InfraError, or *pyval.Exception for what a
// recording says that Python's client raised.
type Client interface {
	Do(ctx context.Context, req Request) (Response, error)
}

// A Key is the key of an API.
type Key struct {
	// Variable is the environment variable that holds it.
	Variable string
	// Placeholder stands for it in requests and recordings, also with
	// "YOUR-" before it.
	Placeholder string
	// Host is the only host, with its subdomains, that ever gets the key.
	Host string
}

// Keys returns the keys that the functions and the REST category need.
func Keys() []Key {
	return []Key{rapidKey, exchangeKey, omdbKey, geocodeKey}
}

var (
	rapidKey    = Key{Variable: "RAPID_API_KEY", Placeholder: "RAPID-API-KEY", Host: "rapidapi.com"}
	exchangeKey = Key{Variable: "EXCHANGERATE_API_KEY", Placeholder: "EXCHANGERATE-API-KEY", Host: "exchangerate-api.com"}
	omdbKey     = Key{Variable: "OMDB_API_KEY", Placeholder: "OMDB-API-KEY", Host: "omdbapi.com"}
	geocodeKey  = Key{Variable: "GEOCODE_API_KEY", Placeholder: "GEOCODE-API-KEY", Host: "geocode.maps.co"}
)

// MissingKeys returns the environment variables that are not set although the
// given calls need them: functions by their name, REST calls by the
// placeholders they hold.
func MissingKeys(getenv func(string) string, calls ...string) []string {
	var missing []string
	for _, key := range Keys() {
		if getenv(key.Variable) == "" && needed(key, calls) {
			missing = append(missing, key.Variable)
		}
	}
	return missing
}

func needed(key Key, calls []string) bool {
	for _, call := range calls {
		name, _, _ := strings.Cut(strings.TrimSpace(call), "(")
		if fn := Lookup(name); fn != nil && fn.Key == key.Variable || strings.Contains(call, key.Placeholder) {
			return true
		}
	}
	return false
}

// unrecorded is the error of a request that a recording does not answer.
func unrecorded(req Request) error {
	return eval.Infra("unrecorded", "no recorded answer for %s %q", req.Method, clip(req.URL))
}

// clip keeps messages about a model's text short.
func clip(s string) string {
	const most = 500
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
