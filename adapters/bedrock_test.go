//go:build bedrock

package adapters_test

import (
	"errors"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/bedrock"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func init() {
	subjects = append(subjects, subject{
		name: "bedrock", open: func(cfg provider.Config) (eval.Adapter, error) { return bedrock.New(cfg) },
		hello:  `{"output": {"message": {"role": "assistant", "content": [{"text": "Hello."}]}}, "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}, "metrics": {"latencyMs": 1}}`,
		leak:   `{"output": {"message": {"content": [{"text": "KEY"}, {"toolUse": {"name": "KEY", "input": {"k": "KEY"}}}]}}, "KEY": "KEY"}`,
		fault:  `{"message": "%s"}`,
		key:    bearer,
		golden: "amazon.jsonl", clean: clean,
		ended:  `{"output": {"message": {"content": [{"text": "x"}]}}, "stopReason": %q}`,
		said:   map[string]string{"end_turn": "", "malformed_tool_use": "", "guardrail_intervened": "filtered: guardrail_intervened", "odd": "unknown: odd"},
		failed: map[string]string{"error": "server_error"},
		kept:   `{"output": {"message": {"content": [{"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}, {"toolUse": {"toolUseId": "i", "name": "f", "input": {}}}]}}}`, again: `'signature': 's'`,
		odd: [][4]string{
			{"calls between texts", `{"output": {"message": {"role": "assistant", "content": [{"text": "."}, {"toolUse": {"toolUseId": "1", "name": "f", "input": {"b": 1.0, "a": 1}}}, {"text": "."}]}}, "stopReason": "tool_use"}`, "[{'f': '{\"b\": 1.0, \"a\": 1}'}]", ""},
			{"several texts", `{"output": {"message": {"role": "assistant", "content": [{"text": "a"}, {"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": "b"}]}}, "stopReason": "end_turn"}`, "'ab'", ""},
			{"nothing", `{"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"}`, "''", ""},
			{"content null", `{"output": {"message": {"role": "assistant", "content": null}}, "stopReason": "end_turn"}`, "''", ""},
			{"guardrail", `{"output": {"message": {"role": "assistant", "content": [{"text": "No."}]}}, "stopReason": "guardrail_intervened"}`, "'No.'", ""},
			{"unknown block", `{"output": {"message": {"role": "assistant", "content": [{"image": {}}, null, 5, {"text": 5}]}}, "stopReason": "end_turn"}`, "''", ""},
			{"call without anything", `{"output": {"message": {"role": "assistant", "content": [{"toolUse": {}}]}}, "stopReason": "end_turn"}`, "[{'': ''}]", ""},
			{"cut off: limit", `{"output": {"message": {"role": "assistant", "content": [{"text": "x"}]}}, "stopReason": "max_tokens"}`, "'x'", ""},
			{"cut off: context used up", `{"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "model_context_window_exceeded"}`, "''", ""},
			{"no message", `{"output": {}}`, "", "bad_reply"},
			{"no output", `{}`, "", "bad_reply"},
			{"odd usage", `{"output": {"message": {}}, "usage": {"inputTokens": -1, "outputTokens": 1e99}}`, "''", ""},
		},
		seeds: []string{`{"output": {"message": {"content": [{"toolUse": {"name": 1, "input": {"a": NaN}}}]}}, "usage": {"inputTokens": 1e400}}`},
	})
}

// setenv sets variables until the end of a test.
func setenv(t testing.TB, values map[string]string) {
	t.Helper()
	for name, value := range values {
		t.Setenv(name, value)
	}
}

// clean is an environment without AWS's settings.
func clean(t testing.TB) {
	t.Helper()
	none := filepath.Join(t.TempDir(), "none")
	setenv(t, map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "", "AWS_DEFAULT_REGION": "",
		"AWS_BEARER_TOKEN_BEDROCK": "", "AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none, "AWS_EC2_METADATA_DISABLED": "true",
	})
}

// TestSignedAnew: each attempt has a signature of its own time, and what has another
// header is sent as it is.
func TestSignedAnew(t *testing.T) {
	clean(t)
	setenv(t, map[string]string{"AWS_ACCESS_KEY_ID": "AKIDPLANTED0123456", "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": "session+" + secret, "AWS_REGION": "eu-central-1"})
	synctest.Test(t, func(t *testing.T) {
		var sent []http.Header
		base := bedrock.Signing(tripper(func(req *http.Request) (*http.Response, error) {
			if sent = append(sent, req.Header.Clone()); len(sent) == 1 {
				time.Sleep(time.Hour)
				return nil, errors.New("cut off")
			}
			return reply(http.StatusOK, named(t, "bedrock").hello, req), nil
		}))
		carrier := transport.New(transport.Options{Base: base, RetryWait: time.Millisecond, Timeout: 2 * time.Hour, MaxElapsed: 3 * time.Hour})
		a := testkit.Must(bedrock.New(provider.Config{Model: "us.amazon.nova-lite-v1:0", Transport: carrier}))(t)
		testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		require.Len(t, sent, 2)
		for i, date := range []string{"20000101T000000Z", "20000101T010000Z"} {
			assert.Equal(t, date, sent[i].Get("X-Amz-Date"))
			assert.Contains(t, sent[i].Get("Authorization"), "/20000101/eu-central-1/bedrock/aws4_request")
			assert.Equal(t, []string{"session+" + secret}, sent[i].Values("X-Amz-Security-Token"))
		}
		assert.NotEqual(t, sent[0].Get("Authorization"), sent[1].Get("Authorization"))
		for _, other := range []string{"Bearer x", "", "AWS4-HMAC-SHA256 Credential=A"} {
			req := testkit.Must(http.NewRequest(http.MethodPost, "http://localhost:8000", nil))(t)
			req.Header.Set("Authorization", other)
			testkit.Must(base.RoundTrip(req))(t)
			assert.Equal(t, other, sent[len(sent)-1].Get("Authorization"))
		}
	})
}

// TestBedrockRefuses: a run does not begin without credentials or a model.
func TestBedrockRefuses(t *testing.T) {
	clean(t)
	for want, cfg := range map[string]provider.Config{
		"no AWS credentials are found: set AWS_ACCESS_KEY_ID": {Model: "us.amazon.nova-lite-v1:0"},
		"no model":                     {Key: "k"},
		"additionalModelRequestFields": {Key: "k", Model: "m", ReasoningEffort: "low"},
	} {
		testkit.Fails(bedrock.New(cfg))(t, want)
	}
}
