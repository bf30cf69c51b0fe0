package match

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// Turns are what is expected of a conversation on a suite's own tools: for each
// turn, the calls of all its steps together.
type Turns []*Whole

var _ eval.Expectation = (Turns)(nil)

// String returns the expectations turn by turn.
func (t Turns) String() string {
	texts := make([]string, len(t))
	for i, w := range t {
		texts[i] = fmt.Sprintf("turn %d: %s", i+1, w)
	}
	return strings.Join(texts, "; ")
}

// ForceTerminated is upstream's error type for a conversation that was ended
// early.
const ForceTerminated = "multi_turn:force_terminated"

// Judge compares a result, a list of turns of steps, turn by turn. Steps that
// cannot be read count as steps without calls, as upstream does it.
func (t Turns) Judge(c *eval.Case, result pyval.Value, _ error, s eval.Settings) (v eval.Verdict) {
	for _, w := range t {
		if err := w.unregistered(); err != nil {
			return unknown(err)
		}
	}
	defer func() {
		if err := infra(recover()); err != nil {
			v = unknown(err)
		}
	}()
	list, ok := result.(*pyval.List)
	if !ok {
		return verdict(&refusal{"multi_turn:inference_error", "the result is not a list of turns"})
	}
	if len(list.Items) != len(t) {
		return verdict(&refusal{ForceTerminated, fmt.Sprintf("the conversation ended in turn %d of %d: the model did not stop calling", len(list.Items), len(t))})
	}
	court := newCourt(c, s)
	for i, turn := range list.Items {
		if r := court.whole(t[i], callsOfTurn(turn, s)); r != nil {
			r.text = fmt.Sprintf("turn %d: %s", i+1, r.text)
			return verdict(r)
		}
	}
	return eval.Verdict{}
}

// callsOfTurn returns the calls of all steps that can be read.
func callsOfTurn(turn pyval.Value, s eval.Settings) (calls []made) {
	steps, _ := turn.(*pyval.List)
	if steps == nil {
		return nil
	}
	for _, step := range steps.Items {
		of, _ := readStep(step, s)
		calls = append(calls, of...)
	}
	return calls
}

// readStep returns the calls of one answer.
func readStep(step pyval.Value, s eval.Settings) ([]made, error) {
	d, err := dialect.OfStep(s)
	if err != nil {
		return nil, err
	}
	decoded, err := d.Decode(step, dialect.V4(decode.Python))
	if err != nil {
		return nil, err
	}
	calls, ok := callsOf(decoded)
	if !ok {
		return nil, fmt.Errorf("not a list of calls")
	}
	return calls, nil
}

// A Row of a Script is the result of a call.
type Row struct {
	Call *Call
	// Result is the text that the model gets.
	Result string
}

// A Script is a table of calls with their results: the first row that matches a
// call is its answer.
type Script []Row

var _ eval.Script = (Script)(nil)

// Execute answers the calls of a step. The answer to a call that the table does
// not have is an error that names the function, like a server's. The error is an
// [eval.InfraError] if a Go function in the table panics or is not registered.
func (table Script) Execute(c *eval.Case, step pyval.Value, s eval.Settings) (calls, results []string, err error) {
	all, err := readStep(step, s)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if broken := infra(recover()); broken != nil {
			calls, results, err = nil, nil, broken
		}
	}()
	court := newCourt(c, s)
	for _, call := range all {
		calls = append(calls, call.text())
		results = append(results, table.result(court, call))
	}
	return calls, results, nil
}

// Find returns the place of the row that answers a call in function-calling
// mode; -1 if there is none, or if it depends on a Go function.
func (table Script) Find(c *eval.Case, call eval.ToolCall) (row int) {
	defer func() {
		if infra(recover()) != nil {
			row = -1
		}
	}()
	s := eval.SettingsFor(eval.FC)
	all, err := readStep(eval.CallsResult([]eval.ToolCall{call}), s)
	if err != nil || len(all) != 1 {
		return -1
	}
	return table.find(newCourt(c, s), all[0])
}

func (table Script) find(t *court, call made) int {
	for i, row := range table {
		if !t.sameName(call.name, row.Call.Function) {
			continue
		}
		if err := (&Whole{Calls: []*Call{row.Call}}).unregistered(); err != nil {
			panic(err)
		}
		if t.refuse(call, row.Call) == nil {
			return i
		}
	}
	return -1
}

func (table Script) result(t *court, call made) string {
	if i := table.find(t, call); i >= 0 {
		return table[i].Result
	}
	text := "no result for these arguments of " + call.name
	if !t.known(call.name) {
		text = "there is no function " + call.name
	}
	out, _ := pyval.JSON(pyval.Object("error", pyval.Str(text)), pyval.JSONUnicode) // a text can always be written
	return out
}

func (t *court) known(name string) bool {
	for doc := range t.docs {
		if t.sameName(name, doc) {
			return true
		}
	}
	return false
}

// text returns a call as Python's text, as conversations are logged.
func (m made) text() string {
	args := make([]string, 0, m.args.Len())
	for key, v := range m.args.All() {
		args = append(args, pyval.Text(key)+"="+pyval.Repr(v))
	}
	return m.name + "(" + strings.Join(args, ", ") + ")"
}
