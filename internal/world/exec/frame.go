package exec

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Env is what calls are carried out in.
type Env struct {
	// Client answers requests; without one every request is an
	// infrastructure error.
	Client Client
	// Sleep waits where upstream's functions wait between requests; nil
	// does not wait, which is right for recorded answers.
	Sleep func(ctx context.Context, d time.Duration) error
}

// A machine carries out one call and all it leads to.
type machine struct {
	ctx   context.Context
	env   *Env
	steps int // of loops
	work  int // bytes of values, see spend
	depth int // of texts and lambdas within each other
}

func newMachine(ctx context.Context, env *Env) *machine {
	if env == nil {
		env = &Env{}
	}
	return &machine{ctx: ctx, env: env}
}

// call binds arguments and runs a function.
func (m *machine) call(fn *Function, args []pycall.Arg) pyval.Value {
	bound := pyval.Must(pycall.Bind(nil, pycall.Callee{Name: fn.Name}, fn.Params, args))
	return fn.run(&frame{machine: m, name: fn.Name}, bound)
}

func (m *machine) do(req Request) (Response, error) {
	if m.env.Client == nil {
		return Response{}, eval.Infra("unrecorded", "no client to ask for %s", req.URL)
	}
	return m.env.Client.Do(m.ctx, req)
}

func (m *machine) sleep(d time.Duration) error {
	if m.env.Sleep == nil {
		return m.ctx.Err()
	}
	return m.env.Sleep(m.ctx, d)
}

// Bounds of one call. Python has none: it would run for hours, or until memory
// runs out.
const (
	maxSteps = 2_000_000 // steps of all loops together
	maxItems = 10_000    // items of a computed sequence
	maxBits  = 1 << 18   // bits of a computed int
	maxWork  = 1 << 26   // bytes of all values that operations read or make together
)

// A frame is one running function. Its operations are Python's, and raise by
// panicking, so that formulas read like formulas.
type frame struct {
	*machine
	name string
}

var (
	zero, one, two, four = number(0), number(1), number(2), number(4)
	half                 = pyval.Float(0.5)
)

func number(n int64) pyval.Int { return pyval.MakeInt(n) }

func raise(class, format string, args ...any) pyval.Value {
	panic(pyval.Raise(class, format, args...))
}

// endless ends a call that would not end in Python, or not soon.
func (f *frame) endless(why string) pyval.Value {
	return raise("TimeoutError", "%s: %s", f.name, why)
}

// step counts one round of a loop.
func (f *frame) step() {
	if f.steps++; f.steps > maxSteps {
		f.endless("stopped after too many steps")
	} else if f.steps&0xffff == 0 {
		pyval.Check(f.ctx.Err())
	}
}

// spend counts the whole size of each value that an operation reads or makes: a
// text can name one value, or parts of it, many times.
func (m *machine) spend(values ...pyval.Value) {
	for _, v := range values {
		if m.work += pyval.Weight(v, maxWork-m.work); m.work > maxWork {
			raise("MemoryError", "the values of the call are too large")
		}
	}
}

// op is a op b, paid for.
func (f *frame) op(op string, a, b pyval.Value) pyval.Value {
	v := pyval.Must(pycall.Operate(op, a, b))
	f.spend(v)
	return v
}

func (f *frame) add(a, b pyval.Value) pyval.Value { return f.op("+", a, b) }
func (f *frame) sub(a, b pyval.Value) pyval.Value { return f.op("-", a, b) }
func (f *frame) mul(a, b pyval.Value) pyval.Value { return f.op("*", a, b) }
func (f *frame) div(a, b pyval.Value) pyval.Value { return f.op("/", a, b) }
func (f *frame) pow(a, b pyval.Value) pyval.Value { return f.op("**", a, b) }

func (f *frame) neg(v pyval.Value) pyval.Value { return pyval.Must(pyval.Unary("-", v)) }
func (f *frame) abs(v pyval.Value) pyval.Value { return pyval.Must(pyval.Abs(v)) }

// is reports whether a op b holds.
func (f *frame) is(a pyval.Value, op string, b pyval.Value) bool {
	return pyval.Must(pyval.Order(op, a, b))
}

// at is v[i], item v[key].
func (f *frame) at(v pyval.Value, i int) pyval.Value { return f.item(v, number(int64(i))) }

func (f *frame) item(v, key pyval.Value) pyval.Value {
	f.scan(v)
	return pyval.Must(pyval.Subscript(v, key))
}

// scan counts what it takes to find a place in a str.
func (f *frame) scan(v pyval.Value) {
	if s, ok := v.(pyval.Str); ok {
		f.steps += len(s) >> 6
	}
}

// length is len(v).
func (f *frame) length(v pyval.Value) int {
	f.scan(v)
	return pyval.Must(pyval.Length(v))
}

// items are what Python iterates over.
func items(v pyval.Value) []pyval.Value { return pyval.Must(pyval.Iterate(v)) }

// index is an int if Python demands one, as range does; clipped to the range of
// Go's int.
func index(v pyval.Value) int {
	n, ok := pyval.IntOf(v)
	if !ok {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", pyval.TypeName(v))
	}
	small, ok := n.Int64()
	switch {
	case ok:
		return int(small)
	case n.Sign() < 0:
		return math.MinInt
	}
	return math.MaxInt
}

// sum is Python's sum of what each gives for 0 to n-1.
func (f *frame) sum(n int, each func(i int) pyval.Value) pyval.Value {
	var total pyval.Value = zero
	for i := range n {
		f.step()
		total = f.add(total, each(i))
	}
	return total
}

// exception is err as a Python exception; nil for any other error, which no
// Python code may catch.
func exception(err error) *pyval.Exception {
	var e *pyval.Exception
	errors.As(err, &e)
	return e
}
