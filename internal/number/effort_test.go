package number_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestFigures: each has a name of its own, a title and an explanation.
func TestFigures(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range score.AgentFigures() {
		assert.Regexp(t, `^[a-z_]+_per_solved$`, f.Name)
		assert.False(t, seen[f.Name] || seen[f.Title], f.Name)
		seen[f.Name], seen[f.Title] = true, true
		assert.NotEmpty(t, f.Help, f.Name)
		assert.Contains(t, []string{"", "s", "$"}, f.Unit, f.Name)
	}
	f := score.AgentFigure{Unit: "$", Digits: 4}
	assert.Equal(t, []string{"$0.0124", "$0.01236", "−0.5000"}, []string{f.Text(0.01236), f.Exact(0.01236), f.Signed(-0.5)})
	f = score.AgentFigure{Unit: "s", Digits: 2}
	assert.Equal(t, []string{"1.50 s", "1.5 s"}, []string{f.Text(1.5), f.Exact(1.5)})
}

// at is the place of a figure.
func at(t *testing.T, name string) int {
	t.Helper()
	for i, f := range score.AgentFigures() {
		if f.Name == name {
			return i
		}
	}
	t.Fatalf("there is no figure %q", name)
	return 0
}

// TestTotal: counts and seconds are of the solved cases alone; what the agent
// states is of all, and the least that it can be where not all of it is stated.
func TestTotal(t *testing.T) {
	trial := func(solved bool, cost float64) *eval.Result {
		r := &eval.Result{Response: eval.Response{Effort: &eval.Effort{Calls: 3, Wall: time.Second, Cost: cost}}}
		if !solved {
			r.Status = eval.Fail
		}
		return r
	}
	stopped := trial(false, 0.5)
	stopped.Effort.Exceeded = true
	calls, cost, tokens := at(t, "calls_per_solved"), at(t, "cost_per_solved"), at(t, "input_tokens_per_solved")
	for _, c := range []struct {
		name        string
		trials      []*eval.Result
		calls, cost *score.AgentValue
	}{
		{"nothing", nil, nil, nil},
		{"none solved", []*eval.Result{trial(false, 1)}, nil, nil},
		{"half solved", []*eval.Result{trial(true, 1), trial(false, 2)}, &score.AgentValue{Value: 3}, &score.AgentValue{Value: 3}},
		{"no costs", []*eval.Result{trial(true, 0)}, &score.AgentValue{Value: 3}, nil},
		{"one without", []*eval.Result{trial(true, 1), trial(true, 0)}, &score.AgentValue{Value: 3}, &score.AgentValue{Value: 0.5, Silent: 1}},
		{"one stopped", []*eval.Result{trial(true, 1), stopped}, &score.AgentValue{Value: 3}, &score.AgentValue{Value: 1.5, Silent: 1}},
	} {
		var whole, first, rest score.AgentTotal
		for i, one := range c.trials {
			whole.Add(one)
			if i == 0 {
				first.Add(one)
			} else {
				rest.Add(one)
			}
		}
		var sum score.AgentTotal
		for _, s := range []*score.AgentTotal{{}, &first, &rest} {
			sum.Include(s)
		}
		assert.Equal(t, whole, sum, c.name)
		assert.Equal(t, c.calls, whole.Value(calls), c.name)
		assert.Equal(t, c.cost, whole.Value(cost), c.name)
		assert.Nil(t, whole.Value(tokens), c.name)
		assert.Equal(t, c.cost != nil && c.cost.Silent == 0, whole.Value(cost).Whole(), c.name)
	}
	var s score.AgentTotal
	assert.Equal(t, stat.Ratio{}, s.Ratio(cost))
	s.Add(trial(true, 1))
	s.Add(trial(false, 2))
	assert.Equal(t, stat.Ratio{Over: 3, Under: 1}, s.Ratio(cost))
	assert.Equal(t, stat.Ratio{Over: 3, Under: 1}, s.Ratio(calls))
	require.Len(t, s.Values(), len(score.AgentFigures())-2, "all but tokens")
	f := score.AgentFigures()[cost]
	assert.Equal(t, "at least $1.0000", (&score.AgentValue{Value: 1, Silent: 2}).Text(&f))
}
