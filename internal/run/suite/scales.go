package suite

// scales says how much a category's cases add to the precision of V4's overall:
// its weight times the standard deviation of the verdicts of published models.
// The values follow from the layout and the published figures; a test of
// package plan compares them. They are written down here because the packages
// that run cases do not import either. A category that does not count has none.
var scales = map[string]float64{
	"simple_python":           0.00243,
	"simple_java":             0.003936,
	"simple_javascript":       0.003813,
	"multiple":                0.007579,
	"parallel":                0.008292,
	"parallel_multiple":       0.009211,
	"live_simple":             0.007933,
	"live_multiple":           0.03442,
	"live_parallel":           0.0004888,
	"live_parallel_multiple":  0.0008004,
	"live_relevance":          0,
	"irrelevance":             0.01849,
	"live_irrelevance":        0.0205,
	"multi_turn_base":         0.02851,
	"multi_turn_miss_func":    0.02626,
	"multi_turn_miss_param":   0.02702,
	"multi_turn_long_context": 0.02777,
	"web_search_base":         0.03288,
	"web_search_no_snippet":   0.03088,
	"memory_kv":               0.02076,
	"memory_vector":           0.02289,
	"memory_rec_sum":          0.02662,
}

// Scale returns the scale of a category of V4; 0 for others.
func Scale(category string) float64 { return scales[category] }
