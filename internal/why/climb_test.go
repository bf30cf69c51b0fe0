package why

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func value(t testing.TB, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err, text)
	return v
}

func examined(cat *eval.Category, c *eval.Case, result, decoded pyval.Value, s eval.Settings, v eval.Verdict) eval.Result {
	r := eval.Result{Category: cat, Case: c, Verdict: v, Response: eval.Response{Result: result}, Decoded: decoded}
	Examine(&r, s)
	return r
}

func newCase(t testing.TB, tools, answer string) *eval.Case {
	t.Helper()
	c := &eval.Case{ID: "case_0", Answer: value(t, answer).(*pyval.List)}
	for _, tool := range value(t, tools).(*pyval.List).Items {
		c.Tools = append(c.Tools, tool.(*pyval.Dict))
	}
	return c
}

// kettle and toaster are the functions of the cases below.
const (
	kettle = `{"name": "kettle.boil", "parameters": {"type": "dict", "required": ["litres"], "properties": {
		"litres": {"type": "float"}, "tea": {"type": "string"}, "cups": {"type": "array", "items": {"type": "integer"}}}}}`
	toaster = `{"name": "toast", "parameters": {"type": "dict", "required": ["slices"], "properties": {
		"slices": {"type": "integer"}, "shade": {"type": "string"}}}}`
	steam = `{"name": "steam", "parameters": {"type": "dict", "required": ["bars"], "properties": {
		"bars": {"type": "long"}, "steps": {"type": "ArrayList", "items": {"type": "String"}}}}}`
	brew = `{"name": "brew", "parameters": {"type": "dict", "required": ["hot"], "properties": {
		"hot": {"type": "Boolean"}, "roast": {"type": "String"}}}}`
)

const (
	oneKettle  = `[{"kettle.boil": {"litres": [1.5, 2.0], "tea": ["oolong", ""], "cups": [[2, 3], ""]}}]`
	wantedTea  = `[{"kettle.boil": {"litres": [1.5], "tea": ["oolong"]}}]`
	oneSteam   = `[{"steam": {"bars": [9], "steps": [["purge"], ""]}}]`
	oneBrew    = `[{"brew": {"hot": [true], "roast": ["dark", ""]}}]`
	twoToasts  = `[{"toast": {"slices": [2], "shade": ["light", ""]}}, {"toast": {"slices": [4]}}]`
	toastBoil  = `[{"toast": {"slices": [2]}}, {"kettle.boil": {"litres": [1.0]}}]`
	greedyPair = `[{"toast": {"slices": [2, 4]}}, {"toast": {"slices": [2]}}]`
	suffixed   = `[{"toast 1": {"slices": [2]}}, {"toast 2": {"slices": [4]}}]`
)

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		name, category, tools, answer, calls, kind string
		want                                       cause.Level
	}{
		{"right", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2, "tea": "Oolong"}}]`, "", cause.Values},
		{"no list", "simple_python", kettle, oneKettle, `{"kettle.boil": {}}`, "malformed_call", cause.Ground},
		{"no arguments", "simple_python", kettle, oneKettle, `[{"kettle.boil": 3}]`, "malformed_call", cause.Ground},
		{"nothing", "simple_python", kettle, oneKettle, `[]`, "no_call", cause.Ground},
		{"two calls", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0}}, {"kettle.boil": {"litres": 2.0}}]`, "wrong_count", cause.Call},
		{"other function", "simple_python", kettle, oneKettle, `[{"kettle": {"litres": 2.0}}]`, "wrong_function", cause.Call},
		{"missing", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"tea": "oolong"}}]`, "missing_required", cause.Function},
		{"missing, asked for", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 1.5}}]`, "missing_required", cause.Function},
		{"missing beside a wrong value that is reported first", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 9.5}}]`, "value", cause.Function},
		{"invented", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0, "lid": true}}]`, "unexpected_parameter", cause.Required},
		{"known to the document alone", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 1.5, "tea": "oolong", "cups": [2]}}]`, "unexpected_parameter", cause.Required},
		{"wrong value before the invented", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 7.0, "lid": true}}]`, "value", cause.Required},
		{"type", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": "2"}}]`, "type", cause.Known},
		{"nested type", "simple_python", kettle, `[{"kettle.boil": {"litres": [2.0], "cups": [[2, 3]]}}]`, `[{"kettle.boil": {"litres": 2.0, "cups": ["2", "3"]}}]`, "type", cause.Known},
		{"wrong value before the wrong type", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 7.0, "tea": 1}}]`, "value", cause.Known},
		{"value", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.5}}]`, "value", cause.Types},
		{"list value", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0, "cups": [3, 2]}}]`, "value", cause.Types},

		{"java, right", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9L"}}]`, "", cause.Values},
		{"java, no source text", "simple_java", steam, oneSteam, `[{"steam": {"bars": 9}}]`, "type", cause.Known},
		{"java, no long", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9"}}]`, "type", cause.Known},
		{"java, value", "simple_java", steam, oneSteam, `[{"steam": {"bars": "8L"}}]`, "value", cause.Types},
		{"java, items", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9L", "steps": "new ArrayList<>(Arrays.asList(\"rinse\"))"}}]`, "value", cause.Types},
		{"javascript, right", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": "true", "roast": "\"dark\""}}]`, "", cause.Values},
		{"javascript, no source text", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": true}}]`, "type", cause.Known},
		{"javascript, value", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": "false"}}]`, "value", cause.Types},

		{"one of several", "multiple", toaster + "," + kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "", cause.Values},
		{"another of several", "multiple", toaster + "," + kettle, oneKettle, `[{"toast": {"slices": 2}}]`, "wrong_function", cause.Call},
		{"parallel, any order", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"toast": {"slices": 2}}]`, "", cause.Values},
		{"parallel, too few", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}]`, "wrong_count", cause.Call},
		{"parallel, none", "parallel", toaster, twoToasts, `[]`, "no_call", cause.Ground},
		{"parallel, one function wrong", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"bake": {"slices": 2}}]`, "wrong_function", cause.Call},
		{"parallel, the worst call counts", "parallel", toaster, twoToasts, `[{"toast": {"slices": 3, "shade": "light"}}, {"toast": {"slices": "2"}}]`, "type", cause.Known},
		{"parallel, best assignment", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4, "shade": "light"}}, {"toast": {"slices": 7}}]`, "value", cause.Types},
		{"parallel, the same twice", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"toast": {"slices": 4}}]`, "value", cause.Types},
		{"parallel, fits but for upstream's order", "parallel", toaster, greedyPair, `[{"toast": {"slices": 2}}, {"toast": {"slices": 4}}]`, "value", cause.Types},
		{"several functions", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"kettle.boil": {"litres": 1.0}}, {"toast": {"slices": 2}}]`, "", cause.Values},
		{"several functions, one missing", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"toast": {"slices": 2}}, {"toast": {"slices": 2}}]`, "wrong_function", cause.Call},
		{"several functions, one empty", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"kettle.boil": {}}, {"toast": {"slices": 2}}]`, "missing_required", cause.Function},

		{"v1, suffixes", "parallel_multiple_function", toaster + "," + kettle, suffixed, `[{"toast": {"slices": 4}}, {"toast": {"slices": 2}}]`, "", cause.Values},
		{"v1, value", "parallel_multiple_function", toaster + "," + kettle, suffixed, `[{"toast": {"slices": 4}}, {"toast": {"slices": 3}}]`, "value", cause.Types},
		{"v1, matched as parallel", "multiple_function", toaster + "," + kettle, oneKettle, `[{"kettle.boil": {"litres": 9.0}}]`, "value", cause.Types},
		{"v1, no function of the name", "multiple_function", toaster, oneKettle, `[{"toast": {"slices": 9}}]`, "missing_required", cause.Function},
		{"v1, arguments in a list", "simple", kettle, oneKettle, `[{"kettle.boil": ["litres"]}]`, "missing_required", cause.Function},

		{"a document without parameters", "simple_python", `{"name": "kettle.boil"}`, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", cause.Call},
		{"no document", "simple_python", ``, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", cause.Call},
		{"no possible answer", "simple_python", kettle, `[]`, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", cause.Call},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat := categories.Find(c.category)
			item := newCase(t, "["+c.tools+"]", c.answer)
			calls := value(t, c.calls)
			v := cat.Judge(item, calls, nil, eval.Settings{})
			g := examined(cat, item, calls, calls, eval.Settings{}, v)
			assert.Equal(t, c.want.String(), g.Level.String())
			assert.Equal(t, cause.Kind(c.kind), g.Cause.Kind, v.ErrorType)
			assert.Equal(t, v.Passed(), g.Level == cause.Values)
			assert.True(t, g.Seen)
		})
	}
}

// TestAssign compares the lowest level of an assignment with that of all others. No
// two rows would do better with each other's calls.
func TestAssign(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + random.IntN(5)
		rows := make([][]cause.Level, n)
		for i := range rows {
			for range n {
				rows[i] = append(rows[i], cause.Call+cause.Level(random.IntN(6)))
			}
		}
		lowest, taken := cause.Values, map[int]bool{}
		made := assign(rows, cause.Call)
		for row, call := range made {
			require.False(t, call < 0 || taken[call], "%v", rows)
			taken[call] = true
			lowest = min(lowest, rows[row][call])
			for other, its := range made[:row] {
				high, low := max(rows[row][call], rows[other][its]), min(rows[row][call], rows[other][its])
				a, b := rows[row][its], rows[other][call]
				require.False(t, max(a, b) > high && min(a, b) >= low, "%v: %d and %d in %v", rows, row, other, made)
			}
		}
		require.Equal(t, best(rows, 0, make([]bool, n)), lowest, "%v", rows)
	}
}

// best tries every assignment.
func best(rows [][]cause.Level, row int, taken []bool) cause.Level {
	if row == len(rows) {
		return cause.Values
	}
	top := cause.Call
	for k, level := range rows[row] {
		if !taken[k] {
			taken[k] = true
			top = max(top, min(level, best(rows, row+1, taken)))
			taken[k] = false
		}
	}
	return top
}

// TestManyCalls: beyond the bound calls are compared in place, and quickly.
func TestManyCalls(t *testing.T) {
	answer, calls := &pyval.List{}, &pyval.List{}
	for i := range 3000 {
		n := pyval.MakeInt(int64(i))
		answer.Items = append(answer.Items, entry("toast", entry("slices", pyval.NewList(n))))
		calls.Items = append(calls.Items, entry("toast", entry("slices", n)))
	}
	calls.Items[2999] = entry("toast", entry("slices", pyval.Str("x")))
	c := newCase(t, "["+toaster+"]", "[]")
	c.Answer = answer
	failed := eval.Verdict{Status: eval.Fail, ErrorType: "parallel_function_checker_no_order:cannot_find_match"}
	g := examined(categories.Find("parallel"), c, calls, calls, eval.Settings{}, failed)
	assert.True(t, g.Seen)
	assert.Equal(t, cause.Known, g.Level)
	assert.Equal(t, cause.WrongType, g.Cause.Kind)
}

func entry(name string, v pyval.Value) *pyval.Dict {
	d := pyval.NewDict(1)
	d.SetStr(name, v)
	return d
}
