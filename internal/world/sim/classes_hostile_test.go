package sim_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// fuzzedCalls is the most calls of one fuzz input, which may repeat lines.
const fuzzedCalls = 64

// FuzzCalls runs arbitrary call texts, one per line, on a class with an
// arbitrary scenario. Nothing may panic, and a second case must answer like the
// first, because it shares no state with it.
func FuzzCalls(f *testing.F) {
	for _, s := range scripts(f) {
		f.Add(s.class.Name, s.scenario, strings.Join(s.calls, "\n"))
	}
	library := classes.With(classes.Services{Embedder: testkit.Embedder{}})
	f.Fuzz(func(t *testing.T, name, scenario, calls string) {
		v, err := pyval.ParseJSON(scenario)
		if err != nil {
			t.Skip("no scenario")
		}
		setup := sim.Setup{Model: "m", Entry: "multi_turn_base_0", Involved: []string{name}, Config: sim.Answer(name, v)}
		first, err := library.Open(setup)
		if err != nil {
			return
		}
		again := testkit.Must(library.Open(setup))(t)
		lines := strings.Split(calls, "\n")
		for i, call := range lines[:min(len(lines), fuzzedCalls)] {
			if one, two := first.Call(call), again.Call(call); one.Text != two.Text {
				t.Fatalf("call %d %q: %q and then %q", i, shorten(call), shorten(one.Text), shorten(two.Text))
			}
		}
		if a, b := stateText(first, name), stateText(again, name); a != b {
			t.Fatalf("states differ: %q and %q", shorten(a), shorten(b))
		}
	})
}

func stateText(env *sim.Env, class string) string {
	instance, _ := env.Instance(class)
	return canon(instance.State())
}

// TestHostile calls every method of each class with values of every kind in
// every position, on an instance without a scenario and of each hostile one.
// Nothing may panic, and every error must be an exception.
func TestHostile(t *testing.T) {
	calls := 0
	hostile := func(class *sim.Class, scenario string) {
		for i := range class.Methods {
			calls += hostileMethod(t, class, &class.Methods[i], scenario)
		}
	}
	for _, class := range classes.With(classes.Services{Embedder: testkit.Embedder{}}).Classes() {
		if class.Name != websearch.Name {
			hostile(class, `{}`)
		}
	}
	for _, s := range scripts(t) {
		if s.kind == "hostile" {
			hostile(s.class, s.scenario)
		}
	}
	t.Logf("%d hostile calls answered", calls)
}

func hostileMethod(t *testing.T, class *sim.Class, m *sim.Method, scenario string) (calls int) {
	t.Helper()
	for place := range max(1, len(m.Params)) {
		self := instance(t, class, scenario)
		for i := range hostileValues {
			for filler := range fillers {
				args := hostileArgs(len(m.Params), place, i, filler)
				v, err := m.Call(self, args)
				if err == nil {
					_, err = pyval.Try(func() string { return sim.ResultText(v) })
				}
				var raised *sim.Exception
				if err != nil && !errors.As(err, &raised) {
					t.Errorf("%s.%s: %T is not an exception: %v", class.Name, m.Name, err, err)
				}
				calls++
			}
		}
		if self.State() == nil {
			t.Errorf("%s.%s leaves no state", class.Name, m.Name)
		}
	}
	return calls
}

func instance(t *testing.T, class *sim.Class, scenario string) sim.Instance {
	t.Helper()
	self, err := class.New(sim.Table(scenario), sim.NewWorld(nil))
	if err != nil {
		t.Fatalf("%s with %s: %v", class.Name, scenario, err)
	}
	return self
}

// hostileArgs returns new values each time, so that no two calls share one.
func hostileArgs(n, place, i, filler int) []pyval.Value {
	args := make([]pyval.Value, n)
	for k := range args {
		args[k] = hostileValues[filler]()
	}
	if n > 0 {
		args[place] = hostileValues[i]()
	}
	return args
}

// hostileValues returns new values each time. They begin with a few harmless
// ones, which fill the other positions.
var hostileValues = []func() pyval.Value{
	is(pyval.Str("a")), is(pyval.MakeInt(1)),
	func() pyval.Value { return pyval.NewList(pyval.Str("a")) },
	func() pyval.Value { return sim.Answer("title", pyval.Str("b")) },
	is(pyval.None), is(pyval.Bool(true)), is(pyval.MakeInt(-1)), is(pyval.Float(math.NaN())), is(pyval.Float(math.Inf(-1))),
	is(pyval.MakeBigInt(new(big.Int).Lsh(big.NewInt(1), 1<<16))), is(pyval.Complex(1i)), is(pyval.Bytes("\xff")),
	is(pyval.Str("")), is(pyval.Str("\xed\xa0\x80")), is(pyval.Str("../../etc/passwd")),
	is(pyval.Str(strings.Repeat("İ", 1<<12))), is(pyval.Ellipsis),
	func() pyval.Value { return pyval.NewTuple(pyval.NewList()) },
	func() pyval.Value { return &pyval.Set{} },
	func() pyval.Value { return &pyval.Dict{} },
	func() pyval.Value { return nested(2000) },
	oddKeys,
}

const fillers = 4

func is(v pyval.Value) func() pyval.Value { return func() pyval.Value { return v } }

func nested(depth int) pyval.Value {
	v := pyval.NewList()
	for range depth {
		v = pyval.NewList(v)
	}
	return v
}

func oddKeys() pyval.Value {
	d := &pyval.Dict{}
	for _, key := range []pyval.Value{pyval.None, pyval.MakeInt(1), pyval.NewTuple(), pyval.Str("id")} {
		_ = d.Set(key, key)
	}
	return d
}
