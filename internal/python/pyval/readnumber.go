package pyval

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IntFromText returns Python's int(s). Errors are *Exception with CPython's
// texts.
func IntFromText(s string) (Int, error) {
	if allDigits(s) {
		if n, ok := smallInt(s); ok {
			return MakeInt(n), nil
		}
	}
	text := plainDigits(s)
	sign, digits := "", text
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	digits, ok := ungrouped(digits)
	switch {
	case !ok || digits == "" || strings.Trim(digits, "0123456789") != "":
		return Int{}, Raise("ValueError", "invalid literal for int() with base 10: %s", firstCharacters(Repr(Str(s)), 200))
	case len(digits) > maxDigits:
		return Int{}, Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
			maxDigits, len(digits))
	}
	n, _ := ParseInt(sign+digits, 10) // digits always parse
	return n, nil
}

// FloatFromText returns Python's float(s). Errors are *Exception with CPython's
// texts.
func FloatFromText(s string) (Float, error) {
	if f, ok := shortFloat(s); ok {
		return Float(f), nil
	}
	text, ok := ungrouped(plainDigits(s))
	unsigned := text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		unsigned = text[1:]
	}
	switch strings.ToLower(unsigned) {
	case "nan", "inf", "infinity":
	default: // Go also reads hexadecimal numbers
		ok = ok && strings.Trim(unsigned, "0123456789+-.eE") == ""
	}
	f, err := strconv.ParseFloat(text, 64)
	if unsigned != text && strings.EqualFold(unsigned, "nan") { // Go's NaN takes no sign
		f, err = strconv.ParseFloat(unsigned, 64)
	}
	if !ok || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, Raise("ValueError", "could not convert string to float: %s", Repr(Str(s)))
	}
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

// ungrouped removes underscores, which must be between two digits.
func ungrouped(s string) (string, bool) {
	if strings.IndexByte(s, '_') < 0 {
		return s, true
	}
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := range len(s) {
		if s[i] == '_' && (!digit(i-1) || !digit(i+1)) {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
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
