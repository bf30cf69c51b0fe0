package pose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/pose/prompt"
)

func TestPromptParseConfig(t *testing.T) {
	all := append(prompt.Configs(), prompt.Config{
		Return: prompt.ReturnConciseXML, Tag: true, Doc: prompt.DocXML, Layout: prompt.Markdown, Style: prompt.Experimental,
	})
	for _, c := range all {
		got, err := prompt.ParseConfig(c.String())
		require.NoError(t, err)
		assert.Equal(t, c, got)
	}
	text := prompt.Default.String()
	for _, c := range []struct{ src, want string }{
		{"", "5 parts"},
		{text + "&", "5 parts"},
		{text + "\n\n", "part 5 must be style=classic|experimental"},
		{" " + text, "part 1 must be ret_fmt="},
		{strings.Replace(text, "False", "false", 1), "part 2 must be tool_call_tag=True|False"},
		{strings.Replace(text, "json", "yaml", 1), "part 3 must be func_doc_fmt="},
		{strings.Replace(text, "prompt_fmt", "prompt", 1), "part 4 must be prompt_fmt="},
		{strings.Replace(text, "&style", "\n&style", 1), "part 4"},
	} {
		_, err := prompt.ParseConfig(c.src)
		assert.ErrorContains(t, err, c.want, "%q", c.src)
	}
	_, err := prompt.ParseConfig(strings.Repeat("é\xff", 1<<20))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 2000, "hostile text is capped")
}

func TestPromptConfigOf(t *testing.T) {
	markdown := prompt.Default
	markdown.Layout = prompt.Markdown
	for _, c := range []struct {
		id   string
		want prompt.Config
	}{
		{"simple_python_3", prompt.Default},
		{"format_sensitivity_3:" + markdown.String() + ":simple_python_3", markdown},
	} {
		got, err := prompt.ConfigOf(c.id)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	for _, id := range []string{"a:b", "a:b:c:d", "a:b:c"} {
		_, err := prompt.ConfigOf(id)
		assert.Error(t, err, id)
	}
}

func FuzzPromptParseConfig(f *testing.F) {
	for _, c := range prompt.Configs()[:3] {
		f.Add(c.String())
	}
	f.Add("")
	f.Add("ret_fmt=python&&&&")
	f.Fuzz(func(t *testing.T, src string) {
		if c, err := prompt.ParseConfig(src); err == nil {
			assert.Equal(t, strings.TrimSuffix(src, "\n"), c.String())
		}
		_, _ = prompt.ConfigOf(src)
	})
}
