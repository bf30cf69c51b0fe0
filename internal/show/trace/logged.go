package trace

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// loggedResults returns the results of a step's calls in an inference log,
// which has a row for each turn and others for the states between them.
func loggedResults(log *pyval.List, turn, step int) []string {
	for i := range lengthOf(log) {
		row, ok := log.Items[i].(*pyval.Dict)
		if !ok || !row.Has("begin_of_turn_query") {
			continue
		}
		if turn--; turn < 0 {
			return toolResults(row, step)
		}
	}
	return nil
}

func toolResults(row *pyval.Dict, step int) []string {
	rows, _ := row.GetStr(fmt.Sprintf("step_%d", step))
	list, _ := rows.(*pyval.List)
	var out []string
	for i := range lengthOf(list) {
		said, ok := list.Items[i].(*pyval.Dict)
		if !ok {
			continue
		}
		role, _ := said.GetStr("role")
		if content, ok := said.GetStr("content"); ok && role == pyval.Str("tool") {
			out = append(out, pyval.Text(content))
		}
	}
	return out
}
