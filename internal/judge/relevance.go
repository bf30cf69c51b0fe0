package judge

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Relevance judges only whether a call was made: upstream's
// _evaluate_single_relevance_entry. eval.Irrelevance wants no call,
// eval.Relevance wants one. An answer that could not be decoded has no call.
func Relevance(rule eval.Rule, release eval.Release, decoded pyval.Value, decodeErr error) eval.Verdict {
	if release == eval.V1 {
		return relevanceV1(decoded, decodeErr)
	}
	called := decodeErr == nil && !decode.IsEmpty(decoded)
	switch unwanted := rule == eval.Irrelevance; {
	case called && unwanted:
		return failed("irrelevance_error:decoder_success",
			"Valid syntax. Successfully decode AST when it should not.")
	case !called && !unwanted:
		return failed("relevance_error:decoder_failed",
			"Invalid syntax. Failed to decode AST when it should have. "+reason(decodeErr))
	}
	return eval.Verdict{}
}
