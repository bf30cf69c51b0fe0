package judge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestAgenticCheck(t *testing.T) {
	for _, c := range []struct{ said, answer, errorType string }{
		{"It is the Harbour Mill.", "harbour mill", ""},
		{"It is the harbourmill", "harbour mill", agentic.NotFound},
		{"3.14 metres", "314", ""},
		{"314 metres", "3.14", ""},
		{"1314 metres", "314", agentic.NotFound},
		{"It costs $49.99.", "$49.99", agentic.NotFound},
		{"It costs $49.99.", "49.99", ""},
		{"New_York", "new-york", ""},
		{"anna, annan", "ann", agentic.NotFound},
		{"ann annan", "ann", ""},
		{"aXa aXa a", "a", ""},
		{"\xed\xa0\x80seven\xed\xa0\x80", "seven", ""},
		{"", "", agentic.NotFound},
		{"x", "", ""},
	} {
		got := agentic.Check(pyval.Str(c.said), pyval.NewList(pyval.Str(c.answer)))
		assert.Equal(t, c.errorType, got.ErrorType, "%q in %q", c.answer, c.said)
	}
}

func TestAgenticJudge(t *testing.T) {
	text := func(s string) pyval.Value { return pyval.Str(s) }
	call := pyval.NewList(call("core_memory_clear", "{}"))
	fc := eval.SettingsFor(eval.FC)
	for name, c := range map[string]struct {
		result    pyval.Value
		errorType string
	}{
		"last message":         {pyval.NewList(pyval.NewList(call, text("seven"))), ""},
		"calls after it":       {pyval.NewList(pyval.NewList(text("seven"), call)), ""},
		"another message last": {pyval.NewList(pyval.NewList(text("seven"), text("bye"))), agentic.NotFound},
		"calls alone":          {pyval.NewList(pyval.NewList(call)), agentic.NoLastMessage},
		"two turns":            {pyval.NewList(pyval.NewList(text("seven")), pyval.NewList()), agentic.InferenceError},
		"no list":              {text("seven"), agentic.InferenceError},
		"no steps":             {pyval.NewList(pyval.None), agentic.Unusable},
	} {
		v := agentic.Judge(&eval.Case{Answer: pyval.NewList(text("seven"))}, c.result, fc)
		assert.Equal(t, c.errorType, v.ErrorType, name)
	}
	assert.Equal(t, agentic.Unusable, agentic.Judge(&eval.Case{}, pyval.NewList(pyval.NewList(text("x"))), fc).ErrorType)
}

func call(name, args string) *pyval.Dict {
	d := pyval.NewDict(1)
	d.SetStr(name, pyval.Str(args))
	return d
}

func FuzzAgenticCheck(f *testing.F) {
	f.Add("It is the Harbour Mill.", "harbour mill")
	f.Add("İ 3.14 \xed\xa0\x80", "314")
	f.Fuzz(func(t *testing.T, said, answer string) {
		if !pyval.ValidText(said) || !pyval.ValidText(answer) {
			return
		}
		v := agentic.Check(pyval.Str(said+" x "+answer+" x"), pyval.NewList(pyval.Str("x"), pyval.Str(answer)))
		assert.True(t, v.Passed(), "x stands in %q", said)
	})
}
