package number_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	_ "github.com/gobfcl/bfcl/internal/world/endpoint/mcptools" // agents are rehearsed

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestRehearse: what a run will not have is known from its plan, and what its
// answers decide is left to them.
func TestRehearse(t *testing.T) {
	const all = "floors: {overall: 50, live: 50, simple_python: 50}\n" +
		"ceilings: {latency_p95: 5, errors: 1}\nrequired: [simple_python_0]"
	const figures = "ceilings: {calls_per_solved: 5, cost_per_solved: 1, input_tokens_per_solved: 9, cost: 5, cost_per_1000: 5}"
	simple := func(o *suite.Options) { o.Categories = "simple_python" }
	for _, row := range []struct {
		name, rules, baseline string
		change                func(*suite.Options)
		says                  string
	}{
		{"everything", all, "", func(*suite.Options) {}, ""},
		{"a group of which a part is asked", "floors: {live: 50}", "", func(o *suite.Options) { o.Categories = "live_simple" }, "gate.yaml:1: floor live: 3 categories that count are not in the run"},
		{"one part is not asked", "floors: {live: 50}", "", func(o *suite.Options) { o.Categories = "live_simple,live_multiple,live_parallel" }, "1 category that counts is not in the run, such as live_parallel_multiple: "},
		{"the same, said so", "partial: true\nfloors: {live: 50}", "", func(o *suite.Options) { o.Categories = "live_simple" }, ""},
		{"a group of which nothing is", "partial: true\nfloors: {live: 50}", "", simple, "gate.yaml:2: floor live: it is not in the run"},
		{"chosen cases", "floors: {simple_python: 50}", "", func(o *suite.Options) { o.IDs = "simple_python_1" }, "1 of 32 cases of simple_python are in the run"},
		{"chosen cases, by a measure", "floors: {simple_python: {min: 50, measure: pass^1}}", "", func(o *suite.Options) { o.IDs = "simple_python_1" }, "1 of 32 cases of simple_python are in the run"},
		{"a shard", "floors: {simple_python: 50}", "", func(o *suite.Options) { simple(o); o.Shard = "0/2" }, "of 32 cases of simple_python are in the run"},
		{"a sample", "floors: {overall: 50}", "", func(o *suite.Options) { o.Sample = "40" }, ""},
		{"few cases", "floors: {simple_python: 99}", "", func(o *suite.Options) { simple(o); o.Sample = "20" }, ""},
		{"trials", "floors: {simple_python: {min: 50, measure: pass^3}}", "", func(o *suite.Options) { simple(o); o.Trials = 2 }, "pass^3 needs 3 trials per case, but the run has 2"},
		{"enough trials", "floors: {simple_python: {min: 50, measure: pass^3}}", "", func(o *suite.Options) { simple(o); o.Trials = 3 }, ""},
		{"an id", "required: [multiple_0]", "", simple, "gate.yaml: required multiple_0: the run has no such case"},
		{"losses", "regressions: {overall: {detect: 3}}", "", func(*suite.Options) {}, "regression overall: there is no baseline"},
		{"losses later", "floors: {overall: 10}\nregressions: {overall: {detect: 3}}", gate.None, func(*suite.Options) {}, ""},
		{"a model's calls", figures, "", simple, "gate.yaml:1: ceiling calls_per_solved: only agents have it, and the run is not an agent's"},
		{"a model's cost", "ceilings: {cost: 5}", "", simple, "ceiling cost: the model's prices are not known"},
		{"an agent's", figures, "", func(o *suite.Options) { simple(o); o.Model = "agent:cat" }, ""},
		{"priced", "ceilings: {cost: 5}", "", func(o *suite.Options) { simple(o); o.Model = "openai:gpt-4.1-mini" }, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("OPENAI_API_KEY", "key")
			file := filepath.Join(t.TempDir(), "gate.yaml")
			require.NoError(t, os.WriteFile(file, []byte(row.rules), 0o600))
			t.Chdir(filepath.Dir(file))
			o := suite.Options{Model: "heuristic", Dataset: "starter", Categories: "all", Trials: 1, Seed: 1}
			row.change(&o)
			g := testkit.Must(gate.For("gate.yaml", row.baseline, o))(t)
			p := testkit.Must(suite.PlanOf(o, nil))(t)
			err := g.Rehearse(p)
			if row.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, row.says)
			assert.True(t, option.IsMisuse(err))
		})
	}
}
