package judge_test

import (
	"fmt"
	"testing"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestGoldenRelevance(t *testing.T) {
	c := &tally{t: t}
	testkit.Rows(t, testkit.GoldenFile(t, "relevance.jsonl"), func(line int, row *pyval.Dict) {
		category := testkit.Text(row, "category")
		label := fmt.Sprintf("relevance:%d %s raw %s", line, testkit.Text(row, "id"), clip(pyval.Repr(testkit.Field(row, "raw"))))
		decoded, err := decodeRow(row, decode.Python, false)
		c.compareRaw(label, row, judge.Relevance(categories.Find(category).Rule, eval.V4, decoded, err))
	})
	c.log("relevance")
}
