package leaderboard_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestSpendErrors(t *testing.T) {
	for _, latencies := range [][]float64{{1}, {1, math.Inf(1)}, {math.NaN(), 2}} {
		u := leaderboard.Usage{Latency: leaderboard.Series{Values: latencies, Floats: len(latencies)}}
		assert.Error(t, testkit.Err(u.Spend(leaderboard.Model{})), "%v", latencies)
	}
}

// TestTablesHoldNoFormula: a spreadsheet computes what begins like one.
func TestTablesHoldNoFormula(t *testing.T) {
	for name, want := range map[string]string{"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "@cf/model": "'@cf/model", "+1": "'+1", "-1": "'-1", "gpt-5": "gpt-5"} {
		files := testkit.Must(leaderboard.Tables([]leaderboard.Entry{{Model: leaderboard.Model{Name: name, URL: name}}}))(t)
		for _, file := range files {
			row := strings.Split(strings.Split(file.Text, "\n")[1], ",")
			assert.Contains(t, row, want, file.Name)
			if name != want {
				assert.NotContains(t, row, name, file.Name)
			}
		}
	}
}

func TestLeaderboardRefusesForgedRows(t *testing.T) {
	assert.ErrorContains(t, testkit.Err(leaderboard.Tables([]leaderboard.Entry{{Model: leaderboard.Model{Name: "a\n1,99.99%"}}})), "control characters")
}

func TestLeaderboardV1(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	files, err := leaderboard.TablesV1([]leaderboard.Entry{
		{Model: leaderboard.Model{Name: "low"}},
		{Model: leaderboard.Model{Name: "high", URL: "u", Org: "o", License: "l"}, Accuracy: map[string]score.Accuracy{
			"relevance": {Value: 0.5, Total: 4}, "simple": {Value: 1, Total: 4},
		}},
	})
	require.NoError(t, err)
	require.NoError(t, leaderboard.WriteFiles(dir, files))
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "data.csv")))(t)
	assert.Regexp(t, `^Rank,Overall Acc,Model,.*\n1,75.00%,high,u,o,l,25.00%,0.00%,100.00%,.*\n2,0.00%,low,[^\n]*$`, string(text))
}

func FuzzRecord(f *testing.F) {
	f.Add(`{"latency": [[1.5, 2], []], "input_token_count": 10, "output_token_count": true}`)
	f.Add(`{"latency": 1e400, "input_token_count": 123456789012345678901234567890}`)
	f.Add(`{"accuracy": 0.5, "correct_count": 1, "total_count": 2, "accuracy_std": 3, "x": {"accuracy": 1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := pyval.ParseJSON(text)
		d, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		var u leaderboard.Usage
		u.Record(d)
		_, _ = u.Spend(leaderboard.Model{})
		if s, err := leaderboard.ParseSensitivity(d); err == nil {
			_ = s.Header()
		}
	})
}
