package pyval

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxDepth bounds the nesting of JSON, about where CPython raises
// RecursionError.
const maxDepth = 990

// maxDigits is CPython's default limit for reading ints (sys.set_int_max_str_digits).
const maxDigits = 4300

// A SyntaxError says where JSON text went wrong.
type SyntaxError struct {
	Offset int    // in bytes, from 0
	Line   int    // from 1
	Column int    // in characters, from 1
	Msg    string // what was expected or found
}

// Error returns the line, the column and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d column %d: %s", e.Line, e.Column, e.Msg)
}

// ParseJSON reads one JSON value as Python's json.loads does: 5 is an int of
// any size and 5.0 a float, NaN and Infinity are numbers, lone surrogate
// escapes are kept, the last of duplicate keys wins in the first one's place,
// raw control characters in strings are refused. Errors are *SyntaxError. The
// value may share memory with s.
func ParseJSON(s string) (Value, error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	return p.text(s)
}

// ParseJSONBut is ParseJSON except for one member of the outermost object, that
// of the given key. It returns the member as AppendJSON writes it with
// JSONUnicode, "" if there is none; of a text in that form, it builds no values.
func ParseJSONBut(s, key string) (v Value, member string, err error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.leave = key
	v, err = p.text(s)
	if member = p.left; err == nil && p.leftOdd {
		left, _ := ParseJSON(member) // which was checked
		member, err = JSON(left, JSONUnicode)
	}
	return v, member, err
}

func (p *jsonParser) text(s string) (Value, error) {
	p.s, p.i = s, 0
	p.blanks()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.blanks()
	if p.i < len(s) {
		return nil, p.fail(p.i, "extra data")
	}
	return v, nil
}

type jsonParser struct {
	s       string
	i       int
	items   []Value  // stack of elements of the open arrays
	entries []entry  // stack of entries of the open objects
	names   []string // stack of keys of the open objects that are only checked
	buf     []byte   // the string with escapes that is being read
	keys    Names

	leave, left string // see ParseJSONBut: the key, and the member's text
	check       bool   // only check what is read; values are None
	odd         bool   // what was checked may not be as AppendJSON writes it
	leftOdd     bool   // so is left
	lines       *Lines // see Lines
}

// parsers keep their stacks and the keys they have read: most keys of a dataset
// are the same few.
var parsers = sync.Pool{New: func() any { return new(jsonParser) }}

func (p *jsonParser) release() {
	p.closeArray(0)
	p.closeObject(0)
	const most = 1 << 12 // a huge text must not keep its stacks alive
	clear(p.names[:cap(p.names)])
	p.names, p.s = p.names[:0], ""
	if p.items, p.entries = p.items[:0], p.entries[:0]; cap(p.items) > most || cap(p.entries) > most {
		p.items, p.entries = nil, nil
	}
	if cap(p.buf) > longText {
		p.buf = nil
	}
	p.leave, p.left, p.leftOdd, p.lines = "", "", false, nil
	parsers.Put(p)
}

// longText is the size above which a buffer is not kept for the next text.
const longText = 1 << 16

// closeArray and closeObject take elements off their stacks and keep no
// reference to them.
func (p *jsonParser) closeArray(base int) {
	clear(p.items[base:])
	p.items = p.items[:base]
}

func (p *jsonParser) closeObject(base int) {
	clear(p.entries[base:])
	p.entries = p.entries[:base]
}

func (p *jsonParser) fail(at int, msg string) error {
	before := p.s[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Offset: at, Line: 1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[start:]), Msg: msg,
	}
}

func (p *jsonParser) blanks() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
			p.odd = true
		default:
			return
		}
	}
}

// gap skips what follows a separator: as AppendJSON writes it, one blank.
func (p *jsonParser) gap() {
	if !p.at(' ') {
		p.odd = true
	}
	p.blanks()
}

func (p *jsonParser) value(depth int) (Value, error) {
	if p.i >= len(p.s) {
		return nil, p.fail(p.i, "value expected, but the text ends")
	}
	switch c := p.s[p.i]; {
	case c == '"':
		s, err := p.str()
		if p.check {
			return None, err
		}
		return Str(s), err
	case c == '{' && depth == 2 && p.lines != nil && p.lines.inside:
		return p.late(depth + 1)
	case c == '{':
		return p.object(depth + 1)
	case c == '[' && depth == 1 && p.lines != nil && p.lines.inside:
		return p.lines.list(p)
	case c == '[':
		return p.array(depth + 1)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, w := range jsonWords {
		if strings.HasPrefix(p.s[p.i:], w.text) {
			p.i += len(w.text)
			return w.val, nil
		}
	}
	return nil, p.fail(p.i, "value expected")
}

var jsonWords = []struct {
	text string
	val  Value
}{
	{"null", None}, {"true", Bool(true)}, {"false", Bool(false)},
	{"NaN", Float(math.NaN())}, {"Infinity", Float(math.Inf(1))},
}

func (p *jsonParser) digits() int {
	i := p.i
	for i < len(p.s) && p.s[i] >= '0' && p.s[i] <= '9' {
		i++
	}
	n := i - p.i
	p.i = i
	return n
}

func (p *jsonParser) number() (Value, error) {
	start := p.i
	if p.s[p.i] == '-' {
		p.i++
		if strings.HasPrefix(p.s[p.i:], "Infinity") {
			p.i += len("Infinity")
			return Float(math.Inf(-1)), nil
		}
	}
	if p.i < len(p.s) && p.s[p.i] == '0' {
		p.i++
	} else if p.digits() == 0 {
		return nil, p.fail(start, "value expected")
	}
	whole := p.i
	if p.i < len(p.s) && (p.s[p.i] == '.' || p.s[p.i]|0x20 == 'e') {
		p.fraction()
	}
	if p.i == whole {
		text := p.s[start:p.i]
		if len(text) > maxDigits+1 || len(text) == maxDigits+1 && text[0] != '-' {
			return nil, p.fail(start, fmt.Sprintf("integer of more than %d digits", maxDigits))
		}
		if p.check {
			p.odd = p.odd || text == "-0"
			return None, nil
		}
		return ReadInt(text), nil
	}
	text := p.s[start:p.i]
	if p.check {
		p.odd = p.odd || !fewDigits(text) && Repr(ParseFloat(text)) != text
		return None, nil
	}
	return ParseFloat(text), nil
}

// fewDigits reports whether Python writes a float as this text because it has so
// few digits that no shorter text is the same float. Of others it does not know.
func fewDigits(text string) bool {
	const most = 15
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return fraction != "" && len(whole)+len(fraction) <= most && !strings.ContainsAny(fraction, "eE") &&
		(fraction == "0" || fraction[len(fraction)-1] != '0' && (whole != "0" || fraction[0] != '0'))
}

// fraction skips ".5", "e5" or both. An incomplete one is left to the caller,
// which fails on it as Python does.
func (p *jsonParser) fraction() {
	if p.i < len(p.s) && p.s[p.i] == '.' {
		dot := p.i
		p.i++
		if p.digits() == 0 {
			p.i = dot
			return
		}
	}
	if p.i < len(p.s) && p.s[p.i]|0x20 == 'e' {
		e := p.i
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if p.digits() == 0 {
			p.i = e
		}
	}
}

func (p *jsonParser) array(depth int) (Value, error) {
	if depth > maxDepth {
		return nil, p.fail(p.i, "nested too deeply")
	}
	p.i++
	base := len(p.items)
	if p.blanks(); p.at(']') {
		return &List{}, nil
	}
	for {
		v, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, v)
		p.blanks()
		if p.at(']') {
			break
		}
		if !p.at(',') {
			return nil, p.fail(p.i, "',' or ']' expected")
		}
		p.gap()
	}
	if p.check {
		p.closeArray(base)
		return None, nil
	}
	l := MakeList(len(p.items) - base)
	copy(l.Items, p.items[base:])
	p.closeArray(base)
	return l, nil
}

func (p *jsonParser) at(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *jsonParser) object(depth int) (Value, error) {
	if depth > maxDepth {
		return nil, p.fail(p.i, "nested too deeply")
	}
	p.i++
	base, names := len(p.entries), len(p.names)
	if p.blanks(); p.at('}') {
		return &Dict{}, nil
	}
	for {
		if err := p.member(depth); err != nil {
			return nil, err
		}
		p.blanks()
		if p.at('}') {
			break
		}
		if !p.at(',') {
			return nil, p.fail(p.i, "',' or '}' expected")
		}
		p.gap()
	}
	if p.check {
		keys := p.names[names:]
		p.odd = p.odd || len(keys) >= indexFrom
		for i := 0; i < len(keys) && !p.odd; i++ {
			p.odd = slices.Contains(keys[:i], keys[i])
		}
		p.names = p.names[:names]
		return None, nil
	}
	d := newDictOf(p.entries[base:])
	p.closeObject(base)
	return d, nil
}

func (p *jsonParser) member(depth int) error {
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return p.fail(p.i, "property name in double quotes expected")
	}
	key, err := p.str()
	if err != nil {
		return err
	}
	p.blanks()
	if !p.at(':') {
		return p.fail(p.i, "':' expected")
	}
	p.gap()
	if depth == 1 && p.leave != "" && key == p.leave {
		start := p.i
		p.check, p.odd = true, false
		_, err := p.value(depth)
		p.check, p.left, p.leftOdd = false, p.s[start:p.i], p.odd
		return err
	}
	if p.lines != nil && depth == 1 {
		p.lines.inside = key == p.lines.Late
	}
	val, err := p.value(depth)
	if err != nil {
		return err
	}
	if p.check {
		p.names = append(p.names, key)
	} else {
		p.entries = append(p.entries, entry{p.keys.Str(key), val})
	}
	return nil
}

// newDictOf copies entries with str keys into a dict; later duplicates win.
func newDictOf(entries []entry) *Dict {
	d := NewDict(len(entries))
	if len(entries) < indexFrom && distinct(entries) {
		d.entries = append(d.entries, entries...)
		return d
	}
	for _, e := range entries {
		if i := d.findStr(string(e.key.(Str))); i >= 0 {
			d.entries[i].val = e.val
			continue
		}
		d.push(e.key, e.val)
	}
	return d
}

// distinct reports whether no two of a few str keys are equal.
func distinct(entries []entry) bool {
	for i := range entries {
		key := entries[i].key.(Str)
		for j := range i {
			if entries[j].key.(Str) == key {
				return false
			}
		}
	}
	return true
}
