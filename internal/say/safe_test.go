package say_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/say"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestSafeMarkdown(t *testing.T) {
	const hostile = "a|b `c` *d* [e](http://f.example) ![g](x) <img src=x> &#60; @all #12 www.h.example ~~i~~ \\ \x1b\n---"
	for _, text := range []string{say.Markdown(hostile, 500), say.PlainMarkdown(hostile)} {
		for _, mark := range []string{"|", "`", "*", "[", "]", "<", ">", "@", " #", "://", "www.", "~", `\`} {
			assert.NotContains(t, text, mark)
		}
		assert.Contains(t, text, "&amp;&#35;60;")
	}
	assert.NotContains(t, say.Markdown(hostile, 500), "\n")
	assert.Equal(t, "gpt-4.1, 99%", say.PlainMarkdown("gpt-4.1, 99%"))
}

func TestSafeJSON(t *testing.T) {
	const hostile = "é<&> \x00\x1b[31m\x7f\u009b31m\u202e\u2028\ue000\U000e0041 世界"
	text, err := json.Marshal(map[string]string{hostile: hostile})
	require.NoError(t, err)
	escaped := say.JSON(text)
	for _, r := range string(escaped) {
		assert.True(t, unicode.IsPrint(r), "%q", r)
	}
	assert.Contains(t, string(escaped), `\u007f\u009b31m\u202e\u2028\ue000\udb40\udc41 世界`)
	var got map[string]string
	require.NoError(t, json.Unmarshal(escaped, &got))
	assert.Equal(t, map[string]string{hostile: hostile}, got)
	assert.Equal(t, "{\n  \"a\": 1\n}\n", string(say.JSON([]byte("{\n  \"a\": 1\n}\n"))))
}

func TestSafeQuote(t *testing.T) {
	assert.Equal(t, `"a\nb"`, say.Quote("a\nb", 10))
	assert.Equal(t, `"é"… (4 bytes)`, say.Quote("éé", 3))
	assert.Equal(t, "é", say.Cut("éé", 3))
	assert.Equal(t, `say "x"\n`, say.Plain("say \"x\"\n", 20))
}

// FuzzSafe checks that any text comes out as printable characters on
// one line, however long it is.
func FuzzSafe(f *testing.F) {
	f.Add("x\n--- PASS: TestBFCL/a (0.00s)\n", 80)
	f.Add("\x16=== ATTR  TestBFCL k v\x1b[31m\u202e]]>\x00\xff", 7)
	f.Add(strings.Repeat("é", 5000), 1)
	f.Fuzz(func(t *testing.T, said string, limit int) {
		limit = min(max(limit, 1), 1<<16)
		for _, text := range []string{say.Quote(said, limit), say.Plain(said, limit), say.Markdown(said, limit), say.Printable(said, limit)} {
			if !utf8.ValidString(text) {
				t.Errorf("no UTF-8: %q", text)
			}
			for _, r := range text {
				if !unicode.IsPrint(r) {
					t.Errorf("%q in %q", r, text)
				}
			}
		}
	})
}

func TestShellWord(t *testing.T) {
	assert.Equal(t, "-model=a:b/c", say.ShellWord("-model=a:b/c"))
	assert.Equal(t, "'-model=command:my prog'", say.ShellWord("-model=command:my prog"))
	assert.Equal(t, `'it'\''s $HOME'`, say.ShellWord("it's $HOME"))
	assert.Equal(t, "''", say.ShellWord(""))
}
