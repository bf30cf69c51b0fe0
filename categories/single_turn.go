package categories

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// The folders upstream files single-turn categories under.
const (
	nonLive = "non_live"
	live    = "live"
)

// language ties a return format to the checker's language.
type language struct {
	format decode.Format
	checks judge.Language
}

var (
	python     = language{decode.Python, judge.Python}
	java       = language{decode.Java, judge.Java}
	javaScript = language{decode.JavaScript, judge.JavaScript}
)

// ast is a category whose calls are compared with possible answers.
func ast(name, group string, l language) *eval.Category {
	return &eval.Category{
		Name: name, Group: group, Answers: true,
		Decode: l.decode,
		Judge: func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
			if err != nil {
				return judge.DecodeFailure(err)
			}
			return judge.AST(c.Tools, decoded, c.Answer, judge.Options{
				Language: l.checks, Category: name, UnderscoreToDot: s.UnderscoreToDot,
			})
		},
	}
}

// callOrNot is a category that asks only whether a call was made.
func callOrNot(name, group string) *eval.Category {
	return &eval.Category{
		Name: name, Group: group,
		Decode: python.decode,
		Judge: func(_ *eval.Case, decoded pyval.Value, err error, _ eval.Settings) eval.Verdict {
			return judge.Relevance(name, decoded, err)
		},
	}
}

// decode reads the calls of a result in the model's mode.
func (l language) decode(_ *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	if s.Dialect != "" {
		return decodeDialect(result, s.Dialect, dialect.V4(l.format))
	}
	if s.Mode == eval.FC {
		return decode.FC(result)
	}
	return decodeText(result, l.format, false)
}

// decodeDialect reads the calls of an answer in a dialect.
func decodeDialect(result pyval.Value, name string, g dialect.Grammar) (pyval.Value, error) {
	d := dialect.Find(name)
	if d == nil {
		return nil, dialect.Check(name)
	}
	return d.Decode(result, g)
}

// decodeText reads the calls of a prompt-mode answer.
func decodeText(result pyval.Value, format decode.Format, tag bool) (pyval.Value, error) {
	text, ok := result.(pyval.Str)
	if !ok {
		return nil, fmt.Errorf("a text is expected in prompt mode, the answer is a %s", pyval.TypeName(result))
	}
	return decode.Prompt(string(text), format, tag)
}
