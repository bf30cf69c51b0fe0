package pose_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// folder is a folder with the given files and texts.
func folder(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600))
	}
	return dir
}

func write(t testing.TB, path string) (string, error) {
	t.Helper()
	w, err := completion.Own(path, eval.Prompt, nil, jinja.Transformers())
	if err != nil {
		return "", err
	}
	return w.Write([]eval.Message{{Role: "user", Content: "Hi."}}, nil, nil)
}

// TestCompletionSources reads a template from each place where models keep one.
func TestCompletionSources(t *testing.T) {
	t.Parallel()
	const src = "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}"
	const config = `{"chat_template": "{{ bos_token }}config {{ messages[0].content }}", "bos_token": "<s>", "eos_token": {"content": "</s>"}}`
	dir := folder(t, "chat_template.jinja", src, "tokenizer_config.json", config, "config.json", `{"max_position_embeddings": 4096}`)
	named := folder(t, "tokenizer_config.json", `{"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]}`)
	for _, c := range []struct{ path, want string }{
		{dir, "<s>Hi.</s>"},
		{filepath.Join(dir, "chat_template.jinja"), "<s>Hi.</s>"},
		{filepath.Join(dir, "tokenizer_config.json"), "<s>config Hi."},
		{folder(t, "tokenizer_config.json", config), "<s>config Hi."},
		{folder(t, "chat_template.json", `{"chat_template": "json"}`), "json"},
		{named, "plain"},
		{filepath.Join(folder(t, "x.jinja", "{{ bos_token }}alone"), "x.jinja"), "alone"},
	} {
		got, err := write(t, c.path)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	w, err := completion.Own(dir, eval.Prompt, nil, jinja.Transformers())
	require.NoError(t, err)
	assert.Equal(t, 4096, w.Context())
	assert.Equal(t, `{'add_special_tokens': False}`, pyval.Repr(w.Body("<s>x")))
	assert.Equal(t, `{}`, pyval.Repr(w.Body("x")))
	assert.Regexp(t, `^chat_template.jinja sha256:[0-9a-f]{16}$`, completion.Name(filepath.Join(dir, "chat_template.jinja")))
	assert.Equal(t, "upstream", completion.Name(completion.Upstream))
}

// TestCompletionBadSources: what is wrong is said with the file, and what to do.
func TestCompletionBadSources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, want string }{
		{filepath.Join(t.TempDir(), "none.jinja"), "no such file"},
		{t.TempDir(), "has no chat_template: give the model's chat_template.jinja"},
		{filepath.Join(folder(t, "tokenizer_config.json", `{"bos_token": "<s>"}`), "tokenizer_config.json"), "has no chat_template"},
		{folder(t, "tokenizer_config.json", `{"chat_template": [`), "line 1"},
		{folder(t, "tokenizer_config.json", `[]`), "must be a JSON object"},
		{folder(t, "tokenizer_config.json", `{"chat_template": [5]}`), "not of int"},
		{folder(t, "tokenizer_config.json", `{"chat_template": [{"name": "rag", "template": "x"}]}`), "none is named default"},
		{folder(t, "chat_template.jinja", "a\n{% if %}"), "chat_template.jinja, line 2: "},
		{folder(t, "chat_template.jinja", "a\n\n{{ messages[0].x.y }}"), "chat_template.jinja, line 3: 'dict object' has no attribute 'x'"},
	} {
		_, err := write(t, c.path)
		assert.ErrorContains(t, err, c.want)
	}
	both := folder(t, "tokenizer_config.json", `{"chat_template": [{"name": "tool_use", "template": "{% if %}"}, {"name": "default", "template": "{% for %}"}]}`)
	for range 50 { // of two that are wrong the same each time
		_, err := write(t, both)
		require.ErrorContains(t, err, "tokenizer_config.json (default), line 1: ")
	}
}
