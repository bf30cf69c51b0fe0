package page

import (
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
)

// Decode returns the text of a response's body, requests' Response.text: by the
// declared charset, text without one as ISO-8859-1, JSON as UTF-8, anything
// else by its bytes. Bytes that fit no character become U+FFFD.
func Decode(body []byte, contentType string) string {
	name, declared := charsetOf(contentType)
	if !declared {
		return detect(body)
	}
	enc := encodingOf(name)
	if enc == nil {
		return utf8Text(body)
	}
	text, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return utf8Text(body)
	}
	return string(text)
}

// charsetOf is requests' get_encoding_from_headers.
func charsetOf(contentType string) (name string, declared bool) {
	var kind string
	var params map[string]string
	if media, p, err := mime.ParseMediaType(contentType); err == nil || media != "" {
		kind, params = media, p
	} else {
		kind, _, _ = strings.Cut(contentType, ";")
	}
	kind = strings.ToLower(strings.TrimSpace(kind))
	switch charset := strings.Trim(params["charset"], `'" `); {
	case charset != "":
		return charset, true
	case strings.Contains(kind, "text"):
		return "iso-8859-1", true
	case strings.Contains(kind, "application/json"):
		return "utf-8", true
	}
	return "", false
}

// encodingOf is nil for UTF-8 and for unknown names, which Python reads as
// UTF-8.
func encodingOf(name string) encoding.Encoding {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "-") {
	case "utf-8", "utf8", "utf-8-sig":
		return nil
	case "utf-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "iso-8859-1", "iso8859-1", "latin-1", "latin1":
		return charmap.ISO8859_1
	}
	if enc, err := ianaindex.IANA.Encoding(name); err == nil && enc != nil {
		return enc
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	return enc
}

// detect replaces the guess of requests' detection library: a byte-order mark,
// else UTF-8 if the bytes are valid, else windows-1252.
func detect(body []byte) string {
	switch {
	case strings.HasPrefix(string(body[:min(3, len(body))]), "\xef\xbb\xbf"):
		return utf8Text(body[3:])
	case len(body) >= 2 && (body[0] == 0xff && body[1] == 0xfe || body[0] == 0xfe && body[1] == 0xff):
		if text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(body); err == nil {
			return string(text)
		}
	case utf8.Valid(body):
		return string(body)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(body)
	if err != nil {
		return utf8Text(body)
	}
	return string(text)
}

// utf8Text is Python's body.decode("utf-8", "replace"): one U+FFFD for the
// longest beginning of a character that breaks off.
func utf8Text(body []byte) string {
	if utf8.Valid(body) {
		return string(body)
	}
	var b strings.Builder
	b.Grow(len(body))
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			size = brokenLen(body)
		}
		b.WriteRune(r)
		body = body[size:]
	}
	return b.String()
}

// brokenLen is how many bytes of an invalid sequence could have begun a
// character (Unicode's maximal subpart).
func brokenLen(body []byte) int {
	lead := body[0]
	low, high, want := byte(0x80), byte(0xbf), 0
	switch {
	case lead >= 0xc2 && lead <= 0xdf:
		want = 1
	case lead >= 0xe0 && lead <= 0xef:
		want = 2
	case lead >= 0xf0 && lead <= 0xf4:
		want = 3
	}
	switch lead {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for n <= want && n < len(body) && body[n] >= low && body[n] <= high {
		n++
		low, high = 0x80, 0xbf
	}
	return n
}
