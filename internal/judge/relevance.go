package judge

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Relevance judges whether a call was made at all, upstream's
// _evaluate_single_relevance_entry: categories with "irrelevance" in their
// name want none, others want one. An answer that could not be decoded holds
// no call.
func Relevance(category string, decoded pyval.Value, decodeErr error) eval.Verdict {
	called := decodeErr == nil && !decode.IsEmpty(decoded)
	switch unwanted := strings.Contains(category, "irrelevance"); {
	case called && unwanted:
		return failed("irrelevance_error:decoder_success",
			"Valid syntax. Successfully decode AST when it should not.")
	case !called && !unwanted:
		return failed("relevance_error:decoder_failed",
			"Invalid syntax. Failed to decode AST when it should have. "+reason(decodeErr))
	}
	return eval.Verdict{}
}
