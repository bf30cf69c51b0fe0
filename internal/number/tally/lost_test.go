package tally_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestLost: only a run whose calls the server was to find has lost any there.
func TestLost(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pfff"})
	tool := pyval.NewDict(1)
	tool.SetStr("name", pyval.Str("f"))
	for i := range r.Parts[0].Results {
		result := &r.Parts[0].Results[i]
		if result.Status == eval.Fail {
			result.Case.Tools = []*pyval.Dict{tool}
			result.ErrorType = "ast_decoder:decoder_failed"
			result.Unread = []pyval.Value{pyval.Str(`<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>`)}
		}
	}
	r.Mode, r.UnderscoreToDot = eval.FC, true
	assert.Nil(t, r.Lost(), "who asked is not known")
	r.Parameters = map[string]string{"adapter": "openai"}
	lost := r.Lost()
	require.NotNil(t, lost)
	assert.Equal(t, []int{3, 4}, []int{lost.Answers, lost.Of})
	r.Parameters["read"] = "dialect"
	assert.Nil(t, r.Lost(), "the calls were to be found here")
	r.Parameters = map[string]string{"adapter": "openai"}
	r.Mode, r.UnderscoreToDot = eval.Prompt, false
	assert.Nil(t, r.Lost(), "in prompt mode calls stand in the text")
}
