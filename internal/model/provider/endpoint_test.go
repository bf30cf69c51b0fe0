package provider_test

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestAddress(t *testing.T) {
	const chat, resp = "chat/completions", "responses"
	for _, c := range []struct{ base, version, model, protocol, want string }{
		{"", "", "m", chat, "https://api.openai.com/v1/chat/completions"},
		{"", "", "m", resp, "https://api.openai.com/v1/responses"},
		{"http://localhost:8000", "", "m", chat, "http://localhost:8000/v1/chat/completions"},
		{"http://localhost:8000/", "", "m", chat, "http://localhost:8000/v1/chat/completions"},
		{"http://localhost:8000/v1", "", "m", chat, "http://localhost:8000/v1/chat/completions"},
		{" http://localhost:8000/v1// ", "", "m", resp, "http://localhost:8000/v1/responses"},
		{"http://localhost:8000/v1/chat/completions", "", "m", chat, "http://localhost:8000/v1/chat/completions"},
		{"http://localhost:8000/v1/chat/completions/", "", "m", chat, "http://localhost:8000/v1/chat/completions"},
		{"https://openrouter.ai/api/v1", "", "a/b", chat, "https://openrouter.ai/api/v1/chat/completions"},
		{"https://api.fireworks.ai/inference/v1/", "", "m", chat, "https://api.fireworks.ai/inference/v1/chat/completions"},
		{"https://gateway.example/a%2Fb/v1?tenant=5#x", "", "m", chat, "https://gateway.example/a%2Fb/v1/chat/completions?tenant=5"},
		{"https://acme.openai.azure.com", "", "m", chat, "https://acme.openai.azure.com/openai/v1/chat/completions"},
		{"https://acme.openai.azure.com/openai/v1/", "preview", "m", resp, "https://acme.openai.azure.com/openai/v1/responses?api-version=preview"},
		{"https://acme.openai.azure.com", "2024-10-21", "a/b", chat, "https://acme.openai.azure.com/openai/deployments/a%2Fb/chat/completions?api-version=2024-10-21"},
		{"https://acme.openai.azure.com/openai/", "2024-10-21", "d", chat, "https://acme.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21"},
		{"https://acme.openai.azure.com/openai/deployments/e?api-version=1", "2", "d", chat, "https://acme.openai.azure.com/openai/deployments/e/chat/completions?api-version=1"},
		{"https://acme.openai.azure.com", "2025-04-01-preview", "d", resp, "https://acme.openai.azure.com/openai/responses?api-version=2025-04-01-preview"},
		{"http://[::1]:8080", "", "m", chat, "http://[::1]:8080/v1/chat/completions"},
		{"http://u:verysecretpassword@h/v1", "", "m", chat, "http://u:xxxxx@h/v1/chat/completions"},
	} {
		e, err := provider.New(&provider.Config{Model: c.model, BaseURL: c.base, APIVersion: c.version}, c.protocol)
		require.NoError(t, err, c.base)
		assert.Equal(t, c.want, e.String())
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  provider.Config
		want string
	}{
		{provider.Config{}, "no model is named"},
		{provider.Config{Model: "m", BaseURL: "localhost:8000"}, "must begin with http://"},
		{provider.Config{Model: "m", BaseURL: "/v1"}, "must begin with http://"},
		{provider.Config{Model: "m", BaseURL: "http://"}, "must begin with http://"},
		{provider.Config{Model: "m", BaseURL: "http://u:topsecret@h:port"}, "not an address"},
		{provider.Config{Model: "m", Extra: map[string]any{"f": func() {}}}, `"f"`},
		{provider.Config{Model: "m", Extra: map[string]any{"f": math.Inf(1)}}, `"f"`},
	} {
		_, err := provider.New(&c.cfg, "responses")
		require.ErrorContains(t, err, c.want)
		assert.NotContains(t, err.Error(), "topsecret")
		assert.NotContains(t, c.cfg.String(), "topsecret")
	}
}

func TestModelNames(t *testing.T) {
	for _, c := range []struct {
		model            string
		reasons, refuses bool
	}{
		{"gpt-4.1", false, false}, {"gpt-4o-mini", false, false}, {"o1", true, true}, {"o3-mini", true, true},
		{"openai/o4-mini-2025-04-16", true, true}, {"gpt-5-nano", true, true}, {"GPT-5.2", true, true},
		{"gpt-5-chat-latest", false, false}, {"openai/gpt-oss-120b", true, false}, {"olmo-2", false, false},
		{"o1x", false, false}, {"meta-llama/Llama-3.3-70B", false, false}, {"", false, false}, {"a/", false, false},
	} {
		assert.Equal(t, c.reasons, provider.Reasons(c.model), c.model)
		assert.Equal(t, c.refuses, provider.RefusesTemperature(c.model), c.model)
	}
}

// TestHeaders checks how keys travel.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  provider.Config
		want map[string]string
	}{
		{"bearer", provider.Config{Key: "k", BaseURL: "http://h"}, map[string]string{"Authorization": "Bearer k", "Api-Key": "", "Content-Type": "application/json"}},
		{"no key", provider.Config{BaseURL: "http://h"}, map[string]string{"Authorization": "", "Api-Key": ""}},
		{"Azure", provider.Config{Key: "k", BaseURL: "http://acme.openai.azure.com"}, map[string]string{"Authorization": "", "Api-Key": "k"}},
		{"Azure behind a gateway", provider.Config{Key: "k", BaseURL: "http://gw/openai", APIVersion: "1"}, map[string]string{"Authorization": "", "Api-Key": "k"}},
		{"own Authorization", provider.Config{Key: "k", BaseURL: "http://h", Headers: http.Header{"authorization": {"Token t"}}}, map[string]string{"Authorization": "Token t", "Api-Key": ""}},
		{"own api-key", provider.Config{Key: "k", BaseURL: "http://h", Headers: http.Header{"api-key": {"a"}}}, map[string]string{"Authorization": "", "Api-Key": "a"}},
		{"in the address", provider.Config{BaseURL: "http://Ada:pw@h"}, map[string]string{"Authorization": "Basic QWRhOnB3"}},
		{"key before address", provider.Config{Key: "k", BaseURL: "http://Ada:pw@h"}, map[string]string{"Authorization": "Bearer k"}},
		{"others", provider.Config{Key: "k", BaseURL: "http://h", Headers: http.Header{"X-Title": {"bench"}, "User-Agent": {"me"}}}, map[string]string{"Authorization": "Bearer k", "X-Title": "bench", "User-Agent": "me"}},
	} {
		var sent http.Header
		c.cfg.Transport, _ = adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Header
			adaptertest.Write(w, http.StatusOK, `{}`)
		})
		c.cfg.Model = "m"
		e := testkit.Must(provider.New(&c.cfg, "responses"))(t)
		_, _, err := e.Ask(t.Context(), pyval.NewDict(0))
		require.NoError(t, err)
		for name, value := range c.want {
			assert.Equal(t, value, sent.Get(name), "%s: %s", c.name, name)
		}
	}
}

func TestExtra(t *testing.T) {
	var sent string
	carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		sent = seen.Body
		adaptertest.Write(w, http.StatusOK, `{}`)
	})
	extra := map[string]any{"z": 1, "b": nil, "a": "<&>", "n": map[string]any{"y": 1.5, "x": []any{true, nil}}}
	e := testkit.Must(provider.New(&provider.Config{Model: "m", BaseURL: "http://h", Transport: carrier, Extra: extra}, "responses"))(t)
	_, _, err := e.Ask(t.Context(), pyval.Object("a", pyval.Str("own"), "b", pyval.None, "c", pyval.Str("a\xff\u2028\xed\xa0\x80")))
	require.NoError(t, err)
	assert.True(t, utf8.ValidString(sent), "bytes that are not UTF-8 are escaped")
	assert.Equal(t, "{\"a\":\"<&>\",\"c\":\"a\\udcff\u2028\\ud800\",\"n\":{\"x\":[true,null],\"y\":1.5},\"z\":1}", sent)
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`"{\"a\": 1}"`, `{"a": 1}`}, {`"oops"`, `oops`}, {`""`, ``}, {`null`, ``},
		{`{"b": 1.0, "a": [1, "é", null, true]}`, `{"b": 1.0, "a": [1, "é", null, true]}`}, {`[]`, `[]`}, {`5`, `5`}, {`{}`, `{}`},
	} {
		v := testkit.Must(pyval.ParseJSON(c.src))(t)
		assert.Equal(t, c.want, provider.Arguments(v), c.src)
	}
}

func TestFaultIsCapped(t *testing.T) {
	err := provider.FaultOf(pyval.Str(strings.Repeat("é\n", 1<<20))).Infra()
	assert.Less(t, len(err.Error()), 2000)
	assert.NotContains(t, err.Error(), "\n")
	assert.False(t, transport.IsFatal(err))
	assert.True(t, transport.IsFatal(provider.FaultOf(pyval.Object("code", pyval.Str("invalid_api_key"))).Infra()))
	assert.Equal(t, "quota", eval.InfraKind(provider.FaultOf(pyval.Object("code", pyval.Str("insufficient_quota"))).Infra()))
}

func TestVertexOf(t *testing.T) {
	for _, c := range []struct {
		base   string
		want   provider.Vertex
		ok, no bool
	}{
		{"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4", provider.Vertex{Origin: "https://europe-west4-aiplatform.googleapis.com", Version: "v1", Project: "p", Location: "europe-west4"}, true, false},
		{"https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/", provider.Vertex{Origin: "https://aiplatform.googleapis.com", Version: "v1beta1", Project: "p", Location: "global"}, true, false},
		{"https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu", provider.Vertex{Origin: "https://aiplatform.eu.rep.googleapis.com", Version: "v1", Project: "p", Location: "eu"}, true, false},
		{"https://us-central1-aiplatform.googleapis.com", provider.Vertex{}, true, true},
		{"https://us-central1-aiplatform.googleapis.com/v1/projects/p", provider.Vertex{}, true, true},
		{"https://generativelanguage.googleapis.com/v1beta", provider.Vertex{}, false, false},
		{"https://aiplatform.googleapis.com.evil.example/v1/projects/p/locations/l", provider.Vertex{}, false, false},
		{"", provider.Vertex{}, false, false},
	} {
		got, ok, err := provider.VertexOf(c.base)
		assert.Equal(t, c.ok, ok, c.base)
		assert.Equal(t, c.no, err != nil, c.base)
		assert.Equal(t, c.want, got, c.base)
	}
}

// TestChatMessages writes an assistant's message: as it came where it can be,
// with the calls in the protocol's form where they did not come so.
func TestChatMessages(t *testing.T) {
	const written = `[{'role': 'assistant', 'content': None, 'tool_calls': [{'id': 'c0', 'type': 'function', 'function': {'name': 'f', 'arguments': '{"x":1}'}}]}]`
	calls := []eval.ToolCall{{ID: "c0", Name: "f", Arguments: `{"x":1}`}}
	for _, c := range []struct {
		name, raw string
		calls     []eval.ToolCall
		want      string
	}{
		{"as it came", `{"role": "assistant", "content": [{"type": "text", "text": "x"}]}`, nil, `[{'role': 'assistant', 'content': [{'type': 'text', 'text': 'x'}]}]`},
		{"an empty list", `{"role": "assistant", "content": null, "tool_calls": []}`, nil, `[{'role': 'assistant', 'content': None, 'tool_calls': []}]`},
		{"no id", `{"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\":1}"}}]}`, calls, written},
		{"arguments as an object", `{"role": "assistant", "content": null, "tool_calls": [{"id": "c0", "function": {"name": "f", "arguments": {"x": 1}}}]}`, calls, written},
		{"the old form", `{"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}}`, calls, written},
		{"of another adapter", "", calls, `[{'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'c0', 'type': 'function', 'function': {'name': 'f', 'arguments': '{"x":1}'}}]}]`},
	} {
		m := eval.Message{Role: "assistant", Calls: c.calls}
		before := ""
		if c.raw != "" {
			v := testkit.Must(pyval.ParseJSON(c.raw))(t)
			m.Raw, before = v, pyval.Repr(v)
		}
		assert.Equal(t, c.want, pyval.Repr(provider.ChatMessages([]eval.Message{m}, provider.PlainText)), c.name)
		if m.Raw != nil {
			assert.Equal(t, before, pyval.Repr(m.Raw), "%s: the message itself must not change", c.name)
		}
	}
}
