package fetch

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// today maps the second and third release's names of categories to today's, if
// they differ; ids begin with the names.
var today = map[string]string{"simple": "simple_python", "java": "simple_java", "javascript": "simple_javascript"}

// retired are the categories that upstream keeps aside today.
var retired = []string{"chatable", "exec_simple", "exec_multiple", "exec_parallel", "exec_parallel_multiple", "multi_turn_composite", "rest", "sql"}

// placeToday returns the place that a file of the second or third release has in
// a dataset of today; false if it is not needed.
func placeToday(name string) (place string, ok bool) {
	inside, ok := strings.CutPrefix(name, v4Data)
	if !ok {
		inside, ok = strings.CutPrefix(name, "data/")
	}
	folder, base := path.Split(inside)
	for _, mark := range []string{"BFCL_v3_", "BFCL_v2_"} {
		category, older := strings.CutPrefix(strings.TrimSuffix(base, ".json"), mark)
		if !older {
			continue
		}
		category = strings.TrimSuffix(category, "_unused")
		if slices.Contains(retired, category) && folder == "" {
			folder = "unused_datasets/question/"
		} else if slices.Contains(retired, category) && !strings.Contains(folder, "unused") {
			folder = "unused_datasets/" + folder
		}
		return folder + "BFCL_v4_" + cmp.Or(today[category], category) + ".json", true
	}
	return inside, ok && path.Ext(base) == ".json"
}

// shapeToday gives the lines of older files today's shape: ids with today's
// names, a list of turns around a single turn. A line that has no id gets one by
// its place, and an answer the id of the question at its place. A question whose
// id another has is left out. It returns remarks.
func shapeToday(files map[string][]byte) (remarks []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		base := path.Base(name)
		if strings.Contains(name, "possible_answer/") || !strings.HasPrefix(base, "BFCL_v4_") {
			continue
		}
		category := strings.TrimSuffix(strings.TrimPrefix(base, "BFCL_v4_"), ".json")
		questions, err := rowsOf(files[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		place := "possible_answer/" + base
		if strings.HasPrefix(name, "unused_datasets/") {
			place = "unused_datasets/" + place
		}
		answers, err := rowsOf(files[place])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		kept, keptAnswers, seen := []*pyval.Dict{}, []*pyval.Dict{}, map[string]bool{}
		for i, row := range questions {
			id := idToday(row, category, i)
			if seen[id] {
				remarks = append(remarks, fmt.Sprintf("%s: line %d has the id of another, %s, and is left out", base, i+1, id))
				continue
			}
			seen[id] = true
			row.SetStr("id", pyval.Str(id))
			question, _ := row.GetStr("question")
			if turn, ok := question.(*pyval.List); ok && len(turn.Items) > 0 && turn.Items[0].Kind() == pyval.KindDict {
				row.SetStr("question", pyval.NewList(turn))
			}
			kept = append(kept, row)
			if len(answers) == len(questions) {
				if was := idToday(answers[i], category, i); was != id {
					remarks = append(remarks, fmt.Sprintf("%s: the answer to %s has the id %s: paired by place, as upstream does", base, id, was))
				}
				answers[i].SetStr("id", pyval.Str(id))
				keptAnswers = append(keptAnswers, answers[i])
			}
		}
		if files[name], err = linesOf(kept); err == nil && len(keptAnswers) > 0 {
			files[place], err = linesOf(keptAnswers)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(remarks) > 60 { // more than any of upstream's commits needs
		return nil, fmt.Errorf("the ids of %d lines do not fit: questions and answers cannot be paired by their place", len(remarks))
	}
	return remarks, nil
}

// idToday returns a row's id with today's name of its category.
func idToday(row *pyval.Dict, category string, place int) string {
	v, ok := row.GetStr("id")
	if !ok {
		return category + "_" + strconv.Itoa(place)
	}
	id := pyval.Text(v)
	at := max(strings.LastIndexByte(id, '_'), 0)
	return cmp.Or(today[id[:at]], id[:at]) + id[at:]
}

func rowsOf(data []byte) (rows []*pyval.Dict, err error) {
	if data == nil {
		return nil, nil
	}
	for n, line := range strings.Split(strings.TrimRight(string(data), "\r\n"), "\n") {
		v, err := pyval.ParseJSON(line)
		row, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return nil, fmt.Errorf("line %d is not a JSON object", n+1)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func linesOf(rows []*pyval.Dict) (out []byte, err error) {
	for _, row := range rows {
		if out, err = pyval.AppendJSON(out, row, pyval.JSONUnicode); err != nil {
			return nil, err
		}
		out = append(out, '\n')
	}
	return out, nil
}

// leaveOut takes out what today's release cannot use of an older one, and says
// so.
func leaveOut(files map[string][]byte) (missing []string) {
	if _, err := prompt.Load(files["prompts.json"]); err != nil {
		delete(files, "prompts.json")
		missing = append(missing, "the release's own prompts, which cannot be read from its sources: models are asked with the starter suite's wording; recorded answers are judged without")
	}
	delete(files, completion.TextsFile)
	docs := false
	for name := range files {
		docs = docs || strings.HasPrefix(name, "multi_turn_func_doc/")
	}
	_, long := eval.ParseLongContext(files["long_context.json"])
	for _, name := range slices.Sorted(maps.Keys(files)) {
		category, talk := strings.CutPrefix(path.Base(name), "BFCL_v4_multi_turn_")
		why := ""
		switch {
		case !talk:
		case !docs:
			why = "the documents of their simulated APIs were Python's then"
		case category == "long_context.json" && long != nil:
			why = "the data that pads results cannot be read"
		case heldDocuments().Match(files[name]):
			why = "held-out functions were documents then, which later releases know by name"
		}
		if why == "" {
			continue
		}
		delete(files, name)
		if !strings.Contains(name, "possible_answer/") {
			missing = append(missing, name+": "+why)
		}
	}
	return missing
}

// heldDocuments is how the third release's first data holds functions back.
var heldDocuments = pattern.Of(`"missed_function": \{"\d+": \[\{`)
