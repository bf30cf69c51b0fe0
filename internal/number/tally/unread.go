package tally

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/unread"
)

// unread says where answers could not be read. An answer that is not available
// is known by its error type alone.
func (r *Run) unread() []string { return unread.Warnings(r.unreadParts(), r.Settings) }

// Lost returns what the server's own tool parser lost, of a run that was asked
// with tools in their field and whose calls the server found; nil for others,
// and where nothing was lost.
func (r *Run) Lost() *unread.Lost {
	if r.Settings.Mode != eval.FC || r.Stated == nil || r.Stated.Parameters["adapter"] != "openai" || r.Stated.Parameters["read"] != "" {
		return nil
	}
	return unread.Parser(r.unreadParts(), r.Settings)
}

func (r *Run) unreadParts() []unread.Part {
	parts := make([]unread.Part, len(r.Parts))
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
				missed = unread.Of(part.Category, result.Case, nil, result.ErrorType, r.Settings)
			}
			parts[i].Unread = append(parts[i].Unread, missed...)
		}
	}
	return parts
}

// Warnings returns what must be said before any number of the runs, each once;
// with the names of the runs if it is not true of all.
func Warnings(runs []*Run) []string {
	said := map[string][]string{}
	var out []string
	for _, r := range runs {
		s, err := r.Answered(true)
		if err != nil {
			continue // whoever asks for the score is told
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
