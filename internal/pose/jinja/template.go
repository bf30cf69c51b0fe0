// Package jinja renders chat templates in the language in which models'
// tokenizers have them, as Hugging Face's transformers does.
//
// It supports what chat templates use of Jinja2: expressions with Python's
// operators, methods and slices, if, for (filtered, with else, break
// and continue), set, macro, call, filter, with and raw, namespaces, the filters
// and tests that they name, whitespace control. Values are those of package pyval, so numbers,
// the order of keys, str and repr are Python's. There are no files: include,
// import, extends and block are refused by name; they fail in transformers,
// too.
//
// Templates are not trusted. Nesting, steps, values and output are bounded, and
// every failure is an Error with the template's name and line.
package jinja

import (
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// Options are an environment's settings.
type Options struct {
	// TrimBlocks removes the first line break after a tag.
	TrimBlocks bool
	// LStripBlocks removes the blanks before a tag that begins its line.
	LStripBlocks bool
	// ASCII makes tojson escape what is not ASCII unless the template says
	// otherwise.
	ASCII bool
	// Now is the clock of strftime_now; nil means the machine's.
	Now func() time.Time
}

// Transformers returns the settings of Hugging Face's transformers, which
// servers render chat templates with.
func Transformers() Options { return Options{TrimBlocks: true, LStripBlocks: true} }

// A Template is a parsed chat template. It may be rendered by many goroutines
// at once.
type Template struct {
	name    string
	body    []stmt
	options Options
}

// maxSource bounds a template's text; the templates of models have about ten
// thousand characters.
const maxSource = 4 << 20

// Parse parses a template; errors name it by name. They are of type *Error.
func Parse(name, src string, o Options) (t *Template, err error) {
	defer caught(name, &err)
	if len(src) > maxSource {
		fail(1, "a template of %d bytes is too large for a chat template", len(src))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &parser{tokens: lex(src, o)}
	body, _ := p.body(token{})
	if len(p.lacking) > 0 {
		panic(&p.lacking[0])
	}
	return &Template{name: name, body: body, options: o}, nil
}

// Render returns the template's text for the given variables, which it does not
// change. Errors are of type *Error.
func (t *Template) Render(vars *pyval.Dict) (out string, err error) {
	defer caught(t.name, &err)
	r := &render{options: t.options, out: &strings.Builder{}, left: budget}
	top := &frame{r: r, vars: map[string]object{}}
	for name, r := range globals {
		top.vars[name] = &function{name: name, routine: r}
	}
	inner := top.inner()
	for key, val := range vars.All() {
		inner.vars[pyval.Text(key)] = val
	}
	inner.run(t.body)
	return r.out.String(), nil
}

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
