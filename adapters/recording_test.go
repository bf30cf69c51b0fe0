package adapters_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestRecordings runs the recordings of testdata, in a folder for each adapter. Each
// is an archive of
//
//	config.json    model, base URL and parameters
//	case.json      mode, messages and function documents
//	request.json   the body that must be sent, up to blanks
//	reply.json     the body that comes back
//	answer.json    the record that must come of it, or {"error": "kind: part of the text"}
//	next.json      what follows the answer in a conversation: messages; those
//	               of tools are the results of the answer's calls in order
//	next-request.json  the body that must be sent then
//
// whose comment begins with what it shows; a line "POST <address>" in it is
// the address that must be asked.
func TestRecordings(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		files := testkit.Must(filepath.Glob(filepath.Join("testdata", s.name, "*.txtar")))(t)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { s.replay(t, file) })
		}
		t.Logf("%d recordings replayed", len(files))
	})
}

func (s subject) replay(t *testing.T, file string) {
	archive := testkit.Must(txtar.ParseFile(file))(t)
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	var seen adaptertest.Seen
	carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, got adaptertest.Seen) {
		seen = got
		adaptertest.Write(w, http.StatusOK, parts["reply.json"])
	})
	cfg := provider.Config{Transport: carrier, Wording: adaptertest.Wording(t), Key: secret}
	require.NoError(t, json.Unmarshal([]byte(parts["config.json"]), &cfg))
	if s.clean != nil {
		s.clean(t)
	}
	adapter := testkit.Must(s.open(cfg))(t)

	resp, err := adapter.Generate(t.Context(), caseRequest(t, parts["case.json"]))
	assert.Equal(t, compact(t, parts["request.json"]), seen.Body, "the request")
	for line := range strings.Lines(string(archive.Comment)) {
		if addr, ok := strings.CutPrefix(strings.TrimSpace(line), "POST "); ok {
			assert.Equal(t, addr, seen.URL)
		}
	}
	var want struct{ Error string }
	require.NoError(t, json.Unmarshal([]byte(parts["answer.json"]), &want))
	if want.Error != "" {
		require.ErrorContains(t, err, want.Error)
		assert.Equal(t, strings.SplitN(want.Error, ":", 2)[0], eval.InfraKind(err))
		assert.Nil(t, resp)
		return
	}
	require.NoError(t, err)
	row := pyval.Object("result", resp.Result,
		"input_token_count", pyval.MakeInt(int64(resp.InputTokens)), "output_token_count", pyval.MakeInt(int64(resp.OutputTokens)))
	if resp.CutOff {
		row.SetStr("cut_off", pyval.Bool(true))
	}
	assert.Equal(t, pyval.Repr(adaptertest.Doc(t, parts["answer.json"])), pyval.Repr(row))
	assert.Positive(t, resp.Latency)
	if parts["next.json"] != "" {
		req := caseRequest(t, parts["case.json"])
		req.Messages = append(req.Messages, next(t, parts["next.json"], resp.AsMessage())...)
		testkit.Must(adapter.Generate(t.Context(), req))(t)
		assert.Equal(t, compact(t, parts["next-request.json"]), seen.Body, "the next request")
	}
}

// next returns an answer, followed by the messages that come after it.
func next(t *testing.T, text string, answer eval.Message) []eval.Message {
	t.Helper()
	out, results := []eval.Message{answer}, 0
	for _, item := range parse(t, text).(*pyval.List).Items {
		m := message(item)
		if m.Role == "tool" {
			m.CallID, m.Name = answer.Calls[results].ID, answer.Calls[results].Name
			results++
		}
		out = append(out, m)
	}
	return out
}

func caseRequest(t *testing.T, text string) *eval.Request {
	t.Helper()
	c := adaptertest.Doc(t, text)
	req := &eval.Request{ID: "case", Mode: eval.Mode(provider.Text(c, "mode")), Conversation: pyval.Truth(provider.Get(c, "conversation"))}
	for _, m := range provider.Items(c, "messages") {
		req.Messages = append(req.Messages, message(m))
	}
	for _, doc := range provider.Items(c, "tools") {
		require.IsType(t, (*pyval.Dict)(nil), doc)
		req.Tools = append(req.Tools, doc.(*pyval.Dict))
	}
	return req
}

// message parses a message: role and content; for the model's, its calls, and
// "raw" as the provider sent it; for a tool's, the call_id and the name.
func message(v pyval.Value) eval.Message {
	m := eval.Message{
		Role: provider.Text(v, "role"), Content: provider.Text(v, "content"),
		CallID: provider.Text(v, "call_id"), Name: provider.Text(v, "name"),
	}
	for _, call := range provider.Items(v, "calls") {
		m.Calls = append(m.Calls, eval.ToolCall{
			ID: provider.Text(call, "id"), Name: provider.Text(call, "name"), Arguments: provider.Text(call, "arguments"),
		})
	}
	if raw := provider.Get(v, "raw"); raw != pyval.None {
		m.Raw = raw
	}
	return m
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, json.Compact(&buf, []byte(text)))
	return buf.String()
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text := testkit.Must(os.ReadFile(path))(t)
	return string(text)
}
