package compare_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// agentRun is a run of an agent; the i-th case took i calls more than the least.
func agentRun(name, outcomes string, least int, cost float64) *tally.Run {
	r := newRun(name, 1, one(outcomes))
	for i := range r.Parts[0].Results {
		result := &r.Parts[0].Results[i]
		if result.Status != eval.Error {
			result.Effort = &eval.Effort{Calls: least + i, Wall: time.Duration(least+i) * time.Second, Cost: cost}
		}
	}
	return r
}

func changeOf(t *testing.T, c *compare.Comparison, name string) compare.FigureChange {
	t.Helper()
	for _, f := range c.Agents.Figures {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s is not compared", name)
	return compare.FigureChange{}
}

// TestAgents: a comparison says of each run what its score says, over the cases
// that both answered, and how sure the difference is.
func TestAgents(t *testing.T) {
	a := agentRun("a", strings.Repeat("p", 20)+strings.Repeat("f", 10), 1, 0.02)
	b := agentRun("b", strings.Repeat("p", 25)+strings.Repeat("f", 5), 2, 0.01)
	c := pair(t, a, b)
	assert.Equal(t, []int{20, 25}, []int{c.Agents.SolvedA, c.Agents.SolvedB})
	require.Len(t, c.Agents.Figures, len(tally.AgentFigures()))
	for _, f := range c.Agents.Figures {
		assert.Equal(t, tally.AgentOf(a).Figures[f.Name], *f.A, f.Name)
		assert.Equal(t, tally.AgentOf(b).Figures[f.Name], *f.B, f.Name)
		require.NotNil(t, f.Difference, f.Name)
		assert.InDelta(t, f.B.Value-f.A.Value, f.Difference.Value, 1e-9, f.Name)
		assert.True(t, f.Difference.Low <= f.Difference.Value && f.Difference.Value <= f.Difference.High, f.Name)
	}
	calls, cost := changeOf(t, c, "calls_per_solved"), changeOf(t, c, "cost_per_solved")
	assert.InDelta(t, 14-10.5, calls.Difference.Value, 1e-9)
	assert.InDelta(t, 0.012-0.03, cost.Difference.Value, 1e-9)
	assert.Negative(t, cost.Difference.High, "cheaper for sure")
	var text, markdown bytes.Buffer
	require.NoError(t, c.Write(&text, 0, compare.Screen{}))
	assert.Regexp(t, `per solved case, less is better +A +B +change`, text.String())
	assert.Regexp(t, `calls +10\.50 +14\.00 +\+3\.50`, text.String())
	assert.Regexp(t, `wall time +10\.50 s +14\.00 s`, text.String())
	assert.Regexp(t, `cost +\$0\.0300 +\$0\.0120 +−0\.0180`, text.String())
	require.NoError(t, c.Markdown(&markdown, 0))
	assert.Contains(t, markdown.String(), "| cost |")
	_, err := json.Marshal(c)
	require.NoError(t, err)
}

// TestAgentsUntold: what is not known, or not in full, has no difference.
func TestAgentsUntold(t *testing.T) {
	a, b := agentRun("a", "pppppppp", 1, 0), agentRun("b", "pppppppp", 2, 0.01)
	assert.Nil(t, pair(t, a, b).Agents.Figures[7].A)
	cost := changeOf(t, pair(t, a, b), "cost_per_solved")
	assert.Nil(t, cost.A)
	assert.NotNil(t, cost.B)
	assert.Nil(t, cost.Difference)
	a.Parts[0].Results[3].Effort.Cost = 1
	cost = changeOf(t, pair(t, a, b), "cost_per_solved")
	assert.Equal(t, 7, cost.A.Silent)
	assert.Nil(t, cost.Difference)
	for _, name := range []string{"pfffffff", "ffffffff"} {
		c := pair(t, agentRun("a", name, 1, 0.01), b)
		for _, f := range c.Agents.Figures {
			assert.Nil(t, f.Difference, "one solved case tells no interval: %s", f.Name)
		}
	}
	model := newRun("m", 1, one("pppppppp"))
	assert.Nil(t, pair(t, model, b).Agents)
	assert.Nil(t, pair(t, b, model).Agents)
	var text bytes.Buffer
	require.NoError(t, pair(t, model, b).Write(&text, 0, compare.Screen{}))
	assert.NotContains(t, text.String(), "solved")
}
