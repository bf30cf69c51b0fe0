package exec

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

// encodeInvalid escapes what a part of a URL may not contain; existing escapes
// stay, if every % begins one.
func encodeInvalid(s, allowed string) string {
	escapes := 0
	text := []byte(s)
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '%' && isHex(text[i+1]) && isHex(text[i+2]) {
			escapes++
			copy(text[i:], strings.ToUpper(string(text[i:i+3])))
			i += 2
		}
	}
	if escapes == strings.Count(s, "%") {
		allowed += "%"
	}
	return quote(string(text), allowed)
}

func isHex(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
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
func unquoteUnreserved(uri string) (string, bool) {
	parts := strings.Split(uri, "%")
	out := []byte(parts[0])
	for _, part := range parts[1:] {
		if len(part) < 2 || !isAlphanumeric(part[0]) || !isAlphanumeric(part[1]) {
			out = append(append(out, '%'), part...)
			continue
		}
		if !isHex(part[0]) || !isHex(part[1]) {
			return "", false
		}
		c := unhex(part[0])<<4 | unhex(part[1])
		if c < 128 && strings.IndexByte(unreserved, c) >= 0 {
			out = append(append(out, c), part[2:]...)
		} else {
			out = append(append(out, '%'), part...)
		}
	}
	return string(out), true
}

func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
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
