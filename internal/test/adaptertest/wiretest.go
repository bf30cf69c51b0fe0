package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Seen is a request as the server saw it.
type Seen struct {
	// URL is the address, with the host that the adapter asked for.
	URL    string
	Header http.Header
	Body   string
}

// Serve starts a server and returns a transport that reaches it for any host.
// reply writes the answer to each request. close closes both; so does the end
// of the test.
func Serve(t testing.TB, o transport.Options, reply func(w http.ResponseWriter, seen Seen)) (carrier *transport.Transport, close func()) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		reply(w, Seen{URL: "http://" + r.Host + r.URL.String(), Header: r.Header, Body: string(body)})
	}))
	base := &http.Transport{
		MaxIdleConnsPerHost: 64,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	}
	o.Base = base
	if o.MaxTries == 0 {
		o.MaxTries = 1
	}
	o.RetryWait = time.Millisecond
	close = func() {
		base.CloseIdleConnections()
		server.Close()
	}
	t.Cleanup(close)
	return transport.New(o), close
}

// Write answers with a status and a JSON body.
func Write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the client may have gone
}

// Wording returns the texts of the starter dataset's tool schemas.
func Wording(t testing.TB) *tool.Wording {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for !exists(filepath.Join(dir, "go.mod")) {
		require.NotEqual(t, dir, filepath.Dir(dir), "the tests run outside the module")
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "fixtures", "starter", "prompts.json"))
	require.NoError(t, err)
	w, err := tool.Load(data)
	require.NoError(t, err)
	return w
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Doc parses a function document.
func Doc(t testing.TB, text string) *pyval.Dict {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	require.IsType(t, (*pyval.Dict)(nil), v)
	return v.(*pyval.Dict)
}

// Replay runs the recordings of testdata. Each is an archive of
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
func Replay(t *testing.T, open func(provider.Config) (eval.Adapter, error)) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			replay(t, archive, open)
		})
	}
	t.Logf("%d recordings replayed", len(files))
}

func replay(t *testing.T, archive *txtar.Archive, open func(provider.Config) (eval.Adapter, error)) {
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	var seen Seen
	carrier, _ := Serve(t, transport.Options{}, func(w http.ResponseWriter, s Seen) {
		seen = s
		Write(w, http.StatusOK, parts["reply.json"])
	})
	cfg := provider.Config{Transport: carrier, Wording: Wording(t)}
	require.NoError(t, json.Unmarshal([]byte(parts["config.json"]), &cfg))
	adapter, err := open(cfg)
	require.NoError(t, err)

	resp, err := adapter.Generate(t.Context(), requestWiretest(t, parts["case.json"]))
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
	assert.Equal(t, pyval.Repr(Doc(t, parts["answer.json"])), pyval.Repr(record(resp)))
	assert.Positive(t, resp.Latency)
	if parts["next.json"] != "" {
		req := requestWiretest(t, parts["case.json"])
		req.Messages = append(req.Messages, next(t, parts["next.json"], resp.AsMessage())...)
		_, err := adapter.Generate(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, compact(t, parts["next-request.json"]), seen.Body, "the next request")
	}
}

// next returns an answer, followed by the messages that come after it.
func next(t *testing.T, text string, answer eval.Message) []eval.Message {
	t.Helper()
	list, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	out := []eval.Message{answer}
	results := 0
	for _, item := range list.(*pyval.List).Items {
		m := message(item)
		if m.Role == "tool" {
			m.CallID, m.Name = answer.Calls[results].ID, answer.Calls[results].Name
			results++
		}
		out = append(out, m)
	}
	return out
}

func record(resp *eval.Response) *pyval.Dict {
	row := pyval.Object("result", resp.Result,
		"input_token_count", pyval.MakeInt(int64(resp.InputTokens)),
		"output_token_count", pyval.MakeInt(int64(resp.OutputTokens)))
	if resp.CutOff {
		row.SetStr("cut_off", pyval.Bool(true))
	}
	return row
}

// IDs are ids of calls.
func IDs(calls []eval.ToolCall) []string {
	out := make([]string, len(calls))
	for i, call := range calls {
		out[i] = call.ID
	}
	return out
}

func requestWiretest(t *testing.T, text string) *eval.Request {
	t.Helper()
	c := Doc(t, text)
	req := &eval.Request{ID: "case", Mode: eval.Mode(provider.Text(c, "mode"))}
	for _, m := range provider.Items(c, "messages") {
		req.Messages = append(req.Messages, message(m))
	}
	req.Conversation = pyval.Truth(provider.Get(c, "conversation"))
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

// FindSecret fails the test if a secret occurs in a text or, with any verb of
// fmt, in an error's chain.
func FindSecret(t testing.TB, secret string, texts []string, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		texts = append(texts, Print(err)...)
	}
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the secret is in %.300q", text)
		}
	}
}
