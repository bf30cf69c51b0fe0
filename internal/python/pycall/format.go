package pycall

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Format is Python's format % values for a str. The error is a
// *pyval.Exception with CPython's text; the functions below raise it.
func Format(format string, values pyval.Value) (text string, err error) {
	defer pyval.Catch(&err)
	f := percentFormat{whole: format, rest: []pyval.Value{values}}
	switch v := values.(type) {
	case *pyval.Tuple:
		f.rest = v.Items
	case *pyval.Dict, *pyval.List, pyval.Bytes:
		f.mapping = v
	}
	return f.run(), nil
}

func raise(class, format string, args ...any) { panic(pyval.Raise(class, format, args...)) }

type percentFormat struct {
	whole   string
	i       int
	rest    []pyval.Value // not taken yet
	mapping pyval.Value   // where %(name)s is looked up
	out     []byte
}

// A directive is what is between "%" and its letter.
type directive struct {
	left, sign, blank, alter, zero bool
	width, precision               int // precision -1: none
}

func (f *percentFormat) run() string {
	for {
		n := strings.IndexByte(f.whole[f.i:], '%')
		if n < 0 {
			break
		}
		f.out = append(f.out, f.whole[f.i:f.i+n]...)
		f.i += n + 1
		if f.at() == '%' {
			f.i++
			f.out = append(f.out, '%')
			continue
		}
		f.directive()
		if len(f.out) > maxWork {
			raise("MemoryError", "result too large")
		}
	}
	if len(f.rest) > 0 && f.mapping == nil {
		raise("TypeError", "not all arguments converted during string formatting")
	}
	return string(append(f.out, f.whole[f.i:]...))
}

// at is the next byte, or 0 at the end, which means nothing in a directive.
func (f *percentFormat) at() byte {
	if f.i < len(f.whole) {
		return f.whole[f.i]
	}
	return 0
}

func (f *percentFormat) next() pyval.Value {
	if len(f.rest) == 0 {
		raise("TypeError", "not enough arguments for format string")
	}
	v := f.rest[0]
	f.rest = f.rest[1:]
	return v
}

func (f *percentFormat) directive() {
	d := directive{precision: -1}
	f.keyed()
	f.flags(&d)
	if d.width = f.number("width"); d.width < 0 {
		d.left, d.width = true, -d.width
	}
	if f.at() == '.' {
		f.i++
		d.precision = max(f.number("precision"), 0)
	}
	if c := f.at(); c == 'h' || c == 'l' || c == 'L' {
		f.i++
	}
	if f.i >= len(f.whole) {
		raise("ValueError", "incomplete format")
	}
	f.converted(d)
}

// converted writes the next value as the letter says.
func (f *percentFormat) converted(d directive) {
	v := f.next()
	letter, size := utf8.DecodeRuneInString(f.whole[f.i:])
	if letter >= utf8.RuneSelf || strings.IndexByte("diouxXeEfFgGcrsa", byte(letter)) < 0 {
		shown := letter
		if letter < ' ' || letter > '~' {
			shown = '?'
		}
		raise("ValueError", "unsupported format character '%c' (0x%x) at index %d", shown, letter, characters(f.whole[:f.i]))
	}
	f.i += size
	f.out = append(f.out, d.format(byte(letter), v)...)
}

// keyed reads the (key) of a directive. The key's value replaces the values
// that are left.
func (f *percentFormat) keyed() {
	if f.at() != '(' {
		return
	}
	if f.mapping == nil {
		raise("TypeError", "format requires a mapping")
	}
	depth := 0
	for i := f.i; i < len(f.whole); i++ {
		switch f.whole[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			v := pyval.Must(pyval.Subscript(f.mapping, pyval.Str(f.whole[f.i+1:i])))
			f.i, f.rest = i+1, []pyval.Value{v}
			return
		}
	}
	raise("ValueError", "incomplete format key")
}

func (f *percentFormat) flags(d *directive) {
	for ; ; f.i++ {
		switch f.at() {
		case '-':
			d.left = true
		case '+':
			d.sign = true
		case ' ':
			d.blank = true
		case '#':
			d.alter = true
		case '0':
			d.zero = true
		default:
			return
		}
	}
}

// number reads digits, or "*" for the next value.
func (f *percentFormat) number(what string) int {
	if f.at() == '*' {
		f.i++
		n, ok := pyval.IntOf(f.next())
		if !ok {
			raise("TypeError", "* wants int")
		}
		small, fits := n.Int64()
		if !fits || small < -maxWork || small > maxWork {
			raise("ValueError", "%s too big", what)
		}
		return int(small)
	}
	start := f.i
	for isDigit(f.at()) {
		f.i++
	}
	if start == f.i {
		return 0
	}
	n, err := strconv.Atoi(f.whole[start:f.i])
	if err != nil || n > maxWork {
		raise("ValueError", "%s too big", what)
	}
	return n
}

// format writes one value as the directive's letter says.
func (d directive) format(letter byte, v pyval.Value) string {
	switch letter {
	case 's', 'r', 'a':
		d.zero = false
		return d.padded("", cut(converted(v, letter), d.precision))
	case 'c':
		d.zero = false
		return d.padded("", character(v))
	case 'd', 'i', 'u', 'x', 'X', 'o':
		return d.integer(letter, integer(letter, v))
	}
	if _, ok := pyval.IntOf(v); !ok && v.Kind() != pyval.KindFloat {
		raise("TypeError", "must be real number, not %s", pyval.TypeName(v))
	}
	text := floatText(float64(pyval.Must(pyval.ToFloat(v)).(pyval.Float)), letter, d)
	return d.signed(strings.HasPrefix(text, "-"), "", strings.TrimPrefix(text, "-"))
}

// converted is str(v), repr(v) or ascii(v).
func converted(v pyval.Value, letter byte) string {
	switch letter {
	case 'r':
		return pyval.Repr(v)
	case 'a':
		return ascii(pyval.Repr(v))
	}
	return pyval.Text(v)
}

func ascii(s string) string {
	var out []byte
	for _, r := range s {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r < 0x100:
			out = append(append(out, `\x`...), strconv.FormatInt(int64(r), 16)...)
		case r < 0x10000:
			out = append(append(out, `\u`...), strconv.FormatInt(0x10000+int64(r), 16)[1:]...)
		default:
			out = append(append(out, `\U`...), strconv.FormatInt(0x100000000+int64(r), 16)[1:]...)
		}
	}
	return string(out)
}

// cut keeps the first n characters.
func cut(s string, n int) string {
	if n < 0 {
		return s
	}
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := pyval.DecodeRune(s[i:])
		i += size
	}
	return s[:i]
}

func character(v pyval.Value) string {
	if s, ok := v.(pyval.Str); ok && s != "" && cut(string(s), 1) == string(s) {
		return string(s)
	}
	n, ok := pyval.IntOf(v)
	if !ok {
		raise("TypeError", "%%c requires int or char")
	}
	code, small := n.Int64()
	if !small || code < 0 || code > utf8.MaxRune {
		raise("OverflowError", "%%c arg not in range(0x110000)")
	}
	return string(pyval.AppendRune(nil, rune(code)))
}

// integer returns the value for an integer's letter: an int or, for the decimal
// letters, a float without its fraction.
func integer(letter byte, v pyval.Value) pyval.Int {
	if n, ok := pyval.IntOf(v); ok {
		return n
	}
	wanted := "an integer"
	if letter == 'd' || letter == 'i' || letter == 'u' {
		if f, ok := v.(pyval.Float); ok {
			return pyval.Must(f.Trunc())
		}
		wanted = "a real number"
	}
	raise("TypeError", "%%%c format: %s is required, not %s", letter, wanted, pyval.TypeName(v))
	return pyval.Int{}
}

func (d directive) integer(letter byte, n pyval.Int) string {
	base, mark := 10, ""
	switch letter {
	case 'x', 'X':
		base, mark = 16, "0x"
	case 'o':
		base, mark = 8, "0o"
	}
	digits := n.Big().Text(base)
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimPrefix(digits, "-")
	if short := d.precision - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	if !d.alter {
		mark = ""
	}
	if letter == 'X' {
		mark, digits = strings.ToUpper(mark), strings.ToUpper(digits)
	}
	return d.signed(negative, mark, digits)
}

func floatText(x float64, letter byte, d directive) string {
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	lower := letter | 0x20
	if lower == 'g' && precision == 0 {
		precision = 1
	}
	text := strconv.FormatFloat(x, lower, precision, 64)
	if x-x != 0 { // infinite or NaN
		text = strings.TrimPrefix(strings.ToLower(text), "+")
	} else if d.alter {
		text = pointed(text, lower, precision)
	}
	if letter != lower {
		text = strings.ToUpper(text)
	}
	return text
}

// pointed is the alternate form of a number: it has a point and, with the
// letter g, all its digits.
func pointed(text string, letter byte, precision int) string {
	digits, exponent := text, ""
	if i := strings.IndexByte(text, 'e'); i >= 0 {
		digits, exponent = text[:i], text[i:]
	}
	if !strings.Contains(digits, ".") {
		digits += "."
	}
	if letter == 'g' {
		significant := strings.TrimLeft(digits, "-0.")
		if significant == "" { // a zero counts as a digit
			significant = "0"
		}
		missing := precision - len(strings.Replace(significant, ".", "", 1))
		digits += strings.Repeat("0", max(0, missing))
	}
	return digits + exponent
}

// signed adds the sign, the base's mark and padding to digits.
func (d directive) signed(negative bool, mark, digits string) string {
	sign := ""
	switch {
	case negative:
		sign = "-"
	case d.sign:
		sign = "+"
	case d.blank:
		sign = " "
	}
	return d.padded(sign+mark, digits)
}

func (d directive) padded(sign, text string) string {
	fill := d.width - len(sign) - characters(text)
	if fill <= 0 {
		return sign + text
	}
	switch {
	case d.left:
		return sign + text + strings.Repeat(" ", fill)
	case d.zero:
		return sign + strings.Repeat("0", fill) + text
	}
	return strings.Repeat(" ", fill) + sign + text
}

func characters(s string) int {
	n, _ := pyval.Length(pyval.Str(s)) // a str always has a length
	return n
}
