package exec_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"math_gcd(a=12, b=-18)":                    "math_gcd {'a': 12, 'b': -18}",
		"math_gcd(12, 18, 5)":                      "math_gcd {'a': 12, 'b': 18, '#3': 5}",
		" requests_get('http://a', params={1: 2})": "requests.get {'url': 'http://a', 'params': {1: 2}}",
		"f(x=g(1), y=[1/2, h])":                    "f {'x': None, 'y': None}",
		"f(x=1/6)":                                 "f {'x': 0.16666666666666666}",
		"f()":                                      "f {}",
		"f":                                        "",
		"f(1)(2)":                                  "",
		"f(":                                       "",
		"":                                         "",
		"f(" + strings.Repeat("x", 1<<20) + ")":    "",
	} {
		name, arguments, ok := exec.Named(text)
		got := ""
		if ok {
			got = name + " " + pyval.Repr(arguments)
		}
		assert.Equal(t, want, got, "%.100s", text)
	}
}
