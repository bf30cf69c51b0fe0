package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// judgeOf returns the judge of a category: of the calls of an answer, or of the
// error of decoding them.
func judgeOf(cat *eval.Category) func(c *eval.Case, decoded pyval.Value, decodeErr error, s eval.Settings) eval.Verdict {
	switch {
	case cat.Executes:
		return func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
			if s.Executor == nil {
				return eval.NoExecutor(c)
			}
			return s.Executor.Execute(c, decoded, err)
		}
	case cat.Rule == eval.MultiTurn:
		return func(c *eval.Case, result pyval.Value, _ error, s eval.Settings) eval.Verdict {
			if c.Expected != nil {
				return c.Expected.Judge(c, result, nil, s)
			}
			return multiturn.Judge(c, result, s)
		}
	case cat.Rule == eval.Agentic:
		return func(c *eval.Case, result pyval.Value, _ error, s eval.Settings) eval.Verdict {
			return judge.Agentic(c, result, s)
		}
	case cat.Rule == eval.Irrelevance || cat.Rule == eval.Relevance:
		return func(_ *eval.Case, decoded pyval.Value, err error, _ eval.Settings) eval.Verdict {
			return judge.Relevance(cat.Rule, cat.Release, decoded, err)
		}
	}
	return func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
		switch {
		case c.Expected != nil:
			return c.Expected.Judge(c, decoded, err, s)
		case err != nil:
			return judge.DecodeFailure(err)
		}
		return judge.AST(c.Tools, decoded, c.Answer, Options(cat, c, s))
	}
}

// Options returns the options for comparing the calls of a case with its
// possible answers. The category must be one that Compares.
func Options(cat *eval.Category, c *eval.Case, s eval.Settings) judge.Options {
	o := judge.Options{Rule: cat.Rule, Language: cat.Language, Release: cat.Release, UnderscoreToDot: s.UnderscoreToDot}
	if cat.Rule == eval.Varied {
		o.Rule = c.Rule
	}
	return o
}
