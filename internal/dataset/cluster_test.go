package dataset_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestClusterKey(t *testing.T) {
	for _, c := range []struct{ category, id, want string }{
		{"simple_python", "simple_python_3", "simple_python_3"},
		{"live_simple", "live_simple_3-2-1", "live_simple:2"},
		{"live_simple", "live_simple_4-2-2", "live_simple:2"},
		{"live_parallel_multiple", "live_parallel_multiple_3-2-1", "live_parallel_multiple:2"},
		{"live_simple", "live_simple_3", "live_simple_3"},
		{"multi_turn_base", "multi_turn_base_7", "multi_turn:7"},
		{"multi_turn_long_context", "multi_turn_long_context_7", "multi_turn:7"},
		{"web_search_no_snippet", "web_search_no_snippet_9", "web_search:9"},
		{"memory_rec_sum", "memory_rec_sum_0-customer-0", "memory:0-customer-0"}, // without a scenario
		{"format_sensitivity", "format_sensitivity_0:ret_fmt=python:simple_python_58", "format:simple_python_58"},
		{"irrelevance", "irrelevance_1-2-3", "irrelevance_1-2-3"},
	} {
		all, one := eval.New(0), &eval.Case{ID: c.id}
		all.Add(categories.Find(c.category), one)
		assert.Equal(t, c.want, all.Of(one), c.id)
	}
}

// TestClusterSameQuestion: cases with the same question are one cluster,
// together with all cases that share a base with one of them.
func TestClusterSameQuestion(t *testing.T) {
	all := eval.New(0)
	add := func(category, id, question string) *eval.Case {
		c := &eval.Case{ID: id, Turns: [][]eval.Message{{{Role: "user", Content: question}}}}
		if question == "" {
			c.Turns = nil
		}
		all.Add(categories.Find(category), c)
		return c
	}
	simple, multiple := add("simple_python", "simple_python_1", "the area?"), add("multiple", "multiple_9", "the area?")
	other := add("multiple", "multiple_10", "the volume?")
	live := add("live_simple", "live_simple_0-3-0", "the weather?")
	sibling := add("live_simple", "live_simple_1-3-1", "the news?")
	far := add("live_multiple", "live_multiple_7-8-0", "the news?")
	mute, silent := add("irrelevance", "irrelevance_1", ""), add("irrelevance", "irrelevance_2", "")
	assert.Equal(t, "simple_python_1", all.Of(multiple))
	assert.Equal(t, all.Of(simple), all.Of(multiple))
	assert.NotEqual(t, all.Of(simple), all.Of(other))
	assert.Equal(t, all.Of(live), all.Of(far), "by way of a question with the same document")
	assert.Equal(t, all.Of(live), all.Of(sibling))
	assert.NotEqual(t, all.Of(mute), all.Of(silent), "no question is none to share")
}

// TestGoldenClusters: how many clusters the official cases make.
func TestGoldenClusters(t *testing.T) {
	dataset := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	got, shared := map[string][2]int{}, map[string]int{}
	conversations, all := map[string]int{}, eval.New(0)
	loaded := map[*eval.Category][]*eval.Case{}
	for _, cat := range categories.All() {
		if !dataset.Has(cat) || cat.Unscored {
			continue
		}
		loaded[cat] = testkit.Must(dataset.Cases(cat))(t)
		for _, c := range loaded[cat] {
			all.Add(cat, c)
			if cat.MultiTurn() {
				conversations[eval.Key(cat, c)]++
			}
		}
	}
	for cat, cases := range loaded {
		keys := map[string]bool{}
		for _, c := range cases {
			keys[all.Of(c)] = true
			if all.Of(c) != eval.Key(cat, c) {
				shared[cat.Name]++
			}
		}
		got[cat.Name] = [2]int{len(cases), len(keys)}
	}
	assert.Equal(t, [2]int{400, 400}, got["simple_python"])
	assert.Equal(t, [2]int{258, 134}, got["live_simple"])
	assert.Equal(t, [2]int{884, 286}, got["live_irrelevance"])
	assert.Equal(t, [2]int{200, 196}, got["multiple"])
	assert.Equal(t, 100, shared["multiple"], "whose question another category asks, or another case")
	assert.Less(t, got["live_multiple"][1], 300)
	variants := map[string]int{"multi_turn": 4, "web_search": 2}
	for key, n := range conversations {
		kind, _, _ := strings.Cut(key, ":")
		assert.GreaterOrEqual(t, n, variants[kind], key)
	}
	assert.Len(t, conversations, 200+5+100)
	t.Logf("cases and clusters: %v", got)
}
