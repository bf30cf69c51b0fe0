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

func toolSame(t *testing.T, what string, got, want pyval.Value) bool {
	t.Helper()
	g, w := compact(t, got), compact(t, want)
	if g == w {
		return true
	}
	t.Errorf("%s:\n got %.2000q\nwant %.2000q", what, g, w)
	return false
}

// goldenDocs are the documents of docs.jsonl by source, with hints where
// upstream can add them.
func goldenDocs(t *testing.T, w *tool.Wording) (docs map[string]*pyval.Dict, equal, total int) {
	t.Helper()
	docs = map[string]*pyval.Dict{}
	testkit.Rows(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), func(_ int, row *pyval.Dict) {
		source := testkit.Text(row, "source")
		doc := testkit.Tagged(t, testkit.Field(row, "doc")).(*pyval.Dict)
		before := compact(t, doc)
		hinted, err := w.Hinted(doc, categories.Find(testkit.Text(row, "category")).Language)
		total++
		if toolSame(t, source, outcome(pyval.NewList(hinted), err), testkit.Tagged(t, testkit.Field(row, "hinted"))) {
			equal++
		}
		assert.Equal(t, before, compact(t, doc), "%s: the document was changed", source)
		if docs[source] = hinted; err != nil {
			docs[source] = doc
		}
	})
	return docs, equal, total
}

func TestGoldenToolHints(t *testing.T) {
	_, equal, total := goldenDocs(t, officialWording(t).Tools)
	t.Logf("hinted documents: %d of %d rows equal", equal, total)
}

func TestGoldenToolSchemas(t *testing.T) {
	w := officialWording(t).Tools
	docs, _, _ := goldenDocs(t, w)
	files := testkit.Must(filepath.Glob(filepath.Join(testkit.GoldenFile(t, "tools"), "*.jsonl")))(t)
	equal, total, seen := 0, 0, map[string]bool{}
	for _, file := range files {
		if base := filepath.Base(file); base == "docs.jsonl" || base == "digests.jsonl" {
			continue
		}
		testkit.Rows(t, file, func(_ int, row *pyval.Dict) {
			source, style := testkit.Text(row, "source"), testkit.Text(row, "style")
			seen[style] = true
			before := compact(t, docs[source])
			got, err := w.Convert([]*pyval.Dict{docs[source]}, tool.Style(style))
			total++
			if toolSame(t, style+" "+source, outcome(got, err), testkit.Tagged(t, testkit.Field(row, "result"))) {
				equal++
			}
			assert.Equal(t, before, compact(t, docs[source]), "%s: the document was changed", source)
		})
	}
	assert.Len(t, seen, len(tool.Styles()), "every style has golden rows")
	t.Logf("tool schemas: %d of %d rows equal in %d styles", equal, total, len(seen))
}

func TestGoldenToolSchemaDigests(t *testing.T) {
	w := officialWording(t).Tools
	docs := map[string][]*pyval.Dict{}
	equal, total, converted := 0, 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "tools", "digests.jsonl"), func(_ int, row *pyval.Dict) {
		category, style := testkit.Text(row, "category"), testkit.Text(row, "style")
		if docs[category] == nil {
			docs[category] = categoryDocs(t, w, category)
		}
		sum, exceptions := sha256.New(), 0
		for _, doc := range docs[category] {
			exceptions += writeSchema(t, sum, w, doc, tool.Style(style))
		}
		converted += len(docs[category])
		total++
		got := fmt.Sprintf("%d docs, %d exceptions, %x", len(docs[category]), exceptions, sum.Sum(nil))
		want := fmt.Sprintf("%s docs, %s exceptions, %s", pyval.Text(testkit.Field(row, "docs")),
			pyval.Text(testkit.Field(row, "exceptions")), testkit.Text(row, "sha256"))
		if assert.Equal(t, want, got, "%s %s", style, category) {
			equal++
		}
	})
	t.Logf("digests: %d of %d equal, over %d conversions", equal, total, converted)
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
