package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Func is a matcher written in Go. It gets the argument as JSON and returns
// an error that says why the value is not accepted. It must be safe for
// concurrent use.
type Func func(value json.RawMessage) error

var registry = struct {
	sync.RWMutex
	funcs map[string]Func
}{funcs: map[string]Func{}}

var funcName = pattern.Of(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// Register makes a function known to suites under a name, as func: name.
func Register(name string, f Func) error {
	switch {
	case !funcName().MatchString(name):
		return fmt.Errorf("a matcher's name has letters, digits, _ . and -, not %.80q", name)
	case f == nil:
		return errors.New("the matcher is nil")
	}
	registry.Lock()
	defer registry.Unlock()
	if registry.funcs[name] != nil {
		return fmt.Errorf("a matcher named %q is registered already", name)
	}
	registry.funcs[name] = f
	return nil
}

// Registered reports whether a function is registered under a name.
func Registered(name string) bool {
	registry.RLock()
	defer registry.RUnlock()
	return registry.funcs[name] != nil
}

// Go is the matcher of a registered function.
type Go struct{ Func string }

// Name returns "func".
func (g *Go) Name() string { return "func" }

func (g *Go) String() string { return "func " + g.Func }

// Refuse calls the function. If the function panics, nothing is known about the
// value, so Refuse panics with an [eval.InfraError] that Judge and Execute recover.
func (g *Go) Refuse(v pyval.Value) string {
	registry.RLock()
	f := registry.funcs[g.Func]
	registry.RUnlock()
	if f == nil {
		return fmt.Sprintf("no Go function is registered as %q: the suite can only be judged in the program that has it", g.Func)
	}
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil || !json.Valid([]byte(text)) {
		return fmt.Sprintf("%s is not JSON, but %s needs it", short(v), g)
	}
	if err := g.ask(f, json.RawMessage(text)); err != nil {
		return fmt.Sprintf("%s is refused by %s: %v", short(v), g, err)
	}
	return ""
}

// ask calls the function. A panic in it becomes one that says which function
// panicked, and where.
func (g *Go) ask(f Func, value json.RawMessage) error {
	defer func() {
		if p := recover(); p != nil {
			panic(eval.Infra("matcher", "%s panicked: %v, at %s", g, p, Origin()))
		}
	}()
	return f(value)
}

// Origin returns the place of the panic that is being recovered.
func Origin() string {
	const deepest = 64
	callers := make([]uintptr, deepest)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	panicked := false
	for {
		frame, more := frames.Next()
		isRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicked && !isRuntime {
			return fmt.Sprintf("%s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		if panicked = panicked || frame.Function == "runtime.gopanic"; !more {
			return "an unknown place"
		}
	}
}

// infra returns the error of a recovered panic; nil if there was none. It panics
// again with anything else.
func infra(p any) *eval.InfraError {
	if p == nil {
		return nil
	}
	err, ok := p.(error)
	if found, is := errors.AsType[*eval.InfraError](err); ok && is {
		return found
	}
	panic(p)
}

// unknown returns the verdict if nothing is known about the answer.
func unknown(err *eval.InfraError) eval.Verdict {
	return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:" + err.Kind, Detail: pyval.NewList(pyval.Str(err.Err.Error()))}
}

// Example returns false, because no example is known.
func (g *Go) Example() (pyval.Value, bool) { return nil, false }
