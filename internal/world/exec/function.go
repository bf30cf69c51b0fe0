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

var byName = map[string]*Function{}

// Lookup returns the function of a name; nil if there is none.
func Lookup(name string) *Function { return byName[name] }

// init fills byName. That cannot be the variable's initializer: one of the
// functions evaluates texts that may name any of them.
func init() {
	for _, table := range [][]Function{mathFunctions, moneyFunctions, askFunctions} {
		for i := range table {
			byName[table[i].Name] = &table[i]
		}
	}
}
