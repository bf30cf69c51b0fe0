package record

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestEffort: what an agent took is written and read, and of models nothing.
func TestEffort(t *testing.T) {
	for _, want := range []*eval.Effort{
		nil,
		{},
		{Steps: 4, Calls: 3, Failed: 2, Recovered: 1, Redundant: 5, WrongTools: 6, Late: 7, Exceeded: true, Wall: 1500 * time.Millisecond, Cost: 0.25},
	} {
		line, err := Line("x", &eval.Response{Result: pyval.Str("a"), Effort: want}, "")
		require.NoError(t, err)
		assert.Equal(t, want != nil && want.Cost > 0, strings.Contains(string(line), `"cost"`), "no price is not a price of 0")
		row, err := parseRow(string(line), 1)
		require.NoError(t, err)
		assert.Equal(t, want, row.Response().Effort, string(line))
	}
	for _, odd := range []string{`5`, `{"calls": "x", "wall": -1, "cost": [1], "steps": [[1]]}`, `null`} {
		row, err := parseRow(`{"id": "x", "result": "a", "agent": `+odd+`}`, 1)
		require.NoError(t, err)
		if e := row.Response().Effort; e != nil {
			assert.Equal(t, &eval.Effort{}, e, odd)
		}
	}
}
