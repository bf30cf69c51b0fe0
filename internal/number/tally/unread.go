package tally

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/unread"
)

// unread says where answers could not be read. An answer that is not at hand is
// known by its error type alone.
func (r *Run) unread() []string {
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
	return unread.Warnings(parts, r.Settings)
}
