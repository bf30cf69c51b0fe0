package pose_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// variables are those that testdata/language.jsonl was rendered with.
const variables = `{
	"d": {"a": 1, "b c": "x", "B": 2},
	"messages": [
		{"role": "system", "content": "s", "n": 1}, {"role": "user", "content": "u", "n": 2},
		{"role": "assistant", "content": "", "n": 3, "tool_calls": [{"function": {"name": "f"}}]},
		{"role": "tool", "content": "r", "n": 4}
	]
}`

func settings() jinja.Options {
	o := jinja.Transformers()
	o.Now = func() time.Time { return time.Date(2025, 7, 6, 9, 4, 5, 0, time.UTC) }
	return o
}

func render(t testing.TB, src string) (string, error) {
	t.Helper()
	tmpl, err := jinja.Parse("test.jinja", src, settings())
	if err != nil {
		return "", err
	}
	return tmpl.Render(parse(t, variables))
}

// TestJinjaLanguage holds small templates against what Jinja2 3.1.6 made of them
// with the settings of transformers: a text, or an error whose words are free.
func TestJinjaLanguage(t *testing.T) {
	t.Parallel()
	testkit.Rows(t, "testdata/language.jsonl", func(line int, row *pyval.Dict) {
		src := testkit.Text(row, "template")
		got, err := render(t, src)
		if row.Has("error") {
			assert.Error(t, err, "line %d: %s gave %q", line, src, got)
			return
		}
		if assert.NoError(t, err, "line %d: %s", line, src) {
			assert.Equal(t, testkit.Text(row, "text"), got, "line %d: %s", line, src)
		}
	})
}

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
		{"parentheses", "{{ " + strings.Repeat("(", 5000), "nested deeper"},
		{"nots", "{{ " + strings.Repeat("not ", 5000) + "1 }}", "nested deeper"},
		{"signs", "{{ " + strings.Repeat("- ", 5000) + "1 }}", "nested deeper"},
		{"ifs", strings.Repeat("{% if 1 %}", 5000), "nested deeper"},
		{"members", "{{ d" + strings.Repeat(".a", 5000) + " }}", "in a row"},
		{"conditions", "{{ 1" + strings.Repeat(" if 1", 5000) + " }}", "nested deeper"},
		{"sums", "{{ 1" + strings.Repeat(" + 1", 50000) + " }}", "in a row"},
		{"range", "{{ range(10 ** 30) }}", "Range too big"},
		{"width", "{{ '%999999999d' % 1 }}", "too big"},
		{"power", "{{ 9 ** (9 ** 9) }}", "too large"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testkit.Fails(render(t, c.src))(t, c.want)
		})
	}
}

// TestJinjaErrors checks that errors name the template and the line, and print
// nothing that commands a terminal.
func TestJinjaErrors(t *testing.T) {
	t.Parallel()
	assert.EqualError(t, testkit.Err(render(t, "a\n{{ d.a }}\n{{ nothing.x }}")), "test.jinja, line 3: 'nothing' is undefined")
	_, err := render(t, "{% if true %}\n\n{{ raise_exception('roles \x1b[31m must alternate') }}{% endif %}")
	assert.EqualError(t, err, `test.jinja, line 3: the template refuses: roles \x1b[31m must alternate`)
	assert.EqualError(t, testkit.Err(render(t, "x\n{% if true %}\ny")), "test.jinja, line 2: the tag 'if' is never closed: 'endif' is missing")
	assert.ErrorContains(t, testkit.Err(render(t, "{% include 'other' %}")), "needs other files")
}

// FuzzJinjaTemplate reads and renders any text: no panic and no hang.
func FuzzJinjaTemplate(f *testing.F) {
	for _, seed := range []string{
		"{{ a|tojson(indent=2) }}", "{% for m in messages if m.n is odd %}{{ loop.index }}{% else %}x{% endfor %}",
		"{%- macro m(a, b=1) -%}{{ caller(a) }}{%- endmacro %}{% call(x) m(1) %}{{ x }}{% endcall %}",
		"{% set ns = namespace(x=1) %}{% set ns.x = d['a'] ~ '\\u00e9' %}{{ ns.x[::-1] }}", "{% raw %}{{ {% endraw -%} x",
		"{{ '%5.2f|%s' % (1.5, d) }}{{ '{0}{a}'.format(1, a=2) }}", "{{ messages|map(attribute='role')|unique|list }}", "{# x #}{% filter upper %}é{% endfilter %}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tmpl, err := jinja.Parse("fuzz", src, settings())
		if err == nil {
			_, err = tmpl.Render(parse(t, variables))
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
	tmpl := testkit.Must(jinja.Parse("x", "{% set d = dict(d, z=1) %}{% set messages = messages[1:] %}{{ d.z }}{{ messages|length }}", settings()))(t)
	in := parse(t, variables)
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
	assert.True(t, pyval.Equal(parse(t, variables), in))
}

// TestGoldenJinjaTemplates renders the chat templates of real models.
func TestGoldenJinjaTemplates(t *testing.T) {
	rendered(t, filepath.Dir(testkit.GoldenFile(t, "templates", "rendered.jsonl")))
}

// TestGoldenJinjaTemplates2026 renders those of later models.
func TestGoldenJinjaTemplates2026(t *testing.T) {
	rendered(t, filepath.Dir(testkit.GoldenFile(t, "templates_2026", "rendered.jsonl")))
}

// rendered compares all rows of a folder of templates.
func rendered(t *testing.T, folder string) {
	data := testkit.Must(os.ReadFile(filepath.Join(folder, "inputs.json")))(t)
	in := parse(t, string(data))
	now := testkit.Must(time.Parse("2006-01-02T15:04:05", testkit.Text(in, "now")))(t)
	options := jinja.Transformers()
	options.Now = func() time.Time { return now }
	templates := map[string]*jinja.Template{}
	conversations, tools := testkit.Field(in, "conversations").(*pyval.Dict), testkit.Field(in, "tools").(*pyval.Dict)
	testkit.Compare(t, filepath.Join(folder, "rendered.jsonl"), func(c *testkit.Comparison) {
		row, name := c.Row, testkit.Text(c.Row, "template")
		if templates[name] == nil {
			src := testkit.Must(os.ReadFile(filepath.Join(folder, name+".jinja")))(t)
			templates[name] = testkit.Must(jinja.Parse(name, string(src), options))(t)
		}
		vars := pyval.NewDict(8)
		vars.SetStr("messages", testkit.Field(conversations, testkit.Text(row, "conversation")))
		vars.SetStr("tools", testkit.Field(tools, testkit.Text(row, "tools")))
		for _, key := range []string{"bos_token", "eos_token"} {
			vars.SetStr(key, testkit.Field(in, key))
		}
		vars.SetStr("add_generation_prompt", testkit.Field(row, "add_generation_prompt"))
		got, err := templates[name].Render(vars)
		if !row.Has("exc") {
			assert.NoError(c, err, name)
			c.Same(name, testkit.Text(row, "text"), got)
			return
		}
		c.Note("where Jinja2 errs")
		var e *jinja.Error
		if assert.ErrorAs(c, err, &e, name) && testkit.Text(row, "exc") == "TemplateError" {
			assert.Equal(c, testkit.Text(row, "msg"), e.Msg, name)
			assert.True(c, e.Raised, name)
		}
	})
}
