package pyval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
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

// A JSONLayout is how JSON is laid out: the arguments of Python's json.dumps.
type JSONLayout struct {
	// Format keeps or escapes what is not ASCII; JSONCompact is ignored.
	Format JSONFormat
	// Lines puts each item on a line of its own, indented by Indent.
	Lines  bool
	Indent string
	// Item and Key are the separators after an item and after a key; "" for
	// Python's defaults.
	Item, Key string
	// Sort writes the keys of a dict in order.
	Sort bool
}

// JSONIndent returns Python's json.dumps(v, indent=n).
func JSONIndent(v Value, n int) (string, error) {
	return JSONLayout{Lines: true, Indent: strings.Repeat(" ", n)}.Write(v)
}

// Write returns v as Python's json.dumps writes it in the layout.
func (l JSONLayout) Write(v Value) (string, error) {
	if l.Item == "" {
		l.Item = ", "
		if l.Lines {
			l.Item = ","
		}
	}
	l.Key = cmp.Or(l.Key, ": ")
	b, err := l.append(nil, v, 0)
	return string(b), err
}

// AppendJSON appends Python's json.dumps(v). Tuples are arrays, float and
// None keys become strings, NaN and Infinity are written as such. The error
// is the text of Python's TypeError for what JSON cannot hold.
func AppendJSON(dst []byte, v Value, f JSONFormat) ([]byte, error) {
	l := JSONLayout{Format: f, Item: ", ", Key: ": "}
	if f&JSONCompact != 0 {
		l.Item, l.Key = ",", ":"
	}
	return l.append(dst, v, 0)
}

func (l *JSONLayout) append(dst []byte, v Value, depth int) ([]byte, error) {
	switch v := v.(type) {
	case Str:
		return AppendJSONString(dst, string(v), l.Format), nil
	case NoneType, Bool, Int, Float:
		return appendJSONScalar(dst, v), nil
	case *List:
		return l.items(dst, v.Items, depth)
	case *Tuple:
		return l.items(dst, v.Items, depth)
	case *Dict:
		return l.dict(dst, v, depth)
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

// next begins the item with an index.
func (l *JSONLayout) next(dst []byte, index, depth int) []byte {
	if index > 0 {
		dst = append(dst, l.Item...)
	}
	return l.newline(dst, depth+1)
}

// end ends a list or dict of n items.
func (l *JSONLayout) end(dst []byte, n, depth int, bracket byte) []byte {
	if n > 0 {
		dst = l.newline(dst, depth)
	}
	return append(dst, bracket)
}

func (l *JSONLayout) newline(dst []byte, depth int) []byte {
	if !l.Lines {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, l.Indent...)
	}
	return dst
}

func (l *JSONLayout) items(dst []byte, items []Value, depth int) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i, item := range items {
		if dst, err = l.append(l.next(dst, i, depth), item, depth+1); err != nil {
			return dst, err
		}
	}
	return l.end(dst, len(items), depth, ']'), nil
}

func (l *JSONLayout) dict(dst []byte, d *Dict, depth int) ([]byte, error) {
	if m := d.more.Load(); m != nil && *l == (JSONLayout{Format: JSONUnicode, Item: ", ", Key: ": "}) && m.text != "" {
		return append(dst, m.text...), nil
	}
	entries := d.all()
	if l.Sort {
		keys := d.Keys()
		if err := Sort(keys); err != nil {
			return dst, err
		}
		entries = make([]entry, len(keys))
		for i, key := range keys {
			entries[i] = d.entries[d.find(key)]
		}
	}
	var err error
	dst = append(dst, '{')
	for i := range entries {
		dst = l.next(dst, i, depth)
		switch key := entries[i].key.(type) {
		case Str:
			dst = AppendJSONString(dst, string(key), l.Format)
		case NoneType, Bool, Int, Float:
			dst = append(appendJSONScalar(append(dst, '"'), key), '"')
		default:
			return dst, fmt.Errorf("keys must be str, int, float, bool or None, not %s", TypeName(key))
		}
		if dst, err = l.append(append(dst, l.Key...), entries[i].val, depth+1); err != nil {
			return dst, err
		}
	}
	return l.end(dst, len(entries), depth, '}'), nil
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
	if k := strings.IndexByte(escapeTo, c); k >= 0 && c != '/' {
		return append(dst, '\\', escapeFrom[k])
	}
	if c < ' ' || c == 0x7f && f&JSONUnicode == 0 {
		return appendHex4(append(dst, '\\', 'u'), rune(c))
	}
	return append(dst, c)
}

// JSONException returns the exception that Python's json.loads raises for a
// text that ParseJSON refused with err, in CPython's wording.
func JSONException(text string, err error) *Exception {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return Raise("ValueError", "%v", err)
	}
	switch {
	case strings.HasPrefix(syntax.Msg, "nested"):
		return Raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON array from a unicode string")
	case strings.HasPrefix(syntax.Msg, "integer of more"):
		return Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
			maxDigits, digitsAt(text, syntax.Offset))
	}
	at := syntax.Offset
	if strings.HasPrefix(syntax.Msg, `\u`) {
		at = min(at+1, len(text))
	} else if at < len(text) && text[at] == '\\' && strings.HasPrefix(syntax.Msg, "unterminated") {
		at = lastQuote(text[:at])
	}
	msg := pythonWording(syntax.Msg)
	before := text[:min(at, len(text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return Raise("JSONDecodeError", "%s", fmt.Sprintf("%s: line %d column %d (char %d)", msg, 1+strings.Count(before, "\n"),
		1+utf8.RuneCountInString(before[start:]), utf8.RuneCountInString(before)))
}

// pythonWording turns the reader's own wording into that of Python's json.
func pythonWording(msg string) string {
	switch {
	case msg == "extra data":
		return "Extra data"
	case strings.HasPrefix(msg, "',' or"):
		return "Expecting ',' delimiter"
	case strings.HasPrefix(msg, "':'"):
		return "Expecting ':' delimiter"
	case strings.HasPrefix(msg, "property name"):
		return "Expecting property name enclosed in double quotes"
	case strings.HasPrefix(msg, "raw control"):
		return "Invalid control character at"
	case strings.HasPrefix(msg, "unterminated"):
		return "Unterminated string starting at"
	case strings.HasPrefix(msg, `\u`):
		return "Invalid \\uXXXX escape"
	case strings.HasPrefix(msg, "unknown escape"):
		return "Invalid \\escape"
	}
	return "Expecting value"
}

// lastQuote is where the unterminated string at the end of the text begins.
func lastQuote(text string) (start int) {
	inside := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			inside, start = !inside, i
		case text[i] == '\\' && inside:
			i++
		}
	}
	return start
}

func digitsAt(text string, at int) (n int) {
	text = strings.TrimPrefix(text[at:], "-")
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
