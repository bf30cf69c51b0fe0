package pyval

import (
	"slices"
	"strings"
)

// AppendJSONText appends a JSON text as AppendJSON would write the value that
// ParseJSON reads from it. Most of the text is copied without making values of
// it.
func AppendJSONText(dst []byte, text string, f JSONFormat) ([]byte, error) {
	if out, ok := copyJSON(dst, text, f); ok {
		return out, nil
	}
	v, err := ParseJSON(text)
	if err != nil {
		return dst, err
	}
	return AppendJSON(dst, v, f)
}

// A copier reads JSON and writes it in a format, as far as that can be done
// piece by piece. The rest is left to ParseJSON.
type copier struct {
	*jsonParser
	out    []byte
	format JSONFormat
	keys   []string // of the open objects, as they are written
}

func copyJSON(dst []byte, text string, f JSONFormat) ([]byte, bool) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.s, p.i = text, 0
	c := copier{jsonParser: p, out: dst, format: f}
	c.blanks()
	ok := c.copy(0)
	c.blanks()
	return c.out, ok && c.i == len(text)
}

func (c *copier) copy(depth int) bool {
	if c.i >= len(c.s) {
		return false
	}
	switch b := c.s[c.i]; {
	case b == '"':
		_, ok := c.copyText()
		return ok
	case b == '{':
		return c.copyAll('}', depth+1)
	case b == '[':
		return c.copyAll(']', depth+1)
	case b >= '0' && b <= '9':
		return c.copyNumber()
	}
	v, err := c.value(depth)
	if err != nil {
		return false
	}
	c.out = appendJSONScalar(c.out, v)
	return true
}

// copyAll copies an array or an object.
func (c *copier) copyAll(end byte, depth int) bool {
	if depth > maxDepth {
		return false
	}
	keys := len(c.keys)
	c.out = append(c.out, c.s[c.i])
	c.i++
	if c.blanks(); !c.at(end) {
		for {
			if end == '}' && !c.copyKey(keys) || !c.copy(depth) {
				return false
			}
			if c.blanks(); c.at(end) {
				break
			}
			if !c.at(',') {
				return false
			}
			c.blanks()
			c.out = appendJSONSeparator(c.out, ',', c.format)
		}
	}
	c.keys = c.keys[:keys]
	c.out = append(c.out, end)
	return true
}

// manyKeys is the number of keys above which an object is not searched for
// duplicates.
const manyKeys = 64

// copyKey copies a key, which must not be among those of its object so far, and
// the separator after it.
func (c *copier) copyKey(first int) bool {
	if c.i >= len(c.s) || c.s[c.i] != '"' || len(c.keys)-first > manyKeys {
		return false
	}
	key, ok := c.copyText()
	if !ok || slices.Contains(c.keys[first:], key) {
		return false
	}
	c.keys = append(c.keys, key)
	if c.blanks(); !c.at(':') {
		return false
	}
	c.blanks()
	c.out = appendJSONSeparator(c.out, ':', c.format)
	return true
}

// copyText copies a string and returns it as it is written.
func (c *copier) copyText() (written string, ok bool) {
	if end := c.plainEnd(); end > 0 {
		written = c.s[c.i:end]
		c.out, c.i = append(c.out, written...), end
		return written, true
	}
	start := len(c.out)
	s, err := c.str()
	c.out = AppendJSONString(c.out, s, c.format)
	return string(c.out[start:]), err == nil
}

// plainEnd is where a string ends if its characters and escapes are all written
// as they are read, else 0.
func (c *copier) plainEnd() int {
	for i := c.i + 1; i < len(c.s); {
		if i += plainASCII(c.s[i:]); i >= len(c.s) {
			break
		}
		if c.s[i] == '"' {
			return i + 1
		}
		if c.s[i] != '\\' || i+1 == len(c.s) || strings.IndexByte(`"\nrtbf`, c.s[i+1]) < 0 {
			break
		}
		i += 2
	}
	return 0
}

// copyNumber copies digits as they are, and reads other numbers.
func (c *copier) copyNumber() bool {
	start := c.i
	if n := c.digits(); n <= maxDigits && (n == 1 || c.s[start] != '0') &&
		(c.i == len(c.s) || c.s[c.i] != '.' && c.s[c.i]|0x20 != 'e') {
		c.out = append(c.out, c.s[start:c.i]...)
		return true
	}
	c.i = start
	v, err := c.number()
	if err != nil {
		return false
	}
	c.out = appendJSONScalar(c.out, v)
	return true
}
