package leaderboard_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenPublished holds the embedded counts against every column of the
// published tables that our groups have.
func TestGoldenPublished(t *testing.T) {
	nodes := map[string]string{
		"Overall Acc": "overall", "Non-Live AST Acc": "non_live", "Non-Live Simple AST": "simple_ast", "Non-Live Multiple AST": "multiple",
		"Non-Live Parallel AST": "parallel", "Non-Live Parallel Multiple AST": "parallel_multiple",
		"Live Acc": "live", "Live Simple AST": "live_simple", "Live Multiple AST": "live_multiple", "Live Parallel AST": "live_parallel",
		"Live Parallel Multiple AST": "live_parallel_multiple",
		"Multi Turn Acc":             "multi_turn", "Multi Turn Base": "multi_turn_base", "Multi Turn Miss Func": "multi_turn_miss_func",
		"Multi Turn Miss Param": "multi_turn_miss_param", "Multi Turn Long Context": "multi_turn_long_context",
		"Web Search Acc": "web_search", "Web Search Base": "web_search_base", "Web Search No Snippet": "web_search_no_snippet",
		"Memory Acc": "memory", "Memory KV": "memory_kv", "Memory Vector": "memory_vector", "Memory Recursive Summarization": "memory_rec_sum",
		"Relevance Detection": "live_relevance", "Irrelevance Detection": "hallucination",
	}
	text := testkit.Must(os.ReadFile(testkit.Shared(t, "leaderboard", "data_overall.csv")))(t)
	rows := testkit.Must(csv.NewReader(strings.NewReader(string(text))).ReadAll())(t)
	models := leaderboard.All()
	require.Len(t, models, len(rows)-1)
	equal, total := 0, 0
	for i, row := range rows[1:] {
		groups := score.V4.Evaluate(models[i].Score.Accuracies())
		for k, title := range rows[0] {
			node, ours := nodes[title]
			if !ours {
				continue
			}
			total++
			if diff := cmp.Diff(row[k], groups[node].Percent()); diff != "" {
				t.Errorf("%s, %s: %s", row[2], title, diff)
				continue
			}
			equal++
		}
	}
	require.Equal(t, 109*len(nodes), total)
	t.Logf("%d of %d figures equal", equal, total)
}

var official = eval.Origin{State: eval.Official, Release: "v4"}

func TestPlace(t *testing.T) {
	models := leaderboard.All()
	for _, i := range []int{0, 1, 54, 108} {
		m := models[i]
		st, ok := leaderboard.Place(m.Score)
		require.True(t, ok)
		better := 0
		for _, o := range models {
			if o.Score.Overall.Accuracy > m.Score.Overall.Accuracy {
				better++
			}
		}
		assert.Equal(t, better+1, st.Rank, m.Name)
		assert.LessOrEqual(t, st.Best, st.Rank)
		assert.GreaterOrEqual(t, st.Worst, st.Rank)
		assert.Equal(t, 110, st.Of)
	}
	st, _ := leaderboard.Place(models[54].Score)
	assert.Less(t, st.Best, st.Worst, "an interval of several points spans several models")
	assert.Contains(t, st.String(), fmt.Sprintf("ranks %d to %d", st.Best, st.Worst))
}

// TestNoPlace: what is no complete run of V4 has no place among complete ones.
func TestNoPlace(t *testing.T) {
	whole := func() map[string]score.Tally {
		out := map[string]score.Tally{}
		for name, size := range score.V4.Sizes {
			out[name] = score.Tally{Total: size, Correct: size / 2}
		}
		return out
	}
	for name, test := range map[string]struct {
		dataset string
		data    eval.Origin
		spoil   func(map[string]score.Tally)
	}{
		"other dataset":      {"starter", eval.Origin{State: eval.Own}, func(map[string]score.Tally) {}},
		"first release":      {"v1", eval.Origin{State: eval.Official, Release: "v1"}, func(map[string]score.Tally) {}},
		"another commit":     {"v4", eval.Origin{State: eval.Commit, Release: "v4"}, func(map[string]score.Tally) {}},
		"altered data":       {"v4", eval.Origin{State: eval.Altered, Release: "v4"}, func(map[string]score.Tally) {}},
		"not known data":     {"v4", eval.Origin{}, func(map[string]score.Tally) {}},
		"a category missing": {"v4", official, func(m map[string]score.Tally) { delete(m, "memory_kv") }},
		"a selection of ids": {"v4", official, func(m map[string]score.Tally) { m["multiple"] = score.Tally{Total: 20, Correct: 10} }},
		"errors left out":    {"v4", official, func(m map[string]score.Tally) { m["multiple"] = score.Tally{Total: 200, Errors: 200} }},
	} {
		tallies := whole()
		test.spoil(tallies)
		s := testkit.Must(score.New(score.Run{Dataset: test.dataset, Data: test.data}, tallies, score.Options{}))(t)
		_, ok := leaderboard.Place(s)
		assert.False(t, ok, name)
	}
	s := testkit.Must(score.New(score.Run{Dataset: "v4", Data: official}, whole(), score.Options{}))(t)
	_, ok := leaderboard.Place(s)
	assert.True(t, ok)
	for _, rank := range []int{1, 110} { // all right, and all wrong
		tallies := whole()
		for name, size := range score.V4.Sizes {
			tallies[name] = score.Tally{Total: size, Correct: size * (110 - rank) / 109}
		}
		s := testkit.Must(score.New(score.Run{Dataset: "v4", Data: official}, tallies, score.Options{}))(t)
		st, ok := leaderboard.Place(s)
		assert.Equal(t, []any{true, rank, rank > 1, rank < 110}, []any{ok, st.Rank, st.Above != "", st.Below != ""})
	}
}
