package sim_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// What no script of testdata can say: limits, sharing between sides, and texts
// that are long.

const home = `{"root": {"barn": {"type": "directory", "contents": {
	"tools.txt": {"type": "file", "content": "rake\nspade\naxe"},
	"hay": {"type": "directory", "contents": {"bale.txt": {"type": "file", "content": "dry"}}},
	".key": {"type": "file", "content": ""},
	"odd": {"type": "link", "content": "passed over"}}}}}`

const travelOpen = `{"access_token": "t", "token_expires_in": 2, "user_first_name": "Al", "user_last_name": "Bo",
		"credit_card_list": {"c": {"balance": 500}}, "booking_record": {}}`

const postingOpen = `{"authenticated": true}`

// TestMessageNameTooLong: an id of more digits than Python shows raises only after
// the contact is in.
func TestMessageNameTooLong(t *testing.T) {
	env := open(t, classes.Message, `{"user_map": {}}`, nil)
	assert.Contains(t, env.Call("add_contact(0x1"+strings.Repeat("0", 4000)+")").Text, "Exceeds the limit (4300 digits)")
	assert.Contains(t, env.Call("add_contact('x')").Text, `"user_id": "USR006"`)
}

// TestMessageIDsRunOut: where upstream would draw forever, the call fails.
func TestMessageIDsRunOut(t *testing.T) {
	self, err := classes.Message.New(&pyval.Dict{}, nil)
	assert.NoError(t, err)
	send := classes.Message.Methods[8]
	assert.Equal(t, "send_message", send.Name)
	_, err = classes.Message.Methods[6].Call(self, []pyval.Value{pyval.Str("USR001")})
	assert.NoError(t, err)
	sent := 0
	for ; err == nil && sent <= 100_000; sent++ {
		_, err = send.Call(self, []pyval.Value{pyval.Str("USR002"), pyval.Str("m")})
	}
	assert.EqualError(t, err, "RuntimeError: all message ids are taken")
	assert.Equal(t, 90_001, sent)
}

// TestFilesystemLines: a file's lines are Python's splitlines, which knows more ends of a
// line than "\n".
func TestFilesystemLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                               nil,
		"\n":                             {""},
		"a\r\nb\rc\n":                    {"a", "b", "c"},
		"a\n\nb":                         {"a", "", "b"},
		"a\x0bb\x0cc\x1dd\u0085e\u2028f": {"a", "b", "c", "d", "e", "f"},
	} {
		content := testkit.Must(json.Marshal(text))(t)
		env := open(t, classes.FileSystem, `{"root": {"d": {"contents": {"f": {"type": "file", "content": `+string(content)+`}}}}}`, nil)
		assert.Equal(t, fmt.Sprintf(`{"count": %d, "type": "lines"}`, len(want)), env.Call("wc('f', 'l')").Text, "%q", text)
		last := testkit.Must(pyval.ParseJSON(env.Call("tail('f', 9)").Text))(t)
		assert.Equal(t, strings.Join(want, "\n"), testkit.Text(last.(*pyval.Dict), "last_lines"), "%q", text)
	}
}

// TestFilesystemCycle: a directory that contains itself ends every walk, and its state
// equals none, so the state check fails where upstream's would not end.
func TestFilesystemCycle(t *testing.T) {
	env := open(t, classes.FileSystem, home, nil)
	env.Execute([]string{"cp('hay', 'hay')"})
	for _, call := range []string{"find()", "du()"} {
		r := env.Call(call)
		require.NotNil(t, r.Raised, call)
		assert.Equal(t, "RecursionError", r.Raised.Class)
	}
	instance, _ := env.Instance(classes.FileSystem.Name)
	assert.False(t, pyval.Equal(instance.State(), instance.State()))
}

// TestFilesystemDoubling: copies of copies double the tree with each call; walks and states
// stop at a limit.
func TestFilesystemDoubling(t *testing.T) {
	env := open(t, classes.FileSystem, `{}`, nil)
	env.Execute([]string{"mkdir('a')"})
	for range 200 {
		env.Execute([]string{"cp('a', 'b')", "cp('b', 'a')", "mv('b', 'c')", "cp('c', 'a')", "rm('c')"})
	}
	for range 50 {
		env.Execute([]string{"find()", "du()"})
	}
	instance, _ := env.Instance(classes.FileSystem.Name)
	assert.NotNil(t, instance.State())
}

func TestFilesystemDeep(t *testing.T) {
	env := open(t, classes.FileSystem, `{}`, nil)
	name := strings.Repeat("n", 1000)
	for range 3000 {
		env.Execute([]string{"mkdir('" + name + "')", "cd('" + name + "')"})
	}
	assert.Nil(t, env.Call("pwd()").Raised)
	env.Execute([]string{"cd('/')"})
	assert.NotNil(t, env.Call("find()").Raised)
	instance, _ := env.Instance(classes.FileSystem.Name)
	assert.False(t, pyval.Equal(instance.State(), instance.State()))
}

func treeText(t *testing.T, calls ...string) string {
	t.Helper()
	v, err := pyval.ParseJSON(`{"GorillaFileSystem": {"root": {"attic": {"type": "directory", "contents":
		{"it's": {"type": "file", "content": "a 'b'\n"}, "box": {"type": "directory", "contents": {}}}}}}}`)
	require.NoError(t, err)
	env := testkit.Must(sim.NewLibrary(classes.FileSystem).Open(sim.Setup{Entry: "x_1", Involved: []string{classes.FileSystem.Name}, Config: v.(*pyval.Dict)}))(t)
	for _, text := range env.Execute(calls) {
		require.NotContains(t, text, "rror", "%v", calls)
	}
	instance, _ := env.Instance(classes.FileSystem.Name)
	root, _ := sim.Describe(instance).GetStr("root")
	return pyval.Text(root)
}

func TestFilesystemDescribe(t *testing.T) {
	const file = `"it's": <<File: it's, Content: a 'b'` + "\n>>, "
	for _, c := range []struct {
		calls []string
		want  string
	}{
		{nil, file + "'box': <Directory: box, Parent: attic, Contents: {}>"},
		{[]string{"cd('box')", "mkdir('in')", "cd('..')", "mv('box', 'crate')"},
			file + "'crate': <Directory: crate, Parent: attic, Contents: {'in': <Directory: in, Parent: box, Contents: {}>}>"},
		{[]string{"cp('box', 'box')"},
			file + "'box': <Directory: box, Parent: attic, Contents: {'box': <Directory: box, Parent: box, Contents: {'box': <Directory: box, Parent: box, Contents: {...}>}>}>"},
		{[]string{"cd('box')", "mkdir('in')", "cd('in')", "touch('x')", "echo([1, 2.0], 'x')"},
			file + "'box': <Directory: box, Parent: attic, Contents: {'in': <Directory: in, Parent: box, Contents: {'x': <<File: x, Content: [1, 2.0]>>}>}>"},
	} {
		assert.Equal(t, "<Directory: attic, Parent: None, Contents: {"+c.want+"}>", treeText(t, c.calls...), "%v", c.calls)
	}
}

// TestFilesystemDescribeShared: copies share what is in them, so that a short sequence
// of calls makes a tree whose text would never end.
func TestFilesystemDescribeShared(t *testing.T) {
	var calls []string
	for range 40 {
		calls = append(calls, "cp('box', 'twin')", "mkdir('next')", "mv('box', 'next')", "mv('twin', 'next')", "mv('next', 'box')")
	}
	assert.Less(t, len(treeText(t, calls...)), 1<<25)
	assert.True(t, strings.HasPrefix(treeText(t, "mv('box', 'box')"), "<Directory: attic"))
}

// TestPostingDefaultLists: tweets posted without mentions share one list within a
// case, on both of its sides, and with no other case.
func TestPostingDefaultLists(t *testing.T) {
	world := sim.NewWorld(nil)
	model, reference := open(t, classes.Posting, postingOpen, world), open(t, classes.Posting, postingOpen, world)
	other := open(t, classes.Posting, postingOpen, nil)
	for _, env := range []*sim.Env{model, reference, other} {
		env.Execute([]string{"post_tweet('a')", "post_tweet('b', mentions=[])"})
	}
	model.Call("mention(0, ['@m'])")
	assert.Equal(t, `{"id": 0, "username": "john", "content": "a", "tags": [], "mentions": ["@m"]}`, reference.Call("get_tweet(0)").Text)
	assert.Equal(t, `{"id": 1, "username": "john", "content": "b", "tags": [], "mentions": []}`, reference.Call("get_tweet(1)").Text)
	assert.Equal(t, `{"id": 0, "username": "john", "content": "a", "tags": [], "mentions": []}`, other.Call("get_tweet(0)").Text)
	assert.Equal(t, `{"id": 0, "username": "john", "content": "x", "tags": [], "mentions": []}`,
		open(t, classes.Posting, postingOpen, nil).Call("post_tweet('x')").Text)
}

// TestPostingGrowth: a list that is extended by itself stays within bounds.
func TestPostingGrowth(t *testing.T) {
	env := open(t, classes.Posting, postingOpen, nil)
	env.Call("post_tweet('a', mentions=['b'])")
	var last string
	for range 100 {
		last = env.Call("mention(0, get_tweet(0)['mentions'])").Text
	}
	assert.Equal(t, raised+"the calls of this case take too much memory", last)
}

// TestTravelAge: the day travellers must be of age by is fixed, so that a verdict
// does not change with the day it is made on.
func TestTravelAge(t *testing.T) {
	const call, young = "verify_traveler_information('Al', 'Bo', '%s', 'US')",
		`{"verification_status": false, "verification_failure": "Traveler must be at least 18 years old."}`
	env := open(t, classes.Travel, travelOpen, nil)
	for born, want := range map[string]string{
		"2007-7-15":  `{"verification_status": true}`,
		"2007-07-16": young,
		"9999-12-31": young,
		"0001-01-01": `{"verification_status": true}`,
	} {
		assert.Equal(t, want, env.Call(fmt.Sprintf(call, born)).Text, born)
	}
}

// TestTravelSharedCards: the long-context cards are the same objects on both sides
// of a case, as upstream has them, and not in other cases.
func TestTravelSharedCards(t *testing.T) {
	long := longContext(t)
	const card = "9978997699789976"
	side := func(world *sim.World) *sim.Env {
		env, err := sim.NewLibrary(classes.Travel).Open(sim.Setup{
			Model: "m", Entry: "multi_turn_long_context_0", Involved: []string{"TravelAPI"}, World: world,
		})
		require.NoError(t, err)
		return env
	}
	world := sim.NewWorld(long)
	model, reference, other := side(world), side(world), side(sim.NewWorld(long))
	booked := model.Call("book_flight(None, '" + card + "', '2024-01-02', 'SFO', 'BOS', 'economy')")
	require.Nil(t, booked.Raised)
	balance := "get_credit_card_balance(None, '" + card + "')"
	assert.Equal(t, model.Call(balance).Text, reference.Call(balance).Text)
	assert.NotEqual(t, model.Call(balance).Text, other.Call(balance).Text)
	assert.Equal(t, other.Call(balance).Text, side(sim.NewWorld(long)).Call(balance).Text)
}

// TestTravelNestedCards: where upstream would put the list of cards into itself,
// the list stays finite, and repeating it ends in an error.
func TestTravelNestedCards(t *testing.T) {
	env := open(t, classes.Travel, travelOpen, nil)
	for i := range 64 {
		env.Call(fmt.Sprintf("register_credit_card('t', '%d', 'd', get_all_credit_cards(), 1)", i))
	}
	instance, _ := env.Instance("TravelAPI")
	assert.NotNil(t, instance.State())
	assert.Contains(t, env.Call("register_credit_card('t', 'x', 'd', get_all_credit_cards(), 1)").Text, "memory")
}

// TestMathLogarithmDigits: a long logarithm is right to the last digit or next
// to it: ln(2**k) / ln(2) is k.
func TestMathLogarithmDigits(t *testing.T) {
	env := open(t, classes.Math, `{}`, nil)
	for _, k := range []int64{3, 64, 1000} {
		n := new(big.Int).Lsh(big.NewInt(1), uint(k))
		text := env.Call("logarithm(" + n.String() + ", 2, 400)").Text
		assert.Regexp(t, `^\{'result': mpf\('(`+big.NewInt(k).String()+`\.0|\d+\.9{390}\d+|\d+\.0{390}\d+)'\)\}$`, text)
	}
}

// TestGoldenMathSums compares sums under the newer Python, whose sum compensates.
func TestGoldenMathSums(t *testing.T) {
	rows := 0
	env := testkit.Must(sim.NewLibrary(classes.Math).Open(sim.Setup{Entry: "multi_turn_base_0", Involved: []string{"MathAPI"}}))(t)
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "sum_vectors.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		for _, method := range []string{"sum_values", "mean", "standard_deviation"} {
			call := method + "(numbers=" + testkit.Text(row, "numbers") + ")"
			assert.Equal(t, testkit.Text(row, method+"_py312"), env.Call(call).Text, "%q", call)
		}
	})
	t.Logf("%d lists compared, three results each", rows)
}

const raised = "Error during execution: "

// A script is calls on one instance, and the texts that answer them. The files
// of testdata, each named after its class, hold scripts, one below another:
//
//	scenario JSON     begins a script
//	> call            and its answer on the next line; "> .name" is an attribute
//	refused JSON      a scenario that is no instance's, and the error below it
//	hostile JSON      a scenario for TestHostile
type script struct {
	class         *sim.Class
	kind          string
	scenario      string
	calls, answer []string // for a refused one, answer is the error
}

func scripts(t testing.TB) (all []*script) {
	t.Helper()
	library := classes.With(classes.Services{Embedder: testkit.Embedder{}})
	files := testkit.Must(filepath.Glob("testdata/*.txt"))(t)
	for _, file := range files {
		class, ok := library.Class(strings.TrimSuffix(filepath.Base(file), ".txt"))
		require.True(t, ok, file)
		text := testkit.Must(os.ReadFile(file))(t)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "", "#":
			case "scenario", "refused", "hostile":
				all = append(all, &script{class: class, kind: word, scenario: rest})
			case ">":
				all[len(all)-1].calls = append(all[len(all)-1].calls, rest)
			default:
				all[len(all)-1].answer = append(all[len(all)-1].answer, line)
			}
		}
	}
	return all
}

// TestScripts runs the scripts of testdata.
func TestScripts(t *testing.T) {
	for _, s := range scripts(t) {
		switch s.kind {
		case "refused":
			_, err := s.class.New(sim.Table(s.scenario), sim.NewWorld(nil))
			if assert.Error(t, err, s.scenario) {
				assert.Equal(t, s.answer, []string{sim.AsException(err).Msg}, s.scenario)
			}
		case "scenario":
			env := open(t, s.class, s.scenario, nil)
			require.Len(t, s.answer, len(s.calls), "%s: %s", s.class.Name, s.scenario)
			for i, call := range s.calls {
				assert.Equal(t, s.answer[i], answered(env, s.class, call), "%s: %s", s.class.Name, call)
			}
		}
	}
}

func answered(env *sim.Env, class *sim.Class, call string) string {
	name, ok := strings.CutPrefix(call, ".")
	if !ok {
		return env.Call(call).Text
	}
	instance, _ := env.Instance(class.Name)
	v, _ := instance.State().GetStr(name)
	return pyval.Repr(v)
}

// open returns one side of a case: an instance of a class with a scenario,
// which is given as JSON.
func open(t testing.TB, class *sim.Class, scenario string, world *sim.World) *sim.Env {
	t.Helper()
	env, err := sim.NewLibrary(class).Open(sim.Setup{
		Model: "m", Entry: "multi_turn_base_0", Involved: []string{class.Name},
		Config: sim.Answer(class.Name, sim.Table(scenario)), World: world,
	})
	require.NoError(t, err)
	return env
}
