package sim

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A shop is a class for tests.
type shop struct{ sold pyval.Value }

func (s *shop) State() *pyval.Dict { return Answer("sold", s.sold) }

func (s *shop) sell(args []pyval.Value) pyval.Value {
	s.sold = pyval.NewTuple(slices.Clone(args)...)
	return Answer("sold", pyval.NewList(s.sold))
}

func (s *shop) fail([]pyval.Value) pyval.Value { panic(Raise("KeyError", "'till'")) }

func (s *shop) price([]pyval.Value) pyval.Value {
	return Shown{Value: Answer("price", 1.5), Text: "{'price': Decimal('1.5')}"}
}

// A broken method has a mistake of its own.
func (s *shop) broken([]pyval.Value) pyval.Value { return (*shop)(nil).sold }

var shopClass = &Class{
	Name: "Shop",
	New: func(scenario *pyval.Dict, _ *World) (Instance, error) {
		if sold, ok := scenario.GetStr("sold"); ok {
			return &shop{sold: sold}, nil
		}
		return &shop{sold: pyval.None}, nil
	},
	Methods: []Method{
		{Name: "sell", Params: []Param{{Name: "what"}, {Name: "to"}, {Name: "count", Default: pyval.MakeInt(1)}}, Call: On((*shop).sell)},
		{Name: "fail", Call: On((*shop).fail)},
		{Name: "price", Call: On((*shop).price)},
		{Name: "broken", Call: On((*shop).broken)},
	},
}

func openShop(t testing.TB) *Env {
	t.Helper()
	return testkit.Must(NewLibrary(shopClass).Open(Setup{Model: "a/b-c:1.0", Entry: "multi_turn_base_7", Involved: []string{"Shop", "Shop"}}))(t)
}

const shopName = "a_b_c_1_0_multi_turn_base_7_Shop_instance"

func TestCall(t *testing.T) {
	const raised = "Error during execution: "
	used := openShop(t) // which no call that failed midway may disturb
	for _, c := range []struct{ call, want string }{
		{"sell(what='tea', to='Ann')", `{"sold": [["tea", "Ann", 1]]}`},
		{"  sell ('tea',\n to='Ann', count=-2)", `{"sold": [["tea", "Ann", -2]]}`},
		{"sell(*['a', 'b'], **{'count': None})", `{"sold": [["a", "b", null]]}`},
		{"sell('see sell (x)', 'b')", `{"sold": [["see ` + shopName + `.sell(x)", "b", 1]]}`},
		{"sell('a', sell('b', 'c')['sold'][0])", `{"sold": [["a", ["b", "c", 1], 1]]}`},
		{"sell('a', price()['price'] + 1)", `{"sold": [["a", 2.5, 1]]}`},
		{"price()", "{'price': Decimal('1.5')}"},
		{"sell('a', sell('b', sell('c', fail())))", raised + "'till'"},
		{"sell('a', sell('b', 'c', sell)[0])", raised + "name 'sell' is not defined"},
		{"sell(1j, {2})", "{'sold': [(1j, {2}, 1)]}"},
		{"len(sell('a', 'b'))", "1"},
		{"fail()", raised + "'till'"},
		{"sell('a')", raised + "Shop.sell() missing 1 required positional argument: 'to'"},
		{"sell()", raised + "Shop.sell() missing 2 required positional arguments: 'what' and 'to'"},
		{"sell(1, 2, 3, 4)", raised + "Shop.sell() takes from 3 to 4 positional arguments but 5 were given"},
		{"fail(1)", raised + "Shop.fail() takes 1 positional argument but 2 were given"},
		{"sell('a', what='b')", raised + "Shop.sell() got multiple values for argument 'what'"},
		{"sell('a', for_whom='b')", raised + "Shop.sell() got an unexpected keyword argument 'for_whom'"},
		{"sell('a', b='c', b='d')", raised + "keyword argument repeated: b (<string>, line 1)"},
		{"sell", raised + "name 'sell' is not defined"},
		{"Shop.sell('a', 'b')", raised + "name 'Shop' is not defined"},
		{"buy(sell('a', 'b'))", raised + "name 'buy' is not defined"},
		{shopName + "._secret()", raised + "'Shop' object has no attribute '_secret'"},
		{"open('/etc/passwd')", raised + "name 'open' is not defined"},
		{"__import__('os').system('ls')", raised + "name '__import__' is not defined"},
		{"().__class__", raised + "attributes are not evaluated"},
		{"remove('a')", raised + "Function call remove is not allowed."},
		{"os.kill(1)", raised + "Function call kill is not allowed."},
		{"os.path.kill(1)", raised + "name 'os' is not defined"}, // its second part is what upstream looks at
		{"os.remove.path(1)", raised + "Function call remove is not allowed."},
		{"exit", raised + "Function call exit is not allowed."},
		{"", raised + "invalid syntax (<string>, line 0)"},
		// Python's own functions, by the names of their arguments.
		{"str(object=1e+16)", "1e+16"}, {"str(errors='strict')", ""}, {"str(object='a', encoding='utf-8')", raised + "decoding str is not supported"},
		{"str(object=bytes(source='é', encoding='UTF_8'), encoding='utf-8')", "é"}, {"bytes(source=[104, 105])", "b'hi'"}, {"bytes(source=2)", `b'\x00\x00'`},
		{"bytes(source='a')", raised + "string argument without an encoding"}, {"bytes(source='é', encoding='ascii')", raised + "'ascii' codec can't encode this"},
		{"bytes(source=5, encoding='ascii')", raised + "encoding without a string argument"}, {"bytes(source=[256])", raised + "bytes must be in range(0, 256)"},
		{"str(object=bytes(source='a', encoding='x'))", raised + "unknown encoding: x"}, {"str(object=5, encoding='utf-8')", raised + "decoding to str: need a bytes-like object, int found"},
		{"complex(real=1, imag=-2)", "(1-2j)"}, {"complex(real='1')", "(1+0j)"},
		{"pow(base=3, exp=200, mod=13)", "9"}, {"pow(base=2, exp=3)", "8"}, {"pow(base=3, exp=-1, mod=7)", "5"}, {"pow(base=3, exp=2, mod=-7)", "-5"},
		{"pow(base=2, exp=-1, mod=4)", raised + "base is not invertible for the given modulus"}, {"pow(base=2, exp=1, mod=0)", raised + "pow() 3rd argument cannot be 0"},
		{"pow(exp=2)", raised + "pow() missing required argument 'base' (pos 1)"}, {"pow(base=2.0, exp=1, mod=3)", raised + "pow() 3rd argument not allowed unless all arguments are integers"},
		{"round(number=2.675, ndigits=2)", "2.67"}, {"round(ndigits=2)", raised + "round() missing required argument 'number' (pos 1)"},
		{"int()", "0"}, {"float()", "0.0"}, {"list()", "[]"}, {"int(x=50)", raised + "'x' is an invalid keyword argument for int()"}, {"int(base=8)", raised + "int() missing string argument"},
		{"hex(number=5)", raised + "hex() takes no keyword arguments"}, {"chr(i=65)", raised + "chr() takes no keyword arguments"}, {"chr(65)", "A"},
		{"max(default=1)", raised + "max expected at least 1 argument, got 0"}, {"sorted(iterable=[2])", raised + "sorted expected 1 argument, got 0"},
		{"str('a', object='b')", raised + "argument for str() given by name ('object') and position (1)"}, {"round(1, 2, 3)", raised + "round() takes at most 2 arguments (3 given)"},
	} {
		assert.Equal(t, c.want, openShop(t).Call(c.call).Text, "%s", c.call)
		assert.Equal(t, c.want, used.Call(c.call).Text, "%s", c.call)
	}
}

// A mistake of the program is no answer of Python's: it goes on to the case,
// whose error it is.
func TestMistakesGoOn(t *testing.T) {
	assert.Panics(t, func() { openShop(t).Call("broken()") })
}

// Nothing inside a refused or broken call text has an effect.
func TestNoEffect(t *testing.T) {
	for _, call := range []string{"sell('a', 'b'", "buy(sell('a', 'b'))", "run(sell('a', 'b'))", "sell('a', 'b', x=1, x=2)"} {
		env := openShop(t)
		require.NotNil(t, env.Call(call).Raised, call)
		shop, _ := env.Instance("Shop")
		assert.Equal(t, "{'sold': None}", pyval.Repr(shop.State()), call)
	}
}

// A state cannot hold itself, and calls cannot double it without end.
func TestNestedResults(t *testing.T) {
	env := openShop(t)
	env.Call("sell('" + strings.Repeat("x", 1<<10) + "', 1)")
	for range 60 {
		env.Call("sell(sell(1, 2), sell(sell('a', 'b'), 'c'))")
		env.Call("sell([price(), sell(len('a'), 2)], sell(1, 2))")
	}
	shop, _ := env.Instance("Shop")
	assert.NoError(t, testkit.Err(pyval.JSON(shop.State(), 0)))
}

func TestWorkIsBounded(t *testing.T) {
	env := openShop(t)
	big := "sell('" + strings.Repeat("x", 1<<24) + "', 1)"
	var last Result
	for range 20 {
		last = env.Call(big)
	}
	require.NotNil(t, last.Raised)
	assert.Equal(t, "MemoryError", last.Raised.Class)
	deep := env.Call("sell(" + strings.Repeat("[", 1<<20) + ", 1)")
	assert.NotNil(t, deep.Raised)
}

func TestScenarioIsCopied(t *testing.T) {
	sold := pyval.NewList(pyval.MakeInt(1))
	config := Answer("Shop", Answer("sold", sold))
	env := testkit.Must(NewLibrary(shopClass).Open(Setup{Entry: "e_1", Involved: []string{"Shop"}, Config: config}))(t)
	instance, _ := env.Instance("Shop")
	instance.(*shop).sold.(*pyval.List).Items[0] = pyval.MakeInt(2)
	assert.Equal(t, "[1]", pyval.Repr(sold))
}

// TestDigitLimit stands at the edge of what CPython turns into text.
func TestDigitLimit(t *testing.T) {
	for exponent, raised := range map[int]bool{4299: false, 4300: true, 4301: true, 9000: true} {
		n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
		for _, v := range []*big.Int{n, new(big.Int).Neg(n)} {
			_, err := pyval.Try(func() string { return ResultText(Answer("n", pyval.MakeBigInt(v))) })
			assert.Equal(t, raised, err != nil, "10**%d", exponent)
		}
	}
}

func TestGoldenRewrite(t *testing.T) {
	var table *pyval.Dict
	testkit.Compare(t, testkit.GoldenFile(t, "simulators", "rewrite.jsonl"), func(c *testkit.Comparison) {
		if table == nil { // the first row
			table = testkit.Field(c.Row, "mapping").(*pyval.Dict)
			return
		}
		in := testkit.Text(c.Row, "in")
		c.Same(in, testkit.Text(c.Row, "out"), rewrite(in, func(method string) (string, bool) {
			name, ok := testkit.Field(table, method).(pyval.Str)
			return string(name), ok
		}))
	})
}

func TestGoldenSerialize(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "simulators", "serialize.jsonl"), func(c *testkit.Comparison) {
		src := testkit.Text(c.Row, "py")
		v := testkit.Must(pycall.Run(src, func(name string) (pycall.Function, error) { return builtins[name], nil }))(c)
		c.Same(src, testkit.Text(c.Row, "result"), ResultText(v))
		if _, shown := v.(Shown); !shown {
			c.Same(src, testkit.Text(c.Row, "repr"), pyval.Repr(v))
		}
	})
}

func TestGoldenRandom(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "simulators", "random_vectors.jsonl"), func(c *testkit.Comparison) {
		seed := seedOf(t, testkit.Field(c.Row, "seed"))
		for name, draw := range drawers {
			want, ok := testkit.Field(c.Row, name).(*pyval.List)
			require.True(t, ok, name)
			scenario := &pyval.Dict{}
			scenario.SetStr("random_seed", seed)
			r := SeedOf(scenario, 0)
			for _, item := range want.Items {
				c.Note("draws")
				c.Same(name, pyval.Text(item), draw(r))
			}
		}
		assert.Equal(t, len(drawers)+2, c.Row.Len(), "a kind of draw is not compared")
	})
}

// seedOf reads a seed, which may be an int beyond plain JSON.
func seedOf(t *testing.T, v pyval.Value) pyval.Int {
	t.Helper()
	if d, ok := v.(*pyval.Dict); ok {
		n, ok := pyval.ParseInt(testkit.Text(d, "$int"), 10)
		require.True(t, ok)
		return n
	}
	return v.(pyval.Int)
}

var drawers = map[string]func(*Random) string{
	"words32":                           func(r *Random) string { return strconv.FormatUint(uint64(r.Uint32()), 10) },
	"random":                            func(r *Random) string { return floatText(r.Float()) },
	"uniform_-10_40":                    uniformly(-10, 40),
	"uniform_0_120":                     uniformly(0, 120),
	"randint_10000_99999":               between(10000, 99999),
	"randint_100000_999999":             between(100000, 999999),
	"randint_1000000_9999999":           between(1000000, 9999999),
	"randint_10000000_99999999":         between(10000000, 99999999),
	"randint_100000000_999999999":       between(100000000, 999999999),
	"randint_100000000000_999999999999": between(100000000000, 999999999999),
	"randint_0_86400":                   between(0, 86400),
}

func floatText(f float64) string { return pyval.Repr(pyval.Float(f)) }

func uniformly(a, b float64) func(*Random) string {
	return func(r *Random) string { return floatText(r.Uniform(a, b)) }
}

func between(a, b int64) func(*Random) string {
	return func(r *Random) string { return string(r.ID(a, b)) }
}
