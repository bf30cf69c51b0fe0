package ladder

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
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
		want                                       Level
	}{
		{"right", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2, "tea": "Oolong"}}]`, "", Values},
		{"no list", "simple_python", kettle, oneKettle, `{"kettle.boil": {}}`, "malformed_call", Ground},
		{"no arguments", "simple_python", kettle, oneKettle, `[{"kettle.boil": 3}]`, "malformed_call", Ground},
		{"nothing", "simple_python", kettle, oneKettle, `[]`, "no_call", Ground},
		{"two calls", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0}}, {"kettle.boil": {"litres": 2.0}}]`, "wrong_count", Call},
		{"other function", "simple_python", kettle, oneKettle, `[{"kettle": {"litres": 2.0}}]`, "wrong_function", Call},
		{"missing", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"tea": "oolong"}}]`, "missing_required", Function},
		{"missing, asked for", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 1.5}}]`, "missing_required", Function},
		{"missing beside a wrong value that is reported first", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 9.5}}]`, "value", Function},
		{"invented", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0, "lid": true}}]`, "unexpected_parameter", Required},
		{"known to the document alone", "simple_python", kettle, wantedTea, `[{"kettle.boil": {"litres": 1.5, "tea": "oolong", "cups": [2]}}]`, "unexpected_parameter", Required},
		{"wrong value before the invented", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 7.0, "lid": true}}]`, "value", Required},
		{"type", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": "2"}}]`, "type", Known},
		{"nested type", "simple_python", kettle, `[{"kettle.boil": {"litres": [2.0], "cups": [[2, 3]]}}]`, `[{"kettle.boil": {"litres": 2.0, "cups": ["2", "3"]}}]`, "type", Known},
		{"wrong value before the wrong type", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 7.0, "tea": 1}}]`, "value", Known},
		{"value", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.5}}]`, "value", Types},
		{"list value", "simple_python", kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0, "cups": [3, 2]}}]`, "value", Types},

		{"java, right", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9L"}}]`, "", Values},
		{"java, no source text", "simple_java", steam, oneSteam, `[{"steam": {"bars": 9}}]`, "type", Known},
		{"java, no long", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9"}}]`, "type", Known},
		{"java, value", "simple_java", steam, oneSteam, `[{"steam": {"bars": "8L"}}]`, "value", Types},
		{"java, items", "simple_java", steam, oneSteam, `[{"steam": {"bars": "9L", "steps": "new ArrayList<>(Arrays.asList(\"rinse\"))"}}]`, "value", Types},
		{"javascript, right", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": "true", "roast": "\"dark\""}}]`, "", Values},
		{"javascript, no source text", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": true}}]`, "type", Known},
		{"javascript, value", "simple_javascript", brew, oneBrew, `[{"brew": {"hot": "false"}}]`, "value", Types},

		{"one of several", "multiple", toaster + "," + kettle, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "", Values},
		{"another of several", "multiple", toaster + "," + kettle, oneKettle, `[{"toast": {"slices": 2}}]`, "wrong_function", Call},
		{"parallel, any order", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"toast": {"slices": 2}}]`, "", Values},
		{"parallel, too few", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}]`, "wrong_count", Call},
		{"parallel, none", "parallel", toaster, twoToasts, `[]`, "no_call", Ground},
		{"parallel, one function wrong", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"bake": {"slices": 2}}]`, "wrong_function", Call},
		{"parallel, the worst call counts", "parallel", toaster, twoToasts, `[{"toast": {"slices": 3, "shade": "light"}}, {"toast": {"slices": "2"}}]`, "type", Known},
		{"parallel, best assignment", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4, "shade": "light"}}, {"toast": {"slices": 7}}]`, "value", Types},
		{"parallel, the same twice", "parallel", toaster, twoToasts, `[{"toast": {"slices": 4}}, {"toast": {"slices": 4}}]`, "value", Types},
		{"parallel, fits but for upstream's order", "parallel", toaster, greedyPair, `[{"toast": {"slices": 2}}, {"toast": {"slices": 4}}]`, "value", Types},
		{"several functions", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"kettle.boil": {"litres": 1.0}}, {"toast": {"slices": 2}}]`, "", Values},
		{"several functions, one missing", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"toast": {"slices": 2}}, {"toast": {"slices": 2}}]`, "wrong_function", Call},
		{"several functions, one empty", "parallel_multiple", toaster + "," + kettle, toastBoil, `[{"kettle.boil": {}}, {"toast": {"slices": 2}}]`, "missing_required", Function},

		{"v1, suffixes", "parallel_multiple_function", toaster + "," + kettle, suffixed, `[{"toast": {"slices": 4}}, {"toast": {"slices": 2}}]`, "", Values},
		{"v1, value", "parallel_multiple_function", toaster + "," + kettle, suffixed, `[{"toast": {"slices": 4}}, {"toast": {"slices": 3}}]`, "value", Types},
		{"v1, matched as parallel", "multiple_function", toaster + "," + kettle, oneKettle, `[{"kettle.boil": {"litres": 9.0}}]`, "value", Types},
		{"v1, no function of the name", "multiple_function", toaster, oneKettle, `[{"toast": {"slices": 9}}]`, "missing_required", Function},
		{"v1, arguments in a list", "simple", kettle, oneKettle, `[{"kettle.boil": ["litres"]}]`, "missing_required", Function},

		{"a document without parameters", "simple_python", `{"name": "kettle.boil"}`, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", Call},
		{"no document", "simple_python", ``, oneKettle, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", Call},
		{"no possible answer", "simple_python", kettle, `[]`, `[{"kettle.boil": {"litres": 2.0}}]`, "wrong_function", Call},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat := categories.Find(c.category)
			item := newCase(t, "["+c.tools+"]", c.answer)
			a := Answer{Result: value(t, c.calls), Decoded: value(t, c.calls)}
			v := cat.Judge(item, a.Decoded, nil, a.Settings)
			g := Of(cat, item, a, v)
			assert.Equal(t, c.want.String(), g.Level.String())
			assert.Equal(t, Kind(c.kind), g.Kind, v.ErrorType)
			assert.Equal(t, v.Passed(), g.Level == Values)
			assert.True(t, g.Seen)
		})
	}
}

// TestMatched compares with all assignments.
func TestMatched(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + random.IntN(5)
		rows := make([][]Level, n)
		for i := range rows {
			for range n {
				rows[i] = append(rows[i], Call+Level(random.IntN(6)))
			}
		}
		require.Equal(t, best(rows, 0, make([]bool, n)), matched(rows), "%v", rows)
	}
}

// best tries every assignment.
func best(rows [][]Level, row int, taken []bool) Level {
	if row == len(rows) {
		return Values
	}
	top := Call
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
	g := Of(categories.Find("parallel"), c, Answer{Result: calls, Decoded: calls}, failed)
	assert.Equal(t, Grade{Level: Known, Kind: WrongType, Seen: true}, g)
}

func entry(name string, v pyval.Value) *pyval.Dict {
	d := pyval.NewDict(1)
	d.SetStr(name, v)
	return d
}
