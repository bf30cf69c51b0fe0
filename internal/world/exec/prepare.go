package exec

import (
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var (
	uriParts  = pattern.Of(`(?s)^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^\\/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)
	hasScheme = pattern.Of(`^(?:[a-zA-Z][a-zA-Z0-9+-]*:|/)`)
	hostPort  = pattern.Of(`(?s)^((?:[^\[\]%:/?#]|%[a-fA-F0-9]{2})*|\[[0-9A-Fa-f:.]*(?:%[^\]]*)?\])(?::0*?(|0|[1-9][0-9]{0,4}))?$`)
)

// A target is a URL in parts.
type target struct {
	scheme, auth, host, port, path, query, fragment string
}

// prepareURL is requests' prepare_url: the final URL of a request. Parameters
// are encoded only once the URL has proved valid, and go after its own query;
// behind reports whether it has one. It raises as the functions below do.
func prepareURL(raw string, params func(behind bool) string) string {
	text := strings.TrimLeftFunc(raw, pyval.IsSpace)
	if strings.Contains(text, ":") && !strings.HasPrefix(strings.ToLower(text), "http") {
		return text
	}
	t := parseTarget(text)
	switch {
	case t.scheme == "":
		raise("MissingSchema", "Invalid URL %s: No scheme supplied. Perhaps you meant https://%s?", pyval.Repr(pyval.Str(text)), text)
	case t.host == "":
		raise("InvalidURL", "Invalid URL %s: No host supplied", pyval.Repr(pyval.Str(text)))
	}
	t.host = encodeHost(t.host)
	query := params(t.query != "")
	if t.query != "" && query != "" {
		query = t.query + "&" + query
	} else if query == "" {
		query = t.query
	}
	return requote(t.join(query))
}

// encodeHost is the name as it is looked up.
func encodeHost(host string) string {
	encoded := host
	var err error
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 128 }) {
		encoded, err = idna.Lookup.ToASCII(host)
	}
	if err != nil || strings.HasPrefix(host, "*") || strings.HasPrefix(host, ".") {
		raise("InvalidURL", "URL has an invalid label.")
	}
	return encoded
}

func (t target) join(query string) string {
	netloc := t.host
	if t.auth != "" {
		netloc = t.auth + "@" + netloc
	}
	if t.port != "" {
		netloc += ":" + t.port
	}
	path := t.path
	if path == "" {
		path = "/"
	}
	out := t.scheme + "://" + netloc + path
	if query != "" {
		out += "?" + query
	}
	if t.fragment != "" {
		out += "#" + t.fragment
	}
	return out
}

// parseTarget is urllib3's parse_url.
func parseTarget(source string) target {
	text := source
	if !hasScheme().MatchString(text) {
		text = "//" + text
	}
	m := uriParts().FindStringSubmatch(text) // any text has such parts
	t := target{scheme: strings.ToLower(m[1]), path: m[3], query: m[4], fragment: m[5]}
	auth, rest := "", m[2]
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		auth, rest = rest[:i], rest[i+1:]
	}
	host := hostPort().FindStringSubmatch(rest)
	if host == nil {
		raise("InvalidURL", "Failed to parse: %s", source)
	}
	t.auth, t.host, t.port = auth, host[1], host[2]
	if port, err := strconv.Atoi(t.port); err == nil && port > 65535 {
		raise("InvalidURL", "Failed to parse: %s", source)
	} else if port == 0 { // counts as none
		t.port = ""
	}
	if t.scheme == "" || t.scheme == "http" || t.scheme == "https" {
		t.host = strings.ToLower(t.host)
		t.auth = encodeInvalid(t.auth, userChars)
		if t.path != "" {
			t.path = encodeInvalid(removeDots(t.path), pathChars)
		}
		t.query = encodeInvalid(t.query, queryChars)
		t.fragment = encodeInvalid(t.fragment, queryChars)
	}
	if t.path != "" && !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	return t
}
