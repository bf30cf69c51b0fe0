package report

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// A said is a message of a recorded conversation.
type said struct {
	// Turn and Step count from 1; a turn's question has no step.
	Turn int    `json:"turn"`
	Step int    `json:"step,omitempty"`
	Role string `json:"role"`
	Text string `json:"text"`
}

// decodedNote is upstream's remark on every step that held calls.
const decodedNote = "Successfully decoded model response."

// mostSaid bounds a conversation on the page.
const mostSaid = 400

// conversation is what the log tells; without one, questions and answers.
func conversation(c *eval.Case, row *record.Row) []said {
	t := &talkReader{}
	if log, ok := row.Log(); ok {
		if list, ok := log.(*pyval.List); ok {
			t.log(list)
		}
	}
	if t.turn == 0 {
		t.answers(c, row.Result)
	}
	if n := len(t.said); n > mostSaid {
		t.said = append(t.said[:mostSaid], said{Role: "note", Text: fmt.Sprintf("… %d more messages", n-mostSaid)})
	}
	return t.said
}

// A talkReader reads upstream's inference_log, of whose form nothing is sure:
// anyone may have written it.
type talkReader struct {
	said []said
	turn int
}

// log is a list of lists of states and of turns: objects of a question and
// steps.
func (t *talkReader) log(log *pyval.List) {
	for _, item := range log.Items {
		turn, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		t.turn++
		for key, v := range turn.All() {
			step := 0
			if _, err := fmt.Sscanf(pyval.Text(key), "step_%d", &step); err == nil {
				step++
			}
			if list, ok := v.(*pyval.List); ok {
				t.messages(list, step)
			}
		}
	}
}

func (t *talkReader) messages(list *pyval.List, step int) {
	for _, item := range list.Items {
		m, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		role := textOf(field(m, "role"))
		switch role {
		case "state_info", "inference_input":
			continue // the state is upstream's to compare, the input is what stands above
		case "handler_log":
			if textOf(field(m, "content")) == decodedNote {
				continue
			}
			role = "note"
		}
		t.add(step, role, field(m, "content"))
	}
}

func textOf(v pyval.Value) string {
	if v == nil {
		return ""
	}
	return pyval.Text(v)
}

func (t *talkReader) add(step int, role string, content pyval.Value) {
	t.said = append(t.said, said{Turn: t.turn, Step: step, Role: visible(role, 40), Text: callsText(content)})
}

// callsText shows calls one a line, anything else as it is.
func callsText(v pyval.Value) string {
	list, ok := v.(*pyval.List)
	if !ok {
		return shownValue(v, capMessage)
	}
	var lines []string
	for _, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			return shownValue(v, capMessage)
		}
		name, args := call.At(0)
		lines = append(lines, pyval.Text(name)+"("+pyval.Text(args)+")")
	}
	if len(lines) == 0 {
		return "(no call)"
	}
	return visible(strings.Join(lines, "\n"), capMessage)
}

// answers are the recorded steps of each turn behind its question.
func (t *talkReader) answers(c *eval.Case, result pyval.Value) {
	turns, _ := result.(*pyval.List)
	if turns == nil {
		t.add(0, "assistant", result)
		return
	}
	for i, item := range turns.Items {
		t.turn = i + 1
		if i < len(c.Turns) {
			for _, m := range c.Turns[i] {
				t.add(0, m.Role, pyval.Str(m.Content))
			}
		}
		steps, ok := item.(*pyval.List)
		if !ok {
			t.add(1, "assistant", item)
			continue
		}
		for k, step := range steps.Items {
			t.add(k+1, "assistant", step)
		}
	}
}
