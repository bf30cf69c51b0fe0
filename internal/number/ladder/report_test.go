package ladder

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
)

func pass() Grade { return Unseen(eval.Pass, "") }

func TestReport(t *testing.T) {
	multiple, chat, sql, relevance := categories.Find("multiple"), categories.Find("chatable"), categories.Find("sql"), categories.Find("irrelevance")
	var n Count
	n.Add(multiple, pass(), true)
	n.Add(multiple, pass(), true)
	n.Add(multiple, Grade{Known, WrongType, true}, true)
	n.Add(multiple, Grade{Ground, NoCall, true}, true)
	n.Add(multiple, Unseen(eval.Error, "infrastructure:timeout"), false)
	n.Add(relevance, Unseen(eval.Fail, "irrelevance_error:decoder_success"), true)
	n.Add(chat, Unseen(eval.Fail, "relevance_error:decoder_success"), true)
	n.Add(sql, Grade{Types, WrongValue, true}, true)
	r := n.Report()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"ladder": {
			"total": 4,
			"levels": [{"level": "call", "reached": 3, "rate": 0.75}, {"level": "function", "reached": 3, "rate": 0.75},
				{"level": "required", "reached": 3, "rate": 0.75}, {"level": "known", "reached": 3, "rate": 0.75},
				{"level": "types", "reached": 2, "rate": 0.5}, {"level": "values", "reached": 2, "rate": 0.5}],
			"categories": {
				"multiple": {"total": 4, "levels": [{"level": "call", "reached": 3, "rate": 0.75}, {"level": "function", "reached": 3, "rate": 0.75},
					{"level": "required", "reached": 3, "rate": 0.75}, {"level": "known", "reached": 3, "rate": 0.75},
					{"level": "types", "reached": 2, "rate": 0.5}, {"level": "values", "reached": 2, "rate": 0.5}]},
				"sql": {"total": 1, "levels": [{"level": "call", "reached": 1, "rate": 1}, {"level": "function", "reached": 1, "rate": 1},
					{"level": "required", "reached": 1, "rate": 1}, {"level": "known", "reached": 1, "rate": 1},
					{"level": "types", "reached": 1, "rate": 1}, {"level": "values", "reached": 0, "rate": 0}]}
			}
		},
		"taxonomy": {"infrastructure": 1, "no_call": 1, "type": 1, "unwanted_call": 1},
		"outside": {"chatable": 1, "sql": 1}
	}`, string(text))
	assert.Equal(t, `
How far 4 answers got where calls were wanted:
  readable call               ██████████████████░░░░░░   75.00%  3
  right function and count    ██████████████████░░░░░░   75.00%  3
  required parameters filled  ██████████████████░░░░░░   75.00%  3
  no invented parameters      ██████████████████░░░░░░   75.00%  3
  types right                 ████████████░░░░░░░░░░░░   50.00%  2
  values right                ████████████░░░░░░░░░░░░   50.00%  2

What kept 4 answers from passing:
      1  infrastructure error
      1  no call
      1  wrong type
      1  call where none was wanted
Left out are 2 of categories outside the score, which bfcl failures has too: chatable (1), sql (1)
`, written(t, r))
}

func written(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Write(&b))
	return b.String()
}

func TestReportWithoutAnswers(t *testing.T) {
	var n Count
	n.Add(categories.Find("multiple"), pass(), true)
	n.Add(categories.Find("multiple"), Unseen(eval.Fail, "value_error:string"), true)
	r := n.Report()
	assert.Nil(t, r.Ladder)
	assert.Equal(t, `
JUnit alone does not show how far the answers got: score the run folder, with run.json and result/.

What kept 1 answer from passing:
      1  wrong value
`, written(t, r))
}

func TestReportOfNothing(t *testing.T) {
	var n Count
	assert.Empty(t, written(t, n.Report()))
	n.Add(categories.Find("irrelevance"), pass(), true)
	assert.Empty(t, written(t, n.Report()))
	text, err := json.Marshal(n.Report())
	require.NoError(t, err)
	assert.JSONEq(t, `{"taxonomy": {}}`, string(text))
}

// TestUnscoredAlone: where nothing else ran, categories outside the score are
// summed.
func TestUnscoredAlone(t *testing.T) {
	var n Count
	n.Add(categories.Find("sql"), Grade{Types, WrongValue, true}, true)
	r := n.Report()
	assert.Equal(t, 1, r.Ladder.Total)
	assert.Equal(t, Taxonomy{WrongValue: 1}, r.Taxonomy)
}

// TestNesting: no level is reached by more than the one below.
func TestNesting(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var n Count
		for range 1 + random.IntN(50) {
			n.Add(categories.Find("parallel"), Grade{Level: Level(random.IntN(int(Values) + 1)), Seen: true}, true)
		}
		below := n.Report().Ladder.Total
		for _, rung := range n.Report().Ladder.Levels {
			require.LessOrEqual(t, rung.Reached, below)
			require.InDelta(t, float64(rung.Reached)/float64(n.Report().Ladder.Total), rung.Rate, 0)
			below = rung.Reached
		}
	}
}

func TestLevelNames(t *testing.T) {
	assert.Equal(t, "ground", Ground.String())
	assert.Equal(t, "values right", Values.Title())
	assert.Equal(t, "unknown", Level(99).String())
	assert.Equal(t, "unknown", Level(99).Title())
	assert.Len(t, Levels(), int(Values))
}
