package adaptertest

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Golden checks that upstream's tool schemas reach the wire byte for byte. The
// arguments are files: the conformance data's function documents, its schemas
// in the provider's style, and the official dataset's prompts.json.
func (p Provider) Golden(t *testing.T, docs, schemas, prompts string) {
	texts, err := os.ReadFile(prompts)
	require.NoError(t, err)
	wording, err := tool.Load(texts)
	require.NoError(t, err)
	var sent string
	carrier, _ := Serve(t, transport.Options{}, func(w http.ResponseWriter, seen Seen) {
		sent = seen.Body
		Write(w, http.StatusOK, p.Hello)
	})
	a, err := p.Open(provider.Config{Model: "m", BaseURL: "http://localhost:8000", Key: Secret, Wording: wording, Transport: carrier})
	require.NoError(t, err)

	bySource := hinted(t, docs)
	equal, total := 0, 0
	for _, row := range rows(t, schemas) {
		source, req := provider.Text(row, "source"), question()
		req.Tools = []*pyval.Dict{bySource[source]}
		sent = ""
		_, err := a.Generate(t.Context(), req)
		total++
		want, ok := provider.Get(provider.Get(row, "result"), "out").(*pyval.List)
		if ok {
			provider.Declare(want.Items)
		}
		switch {
		case !ok && eval.InfraKind(err) == "tool_schema", ok && strings.Contains(sent, ":"+printed(t, want)):
			equal++
		default:
			t.Errorf("%s: sent %.1000q, %v, want %.1000q", source, sent, err, pyval.Repr(row))
		}
	}
	t.Logf("tool schemas on the wire: %d of %d rows equal", equal, total)
}

// hinted returns the documents with hints by source, without those to which
// upstream cannot add hints.
func hinted(t *testing.T, file string) map[string]*pyval.Dict {
	docs := map[string]*pyval.Dict{}
	for _, row := range rows(t, file) {
		doc := provider.Get(row, "doc")
		if out := provider.Items(provider.Get(row, "hinted"), "out"); len(out) > 0 {
			doc = out[0]
		}
		docs[provider.Text(row, "source")] = doc.(*pyval.Dict)
	}
	return docs
}

func rows(t *testing.T, file string) []*pyval.Dict {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []*pyval.Dict
	for line := range strings.Lines(string(data)) {
		all = append(all, Doc(t, line))
	}
	return all
}

func printed(t *testing.T, v pyval.Value) string {
	t.Helper()
	text, err := pyval.JSON(v, pyval.JSONUnicode|pyval.JSONCompact)
	require.NoError(t, err)
	return text
}

// Bench measures one request.
func (p Provider) Bench(b *testing.B) {
	a, _, _ := p.open(b, transport.Options{}, func(w http.ResponseWriter, _ Seen) { Write(w, http.StatusOK, p.Hello) })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Generate(b.Context(), question()); err != nil {
			b.Fatal(err)
		}
	}
}
