package tally

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// TestGateway: what answered instead of the model is counted by its signs, and
// from one in five answers on there is no score.
func TestGateway(t *testing.T) {
	t.Parallel()
	turn := func(text string) pyval.Value { return pyval.NewList(pyval.NewList(pyval.Str(text))) }
	for _, c := range []struct {
		answer  pyval.Value
		planted int // of 100 answers
		sign    string
		named   bool
		refused bool
	}{
		{pyval.Str("Error: 502 Bad Gateway: upstream request failed"), 37, why.AnErrorText, true, true},
		{pyval.Str("Error: 502 Bad Gateway: upstream request failed"), 19, why.AnErrorText, true, false},
		{pyval.Str("upstream connect error or disconnect/reset before headers"), 2, why.AnErrorText, false, false},
		{pyval.Str("HTTP/1.1 503 Service Unavailable"), 20, why.AnErrorText, true, true},
		{turn("Internal Server Error"), 10, why.AnErrorText, true, false},
		{pyval.Str("<!DOCTYPE html><html><body>Please wait</body></html>"), 5, why.AWebPage, true, false},
		{pyval.Str(" "), 30, why.NothingForTokens, true, true},
		{pyval.None, 30, why.NothingForTokens, true, true},
		{pyval.Str("Please try again in a moment."), 6, why.SameText, true, false},
		{pyval.Str("I am sorry, I cannot help."), 60, "", false, false},
		{pyval.Str("[f(error=500)]"), 1, "", false, false},
		{pyval.Str("The error is 502 of 1000 values."), 2, "", false, false},
		{turn("I could not find the file."), 50, "", false, false},
		{pyval.NewList(), 50, "", false, false},
	} {
		r := &Run{}
		r.Parameters = map[string]string{"adapter": "openai"}
		for i := range 100 {
			cat := categories.Find([]string{"simple_python", "multiple", "irrelevance"}[i%3])
			result := eval.Result{Category: cat, Case: &eval.Case{ID: fmt.Sprint(cat.Name, "_", i)}}
			result.Status, result.OutputTokens, result.Entry = eval.Fail, 7, pyval.NewDict(0)
			if result.Result = pyval.Str(fmt.Sprint("I do not know ", i)); i < c.planted {
				result.Result = c.answer
			}
			why.Sign(&result)
			r.Parts = append(r.Parts, Part{Category: cat, Results: []eval.Result{result}})
		}
		name, g := pyval.Repr(c.answer), GatewayOf(r)
		if !c.named {
			assert.Nil(t, g, name)
			continue
		}
		require.NotNil(t, g, name)
		assert.Equal(t, map[string]int{c.sign: c.planted}, g.Signs, name)
		assert.Equal(t, c.refused, g.refuse(false, r.Named()) != nil, name)
		assert.NoError(t, g.refuse(true, r.Named()), name)
		who, sign := signsOf(r).blame(&r.Parts[0].Results[0])
		assert.Equal(t, []string{say.Server, c.sign}, []string{who, sign}, name)
	}
}
