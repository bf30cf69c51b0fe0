package pose_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// outcome is a result as the golden files write it: {"out": ..} or the
// exception.
func outcome(v pyval.Value, err error) *pyval.Dict {
	d := pyval.NewDict(2)
	if err == nil {
		d.SetStr("out", v)
		return d
	}
	var doc *tool.DocError
	if !errors.As(err, &doc) {
		doc = &tool.DocError{Kind: "not a DocError", Msg: err.Error()}
	}
	d.SetStr("exc", pyval.Str(doc.Kind))
	d.SetStr("msg", pyval.Str(doc.Msg))
	return d
}

func compact(t testing.TB, v pyval.Value) string {
	t.Helper()
	return testkit.Must(pyval.JSON(v, pyval.JSONUnicode|pyval.JSONCompact))(t)
}

func toolSame(c *testkit.Comparison, what, field string, got pyval.Value) {
	c.Helper()
	c.Same(what, compact(c, testkit.Tagged(c, testkit.Field(c.Row, field))), compact(c, got))
}

// goldenDocs are the documents of docs.jsonl by source, with hints where
// upstream can add them.
func goldenDocs(t *testing.T, w *tool.Wording) map[string]*pyval.Dict {
	t.Helper()
	docs := map[string]*pyval.Dict{}
	testkit.Compare(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), func(c *testkit.Comparison) {
		source := testkit.Text(c.Row, "source")
		doc := testkit.Tagged(t, testkit.Field(c.Row, "doc")).(*pyval.Dict)
		before := compact(t, doc)
		hinted, err := w.Hinted(doc, categories.Find(testkit.Text(c.Row, "category")).Language)
		toolSame(c, source, "hinted", outcome(pyval.NewList(hinted), err))
		assert.Equal(c, before, compact(t, doc), "%s: the document was changed", source)
		if docs[source] = hinted; err != nil {
			docs[source] = doc
		}
	})
	return docs
}

func TestGoldenToolSchemas(t *testing.T) {
	w := officialWording(t).Tools
	docs, seen := goldenDocs(t, w), map[string]bool{}
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(testkit.GoldenFile(t, "tools"), "*.jsonl")))(t) {
		if base := filepath.Base(file); base == "docs.jsonl" || base == "digests.jsonl" {
			continue
		}
		testkit.Compare(t, file, func(c *testkit.Comparison) {
			source, style := testkit.Text(c.Row, "source"), testkit.Text(c.Row, "style")
			seen[style] = true
			before := compact(t, docs[source])
			got, err := w.Convert([]*pyval.Dict{docs[source]}, tool.Style(style))
			toolSame(c, style+" "+source, "result", outcome(got, err))
			assert.Equal(c, before, compact(t, docs[source]), "%s: the document was changed", source)
		})
	}
	assert.Len(t, seen, len(tool.Styles()), "every style has golden rows")
}

func TestGoldenToolSchemaDigests(t *testing.T) {
	w := officialWording(t).Tools
	docs := map[string][]*pyval.Dict{}
	testkit.Compare(t, testkit.GoldenFile(t, "tools", "digests.jsonl"), func(c *testkit.Comparison) {
		category, style := testkit.Text(c.Row, "category"), testkit.Text(c.Row, "style")
		if docs[category] == nil {
			docs[category] = categoryDocs(t, w, category)
		}
		sum, exceptions := sha256.New(), 0
		for _, doc := range docs[category] {
			exceptions += writeSchema(t, sum, w, doc, tool.Style(style))
		}
		c.Same(style+" "+category, fmt.Sprintf("%s docs, %s exceptions, %s", pyval.Text(testkit.Field(c.Row, "docs")),
			pyval.Text(testkit.Field(c.Row, "exceptions")), testkit.Text(c.Row, "sha256")),
			fmt.Sprintf("%d docs, %d exceptions, %x", len(docs[category]), exceptions, sum.Sum(nil)))
	})
}

func categoryDocs(t *testing.T, w *tool.Wording, category string) []*pyval.Dict {
	t.Helper()
	out := []*pyval.Dict{}
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "BFCL_v4_"+category+".json"), func(_ int, row *pyval.Dict) {
		for _, v := range testkit.Field(row, "function").(*pyval.List).Items {
			doc := v.(*pyval.Dict)
			if hinted, err := w.Hinted(doc, categories.Find(category).Language); err == nil {
				doc = hinted
			}
			out = append(out, doc)
		}
	})
	return out
}

func writeSchema(t *testing.T, sum hash.Hash, w *tool.Wording, doc *pyval.Dict, style tool.Style) (exceptions int) {
	t.Helper()
	got, err := w.Convert([]*pyval.Dict{doc}, style)
	line := ""
	if err != nil {
		var e *tool.DocError
		require.ErrorAs(t, err, &e)
		line, exceptions = "exc:"+e.Kind, 1
	} else {
		line = compact(t, got)
	}
	_, _ = sum.Write([]byte(line + "\n"))
	return exceptions
}
