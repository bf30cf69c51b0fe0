package evaluate

import (
	"fmt"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// wrongFormat is the error type of answers that decode to something other
// than calls; upstream writes their values as text, since they need not be
// JSON.
const wrongFormat = "ast_decoder:decoder_wrong_output_format"

// scoreFile is upstream's score file, in parts: a header, then the failed
// cases.
func (c *Category) scoreFile() [][]byte {
	parts := [][]byte{append(c.header(nil), '\n')}
	for _, line := range c.lines {
		if line != nil {
			parts = append(parts, line)
		}
	}
	return parts
}

func (c *Category) header(dst []byte) []byte {
	if s := c.Sensitivity(); s != nil {
		if out, err := pyval.AppendJSON(dst, s.Header(), pyval.JSONUnicode); err == nil {
			return out
		}
	}
	return fmt.Appendf(dst, `{"accuracy": %s, "correct_count": %d, "total_count": %d}`,
		pyval.Repr(pyval.Float(c.Accuracy())), c.Correct, c.Total)
}

// scoreLine is a failed case as upstream's evaluator writes it.
func scoreLine(m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte {
	if c.Agentic {
		return agenticLine(m, c, item, row, v)
	}
	if c.MultiTurn {
		return multiTurnLine(m, c, item, row, v)
	}
	line := pyval.NewDict(10)
	line.SetStr("id", pyval.Str(row.ID))
	line.SetStr("model_name", pyval.Str(m.Name))
	line.SetStr("test_category", pyval.Str(c.Name))
	line.SetStr("valid", pyval.Bool(false))
	if c.Answers || c.Executes {
		answered(line, item, row, decoded, v)
		executed(line, v)
	} else {
		line.SetStr("prompt", item.Entry)
		line.SetStr("model_result", row.Result)
		line.SetStr("decoded_result", orNone(decoded))
		line.SetStr("error", orNone(v.Detail))
		line.SetStr("error_type", pyval.Str(v.ErrorType))
	}
	return appendLine(line)
}

func answered(line *pyval.Dict, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) {
	line.SetStr("error", orNone(v.Detail))
	line.SetStr("error_type", pyval.Str(v.ErrorType))
	line.SetStr("prompt", item.Entry)
	switch {
	case v.ErrorType == wrongFormat:
		line.SetStr("model_result_raw", pyval.Str(pyval.Text(row.Result)))
		line.SetStr("model_result_decoded", pyval.Str(pyval.Text(orNone(decoded))))
	default:
		line.SetStr("model_result_raw", row.Result)
		if decoded != nil {
			line.SetStr("model_result_decoded", decoded)
		}
	}
	if item.Answer != nil {
		line.SetStr("possible_answer", item.Answer)
	}
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

func appendLine(line *pyval.Dict) []byte { return writeLine(line, pyval.JSONUnicode) }

// buffers are those in which lines grow before their length is known.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// writeLine writes a line as JSON. What JSON cannot hold, such as a set that
// a model wrote, becomes Python's text of it.
func writeLine(line *pyval.Dict, format pyval.JSONFormat) []byte {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	out, err := pyval.AppendJSON((*buf)[:0], line, format)
	if *buf = out; err == nil {
		return append(append(make([]byte, 0, len(out)+1), out...), '\n')
	}
	plain := pyval.NewDict(line.Len())
	for key, v := range line.All() {
		if _, err := pyval.AppendJSON(nil, v, 0); err != nil {
			v = pyval.Str(pyval.Text(v))
		}
		plain.SetStr(pyval.Text(key), v)
	}
	out, _ = pyval.AppendJSON(nil, plain, format) // every value is JSON now
	return append(out, '\n')
}
