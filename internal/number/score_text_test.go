package number_test

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func tableText(t *testing.T, s *score.Score, colour bool) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, score.WriteTable(&b, s, colour))
	return b.String()
}

// has reports whether the table holds a line of these words, whatever the
// blanks between them.
func has(t *testing.T, table, words string) {
	t.Helper()
	pattern := strings.ReplaceAll(regexp.QuoteMeta(words), " ", " +")
	assert.Regexp(t, `(?m)^ *`+pattern+`$`, table)
}

func TestWriteTableHostileNames(t *testing.T) {
	s, err := score.New(
		score.Run{Dataset: "d\x1b[2J", Model: "m\r\n--- PASS: x" + strings.Repeat("y", 1000)},
		map[string]score.Tally{"c\n\x16\xff": {Total: 1}}, score.Options{})
	require.NoError(t, err)
	table := tableText(t, s, false)
	assert.NotContains(t, table, "\x1b")
	assert.NotContains(t, table, "\n---")
	assert.Contains(t, table, "c\\n\\x16\ufffd (not counted)")
	for _, line := range strings.Split(table, "\n") {
		assert.Less(t, len(line), 400)
	}
}

func FuzzScoreJSON(f *testing.F) {
	f.Add([]byte(`{"model":"m","layout":"v1","overall":{"accuracy":0.5,"low":0,"high":1,"total":3},"categories":{"a":{"accuracy":null}}}`))
	f.Add([]byte(`{"groups":{"live":{"accuracy":1e300,"low":-5,"high":2,"missing":["x"],"ran":{}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s score.Score
		if json.Unmarshal(text, &s) == nil {
			require.NoError(t, score.WriteTable(io.Discard, &s, true))
		}
	})
}

// TestTablesToTheLetter: whole tables, plain and coloured: of a part with errors,
// of a user's own suite, and with one category missing, six and seven.
func TestTablesToTheLetter(t *testing.T) {
	without := func(names ...string) map[string]score.Tally {
		some := complete(0.5)
		for _, name := range names {
			delete(some, name)
		}
		return some
	}
	first := map[string]score.Tally{}
	for name, size := range score.V1.Sizes {
		first[name] = score.Tally{Total: size, Correct: size / 2}
	}
	delete(first, "rest")
	own := score.Own([]score.Weighted{{Category: "refunds", Weight: 3}, {Category: "orders", Weight: 1}, {Category: "extra", Weight: 0}})
	errors := only(0.5, "simple_python", "live_simple")
	errors["multiple"] = score.Tally{Total: 50, Correct: 20, Errors: 1}
	errors["parallel"] = score.Tally{Total: 2, Errors: 2}
	var text strings.Builder
	for _, c := range []struct {
		name    string
		dataset string
		tallies map[string]score.Tally
		options score.Options
	}{
		{"a part with errors", "v4", errors, score.Options{}},
		{"an own suite", "mine", map[string]score.Tally{"refunds": {Total: 10, Correct: 4}, "orders": {Total: 10, Correct: 8}, "extra": {Total: 5}}, score.Options{Layout: own}},
		{"one is missing", "v4", without("multiple"), score.Options{}},
		{"six are missing", "v4", without("multiple", "parallel", "web_search_base", "memory_kv", "live_simple", "irrelevance"), score.Options{}},
		{"seven are missing", "v4", without("multiple", "parallel", "web_search_base", "memory_kv", "live_simple", "irrelevance", "simple_java"), score.Options{}},
		{"one is missing in the first release", "v1", first, score.Options{}},
	} {
		s := testkit.Must(score.New(score.Run{Dataset: c.dataset, Model: "m", Digest: run.Digest}, c.tallies, c.options))(t)
		table := tableText(t, s, false)
		if strings.HasSuffix(c.name, "are missing") {
			_, table, _ = strings.Cut(table, "─\n")
		}
		text.WriteString("== " + c.name + "\n" + table)
		if c.options.Layout != nil {
			assert.Same(t, own, s.Shape())
		}
		if c.tallies["parallel"].Errors > 0 {
			text.WriteString("== coloured\n" + strings.ReplaceAll(tableText(t, s, true), "\x1b", "ESC"))
		}
	}
	golden(t, "scores.txt", text.String())
	s := testkit.Must(score.New(score.Run{Dataset: "v4", Model: strings.Repeat("Z", 200)}, errors, score.Options{}))(t)
	assert.Equal(t, 100, strings.Count(tableText(t, s, false), "Z"), "a long name is cut")
	s.Warn(strings.Repeat("Y", 2000))
	assert.Equal(t, 1000, strings.Count(tableText(t, s, false), "Y"), "and so is a warning")
	s.Model = `a"b` + strings.Repeat("Z", 97)
	s.Warn(strings.Repeat("w ", 200))
	assert.True(t, strings.HasPrefix(tableText(t, s, false), s.Model+"  "), "what prints is as it is")
	assert.Contains(t, tableText(t, s, false), "\n"+strings.Repeat("w ", 38)+"w\n", "78 columns")
	first["rest"] = score.Tally{Total: 70}
	s = testkit.Must(score.New(score.Run{Dataset: "v1"}, first, score.Options{}))(t)
	assert.NotContains(t, tableText(t, s, false), "missing")
}

// TestNotes: what is said under a score, each when it holds.
func TestNotes(t *testing.T) {
	some := map[string]score.Tally{"simple_python": {Total: 100, Correct: 50}}
	for _, c := range []struct {
		run      score.Run
		tallies  map[string]score.Tally
		allow    bool
		has, not string
	}{
		{score.Run{Shard: "1/4"}, some, false, "This is only shard 1/4; `bfcl score` with the folders of all shards gives the run's score.", "counts"},
		{score.Run{Finishes: map[string]int{"filtered: sieve": 1}}, some, false, "1 answer ended with the finish reason sieve, a filter's: what came was judged.", "no table"},
		{score.Run{Finishes: map[string]int{"odd: tired": 2}}, some, false, "2 answers ended with the finish reason tired, which no table here has: what came was judged.", "a filter's"},
		{score.Run{Skipped: map[string][]string{"rest": {"KEY"}}}, some, false, "rest was skipped: KEY is not set.", "are not set"},
		{score.Run{Skipped: map[string][]string{"rest": {"KEY", "ID"}}}, some, false, "rest was skipped: KEY, ID are not set.", "is not set"},
		{score.Run{Embedder: "all-MiniLM-L6-v2"}, some, false, "the embedder all-MiniLM-L6-v2, the model that upstream uses.", "published figures"},
		{score.Run{Embedder: "hashing"}, some, false, "vectors of the embedder hashing; upstream uses all-MiniLM-L6-v2, so published figures are not comparable.", "that upstream uses"},
		{score.Run{}, map[string]score.Tally{"simple_python": {Total: 100, Correct: 50, Errors: 1}}, false, "1 case ended in infrastructure errors: left out of the accuracies", "counted as wrong"},
		{score.Run{}, map[string]score.Tally{"simple_python": {Total: 100, Correct: 50, Errors: 2}}, true, "2 cases ended in infrastructure errors: counted as answers without a call, as upstream does, but for cases that a recording lacks.", "left out of the accuracies"},
		{score.Run{}, map[string]score.Tally{"own_category": {Total: 100, Correct: 50}}, false, "No case that counts was scored, so there is no overall.", "Another model would"},
		{score.Run{Dialect: "hermes", Server: "vllm 0.9"}, some, false, "dialect hermes", "skipped"},
		{score.Run{Server: "vllm 0.9"}, some, false, "on vllm 0.9", "dialect"},
		{score.Run{CutOff: &score.CutOff{Answers: 1, Of: 100}}, some, false, "simple_python", "cut off"},
		{score.Run{CutOff: &score.CutOff{Answers: 2, Of: 100}}, some, false, "2 of 100 answers were cut off at the model's own limit of tokens", "context"},
		{score.Run{CutOff: &score.CutOff{Answers: 2, Of: 100, Limit: 1}}, some, false, "were cut off at the limit of 1 tokens", "context"},
		{score.Run{CutOff: &score.CutOff{Answers: 2, Of: 100, Context: 1}}, some, false, "fill the server's context of 1 tokens", "-max-tokens"},
		{score.Run{CutOff: &score.CutOff{Answers: 2, Of: 100, Limit: 9000, Context: 4096}}, some, false, "together fill the server's context of 4096 tokens", "may score differently"},
		{score.Run{CutOff: &score.CutOff{Answers: 30, Of: 100, Limit: 64}}, some, false, // before any number
			"30 of 100 answers were cut off at the limit of 64 tokens (-max-tokens), and are judged as far as they go, as upstream does: with a higher limit the model may score differently. weight accuracy", "context"},
	} {
		c.run.Dataset, c.run.Model = "v4", "m"
		s := testkit.Must(score.New(c.run, c.tallies, score.Options{AllowErrors: c.allow}))(t)
		text := strings.Join(strings.Fields(tableText(t, s, false)), " ")
		assert.Contains(t, text, c.has)
		assert.NotContains(t, text, c.not)
	}
	assert.Equal(t, "N/A", score.Accuracy{NA: true, Value: 0.5}.String())
	assert.Equal(t, "50.00%", score.Accuracy{Value: 0.5}.String())
	ast, exec := score.V1Summaries(map[string]score.Accuracy{
		"simple_ast": {Value: 1}, "multiple_function": {Value: 0.5}, "parallel_function": {Value: 0.25}, "parallel_multiple_function": {Value: 0.25},
		"simple_exec": {Value: 0.8}, "executable_multiple_function": {Value: 0.4}, "executable_parallel_function": {Value: 0.4}, "executable_parallel_multiple_function": {Value: 0},
	})
	assert.InDelta(t, 0.5, ast.Value, 1e-12)
	assert.InDelta(t, 0.4, exec.Value, 1e-12)
}
