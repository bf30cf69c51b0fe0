package categories

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const (
	weatherTools = `[{"name": "rain", "parameters": {"type": "dict", "properties": {"city": {"type": "any"}}, "required": ["city"]}},
		{"name": "wind", "parameters": {"type": "dict", "properties": {"city": {"type": "any"}}, "required": ["city"]}}]`
	weatherAnswer = `[{"wind": {"city": ["Oslo"]}}]`
)

func weather(t *testing.T, cat *eval.Category) *eval.Case {
	t.Helper()
	parse := func(text string) *pyval.List {
		v := testkit.Must(pyval.ParseJSON(text))(t)
		return v.(*pyval.List)
	}
	c := &eval.Case{ID: cat.Name + "_0", Category: cat.Name, Rule: cat.Rule, Answer: parse(weatherAnswer)}
	for _, doc := range parse(weatherTools).Items {
		c.Tools = append(c.Tools, doc.(*pyval.Dict))
	}
	return c
}

// TestNameSaysNothing: what a category is called decides nothing. Each has a
// name that says something else than its fields.
func TestNameSaysNothing(t *testing.T) {
	const one, two = "[wind(city='Oslo')]", "[wind(city='Oslo'), rain(city='Oslo')]"
	for _, test := range []struct {
		cat    eval.Category
		answer string
		want   string
	}{
		{eval.Category{Name: "weather_pick", Rule: eval.Multiple}, one, ""},
		{eval.Category{Name: "weather_pick", Rule: eval.Multiple}, "[rain(city='Oslo')]", "simple_function_checker:wrong_func_name"},
		{eval.Category{Name: "weather_pick", Rule: eval.Multiple}, two, "multiple_function_checker:wrong_count"},
		{eval.Category{Name: "parallel_java", Rule: eval.Multiple}, two, "multiple_function_checker:wrong_count"},
		{eval.Category{Name: "weather", Rule: eval.ParallelMultiple}, two, "parallel_function_checker_no_order:wrong_count"},
		{eval.Category{Name: "multiple", Rule: eval.ParallelMultiple}, one, ""},
		{eval.Category{Name: "relevance", Rule: eval.Irrelevance}, one, "irrelevance_error:decoder_success"},
		{eval.Category{Name: "irrelevance", Rule: eval.Relevance}, one, ""},
		{eval.Category{Name: "beans", Rule: eval.Multiple, Language: eval.Java}, `[wind(city="Oslo")]`, ""},
		{eval.Category{Name: "weather_pick", Rule: eval.Multiple, Release: eval.V1}, "[rain(city='Oslo')]", "parallel_function_checker_no_order:cannot_find_match"},
	} {
		cat := complete(test.cat)
		_, v := cat.Verdict(weather(t, cat), pyval.Str(test.answer), eval.SettingsFor(eval.Prompt))
		assert.Equal(t, test.want, v.ErrorType, "%s, %s: %s", cat.Name, cat.Rule, test.answer)
	}
}
