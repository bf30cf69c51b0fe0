package jinja

import (
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
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
