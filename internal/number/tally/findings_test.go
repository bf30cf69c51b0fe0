package tally

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/why"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// found is a run with a result of each of these kinds in its categories.
func found(results ...eval.Result) *Run {
	r := &Run{}
	for _, result := range results {
		part := r.Part(result.Category.Name)
		if part == nil {
			r.Parts = append(r.Parts, Part{Category: result.Category})
			part = &r.Parts[len(r.Parts)-1]
		}
		part.Results = append(part.Results, result)
	}
	return r
}

// unseen is a result without its answer.
func unseen(category string, status eval.Status, errorType string) eval.Result {
	r := eval.Result{Category: categories.Find(category), Case: &eval.Case{ID: "x"}, Verdict: eval.Verdict{Status: status, ErrorType: errorType}}
	why.Examine(&r, eval.Settings{})
	return r
}

// at is a failed answer that reached a level.
func at(category string, level cause.Level, kind cause.Kind) eval.Result {
	return eval.Result{Category: categories.Find(category), Verdict: eval.Verdict{Status: eval.Fail}, Level: level, Seen: true, Cause: cause.Cause{Kind: kind}}
}

func pass(category string) eval.Result { return unseen(category, eval.Pass, "") }

func TestFindings(t *testing.T) {
	r := found(pass("multiple"), pass("multiple"), at("multiple", cause.Known, cause.WrongType), at("multiple", cause.Ground, cause.NoCall),
		unseen("multiple", eval.Error, "infrastructure:timeout"), unseen("irrelevance", eval.Fail, "irrelevance_error:decoder_success"),
		unseen("chatable", eval.Fail, "relevance_error:decoder_success"), at("sql", cause.Types, cause.WrongValue)).Findings(false)
	text := testkit.Must(json.Marshal(r))(t)
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
		"taxonomy": {"no_call": 1, "type": 1, "unwanted_call": 1},
		"outside": {"chatable": 1, "sql": 1}
	}`, string(text))
	assert.Equal(t, `
Where calls went wrong (4 answers; the share that reached each level):
  readable call               ██████████████████░░░░░░   75.00%  3
  right function and count    ██████████████████░░░░░░   75.00%  3
  required parameters filled  ██████████████████░░░░░░   75.00%  3
  no invented parameters      ██████████████████░░░░░░   75.00%  3
  types right                 ████████████░░░░░░░░░░░░   50.00%  2
  values right                ████████████░░░░░░░░░░░░   50.00%  2

Why 3 failed:
      1  no call
      1  wrong type
      1  called when it should not
2 more failed in categories that do not count: chatable (1), sql (1)
`, written(t, r))
}

func written(t *testing.T, r *Findings) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Write(&b))
	return b.String()
}

func TestFindingsWithoutAnswers(t *testing.T) {
	r := found(pass("multiple"), unseen("multiple", eval.Fail, "value_error:string")).Findings(true)
	assert.Nil(t, r.Ladder)
	assert.Equal(t, `
Why 1 failed:
      1  wrong value
`, written(t, r))
}

func TestFindingsOfNothing(t *testing.T) {
	assert.Empty(t, written(t, found().Findings(true)))
	passed := found(pass("irrelevance")).Findings(true)
	assert.Empty(t, written(t, passed))
	text := testkit.Must(json.Marshal(passed))(t)
	assert.JSONEq(t, `{"taxonomy": {}}`, string(text))
}

// TestUnscoredAlone: where nothing else ran, categories outside the score are
// summed.
func TestUnscoredAlone(t *testing.T) {
	r := found(at("sql", cause.Types, cause.WrongValue)).Findings(true)
	assert.Equal(t, 1, r.Ladder.Total)
	assert.Equal(t, Taxonomy{cause.WrongValue: 1}, r.Taxonomy)
}
