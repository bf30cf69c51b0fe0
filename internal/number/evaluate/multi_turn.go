package evaluate

import (
	"cmp"
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// multiTurnLine writes a failed multi-turn case as upstream's evaluator does.
func multiTurnLine(dst []byte, m *tally.Run, r *eval.Result) []byte {
	line := lineOf(m, r, pyval.Str(r.Case.ID))
	line.SetStr("error", orNone(r.Detail))
	line.SetStr("prompt", promptOf(r.Case))
	turns, err := multiturn.Decode(r.Result, m.Settings())
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
