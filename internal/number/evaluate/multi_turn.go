package evaluate

import (
	"strconv"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// A conversed judges answers to multi-turn cases under the models' names. If
// there are several models, it keeps what each case's reference does.
type conversed struct {
	several    bool
	references sync.Map // *eval.Case to func() *multiturn.Reference
}

// verdict returns a category's verdict, except that multi-turn cases are
// judged under the model's name.
func (m *Model) verdict(cat *eval.Category, item *eval.Case, result pyval.Value) (pyval.Value, eval.Verdict) {
	if cat.MultiTurn() && !cat.Agentic() {
		return nil, m.conversed.verdict(m, item, result)
	}
	return cat.Verdict(item, result, m.Settings)
}

func (k *conversed) verdict(m *Model, item *eval.Case, result pyval.Value) eval.Verdict {
	if k.several {
		if r := k.reference(item); r != nil {
			return r.Judge(m.Name, result, m.Settings)
		}
	}
	return multiturn.JudgeAs(m.Name, item, result, m.Settings)
}

// reference returns nil for a case whose reference cannot be run.
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

// multiTurnLine writes a failed multi-turn case as upstream's evaluator does.
func multiTurnLine(dst []byte, m *Model, c *Category, a *Answer) []byte {
	line := lineOf(m, c, pyval.Str(a.Row.ID))
	line.SetStr("error", orNone(a.Detail))
	line.SetStr("prompt", promptOf(a.Case))
	turns, err := multiturn.Decode(a.Row.Result, m.Settings)
	switch {
	case err != nil, a.ErrorType == multiturn.InferenceError, a.ErrorType == multiturn.ForceTerminated:
		line.SetStr("model_result", a.Row.Result)
	default:
		line.SetStr("model_result_raw", a.Row.Result)
		line.SetStr("model_result_decoded", turns.Value())
	}
	line.SetStr("possible_answer", a.Case.Answer)
	return appendLogged(dst, line, a.Row)
}

// appendLogged appends a line with the answer's inference log, if the result file
// has one.
func appendLogged(dst []byte, line *pyval.Dict, row record.Row) []byte {
	dst = appendLine(dst, line, pyval.JSONUnicode)
	dst = append(dst[:len(dst)-1], `, "inference_log": `...)
	logged := append(dst, `""`...)
	if log, ok := row.Log(); ok {
		if text, err := pyval.AppendJSON(dst, log, pyval.JSONUnicode); err == nil {
			logged = text
		}
	}
	return append(logged, '}')
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

// modeOf returns how a model's answers carry their calls. An answer to a
// multi-turn case is a list in either mode; its steps are lists only in
// function-calling mode.
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

// hasCalls reports whether a step is a list of calls.
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
