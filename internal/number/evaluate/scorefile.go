package evaluate

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// wrongFormat is the error type of answers that decode to something other
// than calls; upstream writes their values as text, since they need not be
// JSON.
const wrongFormat = "ast_decoder:decoder_wrong_output_format"

// A scoreLiner appends a failed case as the evaluator of a release writes it.
type scoreLiner func(dst []byte, m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte

// scoreFiles writes upstream's score files: a header, then the failed cases. It
// starts with the largest, so that the last to finish is a small one.
func (r *Report) scoreFiles(line scoreLiner, end string, path func(*Model, *Category) string) error {
	type task struct {
		m *Model
		c *Category
	}
	var tasks []task
	for _, m := range r.Models {
		for _, c := range m.Categories {
			tasks = append(tasks, task{m, c})
		}
	}
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(b.c.weight(), a.c.weight()) })
	errs := make([]error, len(tasks))
	each(len(tasks), func(i int) {
		t := tasks[i]
		errs[i] = record.WriteFileWith(path(t.m, t.c), func(w *bufio.Writer) { t.c.writeScores(w, t.m, line, end) })
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// weight estimates the size of a score file: conversations are long.
func (c *Category) weight() int {
	const conversation = 10
	n := c.Total - c.Correct
	if c.MultiTurn() {
		n *= conversation
	}
	return n
}

func (c *Category) writeScores(w *bufio.Writer, m *Model, line scoreLiner, end string) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = c.header((*buf)[:0])
	_, _ = w.Write(*buf)
	for k := range c.Verdicts {
		if v := &c.Verdicts[k].Verdict; !v.Passed() {
			*buf = line(append((*buf)[:0], '\n'), m, c, c.cases[k], c.rows[k], c.decoded[k], *v)
			_, _ = w.Write(*buf)
		}
	}
	_, _ = w.WriteString(end)
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

// scoreLine writes a failed case as upstream's evaluator does.
func scoreLine(dst []byte, m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte {
	if c.Agentic() {
		return agenticLine(dst, m, c, item, row, v)
	}
	if c.MultiTurn() {
		return multiTurnLine(dst, m, c, item, row, v)
	}
	line := pyval.NewDict(10)
	line.SetStr("id", pyval.Str(row.ID))
	line.SetStr("model_name", pyval.Str(m.Name))
	line.SetStr("test_category", pyval.Str(c.Name))
	line.SetStr("valid", pyval.Bool(false))
	if c.Answers() || c.Executes {
		answered(line, entryOf(c, item), item, row, decoded, v)
		executed(line, v)
	} else {
		line.SetStr("prompt", item.Entry)
		line.SetStr("model_result", row.Result)
		line.SetStr("decoded_result", orNone(decoded))
		line.SetStr("error", orNone(v.Detail))
		line.SetStr("error_type", pyval.Str(v.ErrorType))
	}
	return appendLine(dst, line, pyval.JSONUnicode)
}

// entryOf returns a case's entry as a score line shows it. Cases of the
// format-sensitivity category are cases of other categories in a given format:
// they are shown with their own id and with the documents that have the hint of
// their language.
func entryOf(c *Category, item *eval.Case) pyval.Value {
	if c.Name != prompt.Category {
		return item.Entry
	}
	entry := item.Entry.Clone()
	entry.SetStr("id", pyval.Str(item.ID))
	tools := pyval.NewList()
	for _, tool := range item.Tools {
		tools.Items = append(tools.Items, tool)
	}
	entry.SetStr("function", tools)
	return entry
}

func answered(line *pyval.Dict, entry pyval.Value, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) {
	line.SetStr("error", orNone(v.Detail))
	line.SetStr("error_type", pyval.Str(v.ErrorType))
	line.SetStr("prompt", entry)
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

// buffers holds buffers for lines of unknown length.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// appendLine appends a line as JSON. A value that JSON cannot hold, such as a
// set that a model wrote, becomes its Python text.
func appendLine(dst []byte, line *pyval.Dict, format pyval.JSONFormat) []byte {
	out, err := pyval.AppendJSON(dst, line, format)
	if err == nil {
		return out
	}
	plain := pyval.NewDict(line.Len())
	for key, v := range line.All() {
		if _, err := pyval.AppendJSON(nil, v, 0); err != nil {
			v = pyval.Str(pyval.Text(v))
		}
		plain.SetStr(pyval.Text(key), v)
	}
	out, _ = pyval.AppendJSON(dst, plain, format) // every value is JSON now
	return out
}
