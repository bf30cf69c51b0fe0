package exec

import (
	"context"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Functions returns all functions by name.
func Functions() map[string]*Function { return byName }

// Call calls a function. Errors are *pyval.Exception, *eval.InfraError or the
// context's own.
func Call(ctx context.Context, env *Env, name string, args ...pycall.Arg) (pyval.Value, error) {
	fn := Lookup(name)
	if fn == nil {
		return nil, pyval.Raise("NameError", "name '%s' is not defined", name)
	}
	return pyval.Try(func() pyval.Value { return newMachine(ctx, env).call(fn, args) })
}
