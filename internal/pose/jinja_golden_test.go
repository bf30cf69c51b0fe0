package pose_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

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
	in := readObject(t, filepath.Join(folder, "inputs.json"))
	now, err := time.Parse("2006-01-02T15:04:05", testkit.Text(in, "now"))
	require.NoError(t, err)
	options := jinja.Transformers()
	options.Now = func() time.Time { return now }
	templates := map[string]*jinja.Template{}
	conversations, tools := testkit.Field(in, "conversations").(*pyval.Dict), testkit.Field(in, "tools").(*pyval.Dict)
	equal, refused, total := 0, 0, 0
	testkit.Rows(t, filepath.Join(folder, "rendered.jsonl"), func(line int, row *pyval.Dict) {
		total++
		name := testkit.Text(row, "template")
		if templates[name] == nil {
			src, err := os.ReadFile(filepath.Join(folder, name+".jinja"))
			require.NoError(t, err)
			templates[name], err = jinja.Parse(name, string(src), options)
			require.NoError(t, err)
		}
		vars := pyval.NewDict(8)
		vars.SetStr("messages", testkit.Field(conversations, testkit.Text(row, "conversation")))
		vars.SetStr("tools", testkit.Field(tools, testkit.Text(row, "tools")))
		for _, key := range []string{"bos_token", "eos_token"} {
			vars.SetStr(key, testkit.Field(in, key))
		}
		vars.SetStr("add_generation_prompt", testkit.Field(row, "add_generation_prompt"))
		got, err := templates[name].Render(vars)
		switch {
		case !row.Has("exc"):
			if assert.NoError(t, err, "row %d", line) && assert.Equal(t, testkit.Text(row, "text"), got, "row %d", line) {
				equal++
			}
		case assert.Error(t, err, "row %d", line):
			refused++
			var e *jinja.Error
			require.ErrorAs(t, err, &e)
			if testkit.Text(row, "exc") == "TemplateError" {
				assert.Equal(t, testkit.Text(row, "msg"), e.Msg, "row %d", line)
				assert.True(t, e.Raised)
			}
		}
	})
	t.Logf("chat templates: %d of %d rows equal, %d of them errors where Jinja2 errs", equal+refused, total, refused)
}

func readObject(t *testing.T, path string) *pyval.Dict {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	v, err := pyval.ParseJSON(string(data))
	require.NoError(t, err)
	return v.(*pyval.Dict)
}
