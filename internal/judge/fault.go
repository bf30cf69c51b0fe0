package judge

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Unusable is the error type of a verdict that upstream does not give: its
// checker would raise on the document or the possible answer and end the
// whole evaluation.
const Unusable = "judge_error:unusable_answer"

// A fault is why an answer is refused. Its text is made only when it is read,
// because parallel matching drops most faults unread.
type fault struct {
	errorType string
	// text makes the fault's entry in upstream's `error` list.
	text func() string
	// before is the fault whose entries come first, if upstream goes on after
	// an error; its error type is lost.
	before *fault
	// items makes the whole `error` list of a parallel fault.
	items func() []pyval.Value
	// param is the missing parameter; nil for other faults.
	param pyval.Value
}

func refuse(errorType string, text func() string) *fault {
	return &fault{errorType: errorType, text: text}
}

// unusable returns the fault in place of upstream's exception.
func unusable(format string, args ...any) *fault {
	return refuse(Unusable, func() string {
		return "The answer cannot be judged: " + fmt.Sprintf(format, args...)
	})
}

// after makes f follow another fault, which may be nil.
func (f *fault) after(before *fault) *fault {
	f.before = before
	return f
}

// fatal reports whether upstream's checker would have stopped here.
func (f *fault) fatal() bool { return f != nil && f.errorType == Unusable }

// list returns upstream's `error` list.
func (f *fault) list() []pyval.Value {
	if f == nil {
		return nil
	}
	if f.items != nil {
		return f.items()
	}
	entries := f.before.list()
	if f.text != nil {
		entries = append(entries, pyval.Str(f.text()))
	}
	return entries
}

func (f *fault) verdict() eval.Verdict {
	if f == nil {
		return eval.Verdict{}
	}
	return eval.Verdict{Status: eval.Fail, ErrorType: f.errorType, Detail: pyval.NewList(f.list()...)}
}

// failed returns a verdict with one line of text.
func failed(errorType, text string) eval.Verdict {
	return eval.Verdict{Status: eval.Fail, ErrorType: errorType, Detail: pyval.NewList(pyval.Str(text))}
}

// wrongValue refuses a value that is not among the accepted ones. The note is
// put after them.
func wrongValue(errorType string, param, value, accepted pyval.Value, note string) *fault {
	return refuse(errorType, func() string {
		return "Invalid value for parameter " + pyval.Repr(param) + ": " + pyval.Repr(value) +
			". Expected one of " + pyval.Text(accepted) + "." + note
	})
}
