package exec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func validUTF8(s string) bool { return utf8.ValidString(s) }

var (
	uriParts  = pattern.Of(`(?s)^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^\\/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)
	hasScheme = pattern.Of(`^(?:[a-zA-Z][a-zA-Z0-9+-]*:|/)`)
	hostPort  = pattern.Of(`(?s)^((?:[^\[\]%:/?#]|%[a-fA-F0-9]{2})*|\[[0-9A-Fa-f:.]*(?:%[^\]]*)?\])(?::0*?(|0|[1-9][0-9]{0,4}))?$`)
)

// A target is a URL in parts.
type target struct {
	scheme, auth, host, port, path, query, fragment string
}

// A queryMaker encodes parameters; behind reports whether the URL has a query
// already.
type queryMaker func(behind bool) (string, error)

// prepareURL is requests' prepare_url: the final URL of a request. Parameters
// are encoded only once the URL has proved valid, and go after its own query.
func prepareURL(raw string, params queryMaker) (string, error) {
	text := strings.TrimLeftFunc(raw, pyval.IsSpace)
	if strings.Contains(text, ":") && !strings.HasPrefix(strings.ToLower(text), "http") {
		return text, nil
	}
	t, err := parseTarget(text)
	if err != nil {
		return "", err
	}
	switch {
	case t.scheme == "":
		return "", pyval.Raise("MissingSchema", "Invalid URL %s: No scheme supplied. Perhaps you meant https://%s?",
			pyval.Repr(pyval.Str(text)), text)
	case t.host == "":
		return "", pyval.Raise("InvalidURL", "Invalid URL %s: No host supplied", pyval.Repr(pyval.Str(text)))
	}
	if t.host, err = encodeHost(t.host); err != nil {
		return "", err
	}
	query, err := params(t.query != "")
	if err != nil {
		return "", err
	}
	if t.query != "" && query != "" {
		query = t.query + "&" + query
	} else if query == "" {
		query = t.query
	}
	return requote(t.join(query)), nil
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 128 }) < 0
}

// encodeHost is the name as it is looked up.
func encodeHost(host string) (string, error) {
	encoded := host
	var err error
	if !ascii(host) {
		encoded, err = idna.Lookup.ToASCII(host)
	}
	if err != nil || strings.HasPrefix(host, "*") || strings.HasPrefix(host, ".") {
		return "", pyval.Raise("InvalidURL", "URL has an invalid label.")
	}
	return encoded, nil
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
func parseTarget(text string) (target, error) {
	source := text
	if !hasScheme().MatchString(text) {
		text = "//" + text
	}
	m := uriParts().FindStringSubmatch(text) // any text has such parts
	t := target{scheme: strings.ToLower(m[1]), path: m[3], query: m[4], fragment: m[5]}
	normal := t.scheme == "" || t.scheme == "http" || t.scheme == "https"
	if err := t.authority(m[2], normal, source); err != nil {
		return target{}, err
	}
	if normal {
		if t.path != "" {
			t.path = encodeInvalid(removeDots(t.path), pathChars)
		}
		t.query = encodeInvalid(t.query, queryChars)
		t.fragment = encodeInvalid(t.fragment, queryChars)
	}
	if t.path != "" && !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	return t, nil
}

func unparsable(source string) error {
	return pyval.Raise("InvalidURL", "Failed to parse: %s", source)
}

func (t *target) authority(text string, normal bool, source string) error {
	rest := text
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		t.auth, rest = text[:i], text[i+1:]
		if normal {
			t.auth = encodeInvalid(t.auth, userChars)
		}
	}
	m := hostPort().FindStringSubmatch(rest)
	if m == nil {
		return unparsable(source)
	}
	t.host, t.port = m[1], m[2]
	if port, err := strconv.Atoi(t.port); err == nil && port > 65535 {
		return unparsable(source)
	}
	if t.port == "0" { // a port of zero counts as none
		t.port = ""
	}
	if normal {
		t.host = strings.ToLower(t.host)
	}
	return nil
}
