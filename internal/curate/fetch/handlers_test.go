package fetch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestQuotedTemplates finds templates in docstrings in each of the three ways
// in which handlers quote them.
func TestQuotedTemplates(t *testing.T) {
	t.Parallel()
	source := `class H:
    def a(self):
        """
        "bos_token": "<s>",
        "chat_template": "{{ a }}\n{% if
b %}\"c\"{% endif %}\n",
        """

    def b(self):
        """
        "chat_template":
        {%- if x %}
            {{- "\"q\n" }}
        {%- endif %}
        """

    def c(self):
        """
          one

            two
        """
        text = "some " "words"
        more = f"{x} and {y}"
`
	var all []string
	for _, doc := range newModule(source).docs() {
		all = append(all, quotedTemplates(doc)...)
	}
	for _, want := range []string{"{{ a }}\n{% if\nb %}\"c\"{% endif %}", "{%- if x %}\n    {{- \"\\\"q\\n\" }}\n{%- endif %}", "one\n\n  two"} {
		assert.Contains(t, all, want)
	}

	d := &deriver{sources: map[string][]byte{handlerFolder + "h.py": []byte(source), "other.py": []byte(`X = "no handler's"`)}, modules: map[string]*module{}}
	find := d.handlerShapes()
	text := handlerText{Parts: []string{fingerprint("some words"), fingerprint("{} and {}")}, After: "some ", Before: "nothing"}
	_, ok := text.find(find)
	assert.False(t, ok, "there is no %q behind %q", text.Before, text.After)
	text.Before = "s{}"
	got, ok := text.find(find)
	assert.True(t, ok)
	assert.Equal(t, "word", got)
	_, ok = find[fingerprint("no handler's")]
	assert.False(t, ok, "texts of other files do not count")
}

// TestHandlerTexts: of sources that have none of the texts, each is named.
func TestHandlerTexts(t *testing.T) {
	t.Parallel()
	files, missing, err := derive(map[string][]byte{handlerFolder + "arch.py": []byte("X = 1\n")}, "c")
	require.NoError(t, err)
	assert.Equal(t, "{}", string(files["handlers.texts"]))
	assert.Contains(t, strings.Join(missing, "\n"), "no handler has the text known as arch.template")
	seen := map[string]bool{}
	for _, text := range recipe().Handlers {
		assert.False(t, seen[text.Dialect+text.Key], "%s.%s stands twice", text.Dialect, text.Key)
		seen[text.Dialect+text.Key] = true
		assert.NotEmpty(t, text.Parts)
	}
}

// TestGoldenChatTexts: the texts of API models' handlers, as recorded requests
// have them, are found in sources that hold them.
func TestGoldenChatTexts(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	var source strings.Builder
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "api_requests.jsonl"), func(_ int, row *pyval.Dict) {
		handler := testkit.Text(row, "handler")
		kwargs := testkit.Field(testkit.Field(row, "request").(*pyval.Dict), "kwargs")
		if want["dm-cito.before"] != "" && handler == "DMCitoHandler" || want["nemotron.before"] != "" && handler == "NemotronHandler" || handler != "DMCitoHandler" && handler != "NemotronHandler" {
			return
		}
		messages := testkit.Field(kwargs.(*pyval.Dict), "messages").(*pyval.List)
		system := testkit.Text(messages.Items[0].(*pyval.Dict), "content")
		begin, end := strings.Index(system, "[{'name'"), strings.LastIndex(system, "}]")+2
		if handler == "NemotronHandler" {
			between := system[end:]
			between = between[:strings.LastIndex(between, "\n")+1]
			want["nemotron.before"], want["nemotron.between"] = system[:begin], between
			source.WriteString("N = " + pyval.Repr(pyval.Str(system[:begin]+"{functions}"+between+"{user_prompt}")) + "\n")
			return
		}
		head := strings.Index(system[begin:], "  \n</tools>\n") + begin
		want["dm-cito.before"], want["dm-cito.after"] = system[:begin], system[head:]
		const tail = "  \n</tools>\n"
		source.WriteString("A = " + pyval.Repr(pyval.Str(system[:begin]+"{}"+tail)) + "\nB = " + pyval.Repr(pyval.Str(system[head+len(tail):])) + "\n")
	})
	require.Len(t, want, 4)
	d := &deriver{sources: map[string][]byte{apiFolder + "x.py": []byte(source.String())}, modules: map[string]*module{}}
	find, equal := d.handlerShapes(), 0
	for _, text := range recipe().Handlers {
		if expected, ok := want[text.Dialect+"."+text.Key]; ok {
			got, _ := text.find(find)
			assert.Equal(t, expected, got, "%s.%s", text.Dialect, text.Key)
			equal++
		}
	}
	t.Logf("%d of %d texts of API models are derived as recorded", equal, len(want))
}
