package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// executable is the folder of the executable categories under today's names.
const executable = "executable"

// carriedOut is a category whose calls are carried out, under the name it had
// when upstream retired it. It is reported and in no score.
func carriedOut(name string) *eval.Category {
	c := v1Exec(name)
	c.Group, c.Answers, c.Unscored = executable, true, true
	c.Decode = decodeCallTexts
	return c
}

// decodeCallTexts reads the calls of a result as texts, as today's release
// reads an answer: upstream's default decode_execute.
func decodeCallTexts(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	g := dialect.Grammar{Parse: func(text string) (pyval.Value, error) {
		return decode.Prompt(text, decode.Python, false)
	}}
	switch {
	case s.Dialect != "":
		g = dialect.V4(decode.Python)
	case s.Mode == eval.FC:
		s.Dialect = v1CallDialect
	default:
		s.Dialect = "prompt-plain"
	}
	return callTexts(result, s.Dialect, g)
}
