package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"

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

var funcName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// Register makes a function known to suites under a name, as func: name.
func Register(name string, f Func) error {
	switch {
	case !funcName.MatchString(name):
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

// Refuse calls the function. A panic in it is a refusal that says so.
func (g *Go) Refuse(v pyval.Value) (why string) {
	registry.RLock()
	f := registry.funcs[g.Func]
	registry.RUnlock()
	if f == nil {
		return fmt.Sprintf("no Go function is registered as %q: the suite can only be judged in the program that has it", g.Func)
	}
	defer func() {
		if p := recover(); p != nil {
			why = fmt.Sprintf("%s panicked: %v", g, p)
		}
	}()
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return fmt.Sprintf("%s is not JSON, but %s needs it", short(v), g)
	}
	if !json.Valid([]byte(text)) {
		return fmt.Sprintf("%s is not JSON, but %s needs it", short(v), g)
	}
	if err := f(json.RawMessage(text)); err != nil {
		return fmt.Sprintf("%s is refused by %s: %v", short(v), g, err)
	}
	return ""
}

// Example returns false, because no example is known.
func (g *Go) Example() (pyval.Value, bool) { return nil, false }
