package fetch

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const oneFunction = `"function": [{"name": "f", "description": "", "parameters": {"type": "dict", "properties": {}, "required": []}}]`

// TestOlderReleases: the second and the third release are read as today's data,
// and what cannot be read of them is left out and named.
func TestOlderReleases(t *testing.T) {
	message := `[{"role": "user", "content": "x"}]`
	question := func(id string) string {
		return `{"id": "` + id + `", "question": ` + message + `, ` + oneFunction + `}`
	}
	answer := func(id string) string { return `{"id": "` + id + `", "ground_truth": [{"f": {}}]}` }
	files := map[string]string{
		"/data/BFCL_v2_simple.json":                          question("simple_0") + "\n" + question("simple_1"),
		"/data/possible_answer/BFCL_v2_simple.json":          answer("simple_0") + "\n" + answer("simple_7"),
		"/data/BFCL_v2_live_relevance.json":                  question("live_relevance_0-0-0") + "\n" + question("live_relevance_0-0-0"),
		"/data/BFCL_v2_chatable.json":                        `{"question": ` + message + `, "function": ""}`,
		"/data/BFCL_v2_multi_turn_base.json":                 `{"id": "multi_turn_base_0", "question": [` + message + `]}`,
		"/data/possible_answer/BFCL_v2_multi_turn_base.json": `{"id": "multi_turn_base_0", "ground_truth": [[]]}`,
		"/data/notes.txt":                                    "not needed",
	}
	archive := map[string]string{"LICENSE": "licence"}
	for name, text := range files {
		archive[leaderboard+name] = text
	}
	data := t.TempDir()
	f := fetcherOf(t, archive, Options{Data: data, Mirror: serve(t, &mirror{archive: packed(t, archive)})})
	done := testkit.Must(f.run(context.Background()))(t)
	assert.Equal(t, 3, done.Cases)
	assert.Equal(t, []string{
		"the release's own prompts, which cannot be read from its sources: models are asked with the starter suite's wording; recorded answers are judged without",
		"BFCL_v4_multi_turn_base.json: the documents of their simulated APIs were Python's then",
		"BFCL_v4_live_relevance.json: line 2 has the id of another, live_relevance_0-0-0, and is left out",
		"BFCL_v4_simple_python.json: the answer to simple_python_1 has the id simple_python_7: paired by place, as upstream does",
	}, done.Missing)
	d := testkit.Must(fixtures.Open("v2", data))(t)
	cases := testkit.Must(d.Cases(categories.Find("simple_python")))(t)
	assert.Equal(t, "simple_python_1", cases[1].ID)
	assert.Equal(t, "x", cases[1].Question())
	assert.NotNil(t, cases[1].Answer)
	assert.True(t, d.Retired(categories.Find("chatable")))
}
