package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
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
	line func(dst []byte, m *tally.Run, r *eval.Result) []byte
	end  string
	// file returns a category's file below the model's folder; place returns
	// what a path below the score folder is the file of.
	file  func(c *category) string
	place func(path string) (model, category string, ok bool)
	// facts returns what is known of a model by the name of its folder, and spent
	// its cost and latency.
	facts func(w *writer, folder string) leaderboard.Model
	spent func(u *leaderboard.Usage, m leaderboard.Model) (leaderboard.Spend, error)
	// leaderboard returns the tables, with a row for each entry.
	leaderboard func(entries []leaderboard.Entry) ([]leaderboard.File, error)
}

// A category is a part of a run that is written into a file.
type category struct {
	*tally.Part
	*eval.Category
	correct int
}

// scoreFiles writes upstream's score files: a header, then the failed cases. It
// starts with the largest, so that the last to finish is a small one.
func (w *writer) scoreFiles(m *tally.Run) error {
	var files []*category
	for i := range m.Parts {
		files = append(files, &category{&m.Parts[i], m.Parts[i].Category, m.Parts[i].Correct()})
	}
	slices.SortStableFunc(files, func(a, b *category) int { return cmp.Compare(b.weight(), a.weight()) })
	errs := make([]error, len(files))
	parallel.Each(len(files), func(i int) {
		c := files[i]
		errs[i] = record.WriteFileWith(filepath.Join(w.dir, m.Model, w.file(c)), func(to io.Writer) error { return c.write(to, m, w.release) })
	})
	return cmp.Or(errs...)
}

// weight estimates the size of a score file: conversations are long.
func (c *category) weight() int {
	const conversation = 10
	n := len(c.Results) - c.correct
	if c.MultiTurn() {
		n *= conversation
	}
	return n
}

func (c *category) write(to io.Writer, m *tally.Run, by *release) error {
	const atOnce = 1 << 16 // is written
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = c.header((*buf)[:0])
	for k := range c.Results {
		if r := &c.Results[k]; !r.Passed() {
			*buf = by.line(append(*buf, '\n'), m, r)
		}
		if len(*buf) > atOnce {
			if _, err := to.Write(*buf); err != nil {
				return err
			}
			*buf = (*buf)[:0]
		}
	}
	_, err := to.Write(append(*buf, by.end...))
	return err
}

func (c *category) header(dst []byte) []byte {
	if s := c.Sensitivity(true); s != nil {
		if out, err := pyval.AppendJSON(dst, s.Header(), pyval.JSONUnicode); err == nil {
			return out
		}
	}
	return fmt.Appendf(dst, `{"accuracy": %s, "correct_count": %d, "total_count": %d}`,
		pyval.Repr(pyval.Float(c.Accuracy())), c.correct, len(c.Results))
}

// lineOf returns the beginning of the line of a failed case.
func lineOf(m *tally.Run, r *eval.Result, id pyval.Value) *pyval.Dict {
	line := pyval.NewDict(10)
	line.SetStr("id", id)
	line.SetStr("model_name", pyval.Str(m.Model))
	line.SetStr("test_category", pyval.Str(r.Category.Name))
	line.SetStr("valid", pyval.Bool(false))
	return line
}

// scoreLine writes a failed case as upstream's evaluator does.
func scoreLine(dst []byte, m *tally.Run, r *eval.Result) []byte {
	switch {
	case r.Category.Agentic():
		return agenticLine(dst, m, r)
	case r.Category.MultiTurn():
		return multiTurnLine(dst, m, r)
	}
	line := lineOf(m, r, pyval.Str(r.Case.ID))
	if r.Category.Answers() || r.Category.Executes {
		explain(line, r)
		show(line, r, entryOf(r), r.ErrorType == wrongFormat)
		if r.Case.Answer != nil {
			line.SetStr("possible_answer", r.Case.Answer)
		}
		executed(line, r)
	} else {
		line.SetStr("prompt", r.Case.Entry)
		line.SetStr("model_result", r.Result)
		line.SetStr("decoded_result", orNone(r.Decoded))
		explain(line, r)
	}
	return appendLine(dst, line, pyval.JSONUnicode)
}

// explain adds what is wrong with an answer.
func explain(line *pyval.Dict, r *eval.Result) {
	line.SetStr("error", orNone(r.Detail))
	line.SetStr("error_type", pyval.Str(r.ErrorType))
}

// entryOf returns a case's entry as a score line shows it. Cases of the
// format-sensitivity category are cases of other categories in a given format:
// they are shown with their own id and with the documents that have the hint of
// their language.
func entryOf(r *eval.Result) pyval.Value {
	if r.Category.Name != prompt.Category {
		return r.Case.Entry
	}
	entry := r.Case.Entry.Clone()
	entry.SetStr("id", pyval.Str(r.Case.ID))
	tools := pyval.NewList()
	for _, tool := range r.Case.Tools {
		tools.Items = append(tools.Items, tool)
	}
	entry.SetStr("function", tools)
	return entry
}

// show adds the question and the answer, as texts if it was decoded to something
// that need not be JSON.
func show(line *pyval.Dict, r *eval.Result, entry pyval.Value, asText bool) {
	line.SetStr("prompt", entry)
	switch {
	case asText:
		line.SetStr("model_result_raw", pyval.Str(pyval.Text(r.Result)))
		line.SetStr("model_result_decoded", pyval.Str(pyval.Text(orNone(r.Decoded))))
	default:
		line.SetStr("model_result_raw", r.Result)
		if r.Decoded != nil {
			line.SetStr("model_result_decoded", r.Decoded)
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

// multiTurnLine writes a failed multi-turn case as upstream's evaluator does.
func multiTurnLine(dst []byte, m *tally.Run, r *eval.Result) []byte {
	line := lineOf(m, r, pyval.Str(r.Case.ID))
	line.SetStr("error", orNone(r.Detail))
	line.SetStr("prompt", promptOf(r.Case))
	turns, err := multiturn.Turns(r.Steps).Called(), error(nil)
	if r.Steps == nil { // it was not judged
		turns, err = multiturn.Decode(r.Result, m.Settings())
	}
	switch {
	case err != nil, r.ErrorType == multiturn.InferenceError, r.ErrorType == multiturn.ForceTerminated:
		line.SetStr("model_result", r.Result)
	default:
		line.SetStr("model_result_raw", r.Result)
		line.SetStr("model_result_decoded", turns.Value())
	}
	line.SetStr("possible_answer", r.Case.Answer)
	return appendLogged(dst, line, r)
}

// appendLogged appends a line with the answer's inference log, if the result file
// has one.
func appendLogged(dst []byte, line *pyval.Dict, r *eval.Result) []byte {
	dst = appendLine(dst, line, pyval.JSONUnicode)
	dst = append(dst[:len(dst)-1], `, "inference_log": `...)
	return append(append(dst, cmp.Or(r.Log, `""`)...), '}')
}

// promptOf returns a case's entry, with the held-out functions instead of their
// names.
func promptOf(item *eval.Case) pyval.Value {
	missed, ok := item.Entry.GetStr("missed_function")
	names, isDict := missed.(*pyval.Dict)
	if !ok || !isDict || item.Scene == nil {
		return item.Entry
	}
	docs := pyval.NewDict(names.Len())
	for key := range names.All() {
		turn, _ := strconv.Atoi(pyval.Text(key))
		list := pyval.NewList()
		for _, doc := range item.Scene.HeldOut[turn] {
			list.Items = append(list.Items, doc)
		}
		docs.SetStr(pyval.Text(key), list)
	}
	entry := item.Entry.Clone()
	entry.SetStr("missed_function", docs)
	return entry
}

// agenticLine writes a failed agentic case as upstream's evaluator does.
func agenticLine(dst []byte, m *tally.Run, r *eval.Result) []byte {
	line := lineOf(m, r, pyval.Str(r.Case.ID))
	line.SetStr("error", orNone(r.Detail))
	message, _, _ := judge.Read(r.Result, m.Settings())
	if r.ErrorType == judge.NotFound {
		question, _ := r.Case.Entry.GetStr("question")
		line.SetStr("prompt", orNone(question))
		line.SetStr("model_result_raw", r.Result)
		line.SetStr("last_non_fc_message", orNone(message.Last))
	} else {
		line.SetStr("prompt", r.Case.Entry)
		line.SetStr("model_result", r.Result)
	}
	if r.ErrorType == judge.NoLastMessage {
		line.SetStr("model_result_decoded", multiturn.Turns{message.Calls}.Value().Items[0])
	}
	line.SetStr("possible_answer", r.Case.Answer)
	return appendLogged(dst, line, r)
}
