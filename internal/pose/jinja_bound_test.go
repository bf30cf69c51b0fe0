package pose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestJinjaBounds renders templates that would take for ever, or all memory.
func TestJinjaBounds(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, src, want string }{
		{"nested loops", strings.Repeat("{% for i in range(99999) %}", 4) + strings.Repeat("{% endfor %}", 4), "takes too many steps"},
		{"a loop that writes", "{% for i in range(99999) %}{% for j in range(99999) %}" + strings.Repeat("x", 1000) + "{% endfor %}{% endfor %}", "writes more than"},
		{"doubled text", "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}", "too large"},
		{"doubled text by ~", "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}", "takes too many steps"},
		{"doubled list", "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}", "takes too many steps"},
		{"deep list", "{% set ns = namespace(s=[1]) %}{% for i in range(99999) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s }}", "takes too many steps"},
		{"macro without end", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "nest deeper"},
		{"loop without end", "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}", "nest deeper"},
		{"parentheses", "{{ " + strings.Repeat("(", 5000), "nested deeper"},
		{"nots", "{{ " + strings.Repeat("not ", 5000) + "1 }}", "nested deeper"},
		{"signs", "{{ " + strings.Repeat("- ", 5000) + "1 }}", "nested deeper"},
		{"ifs", strings.Repeat("{% if 1 %}", 5000), "nested deeper"},
		{"members", "{{ d" + strings.Repeat(".a", 5000) + " }}", "in a row"},
		{"conditions", "{{ 1" + strings.Repeat(" if 1", 5000) + " }}", "nested deeper"},
		{"sums", "{{ 1" + strings.Repeat(" + 1", 50000) + " }}", "in a row"},
		{"range", "{{ range(10 ** 30) }}", "Range too big"},
		{"width", "{{ '%999999999d' % 1 }}", "too big"},
		{"padding", "{{ 'x'.ljust(10 ** 12) }}", "more than"},
		{"power", "{{ 9 ** (9 ** 9) }}", "too large"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, c.src)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestJinjaErrors checks that errors name the template and the line, and print
// nothing that commands a terminal.
func TestJinjaErrors(t *testing.T) {
	t.Parallel()
	_, err := render(t, "a\n{{ d.a }}\n{{ nothing.x }}")
	assert.EqualError(t, err, "test.jinja, line 3: 'nothing' is undefined")
	_, err = render(t, "{% if true %}\n\n{{ raise_exception('roles \x1b[31m must alternate') }}{% endif %}")
	assert.EqualError(t, err, `test.jinja, line 3: the template refuses: roles \x1b[31m must alternate`)
	_, err = render(t, "x\n{% if true %}\ny")
	assert.EqualError(t, err, "test.jinja, line 2: the tag 'if' is never closed: 'endif' is missing")
	_, err = render(t, "{% include 'other' %}")
	assert.ErrorContains(t, err, "needs other files")
}

// FuzzJinjaTemplate reads and renders any text: no panic and no hang.
func FuzzJinjaTemplate(f *testing.F) {
	for _, seed := range []string{
		"{{ a|tojson(indent=2) }}", "{% for m in messages if m.n is odd %}{{ loop.index }}{% else %}x{% endfor %}",
		"{%- macro m(a, b=1) -%}{{ caller(a) }}{%- endmacro %}{% call(x) m(1) %}{{ x }}{% endcall %}",
		"{% set ns = namespace(x=1) %}{% set ns.x = d['a'] ~ '\\u00e9' %}{{ ns.x[::-1] }}", "{% raw %}{{ {% endraw -%} x",
		"{{ '%5.2f|%s' % (1.5, d) }}{{ '{0}{a}'.format(1, a=2) }}", "{{ messages|groupby('role')|list }}", "{# x #}{% filter upper %}é{% endfilter %}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tmpl, err := jinja.Parse("fuzz", src, settings())
		if err == nil {
			_, err = tmpl.Render(vars(t))
		}
		if err != nil {
			var e *jinja.Error
			require.ErrorAs(t, err, &e)
			assert.NotEmpty(t, e.Error())
		}
	})
}

// TestJinjaRenderKeeps checks that rendering leaves its variables as they are and
// that a template serves many at once.
func TestJinjaRenderKeeps(t *testing.T) {
	t.Parallel()
	tmpl, err := jinja.Parse("x", "{% set d = dict(d, z=1) %}{% set messages = messages[1:] %}{{ d.z }}{{ messages|length }}", settings())
	require.NoError(t, err)
	in := vars(t)
	done := make(chan string)
	for range 8 {
		go func() {
			s, _ := tmpl.Render(in)
			done <- s
		}()
	}
	for range 8 {
		assert.Equal(t, "13", <-done)
	}
	assert.True(t, pyval.Equal(vars(t), in))
}
