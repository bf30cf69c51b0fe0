package categories

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// The dialects for recorded answers of models that the first leaderboard did
// not have: those of its handlers for OpenAI's tool calls and for models
// without a handler of their own.
const (
	v1CallDialect = "fc-json"
	v1TextDialect = "prompt-space"
)

// decoder returns what turns a recorded result of a category into calls.
func decoder(cat *eval.Category) func(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	format := decode.Format(cat.Language.Key())
	switch {
	case cat.MultiTurn(): // its judge skips steps that cannot be decoded
		return func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) { return result, nil }
	case cat.Rule == eval.Varied:
		return decodeVaried
	case cat.Executes && cat.Release == eval.V1:
		return func(_ *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
			return callTexts(result, v1Dialect(s), dialect.V1(format))
		}
	case cat.Executes:
		return decodeCallTexts
	case cat.Release == eval.V1:
		return func(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
			return decodeDialect(c, result, v1Dialect(s), dialect.V1(format))
		}
	}
	return func(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
		switch {
		case s.Dialect != "":
			return decodeDialect(c, result, s.Dialect, dialect.V4(format))
		case s.Mode == eval.FC:
			return decode.FC(result)
		}
		return decodeText(result, format, false)
	}
}

// decodeVaried reads an answer in the format that its case asks for.
func decodeVaried(c *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
	config, err := prompt.ConfigOf(c.ID)
	if err != nil {
		return nil, err
	}
	if s.Dialect != "" {
		return decodeDialect(c, result, s.Dialect, dialect.V4Tagged(decode.Format(config.Return), config.Tag))
	}
	return decodeText(result, decode.Format(config.Return), config.Tag)
}

// decodeDialect reads the calls of an answer in a dialect.
func decodeDialect(c *eval.Case, result pyval.Value, name string, g dialect.Grammar) (pyval.Value, error) {
	d := dialect.Find(name)
	if d == nil {
		return nil, dialect.Check(name)
	}
	if c != nil {
		g.Tools = c.Tools
	}
	return d.Decode(result, g)
}

// decodeText reads the calls of a prompt-mode answer.
func decodeText(result pyval.Value, format decode.Format, tag bool) (pyval.Value, error) {
	text, ok := result.(pyval.Str)
	if !ok {
		return nil, fmt.Errorf("expected text in prompt mode, the answer is %s", pyval.ATypeName(result))
	}
	return decode.Prompt(string(text), format, tag)
}

// decodeCallTexts reads the calls of a result as texts, as upstream's current
// release does in its default decode_execute.
func decodeCallTexts(_ *eval.Case, result pyval.Value, s eval.Settings) (pyval.Value, error) {
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

// callTexts reads a result's calls in a dialect, as texts of Python calls.
func callTexts(result pyval.Value, name string, g dialect.Grammar) (pyval.Value, error) {
	d := dialect.Find(name)
	if d == nil {
		return nil, dialect.Check(name)
	}
	texts, err := d.Execute(result, g)
	var handed *dialect.HandedOn
	switch {
	case errors.As(err, &handed):
		return handed.Value, nil
	case err != nil:
		return nil, err
	}
	out := &pyval.List{Items: make([]pyval.Value, len(texts))}
	for i, text := range texts {
		out.Items[i] = pyval.Str(text)
	}
	return out, nil
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
