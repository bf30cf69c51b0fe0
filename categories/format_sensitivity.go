package categories

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// formatSensitivity: cases of other categories, each posed in 26 format
// configurations; prompt mode only, and not in the score.
var formatSensitivity = &eval.Category{
	Name: prompt.Category, Group: prompt.Category, Answers: true, PromptOnly: true, Unscored: true,
	Decode: func(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
		config, err := prompt.ConfigOf(c.ID)
		if err != nil {
			return nil, err
		}
		if s.Dialect != "" {
			return decodeDialect(result, s.Dialect, dialect.V4Tagged(decode.Format(config.Return), config.Tag))
		}
		return decodeText(result, decode.Format(config.Return), config.Tag)
	},
	Judge: func(c *eval.Case, decoded pyval.Value, err error, s eval.Settings) eval.Verdict {
		if err != nil {
			return judge.DecodeFailure(err)
		}
		return judge.AST(c.Tools, decoded, c.Answer, judge.Options{
			Language: judge.Python, Category: posedCategory(c.ID), UnderscoreToDot: s.UnderscoreToDot,
		})
	},
}

// posedCategory is the category that a varied case comes from, upstream's
// extract_test_category_from_id: its id is the last part, less the index.
func posedCategory(id string) string {
	id = id[strings.LastIndexByte(id, ':')+1:]
	if i := strings.LastIndexByte(id, '_'); i >= 0 {
		return id[:i]
	}
	return id
}
