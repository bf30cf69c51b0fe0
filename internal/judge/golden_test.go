package judge_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A question is what a verdict row refers to by its case id.
type question struct {
	docs   []*pyval.Dict
	answer *pyval.List
}

// questions reads a category of the official dataset.
func questions(t *testing.T, category string) map[string]*question {
	t.Helper()
	all := map[string]*question{}
	file := "BFCL_v4_" + category + ".json"
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", file), func(_ int, row *pyval.Dict) {
		all[testkit.Text(row, "id")] = &question{docs: documents(t, testkit.Field(row, "function"))}
	})
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "possible_answer", file), func(_ int, row *pyval.Dict) {
		all[testkit.Text(row, "id")].answer = testkit.Field(row, "ground_truth").(*pyval.List)
	})
	return all
}

func documents(t *testing.T, list pyval.Value) []*pyval.Dict {
	t.Helper()
	var docs []*pyval.Dict
	for _, item := range list.(*pyval.List).Items {
		docs = append(docs, item.(*pyval.Dict))
	}
	return docs
}

// optionsOf returns the judge's options for a row of a category.
func optionsOf(category string, row *pyval.Dict) judge.Options {
	cat := categories.Find(category)
	return judge.Options{Rule: cat.Rule, Language: cat.Language, UnderscoreToDot: testkit.Flag(row, "u2d")}
}

func TestGoldenVerdict(t *testing.T) {
	dir := testkit.GoldenFile(t, "verdict")
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		category := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		switch category {
		case "synthetic", "format_sensitivity":
			continue
		}
		t.Run(category, func(t *testing.T) { goldenCategory(t, category, file) })
	}
}

func goldenCategory(t *testing.T, category, file string) {
	cases := questions(t, category)
	c := &tally{t: t}
	testkit.Rows(t, file, func(line int, row *pyval.Dict) {
		q := cases[testkit.Text(row, "id")]
		require.NotNil(t, q, "line %d: unknown case", line)
		label := fmt.Sprintf("%s:%d %s %s", category, line, testkit.Text(row, "id"), testkit.Text(row, "op"))
		o := optionsOf(category, row)
		if decoded := testkit.Field(row, "decoded"); decoded != nil {
			c.compare(label, row, judge.AST(q.docs, testkit.Tagged(t, decoded), q.answer, o))
		}
		if testkit.Field(row, "raw") != nil {
			c.compareRaw(label+" from raw", row, fromRaw(row, q, o, decode.Format(o.Language.Key()), false))
		}
	})
	c.log(category)
}

func TestGoldenVerdictSynthetic(t *testing.T) {
	c := &tally{t: t}
	testkit.Rows(t, testkit.GoldenFile(t, "verdict", "synthetic.jsonl"), func(line int, row *pyval.Dict) {
		category := testkit.Text(row, "category")
		label := fmt.Sprintf("synthetic:%d %s function %s answer %s decoded %s", line, testkit.Text(row, "group"),
			pyval.Repr(testkit.Field(row, "function")), pyval.Repr(testkit.Field(row, "possible_answer")), pyval.Repr(testkit.Field(row, "decoded")))
		o := optionsOf(category, row)
		docs := documents(t, testkit.Tagged(t, testkit.Field(row, "function")))
		answer := testkit.Tagged(t, testkit.Field(row, "possible_answer")).(*pyval.List)
		decoded := testkit.Tagged(t, testkit.Field(row, "decoded"))
		c.compare(label, row, judge.AST(docs, decoded, answer, o))
	})
	c.log("synthetic")
}
