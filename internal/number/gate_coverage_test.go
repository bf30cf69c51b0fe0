package number_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// asked is a run of a model that is right with a chance, on the draws that two
// runs share in half of the cases.
func asked(sel *suite.Selection, name string, chance float64, draw func(id string) float64) *tally.Run {
	r := &tally.Run{Name: name, Run: record.Run{Model: name, Dataset: sel.Dataset.Name, Digest: "d", Trials: 1}}
	for _, part := range sel.Parts {
		results := make([]eval.Result, len(part.Cases))
		for i, c := range part.Cases {
			results[i].Case = c
			if draw(c.ID) >= chance {
				results[i].Status, results[i].ErrorType = eval.Fail, "value_error:string"
			}
		}
		r.Parts = append(r.Parts, tally.Part{Category: part.Category, Results: results})
	}
	return r
}

// TestCoverageOfExample: the file that --init prints is passed by a model that
// equals its baseline, and not by one that lost much anywhere: everywhere, in a
// category, a group or a scenario.
func TestCoverageOfExample(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	in := func(points float64, name string) gate.Fall {
		return func(cat *eval.Category, c *eval.Case) float64 {
			if at := strings.Index(","+name+",", ","+cat.Name+","); at >= 0 || name == "" || c.Scene != nil && c.Scene.Scenario == name {
				return points / 100
			}
			return 0
		}
	}
	const live, turns = "live_simple,live_multiple,live_parallel,live_parallel_multiple", "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param,multi_turn_long_context"
	const memory, web = "memory_kv,memory_vector,memory_rec_sum", "web_search_base,web_search_no_snippet"
	type fall struct {
		points float64
		in     string
		// odds are the percent that pass, fail and stay undecided.
		odds string
	}
	for _, c := range []struct {
		dataset    string
		categories string
		few, all   int
		equal      string // odds of an equal model
		falls      []fall
	}{
		// Of these two, few pairs are decided by the rules of their files, as it
		// takes half a minute to make those.
		{"V4", "all_scoring", 2, 120, "98/2/0", []fall{
			{5, "", "1/99/0"}, {10, "", "0/100/0"}, {20, "simple_python", "0/100/0"}, {20, "irrelevance", "0/100/0"},
			{60, "live_parallel", "62/2/37"}, {60, "memory_kv", "39/28/32"}, {30, "memory_kv", "92/2/6"},
			{10, live, "2/98/0"}, {10, turns, "0/100/0"}, {20, web, "0/100/0"}, {30, memory, "7/48/46"}, {60, memory, "0/97/3"},
			{70, "student", "3/2/95"},
		}},
		{"V1", "all", 2, 300, "95/5/0", []fall{{5, "", "1/99/0"}, {10, "", "0/100/0"}, {10, "simple", "10/90/0"}, {30, "java", "0/100/0"}, {20, "relevance", "1/99/0"}}},
		{"starter", "all_scoring", 12, 200, "98/2/0", []fall{
			{5, "", "79/18/3"}, {10, "", "26/68/6"}, {20, "", "0/100/0"}, {40, "simple_python", "16/84/0"},
			{60, "live_parallel", "89/4/8"}, {60, "memory_kv", "90/6/4"},
			{30, live, "54/44/2"}, {30, turns, "36/60/4"}, {40, web, "7/88/6"}, {60, memory, "6/49/46"},
		}},
		{"10 + 1", "all", 20, 200, "100/0/0", []fall{{20, "", "94/6/0"}, {60, "", "17/83/0"}, {60, "b", "100/0/0"}}},
		{"45 + 5", "all", 20, 200, "98/2/0", []fall{{10, "", "74/26/0"}, {20, "", "27/70/4"}, {40, "", "0/100/0"}, {60, "b", "82/11/8"}}},
		{"50", "all", 20, 200, "98/2/0", []fall{{10, "", "72/28/0"}, {20, "", "24/70/6"}, {40, "", "0/100/0"}}},
		{"199 + 1", "all", 20, 200, "98/2/0", []fall{{5, "", "70/30/0"}, {10, "", "21/79/0"}, {20, "", "0/100/0"}, {60, "b", "96/4/0"}}},
	} {
		t.Run(c.dataset, func(t *testing.T) {
			t.Parallel()
			name, data, n := c.dataset, "", testkit.Some(c.few, c.all)
			switch c.dataset {
			case "V4", "V1":
				name, data = strings.ToLower(c.dataset), testkit.Shared(t, "bfcl")
			case "starter":
			default:
				name = ownSuite(t, c.dataset)
			}
			dataset := testkit.Must(fixtures.Open(name, data))(t)
			sel := testkit.Must(suite.Select(dataset, c.categories, ""))(t)
			text := "partial: true\nregressions: {overall: {detect: 8.5, significance: 0.03}, overall_without_memory: {detect: 5, significance: 0.03}, memory: {detect: 45, significance: 0.03}, groups: {significance: 0.03}, categories: {significance: 0.03}}"
			if c.dataset == "V1" {
				text = "partial: true\nregressions: {overall: {detect: 5, significance: 0.03}, groups: {significance: 0.03}, categories: {significance: 0.03}}"
			}
			if n > 2 {
				text = testkit.Must(gate.Template(name, data, c.categories, 0))(t)
			}
			rules := testkit.Must(gate.Parse("gate.yaml", []byte(text), "a", "b"))(t)
			simulation := gate.Simulate(sel)
			for _, f := range append([]fall{{0, "", c.equal}}, c.falls...) {
				decisions := testkit.Must(simulation.All(rules, n, in(f.points, f.in)))(t)
				odds := map[gate.Outcome]int{}
				for _, d := range decisions {
					odds[d.Outcome]++
				}
				t.Logf("%s, %g in %q: %v", c.dataset, f.points, f.in, odds)
				want := strings.Split(f.odds, "/")
				for k, outcome := range []gate.Outcome{gate.Passed, gate.Failed, gate.Undecided} {
					share := testkit.Must(strconv.ParseFloat(want[k], 64))(t)
					got, chance := 100*float64(odds[outcome])/float64(n), 1.0
					switch {
					case n == c.few && n == 2 && (share > 0 || outcome != gate.Passed):
						continue // too few, and by other rules
					case n == c.few:
						chance = 300 / math.Sqrt(float64(n)) * math.Sqrt(max(0.04, share/100*(1-share/100)))
					}
					assert.InDelta(t, share, got, chance, "%s, %g in %s: %s", c.dataset, f.points, f.in, outcome)
				}
				for _, d := range decisions {
					for _, check := range d.Rules {
						if check.Outcome == gate.Passed && check.Unseen > 0 {
							assert.LessOrEqual(t, -100*check.Estimate.Value, check.Unseen+1e-9, "%s: a larger loss than could pass: %s", f.in, check.Text())
						}
					}
				}
			}
		})
	}
}

// TestGoldenSampleSizes: the table of docs/statistics.md, in points: how far a
// sample's overall is from that of all cases, and which loss a comparison over it
// finds.
func TestGoldenSampleSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	dataset := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	all := testkit.Must(suite.Select(dataset, "all_scoring", ""))(t)
	sizes, weights := map[string]int{}, map[string]float64{}
	for _, part := range all.Parts {
		sizes[part.Category.Name] = len(part.Cases)
	}
	for _, s := range tally.LayoutOf(dataset).Overall.Shares(func(name string) (int, bool) { return sizes[name], true }) {
		weights[s.Category] = s.Weight
	}
	all.Parts = slices.DeleteFunc(all.Parts, func(p suite.Part) bool { return weights[p.Category.Name] == 0 })
	random := rand.New(rand.NewPCG(4, 872))
	rules := parse(t, "regressions: {overall: {detect: 5}}")
	draws, pairs := testkit.Some(100, 1000), testkit.Some(5, 100)
	within := 3 / math.Sqrt(float64(draws))
	for _, row := range []struct {
		n          int
		off, found float64
	}{{100, 7.0, 11.7}, {200, 4.7, 8.7}, {500, 2.8, 6.5}, {872, 1.9, 5.6}, {1000, 1.8, 5.5}, {5090, 0, 5.1}} {
		sample := func(seed uint64) *suite.Selection {
			if row.n == all.Cases() {
				return all
			}
			ids := testkit.Must(suite.Spec{Cases: row.n}.Choose(all.Parts, seed))(t)
			chosen, sel := map[string]bool{}, *all
			for _, id := range ids {
				chosen[id] = true
			}
			sel.Parts = slices.Clone(all.Parts)
			for i, part := range sel.Parts {
				sel.Parts[i].Cases = slices.DeleteFunc(slices.Clone(part.Cases), func(c *eval.Case) bool { return !chosen[c.ID] })
			}
			return &sel
		}
		var off, found []float64
		for seed := range draws {
			right := map[*eval.Case]float64{}
			for _, part := range all.Parts {
				chance := 0.5 + math.Sqrt(max(0, 0.25-gate.Scatter(part.Category.Name)))
				for _, c := range part.Cases {
					if random.Float64() < chance {
						right[c] = 100
					}
				}
			}
			overall := func(sel *suite.Selection) (sum float64) {
				for _, part := range sel.Parts {
					for _, c := range part.Cases {
						sum += weights[part.Category.Name] * right[c] / float64(len(part.Cases))
					}
				}
				return sum
			}
			off = append(off, math.Abs(overall(sample(uint64(seed)))-overall(all)))
		}
		for i := range pairs {
			d := testkit.Must(gate.Simulate(sample(uint64(i))).Decide(rules, i, gate.Equally))(t)
			found = append(found, 100*d.Comparison.Overall.Detectable)
		}
		slices.Sort(off)
		slices.Sort(found)
		most, median := off[len(off)*19/20], found[len(found)/2]
		t.Logf("| %d | %.1f points | %.1f points |", row.n, most, median)
		assert.InDelta(t, row.off, most, 0.05+within*row.off, row.n)
		assert.InDelta(t, row.found, median, within*row.found, row.n)
	}
}

// ownSuite writes a suite with categories of so many cases, such as "45 + 5".
func ownSuite(t *testing.T, sizes string) string {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	file("tools.json", `[{"name": "f", "description": "F.", "parameters": {"type": "object", "properties": {}}}]`)
	list := "name: own\ntools: [{functions: tools.json}]\ncategories:\n"
	for i, size := range strings.Split(sizes, " + ") {
		name, cases := string(rune('a'+i)), ""
		n := testkit.Must(strconv.Atoi(size))(t)
		for k := range n {
			cases += fmt.Sprintf("- {id: %s_%d, question: \"Who is number %d of %s?\"}\n", name, k, k, name)
		}
		list += fmt.Sprintf("  - {name: %s, kind: irrelevance, cases: %s.yaml}\n", name, name)
		file(name+".yaml", cases)
	}
	file("suite.yaml", list)
	return dir
}

// TestDrift: chains of versions that each lose a little are seen against the
// first one, and hardly ever against the one before. BFCL_COVERAGE runs as
// many as docs/gate.md counts.
func TestDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	dataset := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	sel := testkit.Must(suite.Select(dataset, "all_scoring", ""))(t)
	chains, every := 2, 10 // the last version, and one on the way
	if os.Getenv("BFCL_COVERAGE") != "" {
		chains, every = 12, 1
	}
	const versions = 20
	random := rand.New(rand.NewPCG(4, 7))
	failed, first := map[string]int{}, []float64{}
	for range chains {
		shared := map[string]float64{}
		lost, version := 0.0, func(name string, lost float64) *tally.Run {
			return asked(sel, name, 0.8-lost, func(id string) float64 {
				if _, known := shared[id]; !known {
					shared[id] = random.Float64()
				}
				if random.Float64() < 0.3 { // two versions' verdicts correlate by a half
					return random.Float64()
				}
				return shared[id]
			})
		}
		g := gate.Gate{Rules: parse(t, "baselines: {release: r}\nregressions: {overall: [{detect: 5}, {detect: 5, against: release}]}"), Release: version("release", 0)}
		g.Baseline = g.Release
		seen := false
		for i := range versions {
			lost += 0.003 + 0.002*random.Float64()
			run := version(strconv.Itoa(i+1), lost)
			run.Path = run.Name
			if (i+1)%every == 0 {
				d := testkit.Must(g.Decide(run))(t)
				for _, c := range d.Rules {
					if c.Outcome != gate.Failed {
						continue
					}
					failed[c.Baseline]++
					if c.Baseline == gate.Release && !seen {
						seen, first = true, append(first, 100*lost)
					}
				}
			}
			g.Baseline = run
		}
	}
	slices.Sort(first)
	t.Logf("of %d gates failed against the last version %d, against the release %d; it failed first at a loss of %.1f points in %d of %d chains",
		chains*versions/every, failed[""], failed[gate.Release], first, len(first), chains)
	assert.Len(t, first, chains, "every chain is seen against the release")
	assert.Greater(t, failed[gate.Release], failed[""])
}
