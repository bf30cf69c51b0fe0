package multiturn

import (
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// owners maps each method's name to the classes that have it.
var owners = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, class := range classes.Library.Classes() {
		for _, m := range class.Methods {
			out[m.Name] = class.Name
		}
	}
	return out
})

// touched are the classes whose states may differ: those called, on either
// side, since they were last found equal. What upstream leaks passes from one
// side's instance of a class to the other's, and so a call can pass it on, too.
type touched struct {
	all   bool
	names []string
}

// add notes a call. One that is not simply a method with literals may reach any
// class.
func (t *touched) add(call string) {
	if t.all {
		return
	}
	method, rest, _ := strings.Cut(call, "(")
	class, ok := owners()[method]
	switch {
	case !ok || strings.Contains(rest, "("):
		t.all = true
	case !t.has(class):
		t.names = append(t.names, class)
	}
}

func (t *touched) has(class string) bool {
	if t.all {
		return true
	}
	for _, name := range t.names {
		if name == class {
			return true
		}
	}
	return false
}

// clear notes that all states were found to be equal.
func (t *touched) clear() { t.all, t.names = false, t.names[:0] }
