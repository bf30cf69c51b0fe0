package evaluate

import (
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// pairV1 finds the case of each row. The rows of a complete file are paired
// line by line, as in upstream's first release; other rows are paired by id,
// and the last of several with one id counts.
func pairV1(rows []record.Row, list []*eval.Case) []record.Row {
	if len(rows) == len(list) {
		for i := range rows {
			rows[i].ID = list[i].ID
		}
		return rows
	}
	var out []record.Row
	at := map[string]int{}
	for _, row := range rows {
		if i, dup := at[row.ID]; dup {
			out[i] = row
			continue
		}
		at[row.ID] = len(out)
		out = append(out, row)
	}
	return out
}

// v1 is upstream's first release: one folder per model, and no newline at the
// end.
var v1 = &release{
	line: v1Line,
	file: func(c *Category) string { return c.Name + scoreSuffix },
	place: func(path string) (model, category string, ok bool) {
		model, file := filepath.Split(path)
		category, ok = strings.CutSuffix(file, scoreSuffix)
		return filepath.Clean(model), category, ok && model != "" && !strings.HasPrefix(file, scorePrefix)
	},
	entry: func(r *Report, name string, e *earlier) leaderboard.Entry {
		model, terms := leaderboard.V1Terms(name)
		entry := leaderboard.Entry{Model: model, Terms: terms, Accuracy: e.accuracy, Usage: r.usage(name)}
		if len(entry.Usage.Latency.Values) == 1 { // upstream fails to write the table
			entry.Usage.Latency = leaderboard.Series{}
		}
		return entry
	},
	tables: leaderboard.TablesV1,
}

// v1Line writes a failed case as the first release did. Its id is the case's
// position, counted from 1.
func v1Line(dst []byte, m *Model, c *Category, a *Answer) []byte {
	line := lineOf(m, c, pyval.MakeInt(int64(a.Case.Line)))
	a.explain(line)
	if strings.HasPrefix(a.ErrorType, "relevance_error:") {
		line.SetStr("model_result", a.Row.Result)
		line.SetStr("decoded_result", orNone(a.decoded))
	} else {
		a.show(line, a.Case.Entry, strings.HasSuffix(a.ErrorType, "wrong_output_format"))
		if a.Case.Answer != nil {
			line.SetStr("possible_answer", oneObject(a.Case.Answer))
		}
		a.executed(line)
	}
	return appendLine(dst, line, 0)
}

// executed adds the results of executed calls: upstream keeps the expected
// results with the question, and the result of a single call that was judged
// wrong.
func (a *Answer) executed(line *pyval.Dict) {
	if a.Executed == nil {
		return
	}
	entry, _ := line.GetStr("prompt")
	if question, ok := entry.(*pyval.Dict); ok && a.Executed.Expected != nil {
		question = question.Clone()
		question.SetStr("execution_result", a.Executed.Expected)
		line.SetStr("prompt", question)
	}
	if a.Executed.Output != nil {
		line.SetStr("model_executed_output", a.Executed.Output)
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
