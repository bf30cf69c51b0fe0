package tally

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// repeats are the beginnings of ids under which the same question is posed in
// several categories, with what the shared question is called.
var repeats = []struct{ prefix, base string }{
	{"multi_turn_base_", "multi_turn"}, {"multi_turn_miss_func_", "multi_turn"}, {"multi_turn_miss_param_", "multi_turn"},
	{"multi_turn_long_context_", "multi_turn"}, {"multi_turn_composite_", "multi_turn"},
	{"web_search_base_", "web_search"}, {"web_search_no_snippet_", "web_search"},
	{"memory_kv_", "memory"}, {"memory_vector_", "memory"}, {"memory_rec_sum_", "memory"},
}

// Cluster is the key of what a case shares with others, by its id; for a case
// that shares nothing the id itself. Cases of one cluster tend to go right or
// wrong together:
//
//   - live questions with the same function document, whose number is the
//     second of the three in the id;
//   - the variants of a multi-turn conversation;
//   - the same question with another memory, or with web search results with
//     and without snippets;
//   - the same question in several prompt formats.
func Cluster(cat *eval.Category, c *eval.Case) string {
	id := c.ID
	if rest, ok := strings.CutPrefix(id, "format_sensitivity_"); ok {
		if at := strings.LastIndexByte(rest, ':'); at >= 0 {
			return "format:" + rest[at+1:]
		}
	}
	for _, r := range repeats {
		if rest, ok := strings.CutPrefix(id, r.prefix); ok {
			return r.base + ":" + rest
		}
	}
	if rest, ok := strings.CutPrefix(id, cat.Name+"_"); ok && strings.HasPrefix(cat.Name, "live_") {
		if numbers := strings.Split(rest, "-"); len(numbers) == 3 {
			return cat.Name + ":" + numbers[1]
		}
	}
	return id
}
