package number_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
)

// TestCutOffIsSaidFirst: more than one answer in a hundred that was cut off is
// said before any number, with the limit that was in force.
func TestCutOffIsSaidFirst(t *testing.T) {
	for _, c := range []struct {
		cut  *score.CutOff
		want string
	}{
		{nil, ""},
		{&score.CutOff{Answers: 1, Of: 100}, ""},
		{&score.CutOff{Answers: 2, Of: 100, Limit: 9000, Context: 4096}, "together fill the server's context of 4096 tokens"},
		{&score.CutOff{Answers: 2, Of: 100, Context: 1}, "fill the server's context of 1 tokens"},
		{&score.CutOff{Answers: 2, Of: 100}, "2 of 100 answers were cut off at the model's own limit of tokens"},
		{&score.CutOff{Answers: 2, Of: 100, Limit: 1}, "were cut off at the limit of 1 tokens"},
		{&score.CutOff{Answers: 30, Of: 100, Limit: 64}, "30 of 100 answers were cut off at the limit of 64 tokens (-max-tokens)"},
	} {
		s, err := score.New(score.Run{Dataset: "v4", Model: "m", CutOff: c.cut}, map[string]score.Tally{"simple_python": {Total: 100, Correct: 50}}, score.Options{})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, score.WriteTable(&b, s, false))
		text := bytes.Join(bytes.Fields(b.Bytes()), []byte(" "))
		if c.want == "" {
			assert.NotContains(t, string(text), "cut off")
			continue
		}
		said := bytes.Index(text, []byte(c.want))
		assert.GreaterOrEqual(t, said, 0, "%s", text)
		assert.Less(t, said, bytes.Index(text, []byte("50.00%")), "%s", text)
	}
}
