package judge_test

import (
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const benchDoc = `{"name": "cinema.book_seats", "parameters": {"type": "dict", "properties": {
	"film": {"type": "string"}, "seats": {"type": "integer"}, "price": {"type": "float"},
	"rows": {"type": "array", "items": {"type": "string"}}, "contact": {"type": "dict"}},
	"required": ["film", "seats"]}}`

const benchAnswer = `[{"cinema.book_seats": {"film": ["The Third Man", "Third Man"], "seats": [3], "price": [12.0, ""],
	"rows": [["F", "G"]], "contact": [{"name": ["Ida Lind"], "phone": ["", "555-0101"]}, ""]}}]`

const benchCall = `[{"cinema_book_seats": {"film": "the third man", "seats": 3, "price": 12,
	"rows": ["f", "g"], "contact": {"name": "Ida Lind"}}}]`

// repeated is a list of n copies of its one item, the k-th with its own number
// of seats.
func repeated(text string, n int, reverse bool) *pyval.List {
	list := &pyval.List{}
	for k := range n {
		if reverse {
			k = n - 1 - k
		}
		seats := pyval.Repr(pyval.MakeInt(int64(k)))
		item := strings.NewReplacer(`"seats": 3`, `"seats": `+seats, `"seats": [3]`, `"seats": [`+seats+`]`).Replace(text)
		v, _ := pyval.ParseJSON(item)
		list.Items = append(list.Items, v.(*pyval.List).Items[0])
	}
	return list
}

func BenchmarkAST(b *testing.B) {
	doc, _ := pyval.ParseJSON(benchDoc)
	docs := []*pyval.Dict{doc.(*pyval.Dict)}
	wrong := strings.Replace(benchCall, "the third man", "the fourth man", 1)
	for _, c := range []struct {
		name           string
		rule           eval.Rule
		calls, answers *pyval.List
	}{
		{"simple/pass", eval.Simple, repeated(benchCall, 1, false), repeated(benchAnswer, 1, false)},
		{"simple/fail", eval.Simple, repeated(wrong, 1, false), repeated(benchAnswer, 1, false)},
		{"multiple/pass", eval.Multiple, repeated(benchCall, 1, false), repeated(benchAnswer, 1, false)},
		{"parallel4/pass", eval.Parallel, repeated(benchCall, 4, false), repeated(benchAnswer, 4, false)},
		{"parallel4/reversed", eval.Parallel, repeated(benchCall, 4, true), repeated(benchAnswer, 4, false)},
		{"parallel4/fail", eval.Parallel, repeated(wrong, 4, false), repeated(benchAnswer, 4, false)},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := judge.Options{Rule: c.rule, UnderscoreToDot: true}
			b.ReportAllocs()
			var v eval.Verdict
			for b.Loop() {
				v = judge.AST(docs, c.calls, c.answers, o)
			}
			if v.Passed() == strings.HasSuffix(c.name, "fail") {
				b.Fatal(show(v))
			}
		})
	}
}

func BenchmarkASTLongText(b *testing.B) {
	doc, _ := pyval.ParseJSON(benchDoc)
	calls, _ := pyval.ParseJSON(strings.Replace(benchCall, "the third man", strings.Repeat("the third man ", 70_000), 1))
	b.ReportAllocs()
	for b.Loop() {
		judge.AST([]*pyval.Dict{doc.(*pyval.Dict)}, calls, repeated(benchAnswer, 1, false), judge.Options{UnderscoreToDot: true})
	}
}
