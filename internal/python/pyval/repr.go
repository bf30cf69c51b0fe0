package pyval

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Repr returns Python's repr(v).
func Repr(v Value) string {
	buf := texts.Get().(*[]byte)
	b := AppendRepr((*buf)[:0], v)
	text := string(b)
	release(buf, b)
	return text
}

// Text returns Python's str(v): the text itself for a str, else repr(v).
func Text(v Value) string {
	if s, ok := v.(Str); ok {
		return string(s)
	}
	return Repr(v)
}

// AppendRepr appends Python's repr(v).
func AppendRepr(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case Str:
		return appendStrRepr(dst, string(v))
	case Int:
		return v.append(dst)
	case Bool:
		if v {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case NoneType:
		return append(dst, "None"...)
	case Float:
		return AppendFloat(dst, float64(v))
	case Bytes:
		return appendBytesRepr(dst, string(v))
	case Complex:
		return appendComplex(dst, complex128(v))
	case *List:
		return append(appendItems(append(dst, '['), v.Items), ']')
	case *Tuple:
		dst = appendItems(append(dst, '('), v.Items)
		if len(v.Items) == 1 {
			dst = append(dst, ',')
		}
		return append(dst, ')')
	case *Set:
		return appendSetRepr(dst, v)
	case *Dict:
		return appendDictRepr(dst, v)
	}
	return append(dst, "Ellipsis"...)
}

func appendItems(dst []byte, items []Value) []byte {
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendRepr(dst, item)
	}
	return dst
}

func appendSetRepr(dst []byte, s *Set) []byte {
	if s.Len() == 0 {
		return append(dst, "set()"...)
	}
	return append(appendItems(append(dst, '{'), s.dict.Keys()), '}')
}

func appendDictRepr(dst []byte, d *Dict) []byte {
	dst = append(dst, '{')
	for i, e := range d.all() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendRepr(dst, e.key)
		dst = append(dst, ": "...)
		dst = AppendRepr(dst, e.val)
	}
	return append(dst, '}')
}

// AppendFloat appends Python's repr of a float: the shortest digits that read
// back as the same float, with an exponent below 1e-4 and from 1e16 on.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if abs := math.Abs(f); f != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

func appendComplex(dst []byte, c complex128) []byte {
	re, im := real(c), imag(c)
	if re == 0 && !math.Signbit(re) {
		return append(appendComplexPart(dst, im), 'j')
	}
	dst = appendComplexPart(append(dst, '('), re)
	if !math.Signbit(im) || math.IsNaN(im) {
		dst = append(dst, '+')
	}
	return append(appendComplexPart(dst, im), "j)"...)
}

// appendComplexPart writes whole numbers without ".0", as complex's repr does.
func appendComplexPart(dst []byte, f float64) []byte {
	start := len(dst)
	dst = AppendFloat(dst, f)
	if n := len(dst); n-start > 2 && string(dst[n-2:]) == ".0" {
		dst = dst[:n-2]
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

func appendStrRepr(dst []byte, s string) []byte {
	quote := quoteFor(s)
	dst = append(dst, quote)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			dst = appendASCIIRepr(dst, c, quote)
			i++
			continue
		}
		r, size := DecodeRune(s[i:])
		if unicode.IsPrint(r) {
			dst = append(dst, s[i:i+size]...)
		} else {
			dst = appendEscapedRune(dst, r)
		}
		i += size
	}
	return append(dst, quote)
}

func appendASCIIRepr(dst []byte, c, quote byte) []byte {
	switch {
	case c == quote || c == '\\':
		return append(dst, '\\', c)
	case c == '\n' || c == '\r' || c == '\t':
		return append(dst, '\\', escapeFrom[strings.IndexByte(escapeTo, c)])
	case c < ' ' || c >= 0x7f:
		return append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(dst, c)
}

func appendEscapedRune(dst []byte, r rune) []byte {
	switch {
	case r < 0x100:
		return append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case r < 0x10000:
		return appendHex4(append(dst, '\\', 'u'), r)
	}
	return appendHex4(appendHex4(append(dst, '\\', 'U'), r>>16), r&0xffff)
}

func appendHex4(dst []byte, r rune) []byte {
	return append(dst, hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

func appendBytesRepr(dst []byte, s string) []byte {
	quote := quoteFor(s)
	dst = append(dst, 'b', quote)
	for i := 0; i < len(s); i++ {
		dst = appendASCIIRepr(dst, s[i], quote)
	}
	return append(dst, quote)
}

// DecodeRune is utf8.DecodeRuneInString for WTF-8: a lone surrogate is
// returned as its code point, size 3. A stray byte is returned as the
// surrogate that Python's surrogateescape gives it, size 1.
func DecodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	if len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return 0xdc00 | rune(s[0]), 1
}

// AppendRune is utf8.AppendRune for WTF-8: surrogates are kept.
func AppendRune(dst []byte, r rune) []byte {
	if r >= 0xd800 && r <= 0xdfff {
		return append(dst, 0xed, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}

// ValidText reports whether s is well-formed WTF-8, the invariant of Str.
func ValidText(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	for i := 0; i < len(s); {
		r, size := DecodeRune(s[i:])
		if size == 1 && r >= 0xdc80 && r <= 0xdcff {
			return false
		}
		i += size
	}
	return true
}
