package transport

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestReadComplaint(t *testing.T) {
	for _, c := range []struct {
		body string
		want complaint
	}{
		{`{"error":{"message":"m","type":"t","code":"c"}}`, complaint{text: "m", code: " c t"}},
		{`{"error":"m"}`, complaint{text: "m"}},
		{`{"message":"m"}`, complaint{text: "m"}},
		{`{"Message":"m","__type":"ThrottlingException"}`, complaint{text: "m", code: " ThrottlingException"}},
		{`{"detail":"m"}`, complaint{text: "m"}},
		{`{"detail":[{"msg":"m"}]}`, complaint{text: `[{"msg":"m"}]`}},
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, complaint{text: "Overloaded", code: " error overloaded_error"}},
		{`{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"boom"}}}`, complaint{text: "Provider returned error: boom", status: 502}},
		{`[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"retryDelay":"3.5s"},7]}}]`,
			complaint{text: "m", code: " RESOURCE_EXHAUSTED", status: 429, delay: 3500 * time.Millisecond}},
		{`{"error":null,"other":1}`, complaint{text: `{"error":null,"other":1}`}},
		{`"plain"`, complaint{text: `"plain"`}},
		{`[]`, complaint{text: `[]`}},
		{` Bad gateway `, complaint{text: "Bad gateway"}},
		{"<!DOCTYPE html>\n<html><head><TITLE>502\n Bad Gateway</TITLE>", complaint{text: "a web page: 502 Bad Gateway"}},
		{"<html>", complaint{text: "a web page"}},
		{``, complaint{}},
	} {
		assert.Equal(t, c.want, readComplaint([]byte(c.body)), c.body)
	}
}

func TestErrorStatus(t *testing.T) {
	for body, want := range map[string]int{
		`{"error":{"code":502}}`:                 502,
		`  {"error":{"code":429,"message":"m"}}`: 429,
		`{"error":null,"output":[]}`:             0,
		`{"error":{"code":"x"}}`:                 0,
		`{"error":{"code":200}}`:                 0,
		`{"error":{"code":500},"choices":[]}`:    0,
		`{"choices":[{"error":{"code":502}}]}`:   0,
		`[]`:                                     0,
		okReply:                                  0,
	} {
		assert.Equal(t, want, errorStatus([]byte(body)), body)
	}
}

func TestUsage(t *testing.T) {
	for body, want := range map[string][2]int{
		`{"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}`:       {12, 7},
		`{"usage":{"input_tokens":7,"output_tokens":5}}`:                              {12, 7},
		`{"usage":{"inputTokens":7,"outputTokens":5,"totalTokens":12}}`:               {12, 7},
		`{"usageMetadata":{"promptTokenCount":7,"totalTokenCount":12}}`:               {12, 7},
		`{"usage":{"billed_units":{},"tokens":{"input_tokens":7,"output_tokens":5}}}`: {12, 7},
		`{"usage":null}`:                    {},
		`{"usage":{"total_tokens":-4}}`:     {},
		`{"usage":{"total_tokens":1e40}}`:   {1e9, 0},
		`{"usage":{"total_tokens":"many"}}`: {},
		`nonsense`:                          {},
	} {
		all, prompt := usage([]byte(body))
		assert.Equal(t, want, [2]int{all, prompt}, body)
	}
}

// TestScale: a request is charged by its conversation's step before, the first by
// others of its kind, and the first of all by what was measured.
func TestScale(t *testing.T) {
	assert.Equal(t, 100, scaleOf(t.Context()).guess(450))
	kind := NewScale(3.6)
	first, second := kind.Conversation(), kind.Conversation()
	assert.Equal(t, 1000, first.guess(3600))
	first.learn(10_000, 5000) // two bytes a token
	assert.InDelta(t, 1000, second.guess(2000), 1)
	first.learn(30_000, 10_000)
	assert.Equal(t, 1000, first.guess(3000), "its last step counts")
	assert.InDelta(t, 1000, second.guess(2667), 1, "all of its kind count")
	second.learn(1000, 0)
	assert.InDelta(t, 1000, second.guess(2667), 1, "a reply that states none says nothing")
}

func FuzzComplaint(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"m","code":429,"metadata":{"raw":"x"},"details":[{"retryDelay":"1e9h"}]}}`))
	f.Add([]byte("<html><title>\xff"))
	f.Add([]byte(strings.Repeat("[", 20000)))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := readComplaint(body)
		if c.delay < 0 {
			t.Errorf("a delay of %v", c.delay)
		}
		if line := oneLine(scrubbed(c.text, []string{aKey})); strings.ContainsAny(line, "\n\x16\x1b") || strings.Contains(line, aKey) {
			t.Errorf("unsafe: %q", line)
		}
		if spent(body) < 0 || errorStatus(body) < 0 {
			t.Error("negative")
		}
	})
}
