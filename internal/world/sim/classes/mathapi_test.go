package classes_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/world/sim/mathapi"
)

func TestMathScript(t *testing.T) {
	script(t, mathapi.Class, `{}`,
		step{"add('a', 'b')", `{"result": "ab"}`},
		step{"multiply(10**30, 2)", `{"result": 2000000000000000000000000000000}`},
		step{"divide(1, 0.0)", `{"error": "Cannot divide by zero"}`},
		step{"power(-1, 0.5)", `{'result': (6.123233995736766e-17+1j)}`},
		step{"power(-3.5, 1e15 + 0.5)", "Error during execution: complex exponentiation"},
		step{"power(-1.0, 123456789.3)", `{'result': (-0.587785250744566-0.8090169954995677j)}`},
		step{"power(-1.0, 2345678901234567.3)", `{'result': (-0.4288191218134853-0.9033903700876555j)}`},
		step{"power(-1.0, 4503599627370493.5)", `{'result': (-0.6423420860892141-0.7664180611380167j)}`},
		step{"round_number(2.675, 2)", `{"result": 2.67}`},
		step{"round_number(-25, -1)", `{"result": -20}`},
		step{"round_number(12345.5, -2)", `{"result": 12300.0}`},
		step{"round_number(-0.4)", `{"result": -0.0}`},
		step{"max_value([1, 1.0, True])", `{"result": 1}`},
		step{"mean([])", `{"error": "Cannot calculate mean of an empty list"}`},
		step{"sum_values([0.1] * 10)", `{"result": 1.0}`},
		step{"si_unit_conversion(1, 'mile', 'm')", `{"error": "Conversion from 'mile' to 'm' is not supported"}`},
		step{"imperial_si_conversion(77, 'fahrenheit', 'celsius')", `{"result": 25.0}`},
		step{"round_number(square_root(2, 20)['result'], 3)", `{"result": 1.414}`},
	)
}

func TestMathSquareRoot(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"2, 5", "1.4142"}, {"1e10, 2", "1.0E+5"}, {"99980001, 3", "1.00E+4"}, {"0.0, 9", "0"}, {"-0.0, 9", "-0"},
		{"1e-300, 3", "1.00E-150"}, {"10**40, 3", "1.00E+20"}, {"10**40, 30", "100000000000000000000"},
		{"9007199254740993, 40", "94906265.62425155815746195542507596298066"}, {"6.25, 5", "2.5"},
	} {
		script(t, mathapi.Class, `{}`, step{"square_root(" + c.args + ")", "{'result': Decimal('" + c.want + "')}"})
	}
}

// TestMathLogarithmDigits: a long logarithm is right to the last digit or next
// to it: ln(2**k) / ln(2) is k.
func TestMathLogarithmDigits(t *testing.T) {
	env := open(t, mathapi.Class, `{}`, nil)
	for _, k := range []int64{3, 64, 1000} {
		n := new(big.Int).Lsh(big.NewInt(1), uint(k))
		text := env.Call("logarithm(" + n.String() + ", 2, 400)").Text
		assert.Regexp(t, `^\{'result': mpf\('(`+big.NewInt(k).String()+`\.0|\d+\.9{390}\d+|\d+\.0{390}\d+)'\)\}$`, text)
	}
}

func TestMathHostile(t *testing.T) { hostile(t, mathapi.Class, `{}`) }

func FuzzMathCalls(f *testing.F) {
	fuzz(f, mathapi.Class,
		[2]string{`{}`, "logarithm(1e-300, '1e5000', 1000)\nlogarithm('nan', -2, 1)\nlogarithm(2, 10, 10**9)\nlogarithm(2**65536, 3, 5)\nsquare_root(5e-324, 5000)\nsquare_root(2, 10**12)"},
		[2]string{`{}`, "power(2, 10**9)\nround_number(1e308, -308)\nround_number(10**300, -299)\nstandard_deviation([1e308, -1e308])\nsum_values({1: 2})"},
	)
}

func BenchmarkMathCalls(b *testing.B) {
	env := open(b, mathapi.Class, `{}`, nil)
	for _, call := range []string{"add(a=1, b=2)", "mean(numbers=[1, 2.5, 3])", "logarithm(value=10, base=2, precision=15)", "logarithm(value=10, base=2, precision=1000)", "square_root(number=2, precision=10)"} {
		b.Run(call[:len(call)-1], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				env.Call(call)
			}
		})
	}
}
