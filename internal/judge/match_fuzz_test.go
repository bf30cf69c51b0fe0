package judge_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/stretchr/testify/require"
)

// try gives a matcher arbitrary JSON, and its own example, which it must
// accept.
func try(t *testing.T, m match.Matcher, value string) {
	t.Helper()
	if v, err := pyval.ParseJSON(value); err == nil {
		if first, again := m.Refuse(v), m.Refuse(v); first != again {
			t.Fatalf("%s says different things of %s", m, value)
		}
	}
	if v, ok := m.Example(); ok && m.Refuse(v) != "" {
		t.Fatalf("%s refuses its own example %s", m, pyval.Repr(v))
	}
}

// FuzzMatchers gives each matcher arbitrary JSON. A set is accepted whatever the
// order of its items.
func FuzzMatchers(f *testing.F) {
	f.Add(`^INV-\d{4}$`, `[1, "a", [2], {"b": 3}]`, 19.99, 0.01, false, `"INV-1234"`)
	f.Add(`a{2,}|\bx\b`, `{"a": 1, "b": "x"}`, -1e308, 5.0, true, `{"a": 1.0}`)
	f.Add("a", `["A", 1]`, 1.0, 0.0, true, `1e400`)
	f.Fuzz(func(t *testing.T, src, want string, n, within float64, percent bool, value string) {
		try(t, &match.Contains{Parts: []string{src, value}}, value)
		if m, err := match.NewPattern(src); err == nil {
			try(t, m, value)
		}
		if n-n == 0 && within-within == 0 && within >= 0 { // else suites cannot say that
			try(t, &match.Near{Value: pyval.Float(n), Within: within, Percent: percent}, value)
		}
		switch v, _ := pyval.ParseJSON(want); v := v.(type) {
		case *pyval.Dict:
			o := &match.Object{}
			for key, field := range v.All() {
				o.Fields = append(o.Fields, match.Field{Name: pyval.Text(key), Choice: one(&match.Literal{Value: field})})
			}
			tryRefuse(o, value)
			tryRefuse(&match.List{Items: []*match.Choice{one(o)}}, "["+value+"]")
		case *pyval.List:
			if len(v.Items) > 20 {
				t.Skip()
			}
			m := &match.Set{}
			for _, item := range v.Items {
				m.Items = append(m.Items, one(&match.Literal{Value: item}))
			}
			slices.Reverse(v.Items)
			if why := m.Refuse(v); why != "" && !strings.Contains(want, "NaN") {
				t.Fatal(why)
			}
			tryRefuse(m, value)
		}
	})
}

func tryRefuse(m match.Matcher, value string) {
	if v, err := pyval.ParseJSON(value); err == nil {
		m.Refuse(v)
	}
}

// FuzzMatchAnyOf: any_of accepts what one of its options accepts and nothing else,
// whatever their order.
func FuzzMatchAnyOf(f *testing.F) {
	f.Add(`"yes"`, `"ok"`, `"OK then"`)
	f.Add(`[1]`, ``, `[1]`)
	f.Fuzz(func(t *testing.T, literal, prefix, value string) {
		want, err := pyval.ParseJSON(literal)
		v, err2 := pyval.ParseJSON(value)
		if err != nil || err2 != nil {
			t.Skip()
		}
		options := []match.Option{{Matcher: &match.Literal{Value: want}}, {Matcher: &match.Contains{Parts: []string{prefix}}}}
		fits := slices.ContainsFunc(options, func(o match.Option) bool { return o.Refuse(v) == "" })
		for range 2 {
			// inside a list there are no types, so the options alone decide
			m := &match.List{Items: []*match.Choice{{Options: options}}}
			if why := m.Refuse(pyval.NewList(v)); (why == "") != fits {
				t.Fatalf("an option accepts it: %t, and any_of says %q", fits, why)
			}
			w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{matchCall(t, "f", "n", "1", "s", &match.Choice{Options: options})}}
			a := w.Judge(testCase(t), made("f", "n", pyval.MakeInt(1), "s", v), nil, eval.SettingsFor(eval.FC))
			if a.Passed() && !fits {
				t.Fatalf("%s is accepted by %s", value, w)
			}
			slices.Reverse(options)
		}
	})
}

// matchSeen is the value that the matcher fuzz.seen saw last.
var matchSeen []byte

// registerSeen registers fuzz.seen once, however often the test is repeated.
var registerSeen = sync.OnceValue(func() error {
	return match.Register("fuzz.seen", func(v json.RawMessage) error {
		matchSeen = slices.Clone(v)
		switch {
		case len(v)%3 == 1:
			return errors.New("no: " + string(v))
		case len(v)%3 == 2:
			panic(string(v))
		}
		return nil
	})
})

// FuzzMatchGo: a Go function sees the model's argument as JSON of the same
// value; its error is a refusal, its panic an infrastructure error.
func FuzzMatchGo(f *testing.F) {
	require.NoError(f, registerSeen())
	f.Add(`"x"`)
	f.Add(`{"a": [null, 1.0, 12345678901234567890]}`)
	f.Add(`[NaN]`)
	f.Fuzz(func(t *testing.T, value string) {
		v, err := pyval.ParseJSON(value)
		if err != nil {
			t.Skip()
		}
		matchSeen = nil
		why, broken := refusedBy(&match.Go{Func: "fuzz.seen"}, v)
		if matchSeen == nil {
			if why == "" {
				t.Fatal("accepted, and the function was not asked")
			}
			return
		}
		if (why != "") != (len(matchSeen)%3 == 1) || (broken != nil) != (len(matchSeen)%3 == 2) {
			t.Fatalf("%s: refused %q, broken %v", matchSeen, why, broken)
		}
		again, err := pyval.ParseJSON(string(matchSeen))
		if err != nil || !pyval.Equal(v, again) {
			t.Fatalf("%s reached the function as %s: %v", value, matchSeen, err)
		}
	})
}

// refusedBy is Refuse with the infrastructure error that it panics with.
func refusedBy(m match.Matcher, v pyval.Value) (why string, broken error) {
	defer func() {
		if p := recover(); p != nil {
			broken = p.(*eval.InfraError)
		}
	}()
	return m.Refuse(v), nil
}

// made is a decoded answer with one call.
func made(name string, args ...any) pyval.Value {
	given, out := pyval.NewDict(len(args)/2), pyval.NewDict(1)
	for i := 0; i+1 < len(args); i += 2 {
		given.SetStr(args[i].(string), args[i+1].(pyval.Value))
	}
	out.SetStr(name, given)
	return pyval.NewList(out)
}

// FuzzMatchWhole: whatever a model answers gets a verdict, the same each time.
func FuzzMatchWhole(f *testing.F) {
	f.Add(`[{"f": {"n": 1}}, {"g_h": {"s": "a"}}]`, `[[[{"f": "{\"n\": 1}"}], "Done."]]`)
	f.Fuzz(func(t *testing.T, decoded, result string) {
		c, s := testCase(t), eval.SettingsFor(eval.FC)
		want := []*match.Call{matchCall(t, "f", "n", whatever{}), matchCall(t, "g.h", "s", &match.Contains{Parts: []string{"a"}})}
		if v, err := pyval.ParseJSON(decoded); err == nil {
			for _, mode := range []match.Mode{match.InOrder, match.AnyOrder, match.AtLeast, match.AtMost} {
				w := &match.Whole{Mode: mode, Calls: want, NoneOf: []*match.Call{{Function: "z", Any: true}}}
				if a, b := w.Judge(c, v, nil, s), w.Judge(c, v, nil, s); a.ErrorType != b.ErrorType {
					t.Fatal(a.ErrorType, b.ErrorType)
				}
			}
		}
		if v, err := pyval.ParseJSON(result); err == nil {
			match.Turns{{Mode: match.InOrder, Calls: want}}.Judge(c, v, nil, s)
			_, _, _ = match.Script{{Call: want[0], Result: "x"}}.Execute(c, v, s)
		}
	})
}
