package multiturn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// TestInterleaved goes through the turns of several judgements in turn. All
// are of one case under one name: upstream would let them share instances.
func TestInterleaved(t *testing.T) {
	const people = 3
	involved := []string{"TwitterAPI", "MessageAPI", "GorillaFileSystem"}
	c := &eval.Case{
		ID: "multi_turn_base_3", Scene: &eval.Scene{Classes: involved},
		Answer: pyval.NewList(calls("mkdir('a')"), calls("authenticate_twitter('a', 'b')"), calls("mkdir('b')")),
	}
	checks := make([]*checker, people)
	for i := range checks {
		e := testkit.Must(newEntry(c, "model"))(t)
		world := sim.NewWorld(nil)
		model := testkit.Must(e.open("model", world))(t)
		reference := testkit.Must(e.live(world))(t)
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

// everything is a case of all eight APIs; each turn's calls leave a mark.
func everything(mark string) (*eval.Case, Turns) {
	turns := Turns{
		{{"authenticate_twitter('john', 'john123')", "trading_login('u', 'p')", "ticket_login('u', 'p')", "message_login('USR001')"}},
		{
			{"mkdir('" + mark + "')", "cd('" + mark + "')", "post_tweet('" + mark + "', tags=['#" + mark + "'])", "create_ticket('" + mark + "')"},
			{"add_contact('" + mark + "')", "send_message('USR005', '" + mark + "')", "add_to_watchlist('AAPL')", "fund_account(1.5)"},
		},
		{{"pwd()", "mention(0, ['" + mark + "'])", "comment(0, '" + mark + "')", "view_messages_sent()", "get_user_tickets()"}},
		{{"fillFuelTank(5)", "lockDoors(True, ['driver'])", "set_budget_limit('t', 5)", "get_watchlist()", "mean([1, 2])", "get_tweet(0)", "get_tweet_comments(0)", "ls()", "rm('none')"}},
	}
	c := &eval.Case{ID: "multi_turn_base_0", Scene: &eval.Scene{}, Answer: &pyval.List{}}
	for _, class := range classes.Library.Classes() {
		c.Scene.Classes = append(c.Scene.Classes, class.Name)
	}
	for _, turn := range turns {
		var wanted []string
		for _, step := range turn {
			wanted = append(wanted, step...)
		}
		c.Answer.Items = append(c.Answer.Items, calls(wanted...))
	}
	return c, turns
}

// TestThousandInterleaved has a thousand entries of one name under way at
// once: all go through a turn in parallel and in random order before any goes
// on. Each gets what it gets alone, and nobody else's mark.
func TestThousandInterleaved(t *testing.T) {
	const entries = 1000
	mark := func(i int) string { return fmt.Sprintf("mark%04d", i) }
	begin := func(i int) (*checker, Turns) {
		c, turns := everything(mark(i))
		e := testkit.Must(newEntry(c, "model"))(t)
		world := sim.NewWorld(nil)
		model := testkit.Must(e.open("model", world))(t)
		reference := testkit.Must(e.live(world))(t)
		return &checker{entry: e, model: model, reference: reference, touched: touched{all: true}}, turns
	}
	alone, turns := begin(0)
	for turn, steps := range turns {
		require.Nil(t, alone.turn(turn, steps))
	}
	want := fmt.Sprint(alone.done)
	require.Greater(t, strings.Count(want, mark(0)), 10)

	checks := make([]*checker, entries)
	all := make([]Turns, entries)
	for i := range checks {
		checks[i], all[i] = begin(i)
	}
	for turn := range turns {
		var wg sync.WaitGroup
		for _, i := range rand.Perm(entries) {
			wg.Go(func() { assert.Nil(t, checks[i].turn(turn, all[i][turn]), "entry %d, turn %d", i, turn) })
		}
		wg.Wait()
	}
	for i, k := range checks {
		assert.Equal(t, strings.ReplaceAll(want, mark(0), mark(i)), fmt.Sprint(k.done), "entry %d", i)
	}
}

func calls(texts ...string) pyval.Value { return pyval.Texts(texts) }

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

// TestDiffering: attributes are compared by name, wherever they stand.
func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		model, reference string
		want             []string
	}{
		{`{"a": 1, "b": 2}`, `{"a": 1, "b": 2}`, nil}, {`{"b": 2, "a": 1}`, `{"a": 1, "b": 2}`, nil}, {`{"b": 1, "a": 2}`, `{"a": 1, "b": 2}`, []string{"a", "b"}},
		{`{"a": 1}`, `{"a": 1, "b": 2}`, []string{"b"}}, {`{"b": 2}`, `{"a": 1, "b": 2}`, []string{"a"}}, {`{}`, `{"a": 1}`, []string{"a"}},
		{`{"a": 1, "b": 2}`, `{"a": 1.0}`, nil}, {`{"a": 1, "b": 2}`, `{"b": 3}`, []string{"b"}}, {`{}`, `{}`, nil},
	} {
		of := func(text string) *pyval.Dict {
			return testkit.Must(pyval.ParseJSON(text))(t).(*pyval.Dict)
		}
		assert.Equal(t, c.want, differing(of(c.model), of(c.reference)), "%s %s", c.model, c.reference)
	}
}
