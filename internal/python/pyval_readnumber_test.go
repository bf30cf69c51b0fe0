package python_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const tooManyDigits = "ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit"

// TestValueIntFromText holds Python's int(s) against CPython 3.11; "" stands for the
// usual complaint.
func TestValueIntFromText(t *testing.T) {
	for s, want := range map[string]string{
		"5": "5", "-5": "-5", "+5": "5", " 5\n": "5", "\u00a05\u2003": "5", "1_0": "10", "٤٢": "42", "५": "5", "𝟗": "9", "00": "0", "-0": "0",
		strings.Repeat("9", 4300): strings.Repeat("9", 4300), strings.Repeat("9", 4301): tooManyDigits, strings.Repeat("1_", 4300) + "1": tooManyDigits,
		"- 5": "", "1__0": "", "_1": "", "1_": "", "4.0": "", "": "", "+": "", "-": "", "+-1": "", "0x1": "", "1e5": "", "\x1c5\x1f": "", "½": "", "²": "", "5 5": "", "五": "",
		strings.Repeat("a", 300): "ValueError: invalid literal for int() with base 10: '" + strings.Repeat("a", 199),
	} {
		if want == "" {
			want = "ValueError: invalid literal for int() with base 10: " + pyval.Repr(pyval.Str(s))
		}
		n, err := pyval.IntFromText(s)
		if err != nil {
			assert.EqualError(t, err, want)
			continue
		}
		assert.Equal(t, want, pyval.Repr(n), "%.40q", s)
	}
}

// TestValueFloatFromText does the same for float(s).
func TestValueFloatFromText(t *testing.T) {
	for s, want := range map[string]string{
		"5": "5.0", "-5.5": "-5.5", "+.5": "0.5", "5.": "5.0", "1e5": "100000.0", "1E+5": "100000.0", "inf": "inf", "-Infinity": "-inf", "+nan": "nan", "NaN": "nan",
		"1_0.0_1": "10.01", "1e1_0": "10000000000.0", "٤.٢": "4.2", "1e999": "inf", "-1e999": "-inf", "1e-999": "0.0", " 1.5\n": "1.5", "\u00a01": "1.0", strings.Repeat("9", 400): "inf",
		".": "", "1e": "", "e5": "", "nan()": "", "infinit": "", "1_.0": "", "1._0": "", "1_e5": "", "_1": "", "0x1p3": "", "": "", "1 2": "", "1,5": "", "+-1": "", "--1": "", "+-inf": "", "--nan": "", "1d": "", "i": "", "in f": "",
	} {
		if want == "" {
			want = "ValueError: could not convert string to float: " + pyval.Repr(pyval.Str(s))
		}
		f, err := pyval.FloatFromText(s)
		if err != nil {
			assert.EqualError(t, err, want)
			continue
		}
		assert.Equal(t, want, pyval.Repr(f), "%.40q", s)
	}
}
