package evaluate

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
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

// v1Line writes a failed case as the first release did. Its id is the case's
// position, counted from 1.
func v1Line(dst []byte, m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte {
	line := pyval.NewDict(10)
	line.SetStr("id", pyval.MakeInt(int64(item.Line)))
	line.SetStr("model_name", pyval.Str(m.Name))
	line.SetStr("test_category", pyval.Str(c.Name))
	line.SetStr("valid", pyval.Bool(false))
	line.SetStr("error", orNone(v.Detail))
	line.SetStr("error_type", pyval.Str(v.ErrorType))
	if strings.HasPrefix(v.ErrorType, "relevance_error:") {
		line.SetStr("model_result", row.Result)
		line.SetStr("decoded_result", orNone(decoded))
	} else {
		v1Answered(line, item, row, decoded, v)
		executed(line, v)
	}
	return appendLine(dst, line, 0)
}

func v1Answered(line *pyval.Dict, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) {
	line.SetStr("prompt", item.Entry)
	if strings.HasSuffix(v.ErrorType, "wrong_output_format") {
		line.SetStr("model_result_raw", pyval.Str(pyval.Text(row.Result)))
		line.SetStr("model_result_decoded", pyval.Str(pyval.Text(orNone(decoded))))
	} else {
		line.SetStr("model_result_raw", row.Result)
		if decoded != nil {
			line.SetStr("model_result_decoded", decoded)
		}
	}
	if item.Answer != nil {
		line.SetStr("possible_answer", oneObject(item.Answer))
	}
}

// executed adds the results of executed calls: upstream keeps the expected
// results with the question, and the result of a single call that was judged
// wrong.
func executed(line *pyval.Dict, v eval.Verdict) {
	if v.Executed == nil {
		return
	}
	entry, _ := line.GetStr("prompt")
	if question, ok := entry.(*pyval.Dict); ok && v.Executed.Expected != nil {
		question = question.Clone()
		question.SetStr("execution_result", v.Executed.Expected)
		line.SetStr("prompt", question)
	}
	if v.Executed.Output != nil {
		line.SetStr("model_executed_output", v.Executed.Output)
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

// v1Table is the file name of the first leaderboard's table.
const v1Table = "data.csv"

// writeV1 writes score files and the table where the first release did: one
// folder per model. The last line has no newline.
func (r *Report) writeV1(dir string) error {
	err := r.scoreFiles(v1Line, "", func(m *Model, c *Category) string {
		return filepath.Join(dir, m.Name, c.Name+scoreSuffix)
	})
	if err != nil {
		return err
	}
	return r.writeV1Table(dir)
}

// writeV1Table writes the table over every model in the score folder.
func (r *Report) writeV1Table(dir string) error {
	found, err := readV1Scores(dir)
	if err != nil {
		return err
	}
	r.dropStale(found)
	entries, err := r.v1Entries(found)
	if err != nil {
		return err
	}
	files, err := leaderboard.TablesV1(entries)
	if err != nil {
		return fmt.Errorf("%s: %w", v1Table, err)
	}
	return leaderboard.WriteFiles(dir, files)
}

// v1Entries returns the table's rows, by name.
func (r *Report) v1Entries(found map[string]*earlier) ([]leaderboard.Entry, error) {
	var out []leaderboard.Entry
	for _, name := range slices.Sorted(maps.Keys(found)) {
		model, terms := leaderboard.V1Terms(name)
		entry := leaderboard.Entry{Model: model, Terms: terms, Accuracy: found[name].accuracy}
		if m := r.model(name); m != nil {
			entry.Usage = m.Usage()
		}
		if len(entry.Usage.Latency.Values) == 1 { // upstream fails to write the table
			entry.Usage.Latency = leaderboard.Series{}
		}
		out = append(out, entry)
	}
	return out, nil
}

// readV1Scores reads the headers of the score files <model>/<category>.
func readV1Scores(dir string) (map[string]*earlier, error) {
	out := map[string]*earlier{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		category, ok := strings.CutSuffix(entry.Name(), scoreSuffix)
		rel, err := filepath.Rel(dir, path)
		if model, file := filepath.Split(rel); ok && err == nil && model != "" && !strings.HasPrefix(file, scorePrefix) {
			model = filepath.Clean(model)
			if out[model] == nil {
				out[model] = &earlier{accuracy: map[string]score.Accuracy{}}
			}
			return out[model].read(path, category)
		}
		return err
	})
	return out, err
}
