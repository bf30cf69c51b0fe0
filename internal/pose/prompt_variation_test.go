package pose_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
	listings, err := prompt.ParseListing([]byte(`{"multiple":["multiple_2","multiple_0"],"empty":[],"parallel":["parallel_1"]}`))
	require.NoError(t, err)
	cases, err := w.Variations(listings, loadTwo(t))
	require.NoError(t, err)
	require.Len(t, cases, 3*26)
	for i, c := range cases {
		config, err := prompt.ConfigOf(c.ID)
		require.NoError(t, err)
		assert.Equal(t, prompt.Configs()[i%26], config)
		assert.Equal(t, "format_sensitivity", c.Category)
		assert.Equal(t, 7, c.Line)
	}
	first := "format_sensitivity_0:" + prompt.Configs()[0].String() + ":"
	assert.Equal(t, first+"multiple_0", cases[0].ID, "the file's order counts, not the listing's")
	assert.Equal(t, "format_sensitivity_77:"+prompt.Configs()[25].String()+":parallel_1", cases[77].ID)
	got, err := w.Pose(cases[0])
	require.NoError(t, err)
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
		_, err := w.Variations([]prompt.Listing{c.listing}, loadTwo(t))
		assert.ErrorContains(t, err, c.want)
	}
	for _, c := range []struct{ src, want string }{
		{`{`, "line 1"}, {`[]`, "must be an object, not list"},
		{`{"a":5}`, `"a": must be a list of ids, not int`}, {`{"a":[null]}`, `an id must be a text, not NoneType`},
	} {
		_, err := prompt.ParseListing([]byte(c.src))
		assert.ErrorContains(t, err, c.want)
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
