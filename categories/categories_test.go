package categories_test

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// today accepts the categories of today's release.
func today(c *eval.Category, _ bool) error {
	if c.Group == "v1" {
		return errors.New("of the first release")
	}
	return nil
}

func names(list []*eval.Category) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string
	}{
		{"multiple", []string{"multiple"}},
		{" parallel , simple_python,parallel", []string{"simple_python", "parallel"}},
		{"non_python", []string{"simple_java", "simple_javascript"}},
		{"non_python,multiple,", []string{"simple_java", "simple_javascript", "multiple"}},
		{"", nil},
	} {
		got := testkit.Must(categories.Standard().Select(c.list, today))(t)
		assert.Equal(t, c.want, names(got), c.list)
	}
}

func TestSelectErrors(t *testing.T) {
	assert.EqualError(t, testkit.Err(categories.Standard().Select("liv_simple", today)), "unknown category \"liv_simple\"; did you mean \"live_simple\"? (`bfcl models --categories` lists them all)")
	none := errors.New("not here")
	_, err := categories.Standard().Select("multiple", func(*eval.Category, bool) error { return none })
	require.ErrorIs(t, err, none)
	got, err := categories.Standard().Select("all", func(*eval.Category, bool) error { return none })
	require.NoError(t, err)
	assert.Empty(t, got, "a group shrinks to what there is")
}

func TestListed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range categories.All() {
		assert.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true
		assert.Same(t, c, categories.Find(c.Name))
		assert.NotNil(t, c.Decode, c.Name)
		assert.NotNil(t, c.Judge, c.Name)
		assert.Contains(t, eval.Groups(), c.Group, c.Name)
		assert.NotEmpty(t, c.Rule, c.Name)
	}
	for _, g := range categories.Standard().Groups() {
		for _, name := range g.Categories {
			assert.True(t, seen[name], "%s in %s", name, g.Name)
		}
	}
	assert.Nil(t, categories.Find("nope"))
}

// TestGoldenGroups compares groups with upstream's mapping, as far as their
// categories exist here.
func TestGoldenGroups(t *testing.T) {
	compared := 0
	text := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v4", "prompts.json")))(t)
	file := testkit.Must(pyval.ParseJSON(string(text)))(t)
	mapping := testkit.Field(testkit.Field(file.(*pyval.Dict), "category_mapping").(*pyval.Dict), "TEST_COLLECTION_MAPPING").(*pyval.Dict)
	v4 := map[string]bool{}
	for _, name := range testkit.Field(mapping, "all").(*pyval.List).Items {
		v4[pyval.Text(name)] = true
	}
	for _, g := range categories.Standard().Groups() {
		upstream, ok := testkit.Field(mapping, g.Name).(*pyval.List)
		if !ok {
			continue // a group of our own
		}
		var want []string
		for _, name := range upstream.Items {
			if categories.Find(pyval.Text(name)) != nil {
				want = append(want, pyval.Text(name))
			}
		}
		ours := slices.DeleteFunc(slices.Clone(g.Categories), func(name string) bool { return !v4[name] })
		assert.ElementsMatch(t, want, ours, g.Name)
		compared++
	}
	assert.Positive(t, compared)
	t.Logf("%d groups compared", compared)
}

// BenchmarkVerdict is the cost of a case's verdict, decoding and judging.
func BenchmarkVerdict(b *testing.B) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(b)
	for _, bench := range []struct {
		name, category string
		text           bool
	}{
		{"fc", "simple_python", false}, {"text", "simple_python", true},
		{"java_text", "simple_java", true}, {"javascript_text", "simple_javascript", true},
		{"parallel_fc", "parallel", false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			cat := categories.Find(bench.category)
			cases, outputs := accepted(b, d, cat, bench.text)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				e := outputs[i%len(outputs)]
				i++
				if _, v := cat.Verdict(cases[e.ID], e.Output, e.Settings()); !v.Passed() {
					b.Fatal(e.ID, v.ErrorType)
				}
			}
		})
	}
}

// accepted are a category's accepted examples in one mode.
func accepted(b *testing.B, d *fixtures.Dataset, cat *eval.Category, text bool) (map[string]*eval.Case, []fixtures.Example) {
	b.Helper()
	list := testkit.Must(d.Cases(cat))(b)
	cases := map[string]*eval.Case{}
	for _, c := range list {
		cases[c.ID] = c
	}
	examples := testkit.Must(d.Examples(cat))(b)
	var out []fixtures.Example
	for _, e := range examples {
		if _, isText := e.Output.(pyval.Str); isText == text && e.ErrorType == "" {
			out = append(out, e)
		}
	}
	return cases, out
}

// BenchmarkRecorded is the cost of a verdict over a real model's recorded
// function-calling answers to the official single-turn cases, as upstream's
// figure was taken.
func BenchmarkRecorded(b *testing.B) {
	d := testkit.Must(fixtures.Open("v4", testkit.Shared(b, "bfcl")))(b)
	folder := testkit.Must(record.Find(testkit.Shared(b, "recorded", "v4", "gpt-oss-120b", "result")))(b)
	answers := testkit.Must(folder.Answers())(b)
	type item struct {
		cat    *eval.Category
		c      *eval.Case
		result pyval.Value
	}
	var items []item
	for _, name := range []string{"simple_python", "multiple", "live_simple", "live_multiple"} {
		cat := categories.Find(name)
		cases := testkit.Must(d.Cases(cat))(b)
		for _, c := range cases {
			if row, ok := answers.Get(c.ID, 0); ok {
				items = append(items, item{cat, c, row.Result})
			}
		}
	}
	s := eval.SettingsFor(eval.FC)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		it := items[i%len(items)]
		i++
		it.cat.Verdict(it.c, it.result, s)
	}
}
