package judge_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestAgenticCheck(t *testing.T) {
	for _, c := range []struct{ said, answer, errorType string }{
		{"It is the Harbour Mill.", "harbour mill", ""},
		{"It is the harbourmill", "harbour mill", judge.NotFound},
		{"3.14 metres", "314", ""},
		{"314 metres", "3.14", ""},
		{"1314 metres", "314", judge.NotFound},
		{"It costs $49.99.", "$49.99", judge.NotFound},
		{"It costs $49.99.", "49.99", ""},
		{"New_York", "new-york", ""},
		{"anna, annan", "ann", judge.NotFound},
		{"ann annan", "ann", ""},
		{"aXa aXa a", "a", ""},
		{"\xed\xa0\x80seven\xed\xa0\x80", "seven", ""},
		{"", "", judge.NotFound},
		{"x", "", ""},
		{" xy ", "", ""},
	} {
		got := judge.Check(pyval.Str(c.said), pyval.NewList(pyval.Str(c.answer)))
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
		"another message last": {pyval.NewList(pyval.NewList(text("seven"), text("bye"))), judge.NotFound},
		"calls alone":          {pyval.NewList(pyval.NewList(call)), judge.NoLastMessage},
		"two turns":            {pyval.NewList(pyval.NewList(text("seven")), pyval.NewList()), judge.InferenceError},
		"no list":              {text("seven"), judge.InferenceError},
		"no steps":             {pyval.NewList(pyval.None), judge.NoMessage},
	} {
		v := judge.Agentic(&eval.Case{Answer: pyval.NewList(text("seven"))}, c.result, fc)
		assert.Equal(t, c.errorType, v.ErrorType, name)
	}
	assert.Equal(t, judge.NoMessage, judge.Agentic(&eval.Case{}, pyval.NewList(pyval.NewList(text("x"))), fc).ErrorType)
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
		v := judge.Check(pyval.Str(said+" x "+answer+" x"), pyval.NewList(pyval.Str("x"), pyval.Str(answer)))
		assert.True(t, v.Passed(), "x stands in %q", said)
	})
}

// TestAgenticShapes: what upstream iterates over is iterated over, and where it
// would raise the verdict says so.
func TestAgenticShapes(t *testing.T) {
	text := func(s string) pyval.Value { return pyval.Str(s) }
	fc := eval.SettingsFor(eval.FC)
	steps := pyval.NewDict(1)
	steps.SetStr("it is seven", pyval.None)
	for name, c := range map[string]struct {
		result, answer pyval.Value
		errorType      string
	}{
		"the letters of a text":      {pyval.NewList(text("ab7")), pyval.NewList(text("7")), ""},
		"only the last letter":       {pyval.NewList(text("7ab")), pyval.NewList(text("7")), judge.NotFound},
		"the keys of a dict":         {pyval.NewList(steps), pyval.NewList(text("seven")), ""},
		"an empty last message":      {pyval.NewList(pyval.NewList(text("seven"), text(""))), pyval.NewList(text("seven")), judge.NoLastMessage},
		"no step":                    {pyval.NewList(pyval.NewList()), pyval.NewList(text("seven")), judge.NoLastMessage},
		"no turn":                    {pyval.NewList(), pyval.NewList(text("seven")), judge.InferenceError},
		"the second answer":          {pyval.NewList(pyval.NewList(text("seven"))), pyval.NewList(text("six"), text("seven")), ""},
		"no answer":                  {pyval.NewList(pyval.NewList(text("seven"))), pyval.NewList(), judge.NotFound},
		"an answer that is a number": {pyval.NewList(pyval.NewList(text("7"))), pyval.NewList(pyval.MakeInt(7)), judge.NoMessage},
	} {
		v := judge.Agentic(&eval.Case{Answer: c.answer.(*pyval.List)}, c.result, fc)
		assert.Equal(t, c.errorType, v.ErrorType, name)
	}
	assert.True(t, judge.Check(text("x b y"), text("abc")).Passed(), "each letter of a text is an answer")
	assert.Equal(t, judge.NoMessage, judge.Check(text("x"), pyval.None).ErrorType)
	assert.True(t, judge.Check(text("it is seven"), steps).Passed(), "each key of a dict is an answer")
	assert.True(t, judge.Check(pyval.NewList(text("seven"), text("six")), pyval.NewList(text("seven"))).Passed())
	assert.Equal(t, judge.NotFound, judge.Check(pyval.NewList(text("seven"), text("six")), pyval.NewList(text("six"))).ErrorType, "of a list the first item is read")
	assert.Equal(t, judge.NoMessage, judge.Check(pyval.NewList(), pyval.NewList(text("x"))).ErrorType)
	assert.True(t, judge.Check(pyval.MakeInt(7), pyval.NewList(text("7"))).Passed())

	asked := pyval.NewList(pyval.NewList(pyval.NewList(call("core_memory_clear", "{}")), text("six"), pyval.NewList(call("core_memory_retrieve_all", "{}"))))
	v := judge.Agentic(&eval.Case{Answer: pyval.NewList(text("seven"))}, asked, fc)
	assert.Equal(t, [][]string{{"core_memory_clear()"}, {"core_memory_retrieve_all()"}}, v.Fault.Steps())
	assert.Equal(t, "six", pyval.Text(v.Fault.(*judge.Fault).Last))
}

func TestGoldenAgenticChecker(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "agentic", "agentic_checker.jsonl"), func(c *testkit.Comparison) {
		got := judge.Check(testkit.Field(c.Row, "model_response"), testkit.Field(c.Row, "possible_answer"))
		c.Same(testkit.Text(c.Row, "id"), fmt.Sprintf("%+v", wanted(c.Row)), fmt.Sprintf("%+v", seen(got)))
	})
}

func TestGoldenAgenticEntries(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "agentic", "agentic_entries.jsonl"), func(c *testkit.Comparison) {
		settings := eval.SettingsFor(eval.FC)
		if testkit.Text(c.Row, "mode") == "prompting" {
			settings = eval.SettingsFor(eval.Prompt)
		}
		answers, _ := testkit.Field(c.Row, "possible_answer").(*pyval.List)
		result := testkit.Field(c.Row, "result")
		want, got := wanted(c.Row), seen(judge.Agentic(&eval.Case{Answer: answers}, result, settings))
		got.said, got.accepted = "", ""
		if last := testkit.Field(c.Row, "last_non_fc_message"); last != nil {
			m, _, _ := judge.Read(result, settings)
			want.last, got.last = pyval.Repr(last), pyval.Repr(m.Last)
		}
		c.Same(testkit.Text(c.Row, "id"), fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
	})
}

// A finding is a row's verdict as text.
type finding struct {
	valid                bool
	errorType, message   string
	said, accepted, last string
}

// wanted returns a row's finding. Where upstream raises an exception, ours is a
// verdict.
func wanted(row *pyval.Dict) finding {
	if testkit.Text(row, "crash") != "" {
		return finding{errorType: judge.NoMessage}
	}
	return finding{
		valid: testkit.Flag(row, "valid"), errorType: testkit.Text(row, "error_type"), message: shown(testkit.Field(row, "error_message")),
		said: shown(testkit.Field(row, "standardized_model_response")), accepted: shown(testkit.Field(row, "standardized_possible_answers")),
	}
}

func seen(v eval.Verdict) finding {
	f := finding{valid: v.Passed(), errorType: v.ErrorType}
	reason, _ := v.Detail.(*pyval.Dict)
	if reason == nil || v.ErrorType == judge.NoMessage {
		return f
	}
	f.message = shown(testkit.Field(reason, "error_message"))
	if details, ok := testkit.Field(reason, "details").(*pyval.Dict); ok {
		f.said = shown(testkit.Field(details, "standardized_model_response"))
		f.accepted = shown(testkit.Field(details, "standardized_possible_answers"))
	}
	return f
}

func shown(v pyval.Value) string {
	if v == nil {
		return ""
	}
	return pyval.Repr(v)
}
