package tally

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/ladder"
)

// unread returns the parts with the answers that could not be read. If an
// answer is not available, only its error type is known.
func (r *Run) unread() []string { return ladder.Doubts(r.unreadParts(), r.Settings(), r.remedy()) }

// Lost returns what the server's own tool parser lost, for a run with tools in
// their own field and calls found by the server; nil for other runs and if
// nothing was lost.
func (r *Run) Lost() *ladder.Lost {
	if r.Mode != eval.FC || r.Parameters["adapter"] != "openai" || r.Parameters["read"] != "" {
		return nil
	}
	return ladder.LostBy(r.unreadParts(), r.Settings(), r.remedy())
}

// remedy is to run again with a dialect: a server's chat endpoint is asked to
// leave calls in the text.
func (r *Run) remedy() ladder.Remedy {
	if r.again != nil {
		return *r.again
	}
	if len(r.Flags) == 0 {
		return ladder.RemedyFor(r.Model, "-dialect=")
	}
	words := []string{"bfcl", "run"}
	for _, flag := range r.Flags {
		if !strings.HasPrefix(flag, "-dialect=") && !strings.HasPrefix(flag, "-read=") {
			words = append(words, flag)
		}
	}
	if r.Parameters["adapter"] == "openai" && r.Mode == eval.FC {
		words = append(words, "-read=dialect")
	}
	return ladder.RemedyFor(r.Model+" "+r.Parameters["id"], "-dialect=", words...)
}

func (r *Run) unreadParts() []ladder.Reading {
	parts := make([]ladder.Reading, len(r.Parts))
	for i, part := range r.Parts {
		parts[i].Category = part.Category
		for k := range part.Results {
			result := &part.Results[k]
			if result.Status == eval.Error {
				continue
			}
			parts[i].Total++
			missed := result.Unread
			if len(missed) == 0 && result.Status == eval.Fail {
				missed = ladder.UnreadOf(part.Category, result.Case, nil, result.ErrorType, r.Settings())
			}
			parts[i].Unread = append(parts[i].Unread, missed...)
		}
	}
	return parts
}

// Warnings returns the warnings to show before any number of the runs, each
// once, with the names of the runs unless it applies to all.
func Warnings(runs []*Run) []string {
	said := map[string][]string{}
	var out []string
	for _, r := range runs {
		s, err := r.Answered(true)
		if err != nil {
			continue // reported by Score
		}
		for _, text := range s.Warnings {
			if said[text] == nil {
				out = append(out, text)
			}
			said[text] = append(said[text], safe.Plain(r.Name, 200))
		}
	}
	for i, text := range out {
		if names := said[text]; len(names) < len(runs) {
			out[i] = strings.Join(names, ", ") + ": " + text
		}
	}
	return out
}
