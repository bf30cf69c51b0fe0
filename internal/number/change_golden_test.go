package number_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenChange: of two builds of a server the one that leaves tokens at names
// is told apart, and runs of other models are not compared in this way.
func TestGoldenChange(t *testing.T) {
	t.Parallel()
	read := func(path ...string) *tally.Run {
		runs := testkit.Must(tally.ReadAll([]string{testkit.Shared(t, append([]string{"recorded", "v4"}, path...)...)}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true, Answers: true}))(t)
		return runs[0]
	}
	old, fixed := read("servers_conversations", "v0.10.2"), read("servers_conversations", "2025-11-12-harmony-fixes")
	for _, c := range []struct {
		a, b *tally.Run
		half func(c *compare.Transformation) (one, other compare.TransformedHalf)
	}{
		{old, fixed, func(c *compare.Transformation) (one, other compare.TransformedHalf) { return c.Mended, c.Broken }},
		{fixed, old, func(c *compare.Transformation) (one, other compare.TransformedHalf) { return c.Broken, c.Mended }},
	} {
		found := compare.TransformationBetween(c.a, c.b)
		require.NotNil(t, found)
		var text bytes.Buffer
		require.NoError(t, found.Write(&text))
		t.Log(text.String())
		half, other := c.half(found)
		require.Len(t, half.Steps, 1)
		assert.Empty(t, other.Steps)
		step := half.Steps[0]
		assert.Equal(t, "control tokens at names: <|channel|>commentary", step.Kind)
		assert.Equal(t, 37, step.Cases+step.Others)
		assert.Equal(t, 9, step.Cases)
		assert.Positive(t, step.Points)
		assert.Len(t, step.Examples, 3)
		assert.Contains(t, found.Heading, "same model, ")
	}
	same := compare.TransformationBetween(old, old)
	assert.Nil(t, same)
	none := compare.TransformationBetween(old, read("open", "result", "Team-ACE_ToolACE-2-8B"))
	assert.Nil(t, none, "another model")
}
