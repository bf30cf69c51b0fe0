package jinja

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/kit/safe"
)

// An Error is a template that does not parse, that failed, or that refused
// what it was to render.
type Error struct {
	// Name is the template's name.
	Name string
	// Line is where it happened, from 1.
	Line int
	// Msg is what happened, in Jinja2's words where it has some.
	Msg string
	// Raised reports whether the template itself raised it, to refuse a
	// conversation.
	Raised bool
}

// Error names the template and the line. Template and message came from
// outside and are made safe to print.
func (e *Error) Error() string {
	verb := ""
	if e.Raised {
		verb = "the template refuses: "
	}
	return fmt.Sprintf("%s, line %d: %s%s", safe.Plain(e.Name, 200), e.Line, verb, safe.Plain(e.Msg, 400))
}

// fail ends parsing or rendering; Parse and Render return the error.
func fail(line int, format string, args ...any) {
	panic(&Error{Line: line, Msg: fmt.Sprintf(format, args...)})
}

// caught is the error that fail raised, under the template's name. Any other
// panic goes on.
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
