package exec

import (
	"strconv"
	"strings"
	"unicode/utf8"

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
	encoded := t.host
	var err error
	if strings.ContainsFunc(t.host, func(r rune) bool { return r >= 128 }) {
		encoded, err = idna.Lookup.ToASCII(t.host)
	}
	if err != nil || strings.HasPrefix(t.host, "*") || strings.HasPrefix(t.host, ".") {
		raise("InvalidURL", "URL has an invalid label.")
	}
	t.host = encoded
	query := params(t.query != "")
	if t.query != "" && query != "" {
		query = t.query + "&" + query
	} else if query == "" {
		query = t.query
	}
	return requote(t.join(query))
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

const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-~"
	subDelims  = "!$&'()*+,;="
	userChars  = unreserved + subDelims + ":"
	pathChars  = userChars + "@/"
	queryChars = pathChars + "?"
)

const upperHex = "0123456789ABCDEF"

// quote escapes every byte that is not among the safe ones.
func quote(s, safe string) string {
	var out []byte
	for i := range len(s) {
		if c := s[i]; c < 128 && strings.IndexByte(safe, c) >= 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return string(out)
}

// quotePlus is Python's urllib.parse.quote_plus.
func quotePlus(s string) string {
	return strings.ReplaceAll(quote(s, unreserved+" "), " ", "+")
}

// escape is a %, with two letters or digits behind it.
var (
	escape    = pattern.Of(`%[0-9a-fA-F]{2}`)
	seemingly = pattern.Of(`%[0-9a-zA-Z]{2}`)
)

// encodeInvalid escapes what a part of a URL may not contain; existing escapes
// stay, if every % begins one.
func encodeInvalid(s, allowed string) string {
	if len(escape().FindAllString(s, -1)) == strings.Count(s, "%") {
		allowed += "%"
	}
	return quote(escape().ReplaceAllStringFunc(s, strings.ToUpper), allowed)
}

// requote is requests' requote_uri: needless escapes are undone, then the rest
// is escaped.
func requote(uri string) string {
	const safe = "!#$&'()*+,/:;=?@[]" + unreserved
	text, ok := unquoteUnreserved(uri)
	if !ok {
		return quote(uri, safe)
	}
	return quote(text, safe+"%")
}

// unquoteUnreserved is false if a % is followed by two letters or digits
// that are not hexadecimal.
func unquoteUnreserved(uri string) (text string, ok bool) {
	ok = true
	text = seemingly().ReplaceAllStringFunc(uri, func(escaped string) string {
		c, err := strconv.ParseUint(escaped[1:], 16, 8)
		if ok = ok && err == nil; c < 128 && strings.IndexByte(unreserved, byte(c)) >= 0 {
			return string(rune(c))
		}
		return escaped
	})
	return text, ok
}

// removeDots takes "." and ".." out of a path.
func removeDots(path string) string {
	var out []string
	for _, segment := range strings.Split(path, "/") {
		switch {
		case segment == ".":
		case segment != "..":
			out = append(out, segment)
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	if strings.HasPrefix(path, "/") && (len(out) == 0 || out[0] != "") {
		out = append([]string{""}, out...)
	}
	if strings.HasSuffix(path, "/.") || strings.HasSuffix(path, "/..") {
		out = append(out, "")
	}
	return strings.Join(out, "/")
}

// encodeQuery is requests' encoding of query parameters: None is left out, a
// list repeats its key, a dict gives its keys.
func encodeQuery(params *pyval.Dict) string {
	var out []string
	for key, value := range params.All() {
		out = append(out, encodeParam(key, value)...)
	}
	return strings.Join(out, "&")
}

func encodeParam(key, value pyval.Value) (out []string) {
	for _, v := range elements(value) {
		if v.Kind() == pyval.KindNone {
			continue
		}
		for _, v := range elements(v) {
			k, v := rawText(key), rawText(v)
			if !utf8.ValidString(k) || !utf8.ValidString(v) {
				raise("UnicodeEncodeError", "'utf-8' codec can't encode characters: surrogates not allowed")
			}
			out = append(out, quotePlus(k)+"="+quotePlus(v))
		}
	}
	return out
}

// elements are those of a container; anything else is its own.
func elements(v pyval.Value) []pyval.Value {
	if _, ok := pyval.Len(v); !ok || v.Kind() == pyval.KindStr || v.Kind() == pyval.KindBytes {
		return []pyval.Value{v}
	}
	return items(v)
}

// rawText is str(v), or the bytes themselves.
func rawText(v pyval.Value) string {
	if b, ok := v.(pyval.Bytes); ok {
		return string(b)
	}
	return pyval.Text(v)
}
