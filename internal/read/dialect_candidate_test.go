package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

func TestDialectCandidates(t *testing.T) {
	answers := []pyval.Value{
		pyval.Str("{'name': 'f', 'parameters': {'a': True}}"), pyval.Str("talk"),
		pyval.Str(`{"name": "a.b", "parameters": {"a": 1}}`), pyval.None,
	}
	docs, err := pyval.ParseJSON(`[{"name": "f"}, {"name": "a.b", "parameters": {"required": ["a"]}}]`)
	require.NoError(t, err)
	var tools []*pyval.Dict
	for _, doc := range docs.(*pyval.List).Items {
		tools = append(tools, doc.(*pyval.Dict))
	}
	found := dialect.Candidates(answers, dialect.V4(decode.Python), func(_ int, calls []pyval.Value) bool { return dialect.Meant(tools, calls) })
	require.Len(t, found, 2, "others find calls without arguments")
	assert.Equal(t, "llama-fc", found[0].Dialect.Name)
	assert.Equal(t, "json", found[1].Dialect.Name)
	assert.Equal(t, 2, found[0].Reads)
	answers = append(answers, pyval.Str(`{"name": "f", "parameters": {"a": true}}`), pyval.Str(`{"name": "f", "parameters": {"a": null}}`))
	found = dialect.Candidates(answers, dialect.V4(decode.Python), func(_ int, calls []pyval.Value) bool { return dialect.Meant(tools, calls) })
	require.NotEmpty(t, found)
	assert.Equal(t, []any{"json", 4}, []any{found[0].Dialect.Name, found[0].Reads}, "the one that reads most first")
	assert.NotEmpty(t, dialect.Candidates(answers, dialect.V4(decode.Python), nil))
	assert.Empty(t, dialect.Candidates(nil, dialect.V4(decode.Python), nil))
}

func TestDialectMeant(t *testing.T) {
	tool, err := pyval.ParseJSON(`{"name": "a.b", "parameters": {"required": ["x", "y"]}}`)
	require.NoError(t, err)
	for in, want := range map[string]bool{
		`[{"a.b": {"x": 1}}]`: true, `[{"a_b": {"y": 1, "z": 2}}]`: true, `[]`: true,
		`[{"a.b": {}}]`: false, `[{"a.b": {"z": 1}}]`: false, `[{"c": {"x": 1}}]`: false, `[1]`: false, `[{}]`: false, `[{"a.b": 1}]`: false,
	} {
		assert.Equal(t, want, dialect.Meant([]*pyval.Dict{pyval.NewDict(0), tool.(*pyval.Dict)}, parsed(in).(*pyval.List).Items), in)
	}
}

// TestDialectMeantForFewParameters: a call of a tool that requires nothing, or does
// not say what it requires, may have any arguments.
func TestDialectMeantForFewParameters(t *testing.T) {
	for _, parameters := range []string{`, "parameters": {}`, `, "parameters": {"required": []}`, `, "parameters": {"required": "x"}`, `, "parameters": 5`, ``} {
		tool := parsed(`{"name": "f"` + parameters + `}`).(*pyval.Dict)
		for _, call := range []string{`[{"f": {}}]`, `[{"f": {"a": 1}}]`, `[{"f": 5}]`} {
			assert.True(t, dialect.Meant([]*pyval.Dict{tool}, parsed(call).(*pyval.List).Items), "%s %s", parameters, call)
		}
	}
}

// TestDialectBest: the dialect that reads most is recommended, of equals the own
// one, then one of later models, then the first.
func TestDialectBest(t *testing.T) {
	of := func(name string, reads int) dialect.Candidate {
		return dialect.Candidate{Dialect: dialect.Find(name), Reads: reads}
	}
	require.NotEmpty(t, dialect.Find("lfm2").Example())
	require.Empty(t, dialect.Find("granite-3").Example())
	for _, c := range []struct {
		found     []dialect.Candidate
		own, want string
	}{
		{[]dialect.Candidate{of("granite-3", 1), of("arch", 2)}, "granite-3", "arch"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 1)}, "arch", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 2)}, "arch", "arch"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 2)}, "", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 2), of("lfm2", 2)}, "", "lfm2"},
		{[]dialect.Candidate{of("lfm2", 2), of("granite-3", 2)}, "", "lfm2"},
		{[]dialect.Candidate{of("lfm2", 2), of("granite-3", 2)}, "granite-3", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 0)}, "", "granite-3"},
	} {
		best, ok := dialect.Best(c.found, c.own)
		assert.True(t, ok)
		assert.Equal(t, c.want, best.Dialect.Name, "%v %q", c.found, c.own)
	}
	_, ok := dialect.Best(nil, "")
	assert.False(t, ok)
}
