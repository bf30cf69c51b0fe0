package evaluate

import (
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// v1 is upstream's first release: one folder per model, and no newline at the
// end.
var v1 = &release{
	line: v1Line,
	file: func(c *category) string { return c.Name + scoreSuffix },
	place: func(path string) (model, category string, ok bool) {
		model, file := filepath.Split(path)
		category, ok = strings.CutSuffix(file, scoreSuffix)
		return filepath.Clean(model), category, ok && model != "" && !strings.HasPrefix(file, scorePrefix)
	},
	facts:       func(_ *writer, folder string) leaderboard.Model { return leaderboard.V1Model(folder) },
	spent:       (*leaderboard.Usage).SpendV1,
	leaderboard: leaderboard.TablesV1,
}

// v1Line writes a failed case as the first release did. Its id is the case's
// position, counted from 1.
func v1Line(dst []byte, m *tally.Run, r *eval.Result) []byte {
	line := lineOf(m, r, pyval.MakeInt(int64(r.Case.Line)))
	explain(line, r)
	if strings.HasPrefix(r.ErrorType, "relevance_error:") {
		line.SetStr("model_result", r.Result)
		line.SetStr("decoded_result", orNone(r.Decoded))
	} else {
		show(line, r, r.Case.Entry, strings.HasSuffix(r.ErrorType, "wrong_output_format"))
		if r.Case.Answer != nil {
			line.SetStr("possible_answer", oneObject(r.Case.Answer))
		}
		executed(line, r)
	}
	return appendLine(dst, line, 0)
}

// executed adds the results of executed calls: upstream keeps the expected
// results with the question, and the result of a single call that was judged
// wrong.
func executed(line *pyval.Dict, r *eval.Result) {
	if r.Executed == nil {
		return
	}
	entry, _ := line.GetStr("prompt")
	if question, ok := entry.(*pyval.Dict); ok && r.Executed.Expected != nil {
		question = question.Clone()
		question.SetStr("execution_result", r.Executed.Expected)
		line.SetStr("prompt", question)
	}
	if r.Executed.Output != nil {
		line.SetStr("model_executed_output", r.Executed.Output)
	}
}

// oneObject returns a possible answer as its file has it: all calls in one
// object.
func oneObject(answer *pyval.List) pyval.Value {
	out := pyval.NewDict(len(answer.Items))
	for _, item := range answer.Items {
		if one, ok := item.(*pyval.Dict); ok {
			for key, v := range one.All() {
				out.SetStr(pyval.Text(key), v)
			}
		}
	}
	return out
}
