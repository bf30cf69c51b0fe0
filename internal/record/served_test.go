package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/record"
)

func TestServedNote(t *testing.T) {
	long := "model" + strings.Repeat("s", 97)
	for _, c := range []struct {
		asked  string
		served []string
		want   string
	}{
		{"gpt-4.1-mini", nil, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini"}, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini-2025-04-14"}, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"}, ""},
		{"openai/gpt-4o", []string{"gpt-4o-2024-05-13"}, ""},
		{"claude-3-5-sonnet-latest", []string{"claude-3-5-sonnet-20241022"}, ""},
		{"claude-sonnet-4@20250514", []string{"claude-sonnet-4-20250514"}, ""},
		{"gemini-2.0-flash", []string{"gemini-2.0-flash-001"}, ""},
		{"gemini-2.5-flash", []string{"gemini-2.5-flash-preview-05-20"}, ""},
		{"Qwen/Qwen3-8B", []string{"qwen3-8b"}, ""},
		{"llama3", []string{"llama3:latest"}, ""},
		{"", []string{"m"}, ""},
		{"", []string{"m", "n"}, "The server answered as several models: m, n. The answers may not be those of one model."},
		{"gpt-4", []string{"gpt-4-32k"}, "The server answered as gpt-4-32k; gpt-4 was asked for."},
		{"gpt-4", []string{"gpt-4.1"}, "The server answered as gpt-4.1; gpt-4 was asked for."},
		{"claude-opus-4", []string{"claude-opus-4-1"}, "The server answered as claude-opus-4-1; claude-opus-4 was asked for."},
		{"gpt-4o", []string{"gpt-4o-2024-05-13", "gpt-4o-2024-08-06"}, "The server answered as several models: gpt-4o-2024-05-13, gpt-4o-2024-08-06; gpt-4o was asked for. The answers may not be those of one model."},
		{long, []string{long[1:]}, "The server answered as " + long[1:101] + "… (101 bytes); " + long[:100] + "… (102 bytes) was asked for."},
		{"m", []string{"x\x1b[31m"}, `The server answered as x\x1b[31m; m was asked for.`},
	} {
		run := &record.Run{Served: c.served, Parameters: map[string]string{"id": c.asked}}
		assert.Equal(t, c.want, run.ServedNote(), "%s asked, %q served", c.asked, c.served)
	}
}

// TestServedIsNoSetting: runs that differ in who answered can go on and merge.
func TestServedIsNoSetting(t *testing.T) {
	a, b := &record.Run{Mode: "fc", Served: []string{"a"}}, &record.Run{Mode: "fc", Served: []string{"b"}}
	assert.Empty(t, record.Differences(a, b))
}
