package multiturn

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/sim"
)

// TestInterleaved goes through the turns of several judgements in turn. All
// are of one case under one name: upstream would let them share instances.
func TestInterleaved(t *testing.T) {
	const people = 3
	classes := []string{"TwitterAPI", "MessageAPI", "GorillaFileSystem"}
	c := &eval.Case{
		ID: "multi_turn_base_3", Scene: &eval.Scene{Classes: classes},
		Answer: pyval.NewList(calls("mkdir('a')"), calls("authenticate_twitter('a', 'b')"), calls("mkdir('b')")),
	}
	checks := make([]*checker, people)
	for i := range checks {
		e, err := newEntry(c, "model", nil)
		require.NoError(t, err)
		world := sim.NewWorld(nil)
		model, err := e.open("model", world)
		require.NoError(t, err)
		reference, err := e.live(world)
		require.NoError(t, err)
		checks[i] = &checker{entry: e, model: model, reference: reference, touched: touched{all: true}}
	}
	for turn, calls := range []string{"mkdir('a')", "authenticate_twitter('a', 'b')", "mkdir('b')"} {
		for i, k := range checks {
			assert.Nil(t, k.turn(turn, [][]string{{calls}}), "judgement %d, turn %d", i, turn)
		}
	}
	for i, k := range checks {
		k.execute(2, [][]string{{fmt.Sprintf("touch('%d')", i), "ls()"}})
		assert.Equal(t, fmt.Sprintf(`{"current_directory_content": ["a", "b", "%d"]}`, i), k.done[3].Model[0][1])
	}
}

func calls(texts ...string) pyval.Value { return strs(texts) }

// TestTouched: a class is compared again once it may have been called.
func TestTouched(t *testing.T) {
	for call, want := range map[string]string{
		"ls()":                            "GorillaFileSystem",
		"get_ticket(ticket_id=1)":         "TicketAPI",
		"echo(content=get_ticket(1))":     "all",
		"echo(content='see ls (1)')":      "all",
		" ls()":                           "all",
		"no_such_function(a=1)":           "all",
		"1 + 1":                           "all",
		"":                                "all",
		"ls(a=1, **{'x': 1})":             "GorillaFileSystem",
		"GorillaFileSystem_instance.ls()": "all",
	} {
		var x touched
		x.add(call)
		assert.Equal(t, want == "all", x.all, call)
		assert.Equal(t, want == "all" || want == "TicketAPI", x.has("TicketAPI"), call)
		assert.Equal(t, want == "all" || want == "GorillaFileSystem", x.has("GorillaFileSystem"), call)
		x.clear()
		assert.False(t, x.has("GorillaFileSystem"))
	}
}
