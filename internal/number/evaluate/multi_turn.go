package evaluate

import (
	"strconv"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// A conversed judges answers to multi-turn cases under the names of models.
// Where there are several, what each case's reference does is kept.
type conversed struct {
	several    bool
	references sync.Map // *eval.Case to func() *multiturn.Reference
}

// verdict is the category's own, but that multi-turn cases are judged under
// the model's name.
func (c *Category) verdict(m *Model, item *eval.Case, result pyval.Value) (pyval.Value, eval.Verdict) {
	if c.MultiTurn() && !c.Agentic() {
		return nil, m.conversed.verdict(m, item, result)
	}
	return c.Verdict(item, result, m.Settings)
}

func (k *conversed) verdict(m *Model, item *eval.Case, result pyval.Value) eval.Verdict {
	if k.several {
		if r := k.reference(item); r != nil {
			return r.Judge(m.Name, result, m.Settings)
		}
	}
	return multiturn.JudgeAs(m.Name, item, result, m.Settings)
}

// reference is nil for a case whose reference cannot be run.
func (k *conversed) reference(item *eval.Case) *multiturn.Reference {
	once, ok := k.references.Load(item)
	if !ok {
		once, _ = k.references.LoadOrStore(item, sync.OnceValue(func() *multiturn.Reference {
			r, err := multiturn.NewReference(item)
			if err != nil {
				return nil
			}
			return r
		}))
	}
	return once.(func() *multiturn.Reference)()
}

// multiTurnLine is a failed multi-turn case as upstream's evaluator writes it.
func multiTurnLine(dst []byte, m *Model, c *Category, item *eval.Case, row record.Row, v eval.Verdict) []byte {
	line := failedLine(m, c, row, v)
	line.SetStr("prompt", promptOf(item))
	turns, err := multiturn.Decode(row.Result, m.Settings)
	switch {
	case err != nil, v.ErrorType == multiturn.InferenceError, v.ErrorType == multiturn.ForceTerminated:
		line.SetStr("model_result", row.Result)
	default:
		line.SetStr("model_result_raw", row.Result)
		line.SetStr("model_result_decoded", turns.Value())
	}
	line.SetStr("possible_answer", item.Answer)
	return appendLogged(dst, line, row)
}

// failedLine is the beginning of a line of a case played over turns.
func failedLine(m *Model, c *Category, row record.Row, v eval.Verdict) *pyval.Dict {
	line := pyval.NewDict(10)
	line.SetStr("id", pyval.Str(row.ID))
	line.SetStr("model_name", pyval.Str(m.Name))
	line.SetStr("test_category", pyval.Str(c.Name))
	line.SetStr("valid", pyval.Bool(false))
	line.SetStr("error", orNone(v.Detail))
	return line
}

// appendLogged appends a line with the answer's inference log, which is copied
// from one file to the other.
func appendLogged(dst []byte, line *pyval.Dict, row record.Row) []byte {
	dst = appendLine(dst, line, pyval.JSONUnicode)
	dst = append(dst[:len(dst)-1], `, "inference_log": `...)
	logged, ok := row.AppendLog(dst, pyval.JSONUnicode)
	if !ok {
		logged = append(dst, `""`...)
	}
	return append(logged, '}')
}

// promptOf is a case's entry with the functions that were held out in place of
// their names.
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

// modeOf is how a model's answers carry their calls. An answer to a multi-turn
// case is a list in either mode, its steps are not.
func modeOf(list []*Category) eval.Mode {
	for _, c := range list {
		for _, row := range c.rows {
			result, ok := row.Result.(*pyval.List)
			if ok && (!c.MultiTurn() || hasCalls(result)) {
				return eval.FC
			}
		}
	}
	return eval.Prompt
}

// hasCalls finds a step that is a list of calls.
func hasCalls(turns *pyval.List) bool {
	for _, turn := range turns.Items {
		steps, ok := turn.(*pyval.List)
		if !ok {
			continue
		}
		for _, step := range steps.Items {
			if step.Kind() == pyval.KindList {
				return true
			}
		}
	}
	return false
}
