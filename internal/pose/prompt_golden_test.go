package pose_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func officialWording(t testing.TB) *prompt.Wording {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v4", "prompts.json")))(t)
	return testkit.Must(prompt.Load(data))(t)
}

// officialCases reads a category of the official dataset.
func officialCases(t testing.TB, category string) []*eval.Case {
	t.Helper()
	var out []*eval.Case
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "BFCL_v4_"+category+".json"), func(_ int, row *pyval.Dict) {
		c := &eval.Case{ID: testkit.Text(row, "id"), Category: category, Language: categories.Find(category).Language}
		for _, doc := range testkit.Field(row, "function").(*pyval.List).Items {
			c.Tools = append(c.Tools, doc.(*pyval.Dict))
		}
		for _, turn := range testkit.Field(row, "question").(*pyval.List).Items {
			c.Turns = append(c.Turns, messages(turn))
		}
		out = append(out, c)
	})
	return out
}

func messages(v pyval.Value) []eval.Message {
	var out []eval.Message
	for _, m := range v.(*pyval.List).Items {
		d := m.(*pyval.Dict)
		out = append(out, eval.Message{Role: testkit.Text(d, "role"), Content: testkit.Text(d, "content")})
	}
	return out
}

// officialVariations are the cases of format_sensitivity, by id and in order.
func officialVariations(t testing.TB, w *prompt.Wording) (map[string]*eval.Case, []*eval.Case) {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v4", "BFCL_v4_format_sensitivity.json")))(t)
	listings := testkit.Must(prompt.ParseListing(data))(t)
	cases, err := w.Variations(listings, func(category string) ([]*eval.Case, error) { return officialCases(t, category), nil })
	require.NoError(t, err)
	byID := map[string]*eval.Case{}
	for _, c := range cases {
		byID[c.ID] = c
	}
	return byID, cases
}

func TestGoldenPromptConfigs(t *testing.T) {
	configs := prompt.Configs()
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "configs.jsonl"), func(c *testkit.Comparison) {
		require.NotEmpty(t, configs)
		assert.Equal(c, testkit.Text(c.Row, "config"), configs[0].String())
		assert.Equal(c, wantConfig(c.Row), configs[0])
		configs = configs[1:]
	})
	assert.Empty(t, configs)
}

func wantConfig(row *pyval.Dict) prompt.Config {
	return prompt.Config{
		Return: prompt.ReturnFormat(testkit.Text(row, "return_format")),
		Tag:    testkit.Flag(row, "has_tool_call_tag"),
		Doc:    prompt.DocFormat(testkit.Text(row, "function_doc_format")),
		Layout: prompt.Layout(testkit.Text(row, "prompt_format")),
		Style:  prompt.Style(testkit.Text(row, "prompt_style")),
	}
}

func TestGoldenPromptParseConfig(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "parse.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		in := testkit.Text(row, "in")
		got, err := prompt.ParseConfig(in)
		out, ok := testkit.Field(row, "result").(*pyval.Dict).GetStr("out")
		if !ok {
			assert.Error(c, err, "%q", in)
			return
		}
		want := testkit.Tagged(t, out).(*pyval.Tuple).Items
		text := func(i int) string { return pyval.Text(want[i]) }
		assert.NoError(c, err)
		assert.Equal(c, prompt.Config{
			Return: prompt.ReturnFormat(text(0)), Tag: bool(want[1].(pyval.Bool)),
			Doc: prompt.DocFormat(text(2)), Layout: prompt.Layout(text(3)), Style: prompt.Style(text(4)),
		}, got, "%q", in)
	})
}

func TestGoldenPromptFunctions(t *testing.T) {
	w := officialWording(t)
	_, cases := officialVariations(t, w)
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "functions.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		source := testkit.Text(row, "source")
		for _, item := range cases {
			if !strings.HasSuffix(item.ID, ":"+source) {
				continue
			}
			docs := testkit.Must(w.Tools.HintedAll(item.Tools, eval.Python))(t)
			got := &pyval.List{}
			for _, doc := range docs {
				got.Items = append(got.Items, doc)
			}
			want := testkit.Tagged(t, testkit.Field(row, "function"))
			c.Same(source, pyval.Repr(want), pyval.Repr(got))
			return
		}
		c.Errorf("case %s missing", source)
	})
}

// samePrompt poses a case and compares all messages.
func samePrompt(c *testkit.Comparison, w *prompt.Wording, item *eval.Case) {
	c.Helper()
	id := testkit.Text(c.Row, "id")
	require.NotNil(c, item, id)
	want := append([]eval.Message{{Role: "system", Content: testkit.Text(c.Row, "system_prompt")}},
		messages(testkit.Field(c.Row, "messages_after"))...)
	got, err := w.Pose(item)
	assert.NoError(c, err, id)
	assert.Equal(c, want, got, id)
}

func TestGoldenPrompts(t *testing.T) {
	w := officialWording(t)
	byID, _ := officialVariations(t, w)
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "prompts.jsonl"), func(c *testkit.Comparison) {
		samePrompt(c, w, byID[testkit.Text(c.Row, "id")])
	})
}

func TestGoldenPromptDefaultPrompts(t *testing.T) {
	w := officialWording(t)
	byID := map[string]*eval.Case{}
	seen := map[string]bool{}
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "default_prompts.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		id := testkit.Text(row, "id")
		category := id[:strings.LastIndexByte(id, '_')]
		if !seen[category] {
			seen[category] = true
			for _, c := range officialCases(t, category) {
				byID[c.ID] = c
			}
		}
		samePrompt(c, w, byID[id])
	})
}

func TestGoldenPromptDigests(t *testing.T) {
	w := officialWording(t)
	_, cases := officialVariations(t, w)
	testkit.Compare(t, testkit.GoldenFile(t, "format_sensitivity", "digests.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		config := testkit.Text(row, "config")
		if config == "*" {
			sameOrder(c, cases)
			return
		}
		sum, prompts := sha256.New(), int64(0)
		for _, item := range cases {
			if !strings.Contains(item.ID, ":"+config+":") {
				continue
			}
			got := testkit.Must(w.Pose(item))(t)
			require.Equal(t, "system", got[0].Role)
			_, _ = sum.Write([]byte(got[0].Content + "\x00"))
			prompts++
		}
		assert.Equal(c, testkit.Field(row, "prompts"), pyval.Value(pyval.MakeInt(prompts)), config)
		assert.Equal(c, testkit.Text(row, "sha256"), hex.EncodeToString(sum.Sum(nil)), config)
	})
}

func sameOrder(c *testkit.Comparison, cases []*eval.Case) {
	c.Helper()
	ids, sources, want := []string{}, []string{}, []string{}
	for i, item := range cases {
		ids = append(ids, item.ID)
		if i%len(prompt.Configs()) == 0 {
			sources = append(sources, item.ID[strings.LastIndexByte(item.ID, ':')+1:])
		}
	}
	for _, v := range c.Row.List("sources_in_order") {
		want = append(want, pyval.Text(v))
	}
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	assert.Equal(c, want, sources)
	assert.Equal(c, testkit.Text(c.Row, "ids_sha256"), hex.EncodeToString(sum[:]))
	assert.Equal(c, testkit.Field(c.Row, "ids"), pyval.Value(pyval.MakeInt(int64(len(ids)))))
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
		assert.Equal(t, c.want, testkit.Must(prompt.ConfigOf(c.id))(t))
	}
	for _, id := range []string{"a:b", "a:b:c:d", "a:b:c"} {
		assert.Error(t, testkit.Err(prompt.ConfigOf(id)), id)
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

func loadTwo(t testing.TB) func(string) ([]*eval.Case, error) {
	return func(category string) ([]*eval.Case, error) {
		if category == "none" {
			return nil, errors.New("no such file")
		}
		var out []*eval.Case
		for _, id := range []string{"_0", "_1", "_2"} {
			out = append(out, &eval.Case{ID: category + id, Category: category, Line: 7,
				Tools: []*pyval.Dict{parse(t, `{"name":"f","description":"D","parameters":{"properties":{}}}`)}})
		}
		return out, nil
	}
}

func TestPromptVariations(t *testing.T) {
	w := starterWording(t)
	listings := testkit.Must(prompt.ParseListing([]byte(`{"multiple":["multiple_2","multiple_0"],"empty":[],"parallel":["parallel_1"]}`)))(t)
	cases := testkit.Must(w.Variations(listings, loadTwo(t)))(t)
	require.Len(t, cases, 3*26)
	for i, c := range cases {
		assert.Equal(t, prompt.Configs()[i%26], testkit.Must(prompt.ConfigOf(c.ID))(t))
		assert.Equal(t, "format_sensitivity", c.Category)
		assert.Equal(t, 7, c.Line)
	}
	first := "format_sensitivity_0:" + prompt.Configs()[0].String() + ":"
	assert.Equal(t, first+"multiple_0", cases[0].ID, "the file's order counts, not the listing's")
	assert.Equal(t, "format_sensitivity_77:"+prompt.Configs()[25].String()+":parallel_1", cases[77].ID)
	got := testkit.Must(w.Pose(cases[0]))(t)
	assert.Contains(t, got[0].Content, "D (A Python function.) (A Python function.)")
}

func TestPromptVariationsErrors(t *testing.T) {
	w := starterWording(t)
	for _, c := range []struct {
		listing prompt.Listing
		want    string
	}{
		{prompt.Listing{Category: "none", IDs: []string{"x"}}, "format_sensitivity: no such file"},
		{prompt.Listing{Category: "multiple", IDs: []string{"multiple_0", "multiple_9"}}, `case "multiple_9", which category multiple does not have`},
	} {
		assert.ErrorContains(t, testkit.Err(w.Variations([]prompt.Listing{c.listing}, loadTwo(t))), c.want)
	}
	for _, c := range []struct{ src, want string }{
		{`{`, "line 1"}, {`[]`, "must be an object, not list"},
		{`{"a":5}`, `"a": must be a list of ids, not int`}, {`{"a":[null]}`, `an id must be a text, not NoneType`},
	} {
		testkit.Fails(prompt.ParseListing([]byte(c.src)))(t, c.want)
	}
}

func FuzzPromptParseListing(f *testing.F) {
	f.Add([]byte(`{"multiple":["multiple_2"]}`))
	f.Add([]byte(`{"a":5}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		listings, err := prompt.ParseListing(data)
		for _, l := range listings {
			assert.NoError(t, err)
			assert.NotEmpty(t, l.IDs)
		}
	})
}
