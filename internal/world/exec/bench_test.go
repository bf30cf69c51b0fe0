package exec_test

import (
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

func BenchmarkRun(b *testing.B) {
	for _, call := range []string{
		"calculate_density(mass=50,volume=10)",
		"calc_binomial_probability(n=20,k=5,p=0.6)",
		"estimate_derivative(function='lambda x: 3*x**2 + 2*x - 1',x=5)",
		"sort_array(array=[34, 2, 56, 7, 9, 12],reverse=True)",
		"get_prime_factors(number=123456)",
	} {
		b.Run(call[:strings.IndexByte(call, '(')], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = exec.Run(b.Context(), nil, call)
			}
		})
	}
}

func BenchmarkJudge(b *testing.B) {
	calls := texts("calculate_density(mass=50,volume=10)", "get_movie_rating(movie_name='A')")
	r := &exec.Replay{}
	_ = r.Add("b", strings.NewReader(`{"url": "http://www.omdbapi.com/?t=A&apikey=OMDB-API-KEY", "status": 200, "body": "{\"Rated\": \"R\"}"}`))
	want := []exec.Expected{{Value: pyval.Str("R"), Rule: exec.ExactMatch}, {Value: pyval.Float(5), Rule: exec.ExactMatch}}
	b.ReportAllocs()
	for b.Loop() {
		if v := exec.Judge(b.Context(), &exec.Env{Client: r}, false, want, calls, nil); !v.Passed() {
			b.Fatal(v)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	env := &exec.Env{Client: &canned{response: exec.Response{Status: 200}}}
	const call = "requests_get(url='https://date.nager.at/api/v3/LongWeekend/2023/CA',headers={'a': 'b'},params={'lat': 48.8584, 'q': 'x y'})"
	b.ReportAllocs()
	for b.Loop() {
		_, _ = exec.Get(b.Context(), env, "", call)
	}
}
