package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func parse(f sim.DateFormat, v pyval.Value) (time.Time, error) {
	return pyval.Try(func() time.Time { return f.Parse(v) })
}

func TestDate(t *testing.T) {
	for _, c := range []struct {
		format    sim.DateFormat
		src, want string // a moment, or an error's text
	}{
		{sim.Day, "2024-02-29", "2024-02-29 00:00:00"},
		{sim.Day, "2024-1-3", "2024-01-03 00:00:00"},
		{sim.Day, "2024-01- 5", "2024-01-05 00:00:00"},
		{sim.Day, "٢٠٢٤-01-05", "2024-01-05 00:00:00"},
		{sim.Day, "2024-02-30", "day is out of range for month"},
		{sim.Day, "0000-01-01", "year 0 is out of range"},
		{sim.Day, "2024-01-32", "unconverted data remains: 2"},
		{sim.Day, "2024-01-01\n", "unconverted data remains: \n"},
		{sim.Day, "", "time data '' does not match format '%Y-%m-%d'"},
		{sim.Day, "it's", `time data "it's" does not match format '%Y-%m-%d'`},
		{sim.Day, "2024-01-0٥", "time data '2024-01-0٥' does not match format '%Y-%m-%d'"},
		{sim.Day, "\xed\xa0\x80", `time data '\ud800' does not match format '%Y-%m-%d'`},
		{sim.Moment, "2024-1-1  1:2:3", "2024-01-01 01:02:03"},
		{sim.Moment, "2024-01-01\u300023:59:59", "2024-01-01 23:59:59"},
		{sim.Moment, "2024-01-01 10:30:00.5", "unconverted data remains: .5"},
		{sim.Moment, "2024-1-1 1:2:61", "second must be in 0..59"},
		{sim.Moment, "2024-1-1 24:2:6", "time data '2024-1-1 24:2:6' does not match format '%Y-%m-%d %H:%M:%S'"},
	} {
		got, err := parse(c.format, pyval.Str(c.src))
		if err != nil {
			assert.Equal(t, c.want, sim.AsException(err).Msg, c.src)
			continue
		}
		assert.Equal(t, c.want, got.Format(time.DateTime), c.src)
	}
	assert.EqualError(t, testkit.Err(parse(sim.Day, pyval.None)), "TypeError: strptime() argument 1 must be str, not NoneType")
}

func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2024-02-29", "2024-1-1 1:2:3", "9999-12-31 23:59:59", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, format := range []sim.DateFormat{sim.Day, sim.Moment} {
			if got, err := parse(format, pyval.Str(src)); err == nil && (got.Year() < 1 || got.Year() > 9999) {
				t.Errorf("%q: %v", src, got)
			}
		}
	})
}

func TestIsDigit(t *testing.T) {
	for src, want := range map[string]bool{"": false, "12": true, "1x": false, "²": true, "٣٤": true, "½": false, "1 ": false, "①": true, "十": false} {
		assert.Equal(t, want, sim.IsDigit(src), "%q", src)
	}
}

type stateful struct{ state *pyval.Dict }

func (s stateful) State() *pyval.Dict { return s.state }

type described struct {
	stateful
	text string
}

func (d described) Describe() *pyval.Dict {
	out := d.state.Clone()
	out.SetStr("tree", pyval.Str(d.text))
	return out
}

func TestDescribe(t *testing.T) {
	v := testkit.Must(pyval.ParseJSON(`{"kept": [1, 2.5, null], "deep": {"list": ["a", "b"]}}`))(t)
	state := v.(*pyval.Dict)
	assert.Same(t, state, sim.Describe(stateful{state}), "what JSON can hold stays as it is")

	set := testkit.Must(pyval.NewSet(pyval.MakeInt(3)))(t)
	deep, _ := state.GetStr("deep")
	list, _ := deep.(*pyval.Dict).GetStr("list")
	list.(*pyval.List).Items[1] = set
	state.SetStr("complex", pyval.Complex(2i))
	state.SetStr("pair", pyval.NewTuple(pyval.Str("x"), pyval.None))
	state.SetStr("odd pair", pyval.NewTuple(pyval.Bytes("x")))
	before := pyval.Repr(state)
	assert.Equal(t,
		`{'kept': [1, 2.5, None], 'deep': {'list': ['a', '{3}']}, 'complex': '2j', 'pair': ('x', None), 'odd pair': "(b'x',)"}`,
		pyval.Repr(sim.Describe(stateful{state})))
	assert.Equal(t, before, pyval.Repr(state), "the state itself does not change")

	got, _ := sim.Describe(described{stateful{state}, "<root>"}).GetStr("tree")
	assert.Equal(t, pyval.Str("<root>"), got)
}

func TestLeaks(t *testing.T) {
	world := sim.NewWorld(nil)
	assert.False(t, world.Leaks())
	world.Shared("list", func() pyval.Value { return pyval.NewList() })
	assert.True(t, world.Leaks())
}
