package provider

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// System takes the system messages out of a conversation, for providers that
// have a field of their own for them: upstream's extract_system_prompt, which
// takes the first; a second one would be refused and joins it here.
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

// Combined joins user messages that follow one another with an empty line
// between, upstream's combine_consecutive_user_prompts.
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
