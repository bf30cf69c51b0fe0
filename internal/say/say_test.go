package say_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestIntervals(t *testing.T) {
	const about = "Intervals are about other cases of this kind, not about these again."
	for want, units := range map[string]map[string]int{
		about: {"case": 3},
		about + " Cases that belong together count once: 9 cases, 5 memory scenarios, 2 question families, 1 conversation.": {
			"case": 9, "memory scenario": 5, "question family": 2, "conversation": 1,
		},
		about + " Cases that belong together count once: 5 memory scenarios.": {"memory scenario": 5},
	} {
		assert.Equal(t, want, say.Intervals(units))
	}
}

func TestSigned(t *testing.T) {
	assert.Equal(t, "−1.50 to +2.00", say.Signed("%+.2f to %+.2f", -1.5, 2.0))
	for format, want := range map[string]string{"%.2f": "0.00", "%+.2f": "0.00", "%.1f points": "0.0 points", "(%.0f)": "(0)", "%.4f": "−0.0020"} {
		assert.Equal(t, want, say.Signed(format, -0.002), format)
	}
	assert.Equal(t, "0.00, −10.00, −0.50", say.Signed("%.2f, %.2f, %.2f", -0.0001, -10.0, -0.5))
}

func TestCountOf(t *testing.T) {
	for n, want := range map[int]string{0: "0 cases", 1: "1 case", 2: "2 cases", 1000: "1000 cases"} {
		assert.Equal(t, want, say.Count(n, "case", "cases"))
	}
}

func TestMisuseIs(t *testing.T) {
	t.Parallel()
	marked := option.Misuse("read %s: %w", "x", os.ErrNotExist)
	for _, row := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{option.MarkMisuse(nil), false},
		{errors.New("x"), false},
		{marked, true},
		{fmt.Errorf("gate: %w", marked), true},
		{errors.Join(errors.New("x"), option.MarkMisuse(errors.New("y"))), true},
	} {
		assert.Equal(t, row.want, option.IsMisuse(row.err), "%v", row.err)
	}
	assert.EqualError(t, marked, "read x: file does not exist")
	assert.ErrorIs(t, marked, os.ErrNotExist)
}

func TestNearHint(t *testing.T) {
	known := []string{"base_url", "temperature", "max_tokens", "max_cost", "max_cases", "max_calls", "gpt-4.1-mini"}
	for name, want := range map[string]string{
		"base_ulr":                     `; did you mean "base_url"?`,
		"BASE_URL":                     `; did you mean "base_url"?`,
		"max_token":                    `; did you mean "max_tokens"?`,
		"max_c":                        `; did you mean "max_calls" or "max_cases" or "max_cost"?`,
		"mini":                         `; did you mean "gpt-4.1-mini"?`,
		"the_temperature":              `; did you mean "temperature"?`,
		"zzz":                          "; known are " + strings.Join(known, ", "),
		strings.Repeat("é", 1_000_000): "; known are " + strings.Join(known, ", "),
	} {
		assert.Equalf(t, want, say.Hint(name, known), "%.20q", name)
	}
	assert.Empty(t, say.Hint("x", nil))
	assert.Empty(t, say.Hint("base_url", known), "the name itself")
	assert.Empty(t, say.Hint("zzz", strings.Split(strings.Repeat("abcdefgh ", 50), " ")[:50]))
}

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
	text := testkit.Must(json.Marshal(map[string]string{hostile: hostile}))(t)
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

func TestTable(t *testing.T) {
	one := &say.Table{Head: []string{"", "n"}}
	one.Add("é", "100")
	one.Add("a|b\x1b", "7")
	var text, markdown strings.Builder
	one.Text(&text)
	assert.Equal(t, "           n\né        100\na|b\\x1b    7\n", text.String())
	one.Markdown(&markdown)
	assert.Equal(t, "|  | n |\n|---|---:|\n| é | 100 |\n| a&#124;b&#92;x1b | 7 |\n\n", markdown.String())
	(&say.Table{}).Text(&text)
	assert.True(t, strings.HasSuffix(text.String(), "7\n"), "an empty table writes nothing")
}

func TestTableFit(t *testing.T) {
	wide := &say.Table{Head: []string{"name", "first", "second", "third"}, Spare: []string{"third", "first"}}
	wide.Add("a", "1", "2", "3")
	for _, c := range []struct {
		width int
		head  string
		left  []string
	}{
		{80, "name  first  second  third", nil},
		{26, "name  first  second  third", nil},
		{25, "name  first  second", []string{"third"}},
		{18, "name  second", []string{"first", "third"}},
		{1, "name  second", []string{"first", "third"}},
	} {
		fitted, left := wide.Fit(c.width)
		var b strings.Builder
		fitted.Text(&b)
		head, _, _ := strings.Cut(b.String(), "\n")
		assert.Equal(t, c.head, head, c.width)
		assert.Equal(t, c.left, left, c.width)
	}
	assert.Len(t, wide.Rows[0], 4, "the table itself stays whole")
}

func TestTableColour(t *testing.T) {
	painted := &say.Table{Head: []string{"name"}, Colour: func(row int) int { return 31 * (row % 2) }}
	painted.Add("a")
	painted.Add("b")
	var b strings.Builder
	painted.Text(&b)
	assert.Equal(t, "name\na\n\x1b[31mb\x1b[0m\n", b.String())
	b.Reset()
	painted.Markdown(&b)
	assert.NotContains(t, b.String(), "\x1b")
}
