package report

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/test/testkit"
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
		v := testkit.Must(pyval.ParseJSON(test.src))(t)
		assert.Equal(t, test.want, pretty(v, ""))
	}
	deep := testkit.Must(pyval.ParseJSON(strings.Repeat("[", 900) + strings.Repeat("]", 900)))(t)
	assert.Less(t, len(pretty(deep, "")), 10_000)
	assert.Equal(t, "b'x'", pretty(pyval.Bytes("x"), ""), "what JSON cannot hold")
}

func TestCallsOf(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []call
	}{
		{`[{"f": {"x": [1, ""], "y": "5"}}]`, []call{{"f", [][2]string{{"x", `[1, ""]`}, {"y", `"5"`}}}}},
		{`["f(x=1)", {"f": 1}, {"f": {}}]`, []call{{Name: "f(x=1)"}, {Name: `{"f": 1}`}, {Name: "f", Args: [][2]string{}}}},
		{`[{"f\u202e": {"\u001b": "<b>"}}]`, []call{{`f\u202e`, [][2]string{{`\x1b`, `"<b>"`}}}}},
		{`"text"`, nil},
	} {
		v := testkit.Must(pyval.ParseJSON(test.src))(t)
		assert.Equal(t, test.want, callsOf(v), test.src)
	}
	many := &pyval.List{Items: make([]pyval.Value, 1000)}
	for i := range many.Items {
		many.Items[i] = pyval.Str("f()")
	}
	assert.Len(t, callsOf(many), mostCalls)
}

// conversation is a case of two turns on simulators.
func conversation(t testing.TB) (*eval.Category, *eval.Case) {
	t.Helper()
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cat := dataset.Categories().Find("multi_turn_base")
	cases := testkit.Must(dataset.Cases(cat))(t)
	return cat, cases[0]
}

func playedOf(cat *eval.Category, c *eval.Case, row *record.Row) (answer, detail) {
	e := &Entry{run: &tally.Run{Run: record.Run{Mode: eval.FC, UnderscoreToDot: true}}}
	var d detail
	out := engine.Judge(cat, c, new(row.Response()), eval.SettingsFor(eval.FC))
	return e.answer(cat, &out, &d), d
}

// TestConversation: what the model did stands beside what was expected, results and
// changes of the state with it, and the turn that failed is marked.
func TestConversation(t *testing.T) {
	cat, c := conversation(t)
	right := oracle.Answer(c, eval.FC)
	text := testkit.Must(pyval.JSON(right, pyval.JSONUnicode))(t)
	a, d := playedOf(cat, c, rowOf(t, `{"id": "x", "result": `+text+`}`))
	require.Equal(t, "pass", a.Status)
	require.Len(t, a.Talk, len(c.Turns))
	changed := 0
	for i, turn := range a.Talk {
		assert.NotEqual(t, "fail", turn.Outcome)
		var made []trace.Call
		for _, s := range turn.Steps {
			made = append(made, s.Calls...)
			changed += len(s.Changes)
		}
		require.Len(t, made, len(d.Expected[i]))
		for k := range made {
			assert.Equal(t, d.Expected[i][k].Result, made[k].Result, "the oracle calls what is expected")
		}
	}
	assert.Positive(t, changed)
	wrong := strings.TrimSuffix(strings.Repeat(`[[{"ls": "{}"}], []],`, len(c.Turns)), ",")
	a, _ = playedOf(cat, c, rowOf(t, `{"id": "x", "result": [`+wrong+`]}`))
	assert.Equal(t, "fail", a.Status)
	fails := 0
	for _, turn := range a.Talk {
		if turn.Outcome == "fail" {
			fails++
		}
	}
	assert.Equal(t, 1, fails)
}

func rowOf(t *testing.T, line string) *record.Row {
	t.Helper()
	path := t.TempDir() + "/" + record.FileName("multi_turn_base")
	require.NoError(t, record.WriteFile(path, []byte(line+"\n")))
	rows := testkit.Must(record.Read(path, false))(t)
	require.Len(t, rows, 1)
	return &rows[0]
}

// FuzzPlay: an answer of any form is played, and is safe to look at.
func FuzzPlay(f *testing.F) {
	f.Add(`[[["cd(folder='x\u202e')"], "text\u001b"], 5, [[{"f": 1}]]]`)
	f.Add(`[[[["ls()"]]], {}, null]`)
	f.Add(`"Error"`)
	cat, c := conversation(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := pyval.ParseJSON(text)
		if err != nil {
			return
		}
		entry := pyval.NewDict(1)
		entry.SetStr("result", v)
		a, _ := playedOf(cat, c, &record.Row{ID: c.ID, Result: v, Entry: entry})
		shown := testkit.Must(json.Marshal(a))(t)
		var back any
		require.NoError(t, json.Unmarshal(shown, &back))
		printable(t, back)
	})
}

// printable fails for a text that is not safe to look at.
func printable(t *testing.T, v any) {
	switch v := v.(type) {
	case string:
		for _, c := range v {
			if c != '\n' && c != '\t' && !strconv.IsPrint(c) {
				t.Fatalf("%q in %q", c, v)
			}
		}
	case []any:
		for _, item := range v {
			printable(t, item)
		}
	case map[string]any:
		for key, item := range v {
			printable(t, key)
			printable(t, item)
		}
	}
}

// TestChunksStaySmall: to show a case little is unpacked.
func TestChunksStaySmall(t *testing.T) {
	var p packer
	for i := range 100 {
		chunk, place := p.add(encoded(strings.Repeat("x", chunkSize/10)))
		assert.Equal(t, []int{i / 9, i % 9}, []int{chunk, place}, "nine with their quotes and commas fit, ten do not")
	}
	_, place := p.add(encoded(strings.Repeat("x", 2*chunkSize)))
	assert.Zero(t, place, "what is too big has a chunk of its own")
}

// TestShortNames: runs are told apart by what differs, and by nothing else.
func TestShortNames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ names, want []string }{
		{[]string{"m"}, []string{"m"}},
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"m (x/v0.10.2)", "m (x/v0.11.0)"}, []string{"v0.10.2", "v0.11.0"}},
		{[]string{"m (/s/v1/result)", "m (/s/v2/result)"}, []string{"m (/s/v1/result)", "m (/s/v2/result)"}},
		{[]string{"m (a/b)", "m (b/c)"}, []string{"b", "c"}},
		{[]string{"m (a)", "n (a)"}, []string{"m", "n"}},
		{[]string{"m (a)", "m (b)", "n"}, []string{"m (a)", "m (b)", "n"}},
		{[]string{"m (a)", "m (a)"}, []string{"m (a)", "m (a)"}},
		{[]string{"m ()", "m (b)"}, []string{"m ()", "m (b)"}},
		{nil, []string{}},
	} {
		assert.Equal(t, row.want, shortNames(row.names))
	}
}
