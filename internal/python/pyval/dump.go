package pyval

import (
	"fmt"
	"math"
	"strconv"
	"sync"
	"unicode/utf8"
)

// JSONFormat selects how AppendJSON writes.
type JSONFormat uint8

const (
	// JSONUnicode keeps non-ASCII characters, as Python's ensure_ascii=False
	// does.
	JSONUnicode JSONFormat = 1 << iota
	// JSONCompact leaves out the blanks after ',' and ':'.
	JSONCompact
)

// JSON returns Python's json.dumps(v); see AppendJSON.
func JSON(v Value, f JSONFormat) (string, error) {
	buf := texts.Get().(*[]byte)
	b, err := AppendJSON((*buf)[:0], v, f)
	text := string(b)
	release(buf, b)
	return text, err
}

// texts are buffers for texts whose size is not known yet.
var texts = sync.Pool{New: func() any { return new([]byte) }}

func release(buf *[]byte, used []byte) {
	if cap(used) <= longText {
		*buf = used
	}
	texts.Put(buf)
}

// AppendJSON appends Python's json.dumps(v). Tuples are arrays, float and
// None keys become strings, NaN and Infinity are written as such. The error
// is the text of Python's TypeError for what JSON cannot hold.
func AppendJSON(dst []byte, v Value, f JSONFormat) ([]byte, error) {
	switch v := v.(type) {
	case Str:
		return AppendJSONString(dst, string(v), f), nil
	case NoneType, Bool, Int, Float:
		return appendJSONScalar(dst, v), nil
	case *List:
		return appendJSONItems(dst, v.Items, f)
	case *Tuple:
		return appendJSONItems(dst, v.Items, f)
	case *Dict:
		return appendJSONDict(dst, v, f)
	}
	return dst, fmt.Errorf("Object of type %s is not JSON serializable", TypeName(v))
}

func appendJSONScalar(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case NoneType:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, bool(v))
	case Float:
		switch {
		case math.IsNaN(float64(v)):
			return append(dst, "NaN"...)
		case math.IsInf(float64(v), 1):
			return append(dst, "Infinity"...)
		case math.IsInf(float64(v), -1):
			return append(dst, "-Infinity"...)
		}
	}
	return AppendRepr(dst, v)
}

func appendJSONSeparator(dst []byte, c byte, f JSONFormat) []byte {
	if dst = append(dst, c); f&JSONCompact == 0 {
		dst = append(dst, ' ')
	}
	return dst
}

func appendJSONItems(dst []byte, items []Value, f JSONFormat) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = appendJSONSeparator(dst, ',', f)
		}
		if dst, err = AppendJSON(dst, item, f); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendJSONDict(dst []byte, d *Dict, f JSONFormat) ([]byte, error) {
	var err error
	dst = append(dst, '{')
	for i := range d.entries {
		if i > 0 {
			dst = appendJSONSeparator(dst, ',', f)
		}
		switch key := d.entries[i].key.(type) {
		case Str:
			dst = AppendJSONString(dst, string(key), f)
		case NoneType, Bool, Int, Float:
			dst = append(appendJSONScalar(append(dst, '"'), key), '"')
		default:
			return dst, fmt.Errorf("keys must be str, int, float, bool or None, not %s", TypeName(key))
		}
		dst = appendJSONSeparator(dst, ':', f)
		if dst, err = AppendJSON(dst, d.entries[i].val, f); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// AppendJSONString appends s as a JSON string as Python's json writes it. A
// lone surrogate is escaped in every format, since files are UTF-8.
func AppendJSONString(dst []byte, s string, f JSONFormat) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		plain := i
		i += plainASCII(s[i:])
		if dst = append(dst, s[plain:i]...); i == len(s) {
			break
		}
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendJSONByte(dst, c, f)
			i++
			continue
		}
		r, size := DecodeRune(s[i:])
		surrogate := r >= 0xd800 && r <= 0xdfff
		switch {
		case f&JSONUnicode != 0 && !surrogate:
			dst = append(dst, s[i:i+size]...)
		case r >= 0x10000:
			dst = appendHex4(append(dst, '\\', 'u'), 0xd800+(r-0x10000)>>10)
			dst = appendHex4(append(dst, '\\', 'u'), 0xdc00+(r-0x10000)&0x3ff)
		default:
			dst = appendHex4(append(dst, '\\', 'u'), r)
		}
		i += size
	}
	return append(dst, '"')
}

func appendJSONByte(dst []byte, c byte, f JSONFormat) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	if c < ' ' || c == 0x7f && f&JSONUnicode == 0 {
		return appendHex4(append(dst, '\\', 'u'), rune(c))
	}
	return append(dst, c)
}
