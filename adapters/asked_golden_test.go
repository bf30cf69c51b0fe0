package adapters_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// elsewhere are the fields that upstream hands to an SDK and that are no part
// of a body, or that docs/upstream-differences.md says are ours not to send.
var elsewhere = map[string]string{
	"timeout":    "the client's",
	"extra_body": "its fields are the body's",
	"modelId":    "part of the address",
	"store":      "to OpenAI and Azure alone",
}

// ordered are the fields in which the order of keys reaches the model.
var ordered = map[string]bool{"messages": true, "input": true, "system": true, "tools": true, "toolConfig": true, "functions": true}

// A wire answers every request alike, with an error if it has no answer, and keeps the
// last one.
type wire struct {
	answer string

	mu        sync.Mutex
	url, body string
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	data, err := io.ReadAll(req.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.url, w.body = req.URL.String(), string(data)
	if w.answer == "" {
		return reply(http.StatusBadRequest, `{"error": {"message": "recorded"}}`, req), err
	}
	return reply(http.StatusOK, w.answer, req), err
}

func reply(status int, body string, req *http.Request) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req, Body: io.NopCloser(strings.NewReader(body)),
	}
}

// An asker poses the cases of the official dataset as a run does.
type asker struct {
	cases   map[string]*eval.Case
	wording *prompt.Wording
	models  *catalog.Catalog
	texts   completion.Texts
}

func newAsker(t *testing.T) *asker {
	t.Helper()
	set := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	a := &asker{cases: map[string]*eval.Case{}}
	a.wording = testkit.Must(set.Wording())(t)
	a.models = testkit.Must(catalog.Load())(t)
	a.texts = completion.Texts{}
	for _, cat := range categories.All() {
		if cat.MultiTurn() || cat.Executes || strings.HasPrefix(cat.Name, "format") {
			continue
		}
		cases, err := set.Cases(cat)
		if err != nil {
			continue
		}
		for _, c := range cases {
			a.cases[c.ID] = c
		}
	}
	return a
}

// pose is a case's request in the model's mode.
func (a *asker) pose(t *testing.T, c *eval.Case, e catalog.Entry) *eval.Request {
	t.Helper()
	if e.Mode == eval.Prompt && e.Wire.FunctionsAs == "" {
		messages := testkit.Must(a.wording.Pose(c))(t)
		return &eval.Request{ID: c.ID, Mode: eval.Prompt, Messages: messages}
	}
	hinted := testkit.Must(a.wording.Tools.HintedAll(c.Tools, c.Language))(t)
	settings := eval.SettingsFor(e.Mode)
	if e.UnderscoreToDot != nil {
		settings.UnderscoreToDot = *e.UnderscoreToDot
	}
	posed := *c
	posed.Tools = hinted
	return eval.Pose(&posed, 0, settings)
}

// open is a model's adapter, whose requests a wire keeps.
func (a *asker) open(t *testing.T, e catalog.Entry) (eval.Adapter, *wire) {
	t.Helper()
	seen := &wire{}
	return a.openWith(t, e, seen), seen
}

// openWith is a model's adapter, whose requests go to a server of the test's.
func (a *asker) openWith(t *testing.T, e catalog.Entry, server http.RoundTripper) eval.Adapter {
	t.Helper()
	kind := testkit.Must(adapters.Find(e))(t)
	access, err := e.Access(func(name string) (string, bool) {
		switch {
		case strings.HasSuffix(name, "_API_KEY"):
			return "planted-key-0123456789", true
		case strings.HasPrefix(name, "MINING_"), strings.HasPrefix(name, "DMCITO_"):
			return "https://own.example.com/v1", true
		}
		return "", false
	})
	require.NoError(t, err)
	adapter, err := kind.Open(adapters.Config{
		Access: access, Wording: a.wording.Tools, Texts: func() (completion.Texts, error) { return a.texts, nil },
		Transport: transport.New(transport.Options{Base: server, MaxTries: 1}),
	})
	require.NoError(t, err)
	return adapter
}

// TestGoldenAsked holds each request to an API model to the one that upstream
// hands to its provider's client: the model, messages, tools, parameters, extra
// fields and whether it streams.
func TestGoldenAsked(t *testing.T) {
	file := testkit.GoldenFile(t, "handlers", "api_requests.jsonl")
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "planted")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "planted-secret-0123456789")
	a := newAsker(t)
	equal, rows := 0, 0
	absent := map[string]int{}
	testkit.Rows(t, file, func(_ int, row *pyval.Dict) {
		rows++
		name := testkit.Text(row, "model")
		e := testkit.Must(adapters.Resolve(a.models, name))(t)
		if tag := adapters.Tag(e.Adapter); tag != "" {
			absent[tag]++
			return
		}
		c := a.cases[testkit.Text(row, "id")]
		require.NotNil(t, c)
		a.learn(t, e, c, row)
		adapter, seen := a.open(t, e)
		testkit.Fails(adapter.Generate(t.Context(), a.pose(t, c, e)))(t, "recorded", name)
		diff := asUpstream(t, row, seen)
		switch {
		case len(diff) == 0:
			equal++
		default:
			t.Errorf("%s, %s: %s", name, c.ID, strings.Join(diff, "; "))
		}
	})
	t.Logf("%d requests, %d equal to upstream's; not in this build: %v", rows, equal, absent)
}

// learn takes a family's own texts from its first row, in the place of those
// that `bfcl fetch` derives from upstream's sources: what stands before, behind
// and between the functions and the question. The rows after it are held
// against them.
func (a *asker) learn(t *testing.T, e catalog.Entry, c *eval.Case, row *pyval.Dict) {
	t.Helper()
	form := e.Wire.FunctionsAs
	if form == "" || a.texts[form] != nil {
		return
	}
	kwargs := testkit.Field(testkit.Field(row, "request").(*pyval.Dict), "kwargs")
	system := provider.Text(provider.Items(kwargs, "messages")[0], "content")
	docs := testkit.Must(a.wording.Tools.HintedAll(c.Tools, c.Language))(t)
	list := &pyval.List{}
	for _, doc := range docs {
		list.Items = append(list.Items, doc)
	}
	before, after, found := strings.Cut(system, pyval.Repr(list))
	require.True(t, found, form)
	between, _ := strings.CutSuffix(after, c.Turns[0][len(c.Turns[0])-1].Content)
	a.texts[form] = map[string]string{"before": before, "after": after, "between": between}
}

// asUpstream are the differences of a request to upstream's.
func asUpstream(t *testing.T, row *pyval.Dict, seen *wire) (diff []string) {
	t.Helper()
	request := testkit.Field(row, "request").(*pyval.Dict)
	body, err := pyval.ParseJSON(seen.body)
	require.NoError(t, err, seen.body)
	got, want := body.(*pyval.Dict), expected(t, request)
	for key, v := range want.All() {
		name := pyval.Text(key)
		if empty, ok := v.(*pyval.List); elsewhere[name] != "" || ok && len(empty.Items) == 0 {
			continue
		}
		if field, _ := got.GetStr(name); field == nil || pyval.Repr(field) != pyval.Repr(v) && (ordered[name] || !pyval.Equal(field, v)) {
			diff = append(diff, fmt.Sprintf("%s: sent %.300q, want %.300q", name, repr(field), pyval.Repr(v)))
		}
	}
	for key := range got.All() {
		if name := pyval.Text(key); !want.Has(name) {
			diff = append(diff, name+": sent, and not by upstream")
		}
	}
	if addr := address(row, request); addr != "" && addr != seen.url {
		diff = append(diff, fmt.Sprintf("address: asked %s, want %s", seen.url, addr))
	}
	return diff
}

func repr(v pyval.Value) string {
	if v == nil {
		return "nothing"
	}
	return pyval.Repr(v)
}

// expected is the body of upstream's call: its arguments with the extra fields
// among them, or the text that it posts itself.
func expected(t *testing.T, request *pyval.Dict) *pyval.Dict {
	t.Helper()
	args := testkit.Field(request, "kwargs").(*pyval.Dict)
	if text := testkit.Text(args, "data"); text != "" {
		v := testkit.Must(pyval.ParseJSON(text))(t)
		return v.(*pyval.Dict)
	}
	want := args.Clone()
	if extra, ok := testkit.Field(args, "extra_body").(*pyval.Dict); ok {
		for key, v := range extra.All() {
			want.SetStr(pyval.Text(key), v)
		}
	}
	return want
}

// address is where upstream's client goes; "" where the SDK alone knows.
func address(row, request *pyval.Dict) string {
	call := testkit.Text(request, "call")
	if posted, ok := strings.CutPrefix(call, "POST "); ok {
		return posted
	}
	client, ok := testkit.Field(row, "client").(*pyval.Dict)
	if !ok {
		return ""
	}
	base := testkit.Text(client, "base_url")
	if base == "" || strings.Contains(base, "$") {
		return map[string]string{
			"chat.chat":     "https://api.writer.com/v1/chat",
			"chat.complete": "https://api.mistral.ai/v1/chat/completions",
		}[call]
	}
	return strings.TrimRight(base, "/") + "/chat/completions"
}
