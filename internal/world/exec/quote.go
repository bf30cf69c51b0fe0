package exec

import (
	"strings"

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

func appendEscaped(out []byte, c byte) []byte {
	return append(out, '%', upperHex[c>>4], upperHex[c&15])
}

// quote escapes every byte that is not among the safe ones.
func quote(s, safe string) string {
	var out []byte
	for i := range len(s) {
		if c := s[i]; c < 128 && strings.IndexByte(safe, c) >= 0 {
			out = append(out, c)
		} else {
			out = appendEscaped(out, c)
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
func encodeQuery(params *pyval.Dict) (string, error) {
	var out []string
	for key, value := range params.All() {
		text, err := encodeParam(key, value)
		if err != nil {
			return "", err
		}
		out = append(out, text...)
	}
	return strings.Join(out, "&"), nil
}

func encodeParam(key, value pyval.Value) (out []string, err error) {
	values := []pyval.Value{value}
	if isContainer(value) {
		values, _ = pyval.Iterate(value)
	}
	for _, v := range values {
		if v.Kind() == pyval.KindNone {
			continue
		}
		text, err := encodePair(key, v)
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}

func isContainer(v pyval.Value) bool {
	_, ok := pyval.Len(v)
	return ok && v.Kind() != pyval.KindStr && v.Kind() != pyval.KindBytes
}

// encodePair is a pair, or one for each element of a container.
func encodePair(key, value pyval.Value) ([]string, error) {
	values := []pyval.Value{value}
	if isContainer(value) {
		values, _ = pyval.Iterate(value)
	}
	out := make([]string, len(values))
	for i, v := range values {
		text := rawText(key) + "\x00" + rawText(v)
		if !validUTF8(text) {
			return nil, pyval.Raise("UnicodeEncodeError", "'utf-8' codec can't encode characters: surrogates not allowed")
		}
		out[i] = quotePlus(rawText(key)) + "=" + quotePlus(rawText(v))
	}
	return out, nil
}

// rawText is str(v), or the bytes themselves.
func rawText(v pyval.Value) string {
	if b, ok := v.(pyval.Bytes); ok {
		return string(b)
	}
	return pyval.Text(v)
}
