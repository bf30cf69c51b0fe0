package sim

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	// maxWork bounds the bytes of all arguments and results of one Env, and
	// with them its time: results can hold what earlier calls stored, and so
	// grow from call to call.
	maxWork = 1 << 28

	raisedPrefix = "Error during execution: "
)

// An Env is the instances of one side of a case, and runs call texts on
// them: upstream's execute_multi_turn_func_call. It is used by one goroutine
// at a time.
type Env struct {
	held   []held
	left   int // of maxWork
	outage *Outage

	running running
	bound   []pyval.Value // of the call under way; see answer
}

// A held is an open instance, with its class and its name.
type held struct {
	*shelf
	name     string
	instance Instance
}

// instanceName returns the name under which an instance is kept. It gets into
// stored texts, see rewrite. Upstream replaces "-", ".", "/" and ":" alone, so
// that a model whose name has other characters, or begins with a digit, has no
// name in Python, and every call is a syntax error. Here any name is one.
func instanceName(model, entry, class string) string {
	name := strings.Map(func(r rune) rune {
		if isASCIILetter(r) || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, model+"_"+entry+"_"+class+"_instance")
	if name[0] <= '9' {
		return "_" + name
	}
	return name
}

// Classes returns the names of the instances' classes, in the case's order.
func (e *Env) Classes() []string {
	out := make([]string, len(e.held))
	for i := range e.held {
		out[i] = e.held[i].Name
	}
	return out
}

// Instance returns the instance of a class.
func (e *Env) Instance(class string) (Instance, bool) {
	for i := range e.held {
		if e.held[i].Name == class {
			return e.held[i].instance, true
		}
	}
	return nil, false
}

// A Result is what a model sees of one call.
type Result struct {
	Text   string
	Raised *Exception // what upstream's Python raised, nil if nothing
}

// Execute runs call texts one after the other and gives their result texts.
// An outage ends it.
func (e *Env) Execute(calls []string) []string {
	out := make([]string, len(calls))
	for i, call := range calls {
		if out[i] = e.Call(call).Text; e.outage != nil {
			break
		}
	}
	return out
}

// Call runs one call text.
func (e *Env) Call(call string) Result {
	text, err := pyval.Try(func() string { return e.evaluate(call) })
	if err == nil {
		return Result{Text: text}
	}
	if o, ok := errors.AsType[*Outage](err); ok && e.outage == nil {
		e.outage = o
	}
	raised := AsException(err)
	return Result{Text: raisedPrefix + raised.Msg, Raised: raised}
}

// Outage returns the first outage that kept a call from being answered; nil if
// none did.
func (e *Env) Outage() *Outage { return e.outage }

func (e *Env) evaluate(call string) string {
	text, r := call, &e.running
	if r.Env == nil {
		r.Env, r.scope, r.call = e, r.function, r.answered
	}
	r.first, r.open = callee{}, r.open[:0]
	if r.first.held, r.first.method = e.direct(call); r.first.method == nil {
		text = rewrite(call, e.instanceOf)
	}
	if name, is := refused(text); is {
		panic(Raise("Exception", "Function call "+name+" is not allowed."))
	}
	v, err := pycall.Run(text, r.scope)
	pyval.Check(located(err, text))
	shown := ResultText(v)
	e.spend(len(shown))
	return shown
}

// A running is the call text that is evaluated.
type running struct {
	*Env
	first callee   // that the text begins with, until it is found; see direct
	open  []callee // those whose arguments are evaluated, outermost first
	scope pycall.Scope
	call  pycall.Function // of the innermost one that is open
}

// A callee is a method of an instance.
type callee struct {
	*held
	method *Method
}

// function is the scope of a text. Every function that it gives is called in
// the end, the innermost first, or else the whole text fails.
func (r *running) function(name string) (pycall.Function, error) {
	c := r.first
	if r.first = (callee{}); c.method == nil {
		if f, ok := builtins[name]; ok {
			return f, nil
		}
		var err error
		if c.held, c.method, err = r.lookup(name); err != nil {
			return nil, err
		}
	}
	r.open = append(r.open, c)
	return r.call, nil
}

func (r *running) answered(args []pycall.Arg) (pyval.Value, error) {
	inner := len(r.open) - 1
	c := r.open[inner]
	r.open = r.open[:inner]
	return r.answer(c.held, c.method, args, inner > 0)
}

// answer calls a method; no method calls another, nor keeps the slice of its
// arguments, so all calls can share one. The answer to a call inside another
// call is a copy: where upstream stores a part of an instance inside itself, we
// do not.
func (e *Env) answer(h *held, m *Method, args []pycall.Arg, nested bool) (v pyval.Value, err error) {
	defer pyval.Catch(&err)
	e.bound = pyval.Must(pycall.Bind(e.bound[:0], pycall.Callee{Class: h.Name, Name: m.Name}, m.Params, args))
	for _, arg := range e.bound {
		e.spend(pyval.Weight(arg, e.left))
	}
	v = pyval.Must(m.Call(h.instance, e.bound))
	if !nested {
		return v, nil
	}
	if shown, ok := v.(Shown); ok {
		v = shown.Value
	}
	e.spend(pyval.Weight(v, e.left))
	return pyval.DeepCopy(v), nil
}

// spend takes a number of bytes from those left.
func (e *Env) spend(bytes int) {
	if e.left -= bytes; e.left < 0 {
		panic(Raise("MemoryError", "the calls of this case take too much memory"))
	}
}

// direct finds the method of a text that is one call, without parentheses other
// than the call's own: the instance's name, which rewrite would put in front,
// would only have to be taken off again.
func (e *Env) direct(call string) (*held, *Method) {
	name, rest, _ := strings.Cut(call, "(")
	if last := len(rest) - 1; last < 0 || strings.IndexByte(rest, ')') != last || strings.IndexByte(rest, '(') >= 0 {
		return nil, nil
	}
	return e.owner(name)
}

// owner finds the instance that has a method; as in upstream's table, the last
// class wins.
func (e *Env) owner(method string) (*held, *Method) {
	for i := len(e.held) - 1; i >= 0; i-- {
		if m, ok := e.held[i].methods[method]; ok {
			return &e.held[i], m
		}
	}
	return nil, nil
}

func (e *Env) instanceOf(method string) (string, bool) {
	if h, m := e.owner(method); m != nil {
		return h.name, true
	}
	return "", false
}

// lookup finds the method of a name in a rewritten text.
func (e *Env) lookup(name string) (*held, *Method, error) {
	base, rest, _ := strings.Cut(name, ".")
	for i := range e.held {
		if h := &e.held[i]; h.name == base {
			if m, ok := h.methods[rest]; ok {
				return h, m, nil
			}
			return nil, nil, Raise("AttributeError", "'"+h.Name+"' object has no attribute '"+rest+"'")
		}
	}
	return nil, nil, Raise("NameError", "name '"+base+"' is not defined")
}

// located gives a SyntaxError the place that Python's text names.
func located(err error, text string) error {
	var e *pycall.Error
	if !errors.As(err, &e) || e.Class != "SyntaxError" {
		return err
	}
	line := "1"
	if text == "" {
		line = "0"
	}
	return Raise("SyntaxError", e.Msg+" (<string>, line "+line+")")
}

// called is a word before a "(".
var called = pattern.Of(`([\p{L}\p{N}_]+)` + pyval.Blank + `*\(`)

// rewrite is upstream's process_method_calls: before every "(", a word that
// the table knows gets the instance's name and a dot in front, and white
// space between any word and the "(" goes. Upstream does so in the whole
// text, also inside string literals, and so a stored text can change.
func rewrite(call string, instanceOf func(method string) (instance string, ok bool)) string {
	return called().ReplaceAllStringFunc(call, func(found string) string {
		word := strings.TrimRightFunc(found[:len(found)-1], pyval.IsSpace)
		if !isASCIILetter(rune(word[0])) {
			return found
		}
		if instance, known := instanceOf(word); known {
			word = instance + "." + word
		}
		return word + "("
	})
}

// isWord is \w of Python's re.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || isASCIILetter(r) || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isASCIILetter(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// refused is the name for which upstream's execute_multi_turn_func_call
// refuses a rewritten call: the part before the first "(", or of its parts
// between dots the second.
func refused(call string) (name string, is bool) {
	name, _, _ = strings.Cut(call, "(")
	if _, rest, ok := strings.Cut(name, "."); ok {
		name, _, _ = strings.Cut(rest, ".")
	}
	switch name {
	case "kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run":
		return name, true
	}
	return "", false
}
