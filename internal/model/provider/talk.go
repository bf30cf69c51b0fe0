package provider

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// System takes the system messages out of a conversation, for providers that
// have a field of their own for them. Upstream's extract_system_prompt takes
// only the first. Here a second one is joined to it, because the provider would
// refuse it as a message.
func System(messages []eval.Message) (system string, rest []eval.Message) {
	var texts []string
	for _, m := range messages {
		if m.Role != "system" {
			rest = append(rest, m)
		} else if m.Content != "" {
			texts = append(texts, m.Content)
		}
	}
	return strings.Join(texts, "\n\n"), rest
}

// Combined joins consecutive user messages with an empty line between them,
// like upstream's combine_consecutive_user_prompts.
func Combined(messages []eval.Message) []eval.Message {
	var out []eval.Message
	for _, m := range messages {
		if n := len(out); n > 0 && m.Role == "user" && out[n-1].Role == "user" {
			out[n-1].Content += "\n\n" + m.Content
			continue
		}
		out = append(out, m)
	}
	return out
}
