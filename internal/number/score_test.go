package number_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var run = score.Run{
	Dataset: "v4", Digest: "sha256:0123456789abcdef", Model: "example",
	Data: eval.Origin{State: eval.Official, Release: "v4", Commit: "6ea57973c7a6097f"},
}

// complete is a tally of every category of V4 with the given share right.
func complete(share float64) map[string]score.Tally {
	tallies := map[string]score.Tally{}
	for name, size := range score.V4.Sizes {
		tallies[name] = score.Tally{Total: size, Correct: int(share * float64(size))}
	}
	return tallies
}

func only(share float64, names ...string) map[string]score.Tally {
	all, some := complete(share), map[string]score.Tally{}
	for _, name := range names {
		some[name] = all[name]
	}
	return some
}

func newScore(t *testing.T, tallies map[string]score.Tally, opt score.Options) *score.Score {
	t.Helper()
	return testkit.Must(score.New(run, tallies, opt))(t)
}

func TestLayouts(t *testing.T) {
	for _, l := range score.Layouts {
		seen := map[string]bool{l.Overall.Name: true}
		l.Walk(func(n *score.Node, depth int, _ bool) {
			assert.False(t, seen[n.Name], "%s: %s twice", l.Name, n.Name)
			seen[n.Name] = true
			assert.Equal(t, n.Name == "format_sensitivity" || slices.Contains(l.Overall.Parts, n), depth == 0, "%s: %s", l.Name, n.Name)
			if n.Rule == score.ByWeight {
				assert.Len(t, n.Weights, len(n.Parts), n.Name)
			}
			if len(n.Parts) > 0 {
				assert.NotEmpty(t, n.Title, n.Name)
			}
		})
		assert.Same(t, l, score.LayoutOf(l.Name))
		for name := range l.Sizes {
			assert.True(t, seen[name], "%s: size of unknown %s", l.Name, name)
		}
	}
	assert.Len(t, score.V4.Overall.Weights, len(score.V4.Overall.Parts))
	assert.Same(t, score.V4, score.LayoutOf("starter"))
}

func TestOldOveralls(t *testing.T) {
	table := map[string]score.Accuracy{
		"simple_python": {Value: 0.9, Total: 400}, "simple_java": {Value: 0.6, Total: 100}, "simple_javascript": {Value: 0.3, Total: 50},
		"multiple": {Value: 0.8, Total: 200}, "parallel": {Value: 0.7, Total: 200},
		"parallel_multiple": {Value: 0.5, Total: 200}, "irrelevance": {Value: 1, Total: 240},
		"live_simple": {Value: 0.5, Total: 300}, "live_multiple": {Value: 0.25, Total: 700},
		"multi_turn_base": {Value: 0.4, Total: 200},
	}
	groups := score.V3.Evaluate(table)
	assert.InDelta(t, (0.6+0.8+0.7+0.5+1)/5, groups["non_live"].Value, 1e-12)
	assert.InDelta(t, 0.325, groups["live"].Value, 1e-12)
	assert.InDelta(t, (0.72+0.325+0.1)/3, groups["overall"].Value, 1e-12)

	assert.True(t, groups["live"].NA, "a part is missing, though not the last")
	assert.True(t, groups["multi_turn"].NA, "all but the first are")
	assert.False(t, groups["non_live"].NA)

	groups = score.V2.Evaluate(table)
	assert.InDelta(t, (0.6+0.5)/2, groups["simple_ast"].Value, 1e-12)
	assert.InDelta(t, (0.55+0.525+0.35+0.25+0.5)/10, groups["overall"].Value, 1e-12)
}

func TestScoreComplete(t *testing.T) {
	s := newScore(t, complete(1), score.Options{})
	assert.Equal(t, 1.0, s.Overall.Accuracy)
	assert.True(t, s.Overall.Complete())
	assert.Equal(t, 5090, s.Overall.Total, "live_relevance does not count")
	assert.Contains(t, s.Categories, "live_relevance")
	assert.NotContains(t, s.Groups, "overall")

	half := newScore(t, complete(0.5), score.Options{})
	want := stat.Wilson(100, 200, stat.Z95)
	got := half.Categories["multiple"]
	assert.InDeltaSlice(t, []float64{want.Low, want.High}, []float64{got.Low, got.High}, 1e-12)
	width := func(p score.Part) float64 { return p.High - p.Low }
	assert.Less(t, width(half.Groups["multi_turn"]), width(half.Categories["multi_turn_base"]))
	assert.Equal(t, half.Overall.Accuracy, half.Overall.Ran.Value)
}

// few are 24 cases of each category, or all where there are less, right as
// often as the category's place says.
func few() map[string]score.Tally {
	tallies := map[string]score.Tally{}
	for name, size := range score.V4.Sizes {
		n := min(size, 24)
		tallies[name] = score.Tally{Total: n, Correct: n * len(name) / 32}
	}
	return tallies
}

// TestPartWeighsAsTheWhole: where cases are counted alike a category weighs as
// many as the dataset has, however many of them were run.
func TestPartWeighsAsTheWhole(t *testing.T) {
	part := few()
	table := map[string]score.Accuracy{}
	for name, p := range part {
		table[name] = score.Accuracy{Value: float64(p.Correct) / float64(p.Total), Total: score.V4.Sizes[name]}
	}
	want := score.V4.Evaluate(table)
	s := newScore(t, part, score.Options{})
	assert.Equal(t, want["live"].Value, s.Groups["live"].Accuracy)
	assert.InDelta(t, want["live"].Value, s.Groups["live"].Ran.Value, 1e-12)
	assert.Equal(t, want["overall"].Value, s.Overall.Accuracy)

	first, err := score.New(score.Run{Dataset: "v1"}, map[string]score.Tally{
		"simple": {Total: 10, Correct: 10}, "java": {Total: 10, Correct: 5}, "javascript": {Total: 10}, "relevance": {Total: 10},
	}, score.Options{})
	require.NoError(t, err)
	assert.InDelta(t, 450.0/550, first.Groups["simple_ast"].Accuracy, 1e-12)
	assert.InDelta(t, 450.0/790, first.Overall.Accuracy, 1e-12, "what is missing weighs nothing in the first release")
	assert.InDelta(t, 450.0/790, first.Overall.Ran.Value, 1e-12)
	first = testkit.Must(score.New(score.Run{Dataset: "v1"}, map[string]score.Tally{"simple": {Total: 10, Correct: 10}, "javascript": {Total: 10}, "relevance": {Total: 10}}, score.Options{}))(t)
	assert.InDelta(t, 400.0/690, first.Overall.Ran.Value, 1e-12, "nor in a group")
}

// TestPartSaysSo: a score over a part is called one, in its title and in JSON.
func TestPartSaysSo(t *testing.T) {
	part := few()
	part["multiple"] = score.Tally{Total: 600, Correct: 300, Cases: 200}
	delete(part, "memory_kv")
	s := newScore(t, part, score.Options{})
	assert.False(t, s.Complete)
	require.NotNil(t, s.Coverage)
	assert.Equal(t, score.Covered{Cases: 18*24 + 16 + 200, Of: 5090}, s.Coverage.Covered, "live_relevance does not count")
	assert.Equal(t, score.Covered{Of: 155}, s.Coverage.Categories["memory_kv"])
	assert.Equal(t, score.Covered{Cases: 24, Of: 258}, s.Coverage.Categories["live_simple"])
	assert.NotContains(t, s.Coverage.Categories, "multiple", "trials are no cases, and all cases were run")
	assert.NotContains(t, s.Coverage.Categories, "live_parallel")
	text := testkit.Must(json.Marshal(s))(t)
	assert.Contains(t, string(text), `"complete":false,"coverage":{"cases":`)
	table := tableText(t, s, false)
	assert.Regexp(t, `^example  a part of v4: \d+ of 5090 cases \(official, commit 6ea5797\)  `, table)
	has(t, table, "live_simple 33.33% 16.6 – 53.8 8 / 24 258")
	assert.Contains(t, table, "not the benchmark's score")

	whole := newScore(t, complete(0.5), score.Options{})
	assert.True(t, whole.Complete)
	assert.Nil(t, whole.Coverage)
	assert.Regexp(t, `^example  v4 \(official, commit 6ea5797\)  `, tableText(t, whole, false))
	assert.Empty(t, whole.Warnings)
	less := complete(0.5)
	delete(less, "live_relevance")
	assert.True(t, newScore(t, less, score.Options{}).Complete, "it does not count")
	less["live_relevance"] = score.Tally{Total: 3}
	aside := newScore(t, less, score.Options{})
	assert.True(t, aside.Complete)
	assert.Equal(t, map[string]score.Covered{"live_relevance": {Cases: 3, Of: 16}}, aside.Coverage.Categories)
	assert.False(t, aside.Partial())
}

// TestOtherData: what is not the official data is said before any number, in
// JSON too.
func TestOtherData(t *testing.T) {
	other := run
	other.Data = eval.Origin{State: eval.Altered, Release: "v4", Differing: []string{"prompts.json has other content"}}
	s := testkit.Must(score.New(other, complete(0.5), score.Options{}))(t)
	require.Len(t, s.Warnings, 1)
	table := strings.Join(strings.Fields(tableText(t, s, false)), " ")
	assert.Regexp(t, `^example v4 \(altered\) sha256:0123456789ab The official data of v4 was altered, .*: prompts.json has other content\. .* weight accuracy`, table)
	text := testkit.Must(json.Marshal(s))(t)
	assert.Contains(t, string(text), `"data":{"state":"altered","release":"v4","differing":["prompts.json has other content"]}`)
	assert.Contains(t, string(text), `"warnings":["The official data of v4 was altered`)
}

func TestScoreMissing(t *testing.T) {
	s := newScore(t, only(0.5, "simple_python", "simple_java", "simple_javascript",
		"multiple", "parallel", "parallel_multiple"), score.Options{})
	assert.InDelta(t, 0.05, s.Overall.Accuracy, 1e-12, "upstream counts the rest as 0")
	assert.InDelta(t, 0.5, s.Overall.Ran.Value, 1e-12)
	assert.Len(t, s.Overall.Missing, 15)
	assert.True(t, s.Groups["non_live"].Complete())
	assert.NotContains(t, s.Groups, "agentic")
}

// TestMissingIsCertain: what is missing is 0 with certainty, and if nobody knows
// how many cases it has, none of them are missed.
func TestMissingIsCertain(t *testing.T) {
	layout := score.Own([]score.Weighted{{Category: "a", Weight: 1}, {Category: "b", Weight: 1}})
	s := newScore(t, map[string]score.Tally{"a": {Total: 40, Correct: 30}}, score.Options{Layout: layout})
	a := s.Categories["a"]
	assert.InDeltaSlice(t, []float64{a.Accuracy / 2, a.Low / 2, a.High / 2}, []float64{s.Overall.Accuracy, s.Overall.Low, s.Overall.High}, 1e-12)
	assert.Equal(t, []string{"b"}, s.Overall.Missing)
	assert.Nil(t, s.Coverage)
	assert.Regexp(t, `(?m)^    memory_kv +49.68%`, tableText(t, newScore(t, only(0.5, "memory_kv", "multi_turn_base", "live_simple"), score.Options{}), false), "below groups of which nothing was run")
}

func TestScoreSizes(t *testing.T) {
	tallies := only(1, "live_simple")
	own := newScore(t, tallies, score.Options{Sizes: map[string]int{"live_multiple": 258}})
	assert.InDelta(t, 0.5, own.Groups["live"].Accuracy, 1e-12)
	assert.InDelta(t, 258.0/1351, newScore(t, tallies, score.Options{}).Groups["live"].Accuracy, 1e-12)
}

func TestScoreErrors(t *testing.T) {
	tallies := map[string]score.Tally{
		"multiple":  {Total: 10, Correct: 4, Errors: 2},
		"parallel":  {Total: 3, Errors: 3},
		"memory_kv": {Total: 1, Errors: 1},
	}
	apart := newScore(t, tallies, score.Options{})
	assert.Equal(t, 0.5, apart.Categories["multiple"].Accuracy)
	assert.Equal(t, 8, apart.Categories["multiple"].Total)
	assert.True(t, apart.Categories["parallel"].NA)
	assert.Contains(t, apart.Overall.Missing, "parallel")
	assert.True(t, apart.Groups["agentic"].NA)
	assert.Equal(t, 1, apart.Groups["agentic"].Errors, "it is there for its errors")
	assert.NotContains(t, apart.Accuracies(), "parallel")

	wrong := newScore(t, tallies, score.Options{AllowErrors: true})
	assert.Equal(t, 0.4, wrong.Categories["multiple"].Accuracy)
	assert.Equal(t, 10, wrong.Categories["multiple"].Total)
	assert.Equal(t, 0.0, wrong.Categories["parallel"].Accuracy)
	assert.False(t, wrong.Categories["parallel"].NA)
	assert.Equal(t, 6, wrong.Overall.Errors)
	difference, ok := newScore(t, nil, score.Options{}).Detectable()
	assert.Zero(t, difference)
	assert.False(t, ok, "nothing counts")
	assert.NotContains(t, newScore(t, map[string]score.Tally{"multiple": {}}, score.Options{}).Categories, "multiple", "it was not run")
	difference, ok = newScore(t, map[string]score.Tally{"multiple": {Total: 2, Correct: 1, Clusters: []stat.Block{ones(1, 2)}}}, score.Options{}).Detectable()
	assert.Equal(t, 1.0, difference, "no difference is larger")
	assert.True(t, ok)
}

// ones is a cluster of so many cases of which some are right.
func ones(right, of int) stat.Block {
	return stat.Block{N: of, Sum: float64(right), Squares: float64(right)}
}

func TestScoreClusters(t *testing.T) {
	clusters := []stat.Block{ones(50, 50), ones(0, 50), ones(50, 50), ones(0, 50)}
	plain := newScore(t, map[string]score.Tally{"multiple": {Total: 200, Correct: 100}}, score.Options{})
	wide := newScore(t, map[string]score.Tally{"multiple": {Total: 200, Correct: 100, Clusters: clusters}}, score.Options{})
	assert.Equal(t, plain.Categories["multiple"].Accuracy, wide.Categories["multiple"].Accuracy)
	assert.Less(t, wide.Categories["multiple"].Low, plain.Categories["multiple"].Low-0.1)
	for n := 1; n < 40; n++ {
		var all score.Tally
		for i := range n {
			right, of := i%3, 1+i%5+i%3
			all.Correct, all.Total, all.Clusters = all.Correct+right, all.Total+of, append(all.Clusters, ones(right, of))
		}
		got := newScore(t, map[string]score.Tally{"multiple": all}, score.Options{}).Categories["multiple"]
		assert.Equal(t, float64(all.Correct)/float64(all.Total), got.Accuracy, "to the last digit, as upstream's")
	}
}

func TestScoreRefuses(t *testing.T) {
	for _, bad := range []score.Tally{
		{Total: 3, Correct: 4},
		{Total: 3, Correct: 2, Errors: 2},
		{Total: 3, Correct: -1},
		{Total: 3, Errors: -1},
		{Total: -1},
	} {
		assert.Error(t, testkit.Err(score.New(run, map[string]score.Tally{"multiple": bad}, score.Options{})), "%+v", bad)
	}
}

func TestScoreJSON(t *testing.T) {
	tallies := only(0.5, "multiple", "live_simple")
	tallies["parallel"] = score.Tally{Total: 1, Errors: 1}
	tallies["own"] = score.Tally{Total: 4, Correct: 1}
	s := newScore(t, tallies, score.Options{})
	text := testkit.Must(json.Marshal(s))(t)
	var back score.Score
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Empty(t, cmp.Diff(s, &back, cmpopts.EquateEmpty()))

	var plain map[string]any
	require.NoError(t, json.Unmarshal(text, &plain))
	categories := plain["categories"].(map[string]any)
	assert.Nil(t, categories["parallel"].(map[string]any)["accuracy"], "no number where none is known")
	for _, field := range []string{"accuracy", "correct", "total", "errors", "low", "high"} {
		assert.Contains(t, categories["own"], field)
		assert.Contains(t, plain["overall"], field)
	}
	assert.Contains(t, plain["overall"], "ran")
	assert.NotContains(t, categories["own"], "ran", "it is the accuracy")
	one := complete(0.5)
	delete(one, "multiple")
	text = testkit.Must(json.Marshal(newScore(t, one, score.Options{}).Overall))(t)
	assert.Contains(t, string(text), `"missing":["multiple"],"units":`)
	assert.Contains(t, string(text), `"ran":{"value":`)
	for text, known := range map[string]bool{
		`{"accuracy": 0.5, "low": 0.4, "high": 0.6}`: true, `{"low": 0.4, "high": 0.6}`: false, `{"accuracy": 0.5, "high": 0.6}`: false, `{"accuracy": 0.5, "low": 0.4}`: false,
	} {
		var part score.Part
		require.NoError(t, json.Unmarshal([]byte(text), &part))
		assert.Equal(t, known, !part.NA, text)
	}
}

// TestAccuracyIsInItsInterval: a sum of weights that is a little off 1 does not put
// what is all right, or all wrong, beside its own interval.
func TestAccuracyIsInItsInterval(t *testing.T) {
	for _, share := range []float64{0, 0.5, 1} {
		for cases := 1; cases <= 40; cases++ {
			tallies := complete(share)
			for name := range tallies {
				tallies[name] = score.Tally{Total: cases, Correct: int(share * float64(cases))}
			}
			s := newScore(t, tallies, score.Options{})
			for name, p := range s.Groups {
				assert.True(t, p.Low <= p.Accuracy && p.Accuracy <= p.High, "%s: %v", name, p)
			}
			p := s.Overall
			assert.True(t, p.Low <= p.Accuracy && p.Accuracy <= p.High, "%d cases: %v", cases, p)
		}
	}
}
