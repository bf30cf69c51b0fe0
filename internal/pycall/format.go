package pycall

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// percent is Python's format % values for a str.
func (p *parser) percent(n *node, format string, values pyval.Value) pyval.Value {
	f := percentFormat{format: format, single: true, rest: []pyval.Value{values}}
	switch v := values.(type) {
	case *pyval.Tuple:
		f.single, f.rest = false, v.Items
	case *pyval.Dict, *pyval.List, pyval.Bytes:
		f.mapping = v
	}
	text, class, msg := f.run()
	if class != "" {
		return p.wrong(n, class, msg)
	}
	if !p.spend(n, len(text)) {
		return pyval.None
	}
	return pyval.Str(text)
}

type percentFormat struct {
	format  string
	rest    []pyval.Value // not taken yet
	single  bool
	mapping pyval.Value // what %(name)s looks into
	out     []byte
}

// A directive is what stands between "%" and its letter.
type directive struct {
	key                            *string
	left, sign, blank, alter, zero bool
	width, precision               int // precision -1: none
}

func (f *percentFormat) run() (text, class, msg string) {
	for {
		i := strings.IndexByte(f.format, '%')
		if i < 0 {
			break
		}
		f.out = append(f.out, f.format[:i]...)
		f.format = f.format[i+1:]
		if class, msg := f.directive(); class != "" {
			return "", class, msg
		}
	}
	if len(f.rest) > 0 && f.mapping == nil {
		return "", "TypeError", "not all arguments converted during string formatting"
	}
	return string(append(f.out, f.format...)), "", ""
}

func (f *percentFormat) next() (pyval.Value, bool) {
	if len(f.rest) == 0 {
		return nil, false
	}
	v := f.rest[0]
	f.rest = f.rest[1:]
	return v, true
}

func (f *percentFormat) directive() (class, msg string) {
	d := directive{precision: -1}
	if !f.keyed(&d) || !f.flags(&d) || !f.number(&d.width) {
		return "ValueError", "incomplete format"
	}
	if strings.HasPrefix(f.format, ".") {
		f.format, d.precision = f.format[1:], 0
		if !f.number(&d.precision) {
			return "ValueError", "incomplete format"
		}
	}
	if f.format != "" && strings.IndexByte("hlL", f.format[0]) >= 0 {
		f.format = f.format[1:]
	}
	if f.format == "" {
		return "ValueError", "incomplete format"
	}
	if d.width < 0 {
		d.left, d.width = true, -d.width
	}
	if d.width > maxWork || d.precision > maxWork/8 {
		return "OverflowError", "width or precision too big"
	}
	letter := f.format[0]
	f.format = f.format[1:]
	if letter == '%' {
		f.out = append(f.out, '%')
		return "", ""
	}
	v, ok := f.value(d)
	switch {
	case !ok && d.key != nil && f.mapping != nil:
		return "KeyError", pyval.Repr(pyval.Str(*d.key))
	case !ok:
		return "TypeError", "not enough arguments for format string"
	case strings.IndexByte("diouxXeEfFgGcrsa", letter) < 0:
		return "ValueError", "unsupported format character"
	}
	text, ok := d.format(letter, v)
	if !ok {
		return "TypeError", "value of a wrong type for %" + string(letter)
	}
	f.out = append(f.out, text...)
	return "", ""
}

func (f *percentFormat) keyed(d *directive) bool {
	if !strings.HasPrefix(f.format, "(") {
		return true
	}
	depth := 0
	for i := 0; i < len(f.format); i++ {
		switch f.format[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				key := f.format[1:i]
				d.key, f.format = &key, f.format[i+1:]
				return true
			}
		}
	}
	return false
}

func (f *percentFormat) flags(d *directive) bool {
	for ; f.format != ""; f.format = f.format[1:] {
		switch f.format[0] {
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
			return true
		}
	}
	return false
}

// number reads digits, or "*" for the next value.
func (f *percentFormat) number(n *int) bool {
	if strings.HasPrefix(f.format, "*") {
		f.format = f.format[1:]
		v, _ := f.next()
		i, ok := v.(pyval.Int)
		if ok {
			small, fits := i.Int64()
			*n, ok = int(small), fits && small > -maxWork && small < maxWork
		}
		return ok
	}
	end := 0
	for end < len(f.format) && isDigit(f.format[end]) {
		end++
	}
	if end > 0 {
		var err error
		if *n, err = strconv.Atoi(f.format[:end]); err != nil {
			return false
		}
	}
	f.format = f.format[end:]
	return true
}

func (f *percentFormat) value(d directive) (pyval.Value, bool) {
	if d.key == nil {
		return f.next()
	}
	m, ok := f.mapping.(*pyval.Dict)
	if !ok {
		return nil, false
	}
	return m.GetStr(*d.key)
}

// format writes one value as the directive's letter asks for.
func (d directive) format(letter byte, v pyval.Value) (string, bool) {
	switch letter {
	case 's', 'r', 'a':
		d.zero = false
		return d.padded("", cut(converted(v, letter), d.precision)), true
	case 'c':
		d.zero = false
		text, ok := character(v)
		return d.padded("", text), ok
	case 'd', 'i', 'u', 'x', 'X', 'o':
		return d.integer(letter, v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		x, ok := floatOf(v)
		if !ok {
			return "", false
		}
		text := floatText(x, letter, d)
		return d.signed(strings.HasPrefix(text, "-"), "", strings.TrimPrefix(text, "-")), true
	}
	return "", false
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

func character(v pyval.Value) (string, bool) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), s != "" && cut(string(s), 1) == string(s)
	}
	n, ok := intOf(v)
	code, small := n.Int64()
	return string(pyval.AppendRune(nil, rune(code))), ok && small && code >= 0 && code <= 0x10ffff
}

func (d directive) integer(letter byte, v pyval.Value) (string, bool) {
	n, ok := intOf(v)
	if x, isFloat := v.(pyval.Float); isFloat && strings.IndexByte("diu", letter) >= 0 && x-x == 0 {
		whole, _ := big.NewFloat(float64(x)).Int(nil)
		n, ok = pyval.MakeBigInt(whole), true
	}
	if !ok {
		return "", false
	}
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
	return d.signed(negative, mark, digits), true
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
	if strings.HasSuffix(text, "Inf") || text == "NaN" {
		text = strings.TrimPrefix(strings.ToLower(text), "+")
	}
	if letter != lower {
		text = strings.ToUpper(text)
	}
	return text
}

// signed adds sign, mark of the base and padding to digits.
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

func characters(s string) (total int) {
	for i := 0; i < len(s); total++ {
		_, size := pyval.DecodeRune(s[i:])
		i += size
	}
	return total
}

// formatString is the value of an f-string of literals without format specs.
func (p *parser) formatString(n *node) pyval.Value {
	var out []byte
	for e := n.first; e != nil && p.err == nil; e = e.next {
		switch {
		case e.kind == kConst:
			out = append(out, pyval.Text(e.val)...)
		case e.second() != nil:
			return p.wrong(e, "NameError", "format specs are not evaluated")
		default:
			out = append(out, converted(p.compute(e.first), e.op)...)
		}
	}
	if !p.spend(n, len(out)) {
		return pyval.None
	}
	return pyval.Str(out)
}
