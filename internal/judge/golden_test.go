package judge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/testkit"
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

func language(category string) judge.Language {
	switch {
	case strings.Contains(category, "javascript"):
		return judge.JavaScript
	case strings.Contains(category, "java"):
		return judge.Java
	}
	return judge.Python
}

// A tally counts the rows of one golden file and reports differences.
type tally struct {
	t                          *testing.T
	rows, raised, details, own int
	shown                      int
}

const shownMost = 30

func (c *tally) differ(label, format string, args ...any) {
	c.t.Helper()
	if c.shown++; c.shown <= shownMost {
		c.t.Errorf("%s: %s", label, clip(fmt.Sprintf(format, args...)))
	} else {
		c.t.Fail()
	}
}

func clip(s string) string {
	if len(s) > 1500 {
		return s[:1500] + "..."
	}
	return s
}

// compare holds a verdict against a row. A row whose text is the decoder's own
// has only its status and type compared.
func (c *tally) compare(label string, row *pyval.Dict, got eval.Verdict, ownText bool) {
	c.t.Helper()
	c.rows++
	if testkit.Field(row, "raised") != nil && testkit.Field(row, "raised") != pyval.Value(pyval.None) {
		c.raised++
		if got.Status != eval.Fail || got.ErrorType != judge.Unusable {
			c.differ(label, "upstream raised %s, got %s", pyval.Repr(testkit.Field(row, "raised")), show(got))
		}
		return
	}
	if got.Passed() != testkit.Flag(row, "valid") || got.ErrorType != testkit.Text(row, "error_type") {
		c.differ(label, "got %s, want valid=%v %q %s", show(got), testkit.Flag(row, "valid"),
			testkit.Text(row, "error_type"), pyval.Repr(testkit.Field(row, "error")))
		return
	}
	c.compareDetail(label, row, got, ownText)
}

func (c *tally) compareDetail(label string, row *pyval.Dict, got eval.Verdict, ownText bool) {
	c.t.Helper()
	if ownText {
		c.own++
		return
	}
	want := testkit.Tagged(c.t, testkit.Field(row, "error"))
	detail := got.Detail
	if detail == nil {
		detail = pyval.None
	}
	if pyval.Repr(detail) != pyval.Repr(want) {
		c.differ(label, "error differs: got %.700s, want %.700s", pyval.Repr(detail), pyval.Repr(want))
		return
	}
	c.details++
}

func (c *tally) log(name string) {
	c.t.Helper()
	c.t.Logf("%s: %d rows compared, %d of them raised upstream, %d error values equal, %d texts of the decoder's own, %d differences",
		name, c.rows, c.raised, c.details, c.own, c.shown)
}

func show(v eval.Verdict) string {
	detail := "nil"
	if v.Detail != nil {
		detail = pyval.Repr(v.Detail)
	}
	return fmt.Sprintf("%s %q %s", v.Status, v.ErrorType, detail)
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
		o := judge.Options{Language: language(category), Category: category, UnderscoreToDot: testkit.Flag(row, "u2d")}
		decoded := testkit.Field(row, "decoded")
		if decoded == nil {
			c.compare(label, row, judge.DecodeFailure(os.ErrInvalid), true)
			return
		}
		c.compare(label, row, judge.AST(q.docs, testkit.Tagged(t, decoded), q.answer, o), false)
	})
	c.log(category)
}

func TestGoldenVerdictSynthetic(t *testing.T) {
	c := &tally{t: t}
	testkit.Rows(t, testkit.GoldenFile(t, "verdict", "synthetic.jsonl"), func(line int, row *pyval.Dict) {
		category := testkit.Text(row, "category")
		label := fmt.Sprintf("synthetic:%d %s function %s answer %s decoded %s", line, testkit.Text(row, "group"),
			pyval.Repr(testkit.Field(row, "function")), pyval.Repr(testkit.Field(row, "possible_answer")), pyval.Repr(testkit.Field(row, "decoded")))
		o := judge.Options{Language: language(category), Category: category, UnderscoreToDot: testkit.Flag(row, "u2d")}
		docs := documents(t, testkit.Tagged(t, testkit.Field(row, "function")))
		answer := testkit.Tagged(t, testkit.Field(row, "possible_answer")).(*pyval.List)
		decoded := testkit.Tagged(t, testkit.Field(row, "decoded"))
		c.compare(label, row, judge.AST(docs, decoded, answer, o), false)
	})
	c.log("synthetic")
}
