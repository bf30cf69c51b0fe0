package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestTTFT: the times to the first token come back from a record, of a
// conversation as the mean of the requests that streamed.
func TestTTFT(t *testing.T) {
	for _, c := range []struct {
		resp *eval.Response
		want time.Duration
	}{
		{&eval.Response{Result: pyval.None, TTFT: 250 * time.Millisecond}, 250 * time.Millisecond},
		{&eval.Response{Result: pyval.None}, 0},
		{&eval.Response{Result: pyval.NewList(), Talk: &eval.Talk{
			TTFT: [][]time.Duration{{time.Second, 0}, {3 * time.Second}},
		}}, 2 * time.Second},
	} {
		line, err := record.Line("x", c.resp, "")
		require.NoError(t, err)
		v, err := pyval.ParseJSON(strings.TrimSpace(string(line)))
		require.NoError(t, err)
		assert.Equal(t, c.want, record.Row{Result: pyval.None, Entry: v.(*pyval.Dict)}.Response().TTFT, string(line))
		assert.Equal(t, c.want > 0, v.(*pyval.Dict).Has("ttft"))
	}
	for _, odd := range []string{`"x"`, `[5]`, `[["x", null]]`, `[[[1]]]`, `-1`, `1e999`} {
		v, err := pyval.ParseJSON(`{"ttft": ` + odd + `}`)
		require.NoError(t, err)
		assert.Zero(t, record.Row{Entry: v.(*pyval.Dict)}.Response().TTFT, odd)
	}
}
