package exec

import (
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Function is one function that models may call.
type Function struct {
	// Name is the name in calls.
	Name string
	// Params are the parameters in order.
	Params []Param
	// Key is the environment variable with the key of the API that the
	// function asks; "" if it needs none.
	Key string

	run func(f *frame, a []pyval.Value) pyval.Value
}

// A Param is a declared parameter.
type Param = pycall.Param

// params are required parameters.
func params(names ...string) []Param {
	out := make([]Param, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

func optional(name string, value pyval.Value) Param { return Param{Name: name, Default: value} }

// functions is filled by list.go.
var functions []Function

var byName map[string]*Function

// Lookup returns the function of a name; nil if there is none.
func Lookup(name string) *Function { return byName[name] }
