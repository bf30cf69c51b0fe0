package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
	v, err := pyval.ParseJSON(`{"kept": [1, 2.5, null], "deep": {"list": ["a", "b"]}}`)
	require.NoError(t, err)
	state := v.(*pyval.Dict)
	assert.Same(t, state, sim.Describe(stateful{state}), "what JSON can hold stays as it is")

	set, err := pyval.NewSet(pyval.MakeInt(3))
	require.NoError(t, err)
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
