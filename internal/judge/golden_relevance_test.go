package judge_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/testkit"
)

func TestGoldenRelevance(t *testing.T) {
	c := &tally{t: t}
	testkit.Rows(t, testkit.GoldenFile(t, "relevance.jsonl"), func(line int, row *pyval.Dict) {
		category := testkit.Text(row, "category")
		label := fmt.Sprintf("relevance:%d %s raw %s", line, testkit.Text(row, "id"), clip(pyval.Repr(testkit.Field(row, "raw"))))
		decoded, err := relevant(testkit.Flag(row, "decoded_ok"), testkit.Flag(row, "empty"))
		c.compare(label, row, judge.Relevance(category, decoded, err), err != nil)
	})
	c.log("relevance")
}

// relevant is a decoded answer with the properties that a row tells of it.
func relevant(decoded, empty bool) (pyval.Value, error) {
	switch {
	case !decoded:
		return nil, errors.New("not decoded")
	case empty:
		return pyval.NewList(), nil
	}
	call := pyval.NewDict(1)
	call.SetStr("f", pyval.NewDict(0))
	return pyval.NewList(call), nil
}
