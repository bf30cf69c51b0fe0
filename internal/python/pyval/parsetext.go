package pyval

import (
	"io"
	"io/fs"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"
)

// str reads a string that starts at p.i with a quote.
func (p *jsonParser) str() (string, error) {
	start := p.i + 1
	i := start + plainASCII(p.s[start:])
	if i < len(p.s) && p.s[i] == '"' {
		p.i = i + 1
		return p.s[start:i], nil
	}
	p.i = i
	return p.unusual(start)
}

// unusual reads the rest of a string that began at start, from its first
// character that is not plain.
func (p *jsonParser) unusual(start int) (string, error) {
	for ; p.i < len(p.s); p.i++ {
		if p.i += plainASCII(p.s[p.i:]); p.i == len(p.s) {
			break
		}
		switch c := p.s[p.i]; {
		case c == '"':
			text := p.s[start:p.i]
			if !utf8.ValidString(text) {
				p.odd = true
				if !ValidText(text) {
					return "", p.fail(start, "invalid UTF-8 in string")
				}
			}
			p.i++
			return text, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail(p.i, "raw control character in string")
		}
	}
	return "", p.fail(start-1, "unterminated string")
}

// escaped reads the rest of a string that began at start, from its first
// backslash.
func (p *jsonParser) escaped(start int) (string, error) {
	buf := append(p.buf[:0], p.s[start:p.i]...)
	defer func() { p.buf = buf }()
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == '"':
			p.i++
			if p.check && utf8.Valid(buf) {
				return "", nil
			}
			p.odd = true
			if text := string(buf); ValidText(text) {
				return text, nil
			}
			return "", p.fail(start, "invalid UTF-8 in string")
		case c < ' ':
			return "", p.fail(p.i, "raw control character in string")
		case c != '\\':
			plain := p.i
			p.plain()
			buf = append(buf, p.s[plain:p.i]...)
			continue
		}
		var err error
		if buf, err = p.escape(buf); err != nil {
			return "", err
		}
	}
	return "", p.fail(start-1, "unterminated string")
}

// plain skips the characters that stand for themselves in a string.
func (p *jsonParser) plain() {
	for p.i < len(p.s) {
		if p.i += plainASCII(p.s[p.i:]); p.i == len(p.s) {
			return
		}
		if c := p.s[p.i]; c == '"' || c == '\\' || c < ' ' {
			return
		}
		p.i++
	}
}

const escapeFrom, escapeTo = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

func (p *jsonParser) escape(buf []byte) ([]byte, error) {
	at := p.i
	p.i++
	if p.i >= len(p.s) {
		return nil, p.fail(at, "unterminated string")
	}
	c := p.s[p.i]
	p.i++
	p.odd = p.odd || c == '/' || c == 'u'
	if k := strings.IndexByte(escapeFrom, c); k >= 0 {
		return append(buf, escapeTo[k]), nil
	}
	if c != 'u' {
		return nil, p.fail(at, `unknown escape in string`)
	}
	r, ok := p.hex4()
	if !ok {
		return nil, p.fail(at, `\u needs four hexadecimal digits`)
	}
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.s[p.i:], `\u`) {
		back := p.i
		p.i += 2
		low, ok := p.hex4()
		if ok && low >= 0xdc00 && low < 0xe000 {
			return AppendRune(buf, 0x10000+(r-0xd800)<<10+(low-0xdc00)), nil
		}
		p.i = back
	}
	return AppendRune(buf, r), nil
}

func (p *jsonParser) hex4() (rune, bool) {
	if p.i+4 > len(p.s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.s[p.i : p.i+4]) {
		k := strings.IndexByte(hexDigits, c|0x20)
		if c >= '0' && c <= '9' {
			k = int(c - '0')
		}
		if k < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(k)
	}
	p.i += 4
	return r, true
}

// plainASCII is the length of the longest beginning of s that stands for itself
// in a JSON string of any format: ASCII from blank to '~' except quotes and
// backslashes. It looks at eight bytes at a time.
func plainASCII(s string) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := eightBytes(s[i:])
		quote, backslash := x^'"'*ones, x^'\\'*ones
		// The high bit of each byte that is not a plain one; beyond the first
		// such byte a carry may set more.
		odd := (quote-ones)&^quote | (backslash-ones)&^backslash | (x-' '*ones)&^x | (x + ones) | x
		if odd &= highs; odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// eightBytes are the first eight bytes of s, the first one lowest.
func eightBytes(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Lines reads JSON texts one after the other, such as the lines of a file. The
// objects in a list that is a member of the outermost object are checked, and
// parsed when they are first needed. One that was in a text before is the same
// value, and so is a list that was in the last text: they must not be changed.
type Lines struct {
	// Late is the key of that member.
	Late string

	known  map[string]known // by the object's beginning
	inside bool             // the member
	last   known            // the list that was read last: the next is often the same
}

// A known is an object or a list that was read, and its text.
type known struct {
	text  string
	value Value
}

// ParseJSON reads the next text as the package's ParseJSON does.
func (l *Lines) ParseJSON(s string) (Value, error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.lines = l
	return p.text(s)
}

// list reads the list of the late member.
func (l *Lines) list(p *jsonParser) (Value, error) {
	start := p.i
	if l.last.text != "" && strings.HasPrefix(p.s[start:], l.last.text) {
		p.i += len(l.last.text)
		return l.last.value, nil
	}
	v, err := p.array(2)
	if err == nil {
		l.last = known{p.s[start:p.i], v}
	}
	return v, err
}

// late reads an object of the late member. A text that begins with that of an
// object is that object.
func (p *jsonParser) late(depth int) (v Value, err error) {
	const beginning = 64
	start, l := p.i, p.lines
	key := p.s[start:min(start+beginning, len(p.s))]
	if k, ok := l.known[key]; ok && strings.HasPrefix(p.s[start:], k.text) {
		p.i += len(k.text)
		return k.value, nil
	}
	p.check, p.odd = true, false
	_, err = p.object(depth)
	p.check = false
	end := p.i
	switch p.i = start; {
	case err != nil:
		return nil, err
	case p.odd:
		v, err = p.object(depth)
	default:
		v = p.lateDict(end)
	}
	if l.known == nil {
		l.known = map[string]known{}
	}
	l.known[key] = known{p.s[start:end], v}
	return v, err
}

// lateDict returns the dict of a text that was checked and is not odd.
func (p *jsonParser) lateDict(end int) *Dict {
	m, d := &more{text: p.s[p.i:end]}, &Dict{}
	p.i++
	if key, err := p.str(); err == nil { // there is none in {}
		if p.i += len(": "); p.s[p.i] == '"' {
			value, _ := p.str()
			m.first = entry{p.keys.Str(key), Str(value)}
		}
	}
	p.i = end
	d.more.Store(m)
	return d
}

// FileText reads an open file to its end and closes it. Values that ParseJSON
// reads from the text share its memory, so it is read without a second copy.
func FileText(f fs.File) (text string, err error) {
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	const most = 1 << 30 // a wrong size must not cost memory
	b.Grow(int(min(max(info.Size(), 0), most)))
	buf := pieces.Get().(*[1 << 15]byte)
	defer pieces.Put(buf)
	_, err = io.CopyBuffer(struct{ io.Writer }{&b}, struct{ io.Reader }{f}, buf[:])
	return b.String(), err
}

// pieces are buffers for the pieces of files.
var pieces = sync.Pool{New: func() any { return new([1 << 15]byte) }}
