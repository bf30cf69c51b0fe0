package compare_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// TestScales: what package sample knows of V4 is what the layout and the
// published figures say.
func TestScales(t *testing.T) {
	seen := 0
	for _, s := range score.V4.Overall.Shares(func(name string) (int, bool) { return score.V4.Sizes[name], true }) {
		assert.InEpsilon(t, s.Weight*math.Sqrt(compare.Scatter(s.Category)), suite.Scale(s.Category), 1e-3, s.Category)
		seen++
	}
	assert.Equal(t, 21, seen)
	assert.Zero(t, suite.Scale("live_relevance"), "it does not count")
}
