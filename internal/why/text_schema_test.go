package why_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// TestFailureSchema: the schema is found, and where it ends the last one is shown.
func TestFailureSchema(t *testing.T) {
	t.Parallel()
	doc := parse(t, `{"name": "f.g", "parameters": {"type": "object", "properties": {
		"pay": {"type": "object", "properties": {"card": {"type": "string"}, "sum": {"minimum": 1}}},
		"loop": {"$ref": "#/$defs/loop"},
		"free": {"type": "object"},
		"list": {"type": "array", "items": {"type": "array", "items": {"const": 1}}}},
		"$defs": {"loop": {"properties": {"next": {"$ref": "#/$defs/loop"}}}}}}`).(*pyval.Dict)
	for _, c := range []struct {
		at   []string
		want string
	}{
		{[]string{"f.g", "pay", "sum"}, `pay.sum {"minimum": 1}`},
		{[]string{"f_g", "pay", "sun"}, `pay.sun is not in the schema; known are card, sum`},
		{[]string{"f.g", "loop", "next", "next"}, `loop.next.next {"$ref": "#/$defs/loop"}`},
		{[]string{"f.g", "free", "a", "b"}, `free {"type": "object"}`},
		{[]string{"f.g", "list", "[3]", "[0]"}, `list[3][0] {"const": 1}`},
		{[]string{"f.g", "x\n--- PASS"}, `'x\n--- PASS' is not in the schema; known are pay, loop, free, list`},
		{[]string{"elsewhere", "a"}, ""},
		{[]string{"f.g"}, ""},
		{nil, ""},
	} {
		one := &eval.Case{Tools: []*pyval.Dict{doc}, Sent: []*pyval.Dict{doc}}
		got := why.Schema(with(one, eval.Result{Verdict: eval.Verdict{Status: eval.Fail, At: c.at}}))
		if c.want == "" {
			assert.Nil(t, got, "%q", c.at)
			continue
		}
		require.NotNil(t, got, "%q", c.at)
		assert.Equal(t, c.want, got.String())
	}
}
