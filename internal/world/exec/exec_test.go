package exec_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

func TestTable(t *testing.T) {
	all := exec.Functions()
	assert.Len(t, all, 51)
	variables := map[string]bool{"": true}
	for _, key := range exec.Keys() {
		variables[key.Variable] = true
	}
	for _, fn := range all {
		assert.True(t, variables[fn.Key], fn.Name)
		testkit.Fails(exec.Call(t.Context(), nil, fn.Name))(t, fn.Name+"() missing", fn.Name)
	}
	assert.EqualError(t, testkit.Err(exec.Call(t.Context(), nil, "launch")), "NameError: name 'launch' is not defined")
}

// scripted visits the calls of a file of testdata, each with the line below it.
func scripted(t *testing.T, file string, visit func(call, want string)) {
	t.Helper()
	text := testkit.Must(os.ReadFile("testdata/" + file))(t)
	call, open := "", false
	for line := range strings.SplitSeq(string(text), "\n") {
		src, is := strings.CutPrefix(line, "> ")
		switch {
		case is:
			call, open = src, true
		case open:
			visit(call, line)
			open = false
		}
	}
}

func TestRun(t *testing.T) {
	scripted(t, "run.txt", func(call, want string) {
		assert.Equal(t, want, strings.TrimPrefix(outcome(exec.Run(t.Context(), nil, call)), "raised "), call)
	})
}

func TestGet(t *testing.T) {
	scripted(t, "get.txt", func(call, want string) {
		client := &canned{}
		_, err := exec.Get(t.Context(), &exec.Env{Client: client}, "", call)
		if err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), want), "%s: %v", call, err)
			assert.Empty(t, client.requests, call)
			return
		}
		sent := client.requests[0]
		got := sent.URL + " | " + sent.Body
		for name, value := range sent.Header {
			got += " | " + name + ": " + value
		}
		assert.Equal(t, want, got, call)
	})
	testkit.Fails(exec.Get(t.Context(), nil, "", "requests.get('"+strings.Repeat("a", 1<<20)+"')"))(t, "MemoryError: the text of the call is too long")
}

func TestRunDeep(t *testing.T) {
	for _, open := range []string{"(", "[", "math_gcd(", "-", "lambda: ", "{1:", "1 if 1 else "} {
		assert.Error(t, testkit.Err(exec.Run(t.Context(), nil, strings.Repeat(open, 100_000)+"1")), open)
	}
	testkit.Fails(exec.Run(t.Context(), nil, "'"+strings.Repeat("a", 2<<20)+"'"))(t, "too long")
	nested := "x"
	for range 12 {
		nested = "estimate_derivative(" + pyval.Repr(pyval.Str("lambda x: "+nested)) + ", x)"
	}
	_, err := exec.Run(t.Context(), nil, strings.ReplaceAll(nested, ", x)", ", 1)"))
	assert.NoError(t, err)
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, testkit.Err(exec.Run(ctx, nil, "get_prime_factors(2**61-1)")), context.Canceled)
	assert.ErrorIs(t, testkit.Err(exec.Run(ctx, replayOf(t, ""), "get_movie_rating('X')")), context.Canceled)
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
		{"[]", "r.jsonl:1: json: cannot unmarshal array"},
		{`{"status": 200, "body": ""}`, "r.jsonl:1: url is missing"},
		{`{"url": 5, "status": 200, "body": ""}`, "cannot unmarshal number into Go struct field row.url"},
		{`{"url": "http://a/", "body": ""}`, "r.jsonl:1: status is missing or not an HTTP status"},
		{`{"url": "http://a/", "status": 2, "body": ""}`, "r.jsonl:1: status is missing"},
		{`{"url": "http://a/", "status": 200}`, "r.jsonl:1: body is missing"},
		{`{"url": "http://a/", "status": 200, "body": {}}`, "cannot unmarshal object into Go struct field row.body"},
		{`{"url": "http://a/", "status": 200, "body": "", "headers": []}`, "cannot unmarshal array into Go struct field row.headers"},
		{`{"url": "http://a/", "status": 200, "body": "", "headers": {"a": 1}}`, "cannot unmarshal number into Go struct field row.headers"},
		{`{"url": "http://a/", "exception": "x"}`, "cannot unmarshal string into Go struct field row.exception"},
		{good + "\n" + good, "r.jsonl:2: the request of r.jsonl:1 again: GET \"http://a/\""},
	} {
		err := (&exec.Replay{}).Add("r.jsonl", strings.NewReader(test.lines))
		assert.ErrorContains(t, err, test.want, test.lines)
	}
	assert.Error(t, testkit.Err(exec.OpenReplay("no such file")))
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
	want := testkit.Must(exec.Expect(t.Context(), nil, []string{"get_distance((0, 0), [3, 4])", "(1, (2,))"}, []exec.Rule{exec.RealTimeMatch, exec.ExactMatch}))(t)
	assert.Equal(t, "5.0", pyval.Repr(want[0].Value))
	assert.Equal(t, "[1, [2]]", pyval.Repr(want[1].Value))
	assert.ErrorContains(t, testkit.Err(exec.Expect(t.Context(), nil, []string{"1/0"}, []exec.Rule{exec.ExactMatch})), `possible answer "1/0"`)
	assert.ErrorContains(t, testkit.Err(exec.Expect(t.Context(), nil, []string{"1"}, nil)), "1 calls have 0 match rules")
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
		assert.Error(t, testkit.Err(exec.Run(t.Context(), nil, src)), src[:25])
	}
}

// TestNoDeviceIsRead: a recording that never ends is refused.
func TestNoDeviceIsRead(t *testing.T) {
	testkit.Fails(exec.OpenReplay("/dev/zero"))(t, "/dev/zero")
}

func TestMissingKeys(t *testing.T) {
	none := func(string) string { return "" }
	assert.Equal(t, []string{"RAPID_API_KEY", "GEOCODE_API_KEY"}, exec.MissingKeys(none,
		"get_covid_death_by_country('A')", "math_gcd(1, 2)", "requests.get('x', params={'k': 'YOUR-GEOCODE-API-KEY'})"))
	assert.Empty(t, exec.MissingKeys(none, "math_gcd(1, 2)"))
}

// FuzzReplay: the reader of recordings refuses a file or answers from it.
func FuzzReplay(f *testing.F) {
	for _, seed := range []string{
		`{"url": "http://a/", "status": 200, "body": "x", "headers": {"a": "b"}, "id": "c"}`,
		`{"url": "http://a/", "exception": {"type": "E", "message": "m"}}`,
		"{}\n[]", "\xff", `{"url": "http://a/", "status": 1e999, "body": ""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &exec.Replay{}
		if err := r.Add("f", bytes.NewReader(data)); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Fatalf("an error without its place: %q", err)
		}
		_, _ = r.Do(t.Context(), exec.Request{Method: "GET", URL: "http://a/", Case: "c"})
	})
}

// FuzzRun: any call ends in a value or in one of the documented errors.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{
		"math_gcd(a=12, b=18)", "estimate_derivative('lambda x: x**2 % 3', x=1.5)", "sort_array([3, 'a', None], True)",
		"get_prime_factors(97.0)", "calculate_mean(numbers=[1, 2.5, 10**40])", "polygon_area([[0, 0], [4, 0], [0, 3]])",
		"get_weather_data(coordinates=(1, 2))", "requests.get(url='http://a/%zz', params={'a': [1]})", "{1: [2]}[1][0] ** -0.5",
		"add_binary_numbers(a='0b1_0', b=' -11 ')", "maxPoints([[1, 1], [2, 2], [3, 4]])", "1 if 'a' in 'abc' else math.tan(2)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		env := &exec.Env{Client: &canned{response: exec.Response{Status: 200, Body: `{"a": [1]}`}}}
		v, err := exec.Run(t.Context(), env, src)
		var raised *pyval.Exception
		if err != nil && !errors.As(err, &raised) {
			t.Fatalf("an error that is no exception: %q", err)
		}
		if err == nil {
			_ = pyval.Repr(v)
		}
		_, _ = exec.Get(t.Context(), env, "", src)
	})
}
