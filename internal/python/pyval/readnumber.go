package pyval

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// What int(s) and float(s) read, in ASCII digits. Underscores must be between two
// digits.
var (
	intForm   = pattern.Of(`^[-+]?` + digits + `$`)
	floatForm = pattern.Of(`(?i)^[-+]?(?:nan|inf|infinity|(?:` + digits + `\.?|(?:` + digits + `)?\.` + digits + `)(?:e[-+]?` + digits + `)?)$`)
)

const digits = `[0-9](?:_?[0-9])*`

// IntFromText returns Python's int(s). Errors are *Exception with CPython's
// texts.
func IntFromText(s string) (Int, error) {
	if allDigits(s) {
		if n, ok := smallInt(s); ok {
			return MakeInt(n), nil
		}
	}
	text := plainDigits(s)
	if !intForm().MatchString(text) {
		return Int{}, Raise("ValueError", "invalid literal for int() with base 10: %s", firstCharacters(Repr(Str(s)), 200))
	}
	text = strings.ReplaceAll(text, "_", "")
	if n := len(strings.TrimLeft(text, "-+")); n > maxDigits {
		return Int{}, Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
			maxDigits, n)
	}
	n, _ := ParseInt(text, 10) // digits always parse
	return n, nil
}

// FloatFromText returns Python's float(s). Errors are *Exception with CPython's
// texts.
func FloatFromText(s string) (Float, error) {
	if f, ok := shortFloat(s); ok {
		return Float(f), nil
	}
	text := plainDigits(s)
	if !floatForm().MatchString(text) {
		return 0, Raise("ValueError", "could not convert string to float: %s", Repr(Str(s)))
	}
	if strings.EqualFold(text[1:], "nan") { // Go's takes no sign
		return Float(math.NaN()), nil
	}
	f, _ := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64) // infinite if out of range
	return Float(f), nil
}

// ToFloat returns Python's float(v).
func ToFloat(v Value) (Value, error) {
	if s, ok := v.(Str); ok {
		return FloatFromText(string(s))
	}
	if _, ok := IntOf(v); !ok && v.Kind() != KindFloat {
		return nil, typeError("float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	f, err := toFloat(v)
	if err != nil {
		return nil, err
	}
	return Float(f), nil
}

// ToInt returns Python's int(v).
func ToInt(v Value) (Int, error) {
	switch v := v.(type) {
	case Int, Bool:
		n, _ := IntOf(v)
		return n, nil
	case Float:
		return v.Trunc()
	case Str:
		return IntFromText(string(v))
	}
	return Int{}, typeError("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(v))
}

// Trunc returns a float without its fraction.
func (f Float) Trunc() (Int, error) {
	switch {
	case math.IsNaN(float64(f)):
		return Int{}, Raise("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(float64(f), 0):
		return Int{}, Raise("OverflowError", "cannot convert float infinity to integer")
	}
	n, _ := big.NewFloat(float64(f)).Int(nil)
	return MakeBigInt(n), nil
}

// allDigits reports whether a text has only ASCII digits.
func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// plainDigits trims white space and turns every decimal digit into an ASCII
// one, as CPython does before it reads a number. ASCII's separators count as
// white space for str.strip, but not here.
func plainDigits(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool {
		return IsSpace(r) && (r < 0x1c || r > 0x1f)
	})
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if d, ok := Decimal(r); ok {
			return '0' + rune(d)
		}
		return r
	}, s)
}

// Decimal returns the value of a decimal digit of any script. Unicode keeps the
// ten digits of a script together, zero first.
func Decimal(r rune) (digit int, ok bool) {
	if r < utf8.RuneSelf {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	for _, run := range unicode.Nd.R16 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return int(r-rune(run.Lo)) % 10, true
		}
	}
	for _, run := range unicode.Nd.R32 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return int(r-rune(run.Lo)) % 10, true
		}
	}
	return 0, false
}

// firstCharacters is the start of a text, cut after a number of characters.
func firstCharacters(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return s[:i]
		}
	}
	return s
}
