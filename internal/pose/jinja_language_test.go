package pose_test

import (
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

func vars(t testing.TB) *pyval.Dict {
	t.Helper()
	v, err := pyval.ParseJSON(variables)
	require.NoError(t, err)
	return v.(*pyval.Dict)
}

func render(t testing.TB, src string) (string, error) {
	t.Helper()
	tmpl, err := jinja.Parse("test.jinja", src, settings())
	if err != nil {
		return "", err
	}
	return tmpl.Render(vars(t))
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
