package why

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// The limits of what is shown of a conversation: bytes of a question, a call, a
// result and a value that differs, bytes of the parts, and the number of
// changes.
const (
	capAsked   = 400
	capCall    = 240
	capAnswer  = 160
	capDiffer  = 160
	capDiff    = 1300
	capCalls   = 1100
	capChanges = 10
)

// faultOf returns what the judge of a conversation found wrong; nil for other
// cases.
func faultOf(r *eval.Result) *multiturn.Fault {
	f, _ := r.Fault.(*multiturn.Fault)
	return f
}

// headline returns one line that says what is wrong with a conversation.
func headline(f *multiturn.Fault, r *eval.Result) string {
	switch f.Type {
	case multiturn.StateMismatch:
		return inTurn(f) + changed(f)
	case multiturn.ResponseMismatch:
		text := inTurn(f) + "no call returned " + say.Printable(f.Missing[0], capDiffer)
		if call := asked(f, f.Missing[0]); call != "" {
			text += ", as " + say.Printable(call, capDiffer) + " does"
		}
		return text + more(len(f.Missing)-1)
	case multiturn.EmptyTurn:
		return fmt.Sprintf("%sno call was made, but the ground truth makes %d", inTurn(f), len(f.Wanted))
	case multiturn.ForceTerminated:
		turns, n := items(r.Result), 0
		if len(turns) > 0 {
			n, _ = pyval.Len(turns[len(turns)-1])
		}
		return fmt.Sprintf("the conversation ended in turn %d, after %s", len(turns), say.Count(n, "step", "steps"))
	}
	return say.Plain(f.Message, capLine)
}

func inTurn(f *multiturn.Fault) string { return fmt.Sprintf("turn %d: ", f.Turn+1) }

func more(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}

// changed describes the first difference between the states.
func changed(f *multiturn.Fault) string {
	changes := f.Changes()
	if len(changes) == 0 {
		return say.Plain(f.Message, capLine)
	}
	first := changes[0]
	place := say.Printable(f.Class+"."+first.Path, capDiffer)
	was, is := told(first)
	switch {
	case first.After == nil:
		place += " is missing: " + say.Printable(was, capDiffer)
	case first.Before == nil:
		place += " should not be there: " + say.Printable(is, capDiffer)
	default:
		place += " is " + say.Printable(is, capDiffer) + ", the ground truth has " + say.Printable(was, capDiffer)
	}
	return place + more(len(changes)-1)
}

// asked returns the call of the ground truth that returns a result.
func asked(f *multiturn.Fault, result string) string {
	for i, text := range f.Executed[f.Turn].Reference {
		if text == result && i < len(f.Wanted) {
			return f.Wanted[i]
		}
	}
	return ""
}

// aboutTurn returns what follows the first line: the turn, what differs in it,
// and the calls of both sides with their results.
func aboutTurn(f *multiturn.Fault, r *eval.Result) string {
	var b strings.Builder
	turn, results := f.Turn, multiturn.Executed{}
	if turn < 0 {
		turn = len(items(r.Result)) - 1
	} else if turn < len(f.Executed) {
		results = f.Executed[turn]
	}
	if turn >= 0 {
		fmt.Fprintf(&b, "\n  %-9s %d of %d: %s", "turn", turn+1, len(r.Case.Turns), posed(r.Case, turn))
	}
	if d := turnDiff(f); d != "" {
		if len(d) > capDiff { // cut after a whole line
			d = d[:max(strings.LastIndexByte(d[:capDiff], '\n'), 0)] + "\n    …"
		}
		b.WriteString("\n  difference " + d)
	}
	listCalls(&b, "calls of the model in this turn", f.Calls, results.Model)
	listCalls(&b, "calls of the ground truth", [][]string{f.Wanted}, [][]string{results.Reference})
	if f.Turn < 0 && r.Result != nil && len(f.Calls) == 0 {
		fmt.Fprintf(&b, "\n  %-9s %s", "answered", say.Quote(answerText(r.Result), capValue))
	}
	return b.String()
}

// posed returns what a turn asks.
func posed(c *eval.Case, turn int) string {
	if c.Scene != nil && len(c.Scene.HeldOut[turn]) > 0 {
		var names []string
		for _, doc := range c.Scene.HeldOut[turn] {
			name, _ := doc.GetStr("name")
			if name != nil {
				names = append(names, pyval.Text(name))
			}
		}
		return "adds the functions " + say.Plain(strings.Join(names, ", "), capAsked)
	}
	if turn >= len(c.Turns) || len(c.Turns[turn]) == 0 {
		return "(nothing)"
	}
	messages := c.Turns[turn]
	return say.Quote(messages[len(messages)-1].Content, capAsked)
}

// turnDiff compares the states, or a missing result with the result of the
// model's last call of the same function.
func turnDiff(f *multiturn.Fault) string {
	switch f.Type {
	case multiturn.StateMismatch:
		return "in " + say.Printable(f.Class, capCall) + sides + Changes(f.Changes())
	case multiturn.ResponseMismatch:
		call := asked(f, f.Missing[0])
		got := "" // by the model's last call, in the turn, of the same function
		name, _, _ := strings.Cut(call, "(")
		for i, step := range f.Calls {
			for k, made := range step {
				if method, _, _ := strings.Cut(made, "("); method == name {
					got = f.Executed[f.Turn].Model[i][k]
				}
			}
		}
		if got == "" {
			return ""
		}
		of := "in what " + say.Printable(call, capCall) + " returns" + sides
		want, _ := pyval.ParseJSON(f.Missing[0])
		have, _ := pyval.ParseJSON(got)
		w, ok := want.(*pyval.Dict)
		h, also := have.(*pyval.Dict)
		if ok && also {
			return of + Changes(sim.Changes(w, h))
		}
		was, is := f.Missing[0], got
		shorten(&was, &is)
		return of + marked("-", was) + marked("+", is)
	}
	return ""
}

const sides = " (- ground truth, + model)"

// Changes shows where two states differ, as lines that begin with a newline.
// Values of the first state are marked with a minus, those of the second with a
// plus.
func Changes(changes []sim.Change) string {
	before, after := map[string]string{}, map[string]string{}
	for _, change := range changes[:min(len(changes), capChanges)] {
		was, is := told(change)
		shorten(&was, &is)
		if change.Before != nil {
			before[change.Path] = was
		}
		if change.After != nil {
			after[change.Path] = is
		}
	}
	var d differing
	cmp.Equal(before, after, cmp.Reporter(&d), cmp.Comparer(func(a, b string) bool { return a == b }))
	if len(changes) > capChanges {
		d.WriteString("\n    … and " + say.Count(len(changes)-capChanges, "more place", "more places"))
	}
	return d.String()
}

// differing writes the entries in which go-cmp finds two maps to differ as lines, as
// cmp.Diff would write them as Go.
type differing struct {
	strings.Builder
	path cmp.Path
}

func (d *differing) PushStep(s cmp.PathStep) { d.path = append(d.path, s) }
func (d *differing) PopStep()                { d.path = d.path[:len(d.path)-1] }

// Report writes an entry.
func (d *differing) Report(r cmp.Result) {
	at, ok := d.path.Last().(cmp.MapIndex)
	if !ok || r.Equal() {
		return
	}
	was, is := at.Values()
	if was.IsValid() {
		d.WriteString(marked("-", at.Key().String()+": "+was.String()))
	}
	if is.IsValid() {
		d.WriteString(marked("+", at.Key().String()+": "+is.String()))
	}
}

// marked returns a line of a difference, with a newline before it.
func marked(sign, text string) string { return "\n    " + sign + " " + say.Plain(text, capValue) }

func told(c sim.Change) (was, is string) {
	if c.Before != nil {
		was = pyval.Repr(c.Before)
	}
	if c.After != nil {
		is = pyval.Repr(c.After)
	}
	return was, is
}

// shorten cuts two texts to the part where they differ.
func shorten(a, b *string) {
	const context = 30
	same := 0
	for same < min(len(*a), len(*b)) && (*a)[same] == (*b)[same] {
		same++
	}
	for _, text := range []*string{a, b} {
		if from := same - context; len(*text) > capDiffer && from > 0 {
			*text = "…" + strings.ToValidUTF8((*text)[from:], "")
		}
		if len(*text) > capDiffer {
			*text = strings.ToValidUTF8((*text)[:capDiffer], "") + "…"
		}
	}
}

// listCalls lists calls with their results, only the last ones if there are too
// many.
func listCalls(b *strings.Builder, title string, steps, results [][]string) {
	var lines []string
	for i, step := range steps {
		for k, call := range step {
			line := fmt.Sprintf("    %d  %s", len(lines)+1, say.Printable(call, capCall))
			if i < len(results) && k < len(results[i]) {
				line += "\n       → " + say.Printable(results[i][k], capAnswer)
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return
	}
	from, size := len(lines), 0
	for from > 0 && size+len(lines[from-1]) <= capCalls {
		from--
		size += len(lines[from])
	}
	from = min(from, len(lines)-1)
	fmt.Fprintf(b, "\n  %s", title)
	if from > 0 {
		fmt.Fprintf(b, "\n    … %d earlier", from)
	}
	b.WriteString("\n" + strings.Join(lines[from:], "\n"))
}
