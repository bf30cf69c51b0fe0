package classes_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim/mathapi"
)

func TestMathScript(t *testing.T) {
	simtest.Script(t, mathapi.Class, `{}`,
		simtest.Step{Call: "add('a', 'b')", Want: `{"result": "ab"}`},
		simtest.Step{Call: "multiply(10**30, 2)", Want: `{"result": 2000000000000000000000000000000}`},
		simtest.Step{Call: "divide(1, 0.0)", Want: `{"error": "Cannot divide by zero"}`},
		simtest.Step{Call: "power(-1, 0.5)", Want: `{'result': (6.123233995736766e-17+1j)}`},
		simtest.Step{Call: "power(-3.5, 1e15 + 0.5)", Want: "Error during execution: complex exponentiation"},
		simtest.Step{Call: "power(-1.0, 123456789.3)", Want: `{'result': (-0.587785250744566-0.8090169954995677j)}`},
		simtest.Step{Call: "round_number(2.675, 2)", Want: `{"result": 2.67}`},
		simtest.Step{Call: "round_number(-25, -1)", Want: `{"result": -20}`},
		simtest.Step{Call: "round_number(12345.5, -2)", Want: `{"result": 12300.0}`},
		simtest.Step{Call: "round_number(-0.4)", Want: `{"result": -0.0}`},
		simtest.Step{Call: "max_value([1, 1.0, True])", Want: `{"result": 1}`},
		simtest.Step{Call: "mean([])", Want: `{"error": "Cannot calculate mean of an empty list"}`},
		simtest.Step{Call: "sum_values([0.1] * 10)", Want: `{"result": 1.0}`},
		simtest.Step{Call: "si_unit_conversion(1, 'mile', 'm')", Want: `{"error": "Conversion from 'mile' to 'm' is not supported"}`},
		simtest.Step{Call: "imperial_si_conversion(77, 'fahrenheit', 'celsius')", Want: `{"result": 25.0}`},
		simtest.Step{Call: "round_number(square_root(2, 20)['result'], 3)", Want: `{"result": 1.414}`},
	)
}

func TestMathSquareRoot(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"2, 5", "1.4142"}, {"1e10, 2", "1.0E+5"}, {"99980001, 3", "1.00E+4"}, {"0.0, 9", "0"}, {"-0.0, 9", "-0"},
		{"1e-300, 3", "1.00E-150"}, {"10**40, 3", "1.00E+20"}, {"10**40, 30", "100000000000000000000"},
		{"9007199254740993, 40", "94906265.62425155815746195542507596298066"}, {"6.25, 5", "2.5"},
	} {
		simtest.Script(t, mathapi.Class, `{}`, simtest.Step{Call: "square_root(" + c.args + ")", Want: "{'result': Decimal('" + c.want + "')}"})
	}
}

// TestMathLogarithmDigits: a long logarithm is right to the last digit or next
// to it: ln(2**k) / ln(2) is k.
func TestMathLogarithmDigits(t *testing.T) {
	env := simtest.Open(t, mathapi.Class, `{}`, nil)
	for _, k := range []int64{3, 64, 1000} {
		n := new(big.Int).Lsh(big.NewInt(1), uint(k))
		text := env.Call("logarithm(" + n.String() + ", 2, 400)").Text
		assert.Regexp(t, `^\{'result': mpf\('(`+big.NewInt(k).String()+`\.0|\d+\.9{390}\d+|\d+\.0{390}\d+)'\)\}$`, text)
	}
}

func TestMathHostile(t *testing.T) { simtest.Hostile(t, mathapi.Class, `{}`) }

func FuzzMathCalls(f *testing.F) {
	simtest.Fuzz(f, mathapi.Class,
		[2]string{`{}`, "logarithm(1e-300, '1e5000', 1000)\nlogarithm('nan', -2, 1)\nlogarithm(2, 10, 10**9)\nlogarithm(2**65536, 3, 5)\nsquare_root(5e-324, 5000)\nsquare_root(2, 10**12)"},
		[2]string{`{}`, "power(2, 10**9)\nround_number(1e308, -308)\nround_number(10**300, -299)\nstandard_deviation([1e308, -1e308])\nsum_values({1: 2})"},
	)
}

func BenchmarkMathCalls(b *testing.B) {
	env := simtest.Open(b, mathapi.Class, `{}`, nil)
	for _, call := range []string{"add(a=1, b=2)", "mean(numbers=[1, 2.5, 3])", "logarithm(value=10, base=2, precision=15)", "logarithm(value=10, base=2, precision=1000)", "square_root(number=2, precision=10)"} {
		b.Run(call[:len(call)-1], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				env.Call(call)
			}
		})
	}
}
