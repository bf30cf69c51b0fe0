package pose_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// anyTexts has a text of the test's own wherever a handler asks for one.
func anyTexts() completion.Texts {
	texts := map[string]string{}
	for _, key := range []string{"system", "instructions", "before", "after", "alone", "task", "format", "tools"} {
		texts[key] = "<" + key + ">"
	}
	template := "{% for m in messages %}[{{ m.role }}] {{ m.content }}{% for c in m.tool_calls %}({{ c|tojson }}){% endfor %}{% endfor %}"
	texts["template"], texts["template Phi-4-mini"] = template, template
	out := completion.Texts{}
	for _, dialect := range completion.Dialects() {
		out[dialect] = texts
	}
	return out
}

// TestCompletionHandlers writes a conversation for each dialect: all that was said
// stands in it, whatever the model wrote.
func TestCompletionHandlers(t *testing.T) {
	t.Parallel()
	doc := adaptertest.Doc(t, `{"name": "a.f", "description": "F.", "parameters": {"type": "dict", "properties": {"x": {"type": "integer", "description": "X.", "default": 1}}, "required": ["x"]}}`)
	raw := adaptertest.Doc(t, `{"role": "assistant", "content": "", "tool_calls": [{"name": "f"}, 5, {"function": {"name": "f", "arguments": {}}}]}`)
	messages := []eval.Message{
		{Role: "system", Content: "Brief."}, {Role: "user", Content: "First."},
		{Role: "assistant", Content: "Well.", Raw: adaptertest.Doc(t, `{"role": "assistant", "content": "Well."}`)},
		{Role: "tool", Name: "a.f(x=1)", Content: `{"y": [1, null, "z"]}`}, {Role: "user", Content: "Second."},
		{Role: "assistant", Raw: raw},
	}
	for _, dialect := range completion.Dialects() {
		h, err := completion.NewHandler(dialect, "some model", anyTexts(), adaptertest.Wording(t))
		require.NoError(t, err, dialect)
		got, err := h.Write(messages, []*pyval.Dict{doc}, nil)
		require.NoError(t, err, dialect)
		assert.Contains(t, got, "First.", dialect)
		for _, later := range []string{"Well.", "Second."} {
			assert.Equal(t, dialect != "thinkagent", strings.Contains(got, later), "%s: %s", dialect, got)
		}
		assert.Zero(t, h.Context(), dialect)
		assert.Equal(t, dialect == "glm", h.Body("").Has("stop_token_ids"), dialect)
		_, err = h.Write(nil, nil, nil)
		if err != nil {
			assert.Equal(t, "chat_template", eval.InfraKind(err), dialect)
		}
	}
	assert.True(t, completion.Underscores("glm"))
	assert.False(t, completion.Underscores("qwen-fc"))
}

// TestCompletionNoHandler: what there is no handler for is said, with the way out.
func TestCompletionNoHandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialect, want string }{
		{"", "-chat-template=upstream needs -dialect"},
		{"falcon3", "give -chat-template=<the model's folder>"},
		{"minicpm-fc", "give -chat-template=<the model's folder>"},
		{"hermes", `no prompts of its own for the dialect "hermes"`},
		{"qwen-fc", "upstream's text qwen-fc.template is missing: `bfcl fetch v4` derives it"},
	} {
		testkit.Fails(completion.NewHandler(c.dialect, "m", nil, nil))(t, c.want)
	}
	assert.ErrorContains(t, testkit.Err(completion.NewHandler("arch", "m", completion.Texts{"arch": {"template": "a\n{% if %}"}}, nil)), "upstream's template of arch, line 2")
}

// FuzzCompletionReadTexts reads any file of texts: a text or an error that names it.
func FuzzCompletionReadTexts(f *testing.F) {
	for _, seed := range []string{`{}`, `{"arch": {"template": "x"}}`, `{"arch": 5}`, `[`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := completion.ReadTexts(data); err != nil {
			assert.ErrorContains(t, err, completion.TextsFile)
		}
	})
}

// TestCompletionChats: a model is told its functions where upstream's handler tells them,
// and what it says is kept as there.
func TestCompletionChats(t *testing.T) {
	t.Parallel()
	tool := pyval.NewDict(1)
	tool.SetStr("name", pyval.Str("f"))
	texts := completion.Texts{"dm-cito": {"before": "<", "after": ">"}, "nemotron": {"before": "<", "between": "> "}}
	talk := []eval.Message{{Role: "system", Content: "S"}, {Role: "user", Content: "Q"}, {Role: "assistant", Content: "A"}, {Role: "user", Content: "More"}}
	for name, want := range map[string]string{
		"dm-cito":  "system:<[{'name': 'f'}]>\n\nS|user:Q|assistant:A|user:More|",
		"nemotron": "system:<[{'name': 'f'}]> S\n\nQ|assistant:A|user:More|",
	} {
		c := testkit.Must(completion.NewChat(name, texts))(t)
		got := ""
		for _, m := range c.Messages(talk, []*pyval.Dict{tool}, nil) {
			got += m.Role + ":" + m.Content + "|"
		}
		assert.Equal(t, want, got)
	}
	c := testkit.Must(completion.NewChat("dm-cito", texts))(t)
	for text, want := range map[string]string{
		"<think>\n</think>\n<tool_calls>\n[{\"name\": \"f\"}]\n</tool_calls>": "[{'name': 'f'}]",
		"<tool_calls>\n oops \n</tool_calls>":                                 "'oops'", "[cat(a=1)]": "'[cat(a=1)]'", "5": "5", "<tool_calls>[]</tool_calls>": "'<tool_calls>[]</tool_calls>'",
	} {
		assert.Equal(t, want, pyval.Repr(c.Kept(pyval.Str(text))), text)
	}
	assert.ErrorContains(t, testkit.Err(completion.NewChat("nemotron", completion.Texts{})), "nemotron.before is missing: `bfcl fetch v4`")
	assert.ErrorContains(t, completion.CheckChat("nemotro"), "nemotron")
	assert.NoError(t, completion.CheckChat(""))
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
	dir := testkit.Folder(t, map[string]string{"chat_template.jinja": src, "tokenizer_config.json": config, "config.json": `{"max_position_embeddings": 4096}`})
	named := testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]}`})
	for _, c := range []struct{ path, want string }{
		{dir, "<s>Hi.</s>"},
		{filepath.Join(dir, "chat_template.jinja"), "<s>Hi.</s>"},
		{filepath.Join(dir, "tokenizer_config.json"), "<s>config Hi."},
		{testkit.Folder(t, map[string]string{"tokenizer_config.json": config}), "<s>config Hi."},
		{testkit.Folder(t, map[string]string{"chat_template.json": `{"chat_template": "json"}`}), "json"},
		{named, "plain"},
		{filepath.Join(testkit.Folder(t, map[string]string{"x.jinja": "{{ bos_token }}alone"}), "x.jinja"), "alone"},
	} {
		assert.Equal(t, c.want, testkit.Must(write(t, c.path))(t))
	}
	w := testkit.Must(completion.Own(dir, eval.Prompt, nil, jinja.Transformers()))(t)
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
		{filepath.Join(testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"bos_token": "<s>"}`}), "tokenizer_config.json"), "has no chat_template"},
		{testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"chat_template": [`}), "line 1"},
		{testkit.Folder(t, map[string]string{"tokenizer_config.json": `[]`}), "must be a JSON object"},
		{testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"chat_template": [5]}`}), "not of int"},
		{testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "rag", "template": "x"}]}`}), "none is named default"},
		{testkit.Folder(t, map[string]string{"chat_template.jinja": "a\n{% if %}"}), "chat_template.jinja, line 2: "},
		{testkit.Folder(t, map[string]string{"chat_template.jinja": "a\n\n{{ messages[0].x.y }}"}), "chat_template.jinja, line 3: 'dict object' has no attribute 'x'"},
	} {
		testkit.Fails(write(t, c.path))(t, c.want)
	}
	both := testkit.Folder(t, map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "tool_use", "template": "{% if %}"}, {"name": "default", "template": "{% for %}"}]}`})
	for range 50 { // of two that are wrong the same each time
		testkit.Fails(write(t, both))(t, "tokenizer_config.json (default), line 1: ")
	}
}
