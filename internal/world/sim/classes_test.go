package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// upstreams are the classes of a library that upstream has, too.
func upstreams(l *sim.Library) []*sim.Class {
	return slices.DeleteFunc(slices.Clone(l.Classes()), func(class *sim.Class) bool { return class.DocFile == "" })
}

// TestGoldenTraces runs every recorded trace with all its classes at once.
func TestGoldenTraces(t *testing.T) {
	long := longContext(t)
	for _, class := range upstreams(classes.Library) {
		testkit.Compare(t, testkit.GoldenFile(t, "simulators", "traces_"+class.Name+".jsonl"), func(c *testkit.Comparison) {
			(&checker{c, long}).trace()
		})
	}
}

// agentic are the folders of the classes that With adds to Library.
var agentic = map[string]int{"memory": 3, "websearch": 1}

// TestListed: every class of the folder classes, which has a document in it, and of a folder
// beside it is in the list, and names are unique.
func TestListed(t *testing.T) {
	folders := testkit.Must(os.ReadDir("."))(t)
	docs := testkit.Must(filepath.Glob("classes/*.json"))(t)
	listed := len(docs)
	for _, folder := range folders {
		if name := folder.Name(); folder.IsDir() && name != "classes" && name != "testdata" && agentic[name] == 0 {
			listed++
		}
	}
	more := 0
	for _, n := range agentic {
		more += n
	}
	assert.Len(t, classes.With(classes.Services{}).Classes(), listed+more)
	assert.Len(t, classes.Library.Classes(), listed)
	files := map[string]string{}
	for _, class := range classes.All.Classes() {
		if class.DocFile != "" {
			assert.Empty(t, files[class.DocFile], "%s of %s is taken", class.DocFile, class.Name)
			files[class.DocFile] = class.Name
		}
		assert.NotEmpty(t, class.Doc, class.Name)
	}
	seen := map[string]string{}
	for _, class := range classes.Library.Classes() {
		for _, m := range class.Methods {
			assert.Empty(t, seen[m.Name], "%s of %s is taken", m.Name, class.Name)
			seen[m.Name] = class.Name
		}
	}
}

// TestIsolation interleaves cases that make the same calls: none may see what
// another did.
func TestIsolation(t *testing.T) {
	const cases = 200
	calls := []string{
		"mkdir('a')", "ls()", "post_tweet('x')", "mention(0, ['m'])", "get_tweet(0)", "add_contact('Zoe')",
		"trading_login('a', 'b')", "fund_account(1.5)", "get_transaction_history()", "create_ticket('t')",
		"authenticate_travel('a', 'b', 'c', 'd', 'e', 'f')", "fillFuelTank(1)", "get_current_speed()",
		"add_to_watchlist('AAPL')", "get_watchlist()", "cancel_order(12446)", "place_order('Sell', 'AAPL', 1, 1)", "follow_user('x')",
		"list_all_following()", "lockDoors(False, ['driver'])",
	}
	run := func(i int) string {
		var names []string
		for _, class := range classes.Library.Classes() {
			names = append(names, class.Name)
		}
		env, err := classes.Library.Open(sim.Setup{Model: "m", Entry: fmt.Sprintf("multi_turn_base_%d", i), Involved: names})
		if err != nil {
			return err.Error()
		}
		return strings.Join(env.Execute(calls), "\n")
	}
	want := run(0)
	var wg sync.WaitGroup
	for i := range cases {
		wg.Go(func() { assert.Equal(t, want, run(i)) })
	}
	wg.Wait()
}

func TestOpenRefuses(t *testing.T) {
	assert.ErrorContains(t, testkit.Err(classes.Library.Open(sim.Setup{Entry: "multi_turn_base_0", Involved: []string{"Nope"}})), `unknown class "Nope"`)
	bad := sim.Answer("GorillaFileSystem", sim.Answer("root", pyval.MakeInt(5)))
	assert.ErrorContains(t, testkit.Err(classes.Library.Open(sim.Setup{Entry: "multi_turn_base_0", Involved: []string{"GorillaFileSystem"}, Config: bad})), "root")
}

// shownBy lists the calls that show fields which the state does not contain.
var shownBy = map[string]string{
	"parkingBrakeForce": "displayCarStatus('parkingBrake')", "slopeAngle": "displayCarStatus('parkingBrake')",
	"brakePedalForce": "displayCarStatus('brakePedal')",
}

// TestFields: each scenario field that a class names changes the instance or is
// refused; random_seed may take effect only later.
func TestFields(t *testing.T) {
	odd := pyval.Str("odd")
	for _, class := range classes.Library.Classes() {
		bare := opened(t, class.Name, &pyval.Dict{})
		require.NotEmpty(t, bare, class.Name)
		for _, field := range class.Fields {
			before, after := bare, opened(t, class.Name, sim.Answer(field, odd), shownBy[field])
			if shownBy[field] != "" {
				before = opened(t, class.Name, &pyval.Dict{}, shownBy[field])
			}
			if field != "random_seed" {
				assert.NotEqual(t, before, after, "%s.%s", class.Name, field)
			}
		}
		assert.Equal(t, bare, opened(t, class.Name, sim.Answer("no_such_field", odd)), class.Name)
	}
}

// opened is the state of a class with a scenario after calls, with their
// results; "" if the scenario is refused.
func opened(t *testing.T, class string, scenario *pyval.Dict, calls ...string) string {
	t.Helper()
	env, err := classes.Library.Open(sim.Setup{Entry: "multi_turn_base_0", Involved: []string{class}, Config: sim.Answer(class, scenario)})
	if err != nil {
		return ""
	}
	results := env.Execute(slices.DeleteFunc(calls, func(call string) bool { return call == "" }))
	instance, _ := env.Instance(class)
	return pyval.Repr(instance.State()) + strings.Join(results, "")
}

// TestGoldenFields: other fields in official scenarios than those that a class
// names change nothing.
func TestGoldenFields(t *testing.T) {
	scenarios, others := 0, map[string]int{}
	for _, name := range []string{"base", "miss_func", "miss_param", "long_context"} {
		testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "BFCL_v4_multi_turn_"+name+".json"), func(_ int, row *pyval.Dict) {
			config, _ := testkit.Field(row, "initial_config").(*pyval.Dict)
			for key, v := range config.All() {
				scenarios++
				class, ok := classes.Library.Class(pyval.Text(key))
				require.True(t, ok, pyval.Text(key))
				scenario := v.(*pyval.Dict)
				known := pyval.NewDict(scenario.Len())
				for field, value := range scenario.All() {
					if slices.Contains(class.Fields, pyval.Text(field)) {
						_ = known.Set(field, value)
					} else {
						others[class.Name+"."+pyval.Text(field)]++
					}
				}
				if known.Len() < scenario.Len() {
					assert.Equal(t, opened(t, class.Name, scenario), opened(t, class.Name, known), testkit.Text(row, "id"))
				}
			}
		})
	}
	t.Logf("%d scenarios; fields that change nothing: %v", scenarios, others)
}
