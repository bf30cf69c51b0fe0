// Package categories lists the benchmark's categories: what each one is
// (list.go), and how its answers are decoded (decode.go) and judged (judge.go).
package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
)

// The question files that several categories share.
const (
	memories = "memory"
	searches = "web_search"
)

// all holds every category, in upstream's order. A new category is one line
// here; how its answers are decoded and judged follows from its fields.
var all = list(
	// Questions written by upstream, one turn each.
	eval.Category{Name: "simple_python", Group: eval.GroupNonLive, Rule: eval.Simple},
	eval.Category{Name: "simple_java", Group: eval.GroupNonLive, Rule: eval.Simple, Language: eval.Java},
	eval.Category{Name: "simple_javascript", Group: eval.GroupNonLive, Rule: eval.Simple, Language: eval.JavaScript},
	eval.Category{Name: "multiple", Group: eval.GroupNonLive, Rule: eval.Multiple},
	eval.Category{Name: "parallel", Group: eval.GroupNonLive, Rule: eval.Parallel},
	eval.Category{Name: "parallel_multiple", Group: eval.GroupNonLive, Rule: eval.ParallelMultiple},
	eval.Category{Name: "irrelevance", Group: eval.GroupNonLive, Rule: eval.Irrelevance},

	// Questions and functions written by users.
	eval.Category{Name: "live_simple", Group: eval.GroupLive, Rule: eval.Simple, SharedTools: true},
	eval.Category{Name: "live_multiple", Group: eval.GroupLive, Rule: eval.Multiple, SharedTools: true},
	eval.Category{Name: "live_parallel", Group: eval.GroupLive, Rule: eval.Parallel, SharedTools: true},
	eval.Category{Name: "live_parallel_multiple", Group: eval.GroupLive, Rule: eval.ParallelMultiple, SharedTools: true},
	eval.Category{Name: "live_irrelevance", Group: eval.GroupLive, Rule: eval.Irrelevance, SharedTools: true},
	eval.Category{Name: "live_relevance", Group: eval.GroupLive, Rule: eval.Relevance, SharedTools: true},

	// Conversations over simulated APIs: with everything that is needed, with a
	// function that only a later turn adds, with a value that only a later turn
	// gives, with much that does not matter.
	eval.Category{Name: "multi_turn_base", Group: eval.GroupMultiTurn, Rule: eval.MultiTurn, Base: "multi_turn"},
	eval.Category{Name: "multi_turn_miss_func", Group: eval.GroupMultiTurn, Rule: eval.MultiTurn, Base: "multi_turn"},
	eval.Category{Name: "multi_turn_miss_param", Group: eval.GroupMultiTurn, Rule: eval.MultiTurn, Base: "multi_turn"},
	eval.Category{Name: "multi_turn_long_context", Group: eval.GroupMultiTurn, Rule: eval.MultiTurn, Base: "multi_turn", LongContext: true},

	// Questions about what earlier conversations left in a memory: texts under
	// keys, texts found by likeness, one text that the model rewrites.
	eval.Category{Name: "memory_kv", Group: eval.GroupMemoryKV, Rule: eval.Agentic, Source: memories, Memory: "MemoryAPI_kv"},
	eval.Category{Name: "memory_vector", Group: eval.GroupMemoryVector, Rule: eval.Agentic, Source: memories, Memory: "MemoryAPI_vector"},
	eval.Category{Name: "memory_rec_sum", Group: eval.GroupMemoryRecSum, Rule: eval.Agentic, Source: memories, Memory: "MemoryAPI_rec_sum"},

	// Questions to be answered with a web search.
	eval.Category{Name: "web_search_base", Group: eval.GroupAgentic, Rule: eval.Agentic, Source: searches, Web: true},
	eval.Category{Name: "web_search_no_snippet", Group: eval.GroupAgentic, Rule: eval.Agentic, Source: searches, Web: true, NoSnippet: true},

	// Cases of other categories in 26 format configurations each.
	eval.Category{Name: prompt.Category, Group: eval.GroupFormatSensitivity, Rule: eval.Varied, PromptOnly: true, Unscored: true},

	// The difficulties of all conversations at once; upstream does not
	// evaluate it.
	eval.Category{Name: "multi_turn_composite", Group: eval.GroupMultiTurn, Rule: eval.MultiTurn, Base: "multi_turn", LongContext: true, Unused: true, Unscored: true},

	// The first release.
	eval.Category{Name: "simple", Group: eval.GroupV1, Rule: eval.Simple, Release: eval.V1},
	eval.Category{Name: "java", Group: eval.GroupV1, Rule: eval.Simple, Language: eval.Java, Release: eval.V1},
	eval.Category{Name: "javascript", Group: eval.GroupV1, Rule: eval.Simple, Language: eval.JavaScript, Release: eval.V1},
	eval.Category{Name: "multiple_function", Group: eval.GroupV1, Rule: eval.Multiple, Release: eval.V1},
	eval.Category{Name: "parallel_function", Group: eval.GroupV1, Rule: eval.Parallel, Release: eval.V1},
	eval.Category{Name: "parallel_multiple_function", Group: eval.GroupV1, Rule: eval.ParallelMultiple, Release: eval.V1},
	eval.Category{Name: "executable_simple", Group: eval.GroupV1, Rule: eval.Simple, Executes: true, Release: eval.V1},
	eval.Category{Name: "executable_multiple_function", Group: eval.GroupV1, Rule: eval.Multiple, Executes: true, Release: eval.V1},
	eval.Category{Name: "executable_parallel_function", Group: eval.GroupV1, Rule: eval.Parallel, Executes: true, Release: eval.V1},
	eval.Category{Name: "executable_parallel_multiple_function", Group: eval.GroupV1, Rule: eval.ParallelMultiple, Executes: true, Release: eval.V1},
	eval.Category{Name: "rest", Group: eval.GroupV1, Rule: eval.REST, Executes: true, Release: eval.V1},
	eval.Category{Name: "relevance", Group: eval.GroupV1, Rule: eval.Irrelevance, Release: eval.V1}, // upstream's name for cases without a relevant function
	eval.Category{Name: "sql", Group: eval.GroupV1, Rule: eval.Simple, Release: eval.V1, Unscored: true},
	eval.Category{Name: "chatable", Group: eval.GroupV1, Rule: eval.Irrelevance, Release: eval.V1, Unscored: true}, // no functions at all

	// The executable categories, under the names they had when upstream retired
	// them.
	eval.Category{Name: "exec_simple", Group: eval.GroupExecutable, Rule: eval.Simple, Executes: true, Unscored: true},
	eval.Category{Name: "exec_multiple", Group: eval.GroupExecutable, Rule: eval.Multiple, Executes: true, Unscored: true},
	eval.Category{Name: "exec_parallel", Group: eval.GroupExecutable, Rule: eval.Parallel, Executes: true, Unscored: true},
	eval.Category{Name: "exec_parallel_multiple", Group: eval.GroupExecutable, Rule: eval.ParallelMultiple, Executes: true, Unscored: true},
)

// list completes the given categories.
func list(stated ...eval.Category) []*eval.Category {
	out := make([]*eval.Category, len(stated))
	for i, cat := range stated {
		out[i] = complete(cat)
	}
	return out
}

// complete sets the decoder and the judge of a category that does not set its
// own.
func complete(cat eval.Category) *eval.Category {
	if cat.Decode == nil {
		cat.Decode = decoder(&cat)
	}
	if cat.Judge == nil {
		cat.Judge = judgeOf(&cat)
	}
	return &cat
}
