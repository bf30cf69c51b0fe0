package evaluate

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// wrongFormat is the error type of answers that decode to something other
// than calls; upstream writes their values as text, since they need not be
// JSON.
const wrongFormat = "ast_decoder:decoder_wrong_output_format"

// A release is where and how one of upstream's releases writes scores.
type release struct {
	// line appends a failed case, and end follows the last.
	line func(dst []byte, m *Model, c *Category, a *Answer) []byte
	end  string
	// file returns a category's file below the model's folder; place returns
	// what a path below the score folder is the file of.
	file  func(c *Category) string
	place func(path string) (model, category string, ok bool)
	// tables writes the leaderboard, with a row for each entry.
	entry  func(r *Report, name string, e *earlier) leaderboard.Entry
	tables func(entries []leaderboard.Entry) ([]leaderboard.File, error)
}

// scoreFiles writes upstream's score files: a header, then the failed cases. It
// starts with the largest, so that the last to finish is a small one.
func (r *Report) scoreFiles(by *release, path func(*Model, *Category) string) error {
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
	parallel.Each(len(tasks), func(i int) {
		t := tasks[i]
		errs[i] = record.WriteFileWith(path(t.m, t.c), func(w *bufio.Writer) { t.c.writeScores(w, t.m, by) })
	})
	return cmp.Or(errs...)
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

func (c *Category) writeScores(w *bufio.Writer, m *Model, by *release) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = c.header((*buf)[:0])
	_, _ = w.Write(*buf)
	for k := range c.Answers {
		if a := &c.Answers[k]; !a.Passed() {
			*buf = by.line(append((*buf)[:0], '\n'), m, c, a)
			_, _ = w.Write(*buf)
		}
	}
	_, _ = w.WriteString(by.end)
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

// lineOf returns the beginning of the line of a failed case.
func lineOf(m *Model, c *Category, id pyval.Value) *pyval.Dict {
	line := pyval.NewDict(10)
	line.SetStr("id", id)
	line.SetStr("model_name", pyval.Str(m.Name))
	line.SetStr("test_category", pyval.Str(c.Name))
	line.SetStr("valid", pyval.Bool(false))
	return line
}

// scoreLine writes a failed case as upstream's evaluator does.
func scoreLine(dst []byte, m *Model, c *Category, a *Answer) []byte {
	switch {
	case c.Agentic():
		return agenticLine(dst, m, c, a)
	case c.MultiTurn():
		return multiTurnLine(dst, m, c, a)
	}
	line := lineOf(m, c, pyval.Str(a.Row.ID))
	if c.Category.Answers() || c.Executes {
		a.explain(line)
		a.show(line, entryOf(c, a.Case), a.ErrorType == wrongFormat)
		if a.Case.Answer != nil {
			line.SetStr("possible_answer", a.Case.Answer)
		}
		a.executed(line)
	} else {
		line.SetStr("prompt", a.Case.Entry)
		line.SetStr("model_result", a.Row.Result)
		line.SetStr("decoded_result", orNone(a.decoded))
		a.explain(line)
	}
	return appendLine(dst, line, pyval.JSONUnicode)
}

// explain adds what is wrong with an answer.
func (a *Answer) explain(line *pyval.Dict) {
	line.SetStr("error", orNone(a.Detail))
	line.SetStr("error_type", pyval.Str(a.ErrorType))
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

// show adds the question and the answer, as texts if it was decoded to something
// that need not be JSON.
func (a *Answer) show(line *pyval.Dict, entry pyval.Value, asText bool) {
	line.SetStr("prompt", entry)
	switch {
	case asText:
		line.SetStr("model_result_raw", pyval.Str(pyval.Text(a.Row.Result)))
		line.SetStr("model_result_decoded", pyval.Str(pyval.Text(orNone(a.decoded))))
	default:
		line.SetStr("model_result_raw", a.Row.Result)
		if a.decoded != nil {
			line.SetStr("model_result_decoded", a.decoded)
		}
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
