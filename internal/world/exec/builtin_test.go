package exec_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/world/exec"
)

// TestBuiltins compares Python's built-in functions, and expressions around
// calls, with CPython 3.11.
func TestBuiltins(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"abs(x=1)", "TypeError: abs() takes no keyword arguments"},
		{"abs('a')", "TypeError: bad operand type for abs(): 'str'"},
		{"[abs(3+4j), abs(True), abs(-2.5), abs(-7)]", "[5.0, 1, 2.5, 7]"},
		{"sum([1], foo=2)", "TypeError: 'foo' is an invalid keyword argument for sum()"},
		{"[sum([1], start=2), sum([1, 2], 10), sum([[1], [2]], [])]", "[3, 13, [1, 2]]"},
		{"sum()", "TypeError: sum() takes at least 1 positional argument (0 given)"},
		{"sum(1, 2, 3)", "TypeError: sum() takes at most 2 arguments (3 given)"},
		{"sum(['a'], '')", "TypeError: sum() can't sum strings [use ''.join(seq) instead]"},
		{"sum([1, 'a'])", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
		{"len()", "TypeError: len() takes exactly one argument (0 given)"},
		{"len(5)", "TypeError: object of type 'int' has no len()"},
		{"max()", "TypeError: max expected at least 1 argument, got 0"},
		{"max([])", "ValueError: max() arg is an empty sequence"},
		{"max(1, 'a')", "TypeError: '>' not supported between instances of 'str' and 'int'"},
		{"[max([1, 5, 3]), min((4, 2, 8)), max('hello')]", "[5, 2, 'o']"},
		{"sorted()", "TypeError: sorted expected 1 argument, got 0"},
		{"[sorted([2, 1], reverse=1), sorted('ba')]", "[[2, 1], ['a', 'b']]"},
		{"sorted([2, 1], reverse='x')", "TypeError: 'str' object cannot be interpreted as an integer"},
		{"float(1, 2)", "TypeError: float expected at most 1 argument, got 2"},
		{"float([1])", "TypeError: float() argument must be a string or a real number, not 'list'"},
		{"float(10**400)", "OverflowError: int too large to convert to float"},
		{"[float(), str(), bool(), list(), tuple()]", "[0.0, '', False, [], ()]"},
		{"[str(1.5), bool([]), bool('x'), list('ab'), tuple([1, 2])]", "['1.5', False, True, ['a', 'b'], (1, 2)]"},
		{"list(5)", "TypeError: 'int' object is not iterable"},
		{"math.sqrt(-1)", "ValueError: math domain error"},
		{"math.exp(1000)", "OverflowError: math range error"},
		{"math.log(0)", "ValueError: math domain error"},
		{"math.sin(math.inf)", "ValueError: math domain error"},
		{"[math.sqrt(2), math.exp(1), math.log(1), math.cos(0), math.tan(0)]", "[1.4142135623730951, 2.718281828459045, 0.0, 1.0, 0.0]"},
		{"[math.fabs(-2), math.atan(1), math.radians(180), math.degrees(math.pi), math.sin(True)]", "[2.0, 0.7853981633974483, 3.141592653589793, 180.0, 0.8414709848078965]"},
		{"[math.pow(2, 3), math.pow(math.inf, 2)]", "[8.0, inf]"},
		{"math.pow(-8, 0.5)", "ValueError: math domain error"},
		{"math.pow(0, -1)", "ValueError: math domain error"},
		{"math.pow(10, 400)", "OverflowError: math range error"},
		{"math.pow(2)", "TypeError: pow expected 2 arguments, got 1"},
		{"math.pow('a', 2)", "TypeError: must be real number, not str"},
		{"math.sqrt()", "TypeError: math.sqrt() takes exactly one argument (0 given)"},
		{"math.sqrt(None)", "TypeError: must be real number, not NoneType"},
		{"math.sqrt(10**400)", "OverflowError: int too large to convert to float"},
		{"{1, 2} == {2, 1}", "True"},
		{"{[]}", "TypeError: unhashable type: 'list'"},
		{"{[]: 1}", "TypeError: unhashable type: 'list'"},
		{"[0 or 5, 1 and 0 or 7, '' or [], 1 if [] else 2]", "[5, 7, [], 2]"},
		{"1 if 1/0 else 2", "ZeroDivisionError: division by zero"},
		{"1/0 or 2", "ZeroDivisionError: division by zero"},
		{"1 < 2 < 1/0", "ZeroDivisionError: division by zero"},
		{"5()", "TypeError: 'int' object is not callable"},
		{"math()", "TypeError: 'module' object is not callable"},
		{"math.nothing", "AttributeError: module 'math' has no attribute 'nothing'"},
		{"(lambda: 1).x", "AttributeError: 'function' object has no attribute 'x'"},
		{"(lambda x: x)()", "TypeError: <lambda>() missing 1 required positional argument: 'x'"},
		{"(lambda x, y=2: x*y)(3)", "6"},
		{"(lambda x=1/0: x)", "ZeroDivisionError: division by zero"},
		{"[~5, not 0, 'a' not in 'b', [1, 2][True]]", "[-6, True, True, 2]"},
		{"(1, [f(a=1, a=2)])", "SyntaxError: keyword argument repeated: a (<string>, line 2)"},
		// What Python has and this package does not says so.
		{"(lambda *a: a)(1)", "NotImplementedError: Starred parameters are not evaluated"},
		{"len", "TypeError: function len is not a value"},
		{"math", "TypeError: module is not a value"},
		{"lambda: 1", "TypeError: lambda is not a value"},
	} {
		assert.Equal(t, test.want, strings.TrimPrefix(outcome(exec.Run(t.Context(), nil, test.src)), "raised "), test.src)
	}
}

// TestFunctionsAtTheirEdges: extreme arguments give the results of upstream's
// functions under CPython.
func TestFunctionsAtTheirEdges(t *testing.T) {
	digits := strings.TrimSuffix(strings.Repeat("3, 1, 2, ", 50), ", ") // longer than a run of the sort
	sorted := "[" + strings.Repeat("1, ", 50) + strings.Repeat("2, ", 50) + strings.TrimSuffix(strings.Repeat("3, ", 50), ", ") + "]"
	for _, test := range []struct{ src, want string }{
		{"add_binary_numbers('-11', '0b1')", "'b10'"}, // bin(-2)[2:]
		{"add_binary_numbers(b'1', '1')", "'10'"},
		{"add_binary_numbers('2', '1')", "ValueError: invalid literal for int() with base 2: '2'"},
		{"add_binary_numbers(1, '1')", "TypeError: int() can't convert non-string with explicit base"},
		{"sort_array([" + digits + "])", sorted},
		{"sort_array([])", "[]"},
		{"sort_array([3])", "[3]"},
		{"sort_array([3, 2, 1])", "[1, 2, 3]"},
		{"sort_array([1, 'a'])", "TypeError: '<' not supported between instances of 'str' and 'int'"},
		{"get_fibonacci_sequence(-10**30)", "[0, 1]"},
		{"get_prime_factors(2**70)", "[" + strings.TrimSuffix(strings.Repeat("2, ", 70), ", ") + "]"},
		{"get_prime_factors(0)", "[]"},
		{"math_gcd(1.5, 0)", "1.5"},
		{"get_distance(5, [1, 2])", "TypeError: 'int' object is not subscriptable"},
		{"get_weather_data([1])", "ValueError: not enough values to unpack (expected 2, got 1)"},
		{"get_weather_data([1, 2, 3])", "ValueError: too many values to unpack (expected 2)"},
		{"get_weather_data(5)", "TypeError: cannot unpack non-iterable int object"},
		{"estimate_derivative(5, 1)", "TypeError: eval() arg 1 must be a string, bytes or code object"},
		{"estimate_derivative('1', 1)", "TypeError: 'int' object is not callable"},
		{"calculate_mean([])", "ZeroDivisionError: division by zero"},
		{"polygon_area([[0, 0], [4, 0], [4, 3]])", "6.0"},
		{"polygon_area([[0, 0], [4, 0]])", "ValueError: A polygon must have at least 3 vertices."},
		{"maxPoints([[1, 1], [2, 2], [3, 3], [1, 5], [1, 9]])", "3"},
	} {
		assert.Equal(t, test.want, strings.TrimPrefix(outcome(exec.Run(t.Context(), nil, test.src)), "raised "), test.src)
	}
}
