package jinja

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/say"
)

// An Error says that a template does not parse, failed, or refused what it was
// to render.
type Error struct {
	// Name is the template's name.
	Name string
	// Line is the line where it happened, from 1.
	Line int
	// Msg is what happened, in Jinja2's words if it has any.
	Msg string
	// Raised says whether the template itself raised it, to refuse a
	// conversation.
	Raised bool
}

// Error names the template and the line. The name and the message came from
// outside; Error makes them safe to print.
func (e *Error) Error() string {
	verb := ""
	if e.Raised {
		verb = "the template refuses: "
	}
	return fmt.Sprintf("%s, line %d: %s%s", say.Plain(e.Name, 200), e.Line, verb, say.Plain(e.Msg, 400))
}

// fail ends parsing or rendering; Parse and Render return the error.
func fail(line int, format string, args ...any) {
	panic(&Error{Line: line, Msg: fmt.Sprintf(format, args...)})
}

// caught stores the error that fail raised, with the template's name, in err.
// Any other panic continues.
func caught(name string, err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		e.Name = name
		*err = e
	default:
		panic(e)
	}
}
