package report

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestVisible(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"plain", "plain"},
		{"two\nlines\tand a tab", "two\nlines\tand a tab"},
		{"\x1b[31m\x00", `\x1b[31m\x00`},
		{"a\u202eb\u2066", `a\u202eb\u2066`},
		{"שלום", "שלום"},
		{`</script> & "quotes"`, `</script> & "quotes"`},
		{"\xff", "\ufffd"},
		{strings.Repeat("é", 60), strings.Repeat("é", 50) + "\n… (120 bytes)"},
	} {
		assert.Equal(t, test.want, visible(test.src, 101))
	}
}

func TestPretty(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`[{"f": {"x": [1, 1.0]}}]`, `[{"f": {"x": [1, 1.0]}}]`},
		{`{"long": "` + strings.Repeat("x", 80) + `", "b": []}`, "{\n  \"long\": \"" + strings.Repeat("x", 80) + "\",\n  \"b\": []\n}"},
		{`"` + strings.Repeat("y", 100) + `"`, `"` + strings.Repeat("y", 100) + `"`},
	} {
		v, err := pyval.ParseJSON(test.src)
		require.NoError(t, err)
		assert.Equal(t, test.want, pretty(v, ""))
	}
	deep, err := pyval.ParseJSON(strings.Repeat("[", 900) + strings.Repeat("]", 900))
	require.NoError(t, err)
	assert.Less(t, len(pretty(deep, "")), 10_000)
	assert.Equal(t, "b'x'", pretty(pyval.Bytes("x"), ""), "what JSON cannot hold")
}

func TestPlainDiff(t *testing.T) {
	assert.Equal(t, "- \"a\": \"[1]\"\n+ \"a\": \"2\"", plainDiff("      map[string]string{\n    - \t\"a\": \"[1]\",\n    + \t\"a\": \"2\",\n      }"))
	assert.Empty(t, plainDiff(""))
}

// TestConversationOfAnyForm: logs are anyone's; what has no place is left out.
func TestConversationOfAnyForm(t *testing.T) {
	c := &eval.Case{ID: "x", Turns: [][]eval.Message{{{Role: "user", Content: "one"}}, {}}}
	for _, test := range []struct {
		line string
		want []said
	}{
		{`{"id": "x", "result": [["hello"], [[{"f": "{}"}], []]]}`, []said{
			{1, 0, "user", "one"}, {1, 1, "assistant", "hello"}, {2, 1, "assistant", "f({})"}, {2, 2, "assistant", "(no call)"}}},
		{`{"id": "x", "result": "Error"}`, []said{{0, 0, "assistant", "Error"}}},
		{`{"id": "x", "result": [], "inference_log": [[{"role": "state_info"}], {"begin_of_turn_query": [{"role": "user", "content": "q"}], "step_0": [{"role": "handler_log", "content": "Successfully decoded model response."}, {"role": "tool", "content": "r"}], "step_1": 5, "step_2": [7, {"role": "handler_log", "content": "Error"}]}]}`,
			[]said{{1, 0, "user", "q"}, {1, 1, "tool", "r"}, {1, 3, "note", "Error"}}},
		{`{"id": "x", "result": [[3], 4], "inference_log": "none"}`, []said{{1, 0, "user", "one"}, {1, 1, "assistant", "3"}, {2, 1, "assistant", "4"}}},
	} {
		assert.Equal(t, test.want, conversation(c, rowOf(t, test.line)), test.line)
	}
}

func rowOf(t *testing.T, line string) *record.Row {
	t.Helper()
	path := t.TempDir() + "/" + record.FileName("multi_turn_base")
	require.NoError(t, record.WriteFile(path, []byte(line+"\n")))
	rows, err := record.Read(path, false)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return &rows[0]
}

// FuzzTalk: a log of any form makes messages that are safe to look at.
func FuzzTalk(f *testing.F) {
	f.Add(`[{"begin_of_turn_query": [{"role": "user", "content": "q\u202e"}], "step_0": [{"role": "\u001b", "content": [{"f": 1}]}]}]`)
	f.Add(`[{"step_99999999999999999999": [{}], "step_": [[]]}, [], 1, null]`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := pyval.ParseJSON(text)
		log, ok := v.(*pyval.List)
		if err != nil || !ok {
			return
		}
		r := &talkReader{}
		r.log(log)
		for _, m := range r.said {
			for _, text := range []string{m.Role, m.Text} {
				for _, c := range text {
					if c != '\n' && c != '\t' && !strconv.IsPrint(c) {
						t.Fatalf("%q in %q", c, text)
					}
				}
			}
		}
	})
}

// TestChunksStaySmall: to show a case little is unpacked.
func TestChunksStaySmall(t *testing.T) {
	var p packer
	for i := range 100 {
		chunk, place, err := p.add(strings.Repeat("x", chunkSize/10))
		require.NoError(t, err)
		assert.Equal(t, []int{i / 9, i % 9}, []int{chunk, place}, "nine with their quotes fit, ten do not")
	}
	_, place, err := p.add(strings.Repeat("x", 2*chunkSize))
	require.NoError(t, err)
	assert.Zero(t, place, "what is too big has a chunk of its own")
}
