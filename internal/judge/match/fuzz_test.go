package match_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// try gives a matcher any JSON, and its own example, which it must accept.
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

func FuzzPattern(f *testing.F) {
	f.Add(`^INV-\d{4}$`, `"INV-1234"`)
	f.Add(`a{2,}|\bx\b`, `"aa"`)
	f.Fuzz(func(t *testing.T, src, value string) {
		if m, err := match.NewPattern(src); err == nil {
			try(t, m, value)
		}
	})
}

func FuzzContains(f *testing.F) {
	f.Add("a", "Bé", `"bé a"`)
	f.Fuzz(func(t *testing.T, a, b, value string) { try(t, &match.Contains{Parts: []string{a, b}}, value) })
}

func FuzzPrefix(f *testing.F) {
	f.Add("Re: İ", `"re: "`)
	f.Fuzz(func(t *testing.T, prefix, value string) { try(t, &match.Prefix{Text: prefix}, value) })
}

func FuzzNear(f *testing.F) {
	f.Add(19.99, 0.01, false, `20`)
	f.Add(-1e308, 5.0, true, `1e400`)
	f.Fuzz(func(t *testing.T, n, within float64, percent bool, value string) {
		if n-n != 0 || within-within != 0 || within < 0 {
			t.Skip() // suites cannot say that
		}
		try(t, &match.Near{Value: pyval.Float(n), Within: within, Percent: percent}, value)
	})
}

// FuzzDate: no text breaks the reader, and a day is the same in all its forms.
func FuzzDate(f *testing.F) {
	f.Add("2025-01-31", int64(1738281600))
	f.Add("3rd of April, 2025 at 2:30 p.m.", int64(0))
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		if m, err := match.NewDate(text, match.DayFirst); err == nil {
			try(t, m, text)
		}
		at := time.Unix(unix%4e9, 0).UTC()
		m, err := match.NewDate(at.Format(time.DateOnly), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, layout := range []string{time.DateOnly, "2 January 2006", "Jan 2, 2006", "Monday, 2 January 2006", "20060102", time.RFC3339, time.DateTime} {
			if why := m.Refuse(pyval.Str(at.Format(layout))); why != "" {
				t.Fatal(why)
			}
		}
	})
}

// FuzzSet: a list is accepted whatever the order of its items.
func FuzzSet(f *testing.F) {
	f.Add(`[1, "a", [2], {"b": 3}]`, `["A", 1]`)
	f.Fuzz(func(t *testing.T, want, value string) {
		v, err := pyval.ParseJSON(want)
		list, ok := v.(*pyval.List)
		if err != nil || !ok || len(list.Items) > 20 {
			t.Skip()
		}
		var choices []*match.Choice
		for _, item := range list.Items {
			choices = append(choices, one(&match.Literal{Value: item}))
		}
		turned := &pyval.List{Items: slices.Clone(list.Items)}
		slices.Reverse(turned.Items)
		for _, rule := range []match.SetRule{match.Unordered, match.SubsetOf, match.Includes} {
			m := &match.Set{Rule: rule, Items: choices}
			if why := m.Refuse(turned); why != "" && value == want && !holdsNaN(want) {
				t.Fatal(why)
			}
			if v, err := pyval.ParseJSON(value); err == nil {
				m.Refuse(v)
			}
		}
	})
}

func holdsNaN(s string) bool { return len(s) > 2 && slices.Contains([]byte(s), 'N') }

func FuzzObject(f *testing.F) {
	f.Add(`{"a": 1, "b": "x"}`, `{"a": 1.0}`)
	f.Fuzz(func(t *testing.T, want, value string) {
		v, err := pyval.ParseJSON(want)
		d, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			t.Skip()
		}
		o := &match.Object{}
		for key, field := range d.All() {
			o.Fields = append(o.Fields, match.Field{Name: pyval.Text(key), Choice: one(&match.Literal{Value: field})})
		}
		if v, err := pyval.ParseJSON(value); err == nil {
			o.Refuse(v)
			(&match.List{Items: []*match.Choice{one(o)}}).Refuse(pyval.NewList(v))
		}
	})
}

// FuzzWhole: whatever a model answers gets a verdict, the same each time.
func FuzzWhole(f *testing.F) {
	f.Add(`[{"f": {"n": 1}}, {"g_h": {"s": "a"}}]`, `[[[{"f": "{\"n\": 1}"}], "Done."]]`)
	f.Fuzz(func(t *testing.T, decoded, result string) {
		c, s := testCase(t), eval.SettingsFor(eval.FC)
		want := []*match.Call{call(t, "f", "n", match.Present{}), call(t, "g.h", "s", &match.Prefix{Text: "a"})}
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
