package exec_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

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
