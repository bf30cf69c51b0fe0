package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// firstRelease is the group of the first release's categories. Upstream filed
// them under no folder.
const firstRelease = "v1"

// v1AST is a category of the first release whose calls are compared with
// possible answers.
func v1AST(name string, l language) *eval.Category {
	return &eval.Category{
		Name: name, Group: firstRelease, Answers: true,
		Decode: l.decodeV1,
		Judge: func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
			if err != nil {
				return judge.DecodeFailure(err)
			}
			return judge.AST(c.Tools, decoded, c.Answer, judge.Options{
				Language: l.checks, Category: name, UnderscoreToDot: s.UnderscoreToDot, Variant: judge.V1,
			})
		},
	}
}

// v1NoCall is a category of the first release that wants an answer without a
// call.
func v1NoCall(name string) *eval.Category {
	return &eval.Category{
		Name: name, Group: firstRelease,
		Decode: python.decodeV1,
		Judge: func(_ *eval.Case, decoded pyval.Value, err error, _ eval.Settings) eval.Verdict {
			return judge.RelevanceV1(decoded, err)
		},
	}
}

// v1Unscored marks a category as one that no score counts.
func v1Unscored(c *eval.Category) *eval.Category {
	c.Unscored = true
	return c
}

// The dialects of models that the first leaderboard did not know: those of its
// handlers for OpenAI's tool calls and for models without a handler of their
// own.
const (
	v1CallDialect = "fc-json"
	v1TextDialect = "prompt-space"
)

// decodeV1 reads the calls of a result as the first release did.
func (l language) decodeV1(_ *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	return decodeDialect(result, v1Dialect(s), dialect.V1(l.format))
}

func v1Dialect(s eval.Settings) string {
	switch {
	case s.Dialect != "":
		return s.Dialect
	case s.Mode == eval.FC:
		return v1CallDialect
	}
	return v1TextDialect
}
