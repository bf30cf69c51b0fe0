package exec_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	all := exec.Functions()
	assert.Len(t, all, 51)
	assert.True(t, slices.IsSortedFunc(all, func(a, b exec.Function) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	}))
	variables := map[string]bool{"": true}
	for _, key := range exec.Keys() {
		variables[key.Variable] = true
	}
	for _, fn := range all {
		assert.True(t, variables[fn.Key], fn.Name)
		assert.NotNil(t, exec.Lookup(fn.Name), fn.Name)
		_, err := exec.Call(t.Context(), nil, fn.Name)
		assert.ErrorContains(t, err, fn.Name+"() missing", fn.Name)
	}
	_, err := exec.Call(t.Context(), nil, "launch")
	assert.EqualError(t, err, "NameError: name 'launch' is not defined")
}

func TestRun(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"math_factorial(25)", "15511210043330985984000000"},
		{"get_prime_factors(number=360)", "[2, 2, 2, 3, 3, 5]"},
		{"get_prime_factors(2**61-1)", "raised TimeoutError: get_prime_factors: stopped after too many steps"},
		{"get_prime_factors(1000003)", "[1000003]"},
		{"get_prime_factors(7.5)", "raised TimeoutError: get_prime_factors: 7.5 is not a whole number: the search for its factors never ends"},
		{"get_prime_factors(math.inf)", "raised TimeoutError: get_prime_factors: inf is not a whole number: the search for its factors never ends"},
		{"math_factorial(10**9)", "raised TimeoutError: math_factorial: the factorial is too large"},
		{"math_factorial(10**40)", "raised TimeoutError: math_factorial: the factorial is too large"},
		{"get_fibonacci_number(10**12)", "raised TimeoutError: get_fibonacci_number: the number is too large"},
		{"get_fibonacci_sequence(10**7)", "raised TimeoutError: get_fibonacci_sequence: the sequence is too long"},
		{"calculate_investment_value(1, 1, 10**12, 0, [0], False)", "raised TimeoutError: calculate_investment_value: stopped after too many steps"},
		{"9**9**9", "raised MemoryError: int too large to be computed here"},
		{"'ab' * 10**8", "raised MemoryError: sequence too large to be computed here"},
		{"estimate_derivative('lambda a: (lambda b: b * a)(3)', 2.0)", "3.000000248221113"},
		{"estimate_derivative('lambda a: x', 2.0)", "raised NameError: name 'x' is not defined"},
		{"estimate_derivative('lambda a, a2=2: a * a2', x=1)", "2.000000165480742"},
		{"math_gcd(math_lcm(4, 6), 18)", "6.0"},
		{"calculate_mean([1, 2", "raised SyntaxError: '[' was never closed (<string>, line 2)"},
		{"f(a=1, a=2)", "raised SyntaxError: keyword argument repeated: a (<string>, line 2)"},
		{"calculate_mean(numbers=[1, 2, 3]) if 1 < 2 <= 2 else 0", "2.0"},
		{"not 3 in [1, 2] and {'a': (1,)}['a'][0]", "1"},
		{"__import__('os').system('true')", "raised NameError: name '__import__' is not defined"},
		{"().__class__", "raised AttributeError: 'tuple' object has no attribute '__class__'"},
		{"os.system('true')", "raised AttributeError: module 'os' has no attribute 'system'"},
		{"[x for x in [1]]", "raised NotImplementedError: ListComp expressions are not evaluated"},
		{"math_gcd", "raised TypeError: function math_gcd is not a value"},
		{"math_gcd(*[1, 2])", "raised NotImplementedError: Starred expressions are not evaluated"},
		{"", "raised SyntaxError: invalid syntax (<string>, line 1)"},
		{"max([3, 9, 4]) + min(2, 1) + sum([1, 2], start=10) + len('éa')", "25"},
		{"sorted([3, 1, 2], reverse=True)", "[3, 2, 1]"},
		{"float(' 1_0.5 ') + float('nan') != 0", "True"},
		{"math.sin('a')", "raised TypeError: must be real number, not str"},
	} {
		assert.Equal(t, test.want, outcome(exec.Run(t.Context(), nil, test.src)), test.src)
	}
}

func TestRunDeep(t *testing.T) {
	for _, open := range []string{"(", "[", "math_gcd(", "-", "lambda: ", "{1:", "1 if 1 else "} {
		_, err := exec.Run(t.Context(), nil, strings.Repeat(open, 100_000)+"1")
		assert.Error(t, err, open)
	}
	_, err := exec.Run(t.Context(), nil, "'"+strings.Repeat("a", 2<<20)+"'")
	assert.ErrorContains(t, err, "too long")
	nested := "x"
	for range 12 {
		nested = "estimate_derivative(" + pyval.Repr(pyval.Str("lambda x: "+nested)) + ", x)"
	}
	_, err = exec.Run(t.Context(), nil, strings.ReplaceAll(nested, ", x)", ", 1)"))
	assert.NoError(t, err)
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := exec.Run(ctx, nil, "get_prime_factors(2**61-1)")
	assert.ErrorIs(t, err, context.Canceled)
	_, err = exec.Run(ctx, replayOf(t, ""), "get_movie_rating('X')")
	assert.ErrorIs(t, err, context.Canceled)
}

func replayOf(t testing.TB, lines string) *exec.Env {
	t.Helper()
	r := &exec.Replay{}
	require.NoError(t, r.Add("recorded.jsonl", strings.NewReader(lines)))
	return &exec.Env{Client: r}
}

func TestReplayRefuses(t *testing.T) {
	const good = `{"url": "http://a/", "status": 200, "body": ""}`
	for _, test := range []struct{ lines, want string }{
		{good + "\n\n{", "r.jsonl:3: "},
		{"[]", "r.jsonl:1: expected a JSON object, got list"},
		{`{"status": 200, "body": ""}`, "r.jsonl:1: url is missing"},
		{`{"url": 5, "status": 200, "body": ""}`, "r.jsonl:1: url is not a text"},
		{`{"url": "http://a/", "body": ""}`, "r.jsonl:1: status is missing or not an HTTP status"},
		{`{"url": "http://a/", "status": 2, "body": ""}`, "r.jsonl:1: status is missing"},
		{`{"url": "http://a/", "status": 200}`, "r.jsonl:1: body is missing"},
		{`{"url": "http://a/", "status": 200, "body": {}}`, "r.jsonl:1: body is not a text"},
		{`{"url": "http://a/", "status": 200, "body": "", "headers": []}`, "r.jsonl:1: headers are not an object"},
		{`{"url": "http://a/", "status": 200, "body": "", "headers": {"a": 1}}`, "r.jsonl:1: header 'a' is not a text"},
		{`{"url": "http://a/", "exception": "x"}`, "r.jsonl:1: exception is not an object with a message"},
		{good + "\n" + good, "r.jsonl:2: the request of r.jsonl:1 again: GET \"http://a/\""},
	} {
		err := (&exec.Replay{}).Add("r.jsonl", strings.NewReader(test.lines))
		assert.ErrorContains(t, err, test.want, test.lines)
	}
	_, err := exec.OpenReplay("no such file")
	assert.Error(t, err)
}

func TestUnrecorded(t *testing.T) {
	env := replayOf(t, "")
	want := []exec.Expected{{Value: pyval.None, Rule: exec.ExactMatch}}
	v := exec.Judge(t.Context(), env, true, want, texts("get_movie_rating('Xanadu')"), nil)
	assert.Equal(t, eval.Error, v.Status)
	assert.Equal(t, "infrastructure:unrecorded", v.ErrorType)
	assert.Contains(t, pyval.Text(v.Detail), "http://www.omdbapi.com/?t=Xanadu&apikey=OMDB-API-KEY")
	v = exec.Judge(t.Context(), nil, true, want, texts("get_movie_rating('Xanadu')"), nil)
	assert.Equal(t, eval.Error, v.Status)
	v = exec.JudgeREST(t.Context(), env, "rest_1", "{}", texts("requests.get('https://example.org/x')"), nil)
	assert.Equal(t, eval.Error, v.Status)
	assert.Contains(t, pyval.Text(v.Detail), "https://example.org/x")
}

func TestDecodeFailures(t *testing.T) {
	v := exec.Judge(t.Context(), nil, true, nil, nil, errors.New("odd"))
	assert.Equal(t, "executable_decoder:decoder_failed", v.ErrorType)
	v = exec.JudgeREST(t.Context(), nil, "", "{}", nil, &pyval.Exception{Class: "E", Msg: "odd"})
	assert.Equal(t, "['Failed to decode executable. odd']", pyval.Repr(v.Detail))
}

func TestExpect(t *testing.T) {
	want, err := exec.Expect(t.Context(), nil, []string{"get_distance((0, 0), [3, 4])", "(1, (2,))"}, []exec.Rule{exec.RealTimeMatch, exec.ExactMatch})
	require.NoError(t, err)
	assert.Equal(t, "5.0", pyval.Repr(want[0].Value))
	assert.Equal(t, "[1, [2]]", pyval.Repr(want[1].Value))
	_, err = exec.Expect(t.Context(), nil, []string{"1/0"}, []exec.Rule{exec.ExactMatch})
	assert.ErrorContains(t, err, `possible answer "1/0"`)
	_, err = exec.Expect(t.Context(), nil, []string{"1"}, nil)
	assert.ErrorContains(t, err, "1 calls have 0 match rules")
}

func TestGetRefuses(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"requests.get()", "TypeError: get() missing 1 required positional argument: 'url'"},
		{"requests.get('http://a', {}, {})", "TypeError: get() takes from 1 to 2 positional arguments but 3 were given"},
		{"requests.get('http://a', url='x')", "TypeError: get() got multiple values for argument 'url'"},
		{"requests.post(url='http://a')", "AttributeError: module 'requests' has no attribute 'post'"},
		{"math_gcd(4, 6)", "NotImplementedError: the text is not a call of requests.get"},
		{"requests.get(url='http://a', timeout=0)", "ValueError: Attempted to set connect timeout to 0, but"},
		{"requests.get(url='http://a', timeout='x')", "ValueError: Timeout value connect was x"},
		{"requests.get(url='http://a', headers=['x'])", "AttributeError: 'list' object has no attribute 'items'"},
		{"requests.get(url='http://a', headers={'x': 1})", "InvalidHeader: Header part (1) from ('x', 1) must be of type str or bytes, not <class 'int'>"},
		{"requests.get(url='http://a', headers={'x': 'a\\nb'})", "InvalidHeader: Invalid leading whitespace"},
		{"requests.get(url='ftp://a')", "InvalidSchema: No connection adapters were found for 'ftp://a'"},
		{"requests.get(url='a/b')", "MissingSchema: Invalid URL 'a/b': No scheme supplied. Perhaps you meant https://a/b?"},
		{"requests.get(url='http:///b')", "InvalidURL: Invalid URL 'http:///b': No host supplied"},
		{"requests.get(url='http://a', proxies='p')", "AttributeError: 'str' object has no attribute 'get'"},
		{"requests.get(url='http://a', params=[1])", "TypeError: cannot unpack non-iterable int object"},
		{"requests.get(X-Key='a')", `SyntaxError: expression cannot contain assignment, perhaps you meant "=="? (<string>, line 1)`},
	} {
		_, err := exec.Get(t.Context(), nil, "", test.src)
		assert.ErrorContains(t, err, test.want, test.src)
	}
}

func TestGetSends(t *testing.T) {
	for _, test := range []struct{ src, url string }{
		{"requests.get('http://A.org')", "http://a.org/"},
		{"requests_get('http://a/b c?d=é#f', params={'x': [1, None, 'y z'], 'n': None, 'k': {'p': 1}})", "http://a/b%20c?d=%C3%A9&x=1&x=y+z&k=p#f"},
		{"requests.get(' http://a:80/../x/./y%7e%zz', 'q=1')", "http://a:80/x/y%257E%25zz?q=1"},
		{"requests.get('http://u:p@a/', params=[('a', 1), ('a', 2)])", "http://u:p@a/?a=1&a=2"},
	} {
		asked := &canned{}
		_, err := exec.Get(t.Context(), &exec.Env{Client: asked}, "", test.src)
		require.NoError(t, err, test.src)
		assert.Equal(t, test.url, asked.requests[0].URL, test.src)
	}
}

// TestRunHostile: calls that would take Python hours or all memory end in an
// error.
func TestRunHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	const long = "é' * 200_000 + '"
	for _, src := range []string{
		"[" + strings.Repeat("'a'*4000000,", 50_000) + "]",
		"[" + strings.Repeat("9**70000,", 50_000) + "]",
		"order_food(item='" + long + "', quantity='" + long + "', price=" + "[" + strings.Repeat("0,", 200_000) + "])",
		"calculate_cosine_similarity('" + long + "', [1]*200000)",
		"maxPoints([" + strings.Repeat("[1,2],", 100_000) + "])",
		"mat_mul([[1]*1000]*1000, [[1]*1000]*1000)",
		"sort_array([[1]*1000000]*1000)",
		"calculate_investment_value(1, 1, 10**9, 0.1, '" + long + "')",
		"f(" + strings.Repeat("a=1,", 100_000) + ")",
		"[[[[0]*1000]*1000]*1000]*1000",
		"(lambda s: [" + strings.Repeat("1 in s,", 100_000) + "])([0]*1000000)",
		"(lambda s: [" + strings.Repeat("str(s),", 100_000) + "])([0]*100000)",
		"(lambda s: [" + strings.Repeat("s[-1],", 100_000) + "])('é'*1000000)",
		"(lambda a, b: [" + strings.Repeat("a<b,", 100_000) + "])('a'*1000000, 'a'*1000000)",
		"(lambda a: (lambda a: (lambda a: (lambda a: [a, a, a])([a]*1000))([a]*1000))([a]*1000))([0]*1000)",
	} {
		_, err := exec.Run(t.Context(), nil, src)
		assert.Error(t, err, src[:25])
	}
}

// TestNoDeviceIsRead: a recording that never ends is refused.
func TestNoDeviceIsRead(t *testing.T) {
	_, err := exec.OpenReplay("/dev/zero")
	assert.ErrorContains(t, err, "/dev/zero")
}

func TestMissingKeys(t *testing.T) {
	none := func(string) string { return "" }
	assert.Equal(t, []string{"RAPID_API_KEY", "GEOCODE_API_KEY"}, exec.MissingKeys(none,
		"get_covid_death_by_country('A')", "math_gcd(1, 2)", "requests.get('x', params={'k': 'YOUR-GEOCODE-API-KEY'})"))
	assert.Empty(t, exec.MissingKeys(none, "math_gcd(1, 2)"))
}
