package doctor

import (
	"bufio"
	_ "embed" // the questions
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// A question is one request with its right answer, which is right by
// construction: all that it holds stands in the question.
type question struct {
	name string
	turn []eval.Message
	// tools are the function documents.
	tools []*pyval.Dict
	want  why.Answer
	// costs are the categories that lose their cases if the answer is not as it
	// should be.
	costs []string
	// line is the question as it is printed.
	line *pyval.Dict
}

// These groups of categories need the same of a server. What needs calls needs
// everything but the categories that want none.
var (
	parallel = []string{"parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"}
	single   = []string{
		"simple_python", "simple_java", "simple_javascript", "multiple", "live_simple", "live_multiple", "live_relevance",
	}
	talks = []string{
		"multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context",
		"memory_kv", "memory_vector", "memory_rec_sum", "web_search_base", "web_search_no_snippet",
	}
	calls = join(single, parallel, talks)
	needs = map[string][]string{
		"calls": calls, "parallel": join(parallel, talks), "single": join(single, parallel), "talks": talks, "silent": {"irrelevance", "live_irrelevance"},
	}
)

func join(lists ...[]string) (out []string) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// short is how many of the questions are asked before each run.
const short = 8

// The questions by name that have a part of their own below.
const (
	aCall         = "a call"
	severalCalls  = "several calls"
	aSystem       = "a system message"
	aLongAnswer   = "a long answer"
	resultsPassed = "a result"
)

//go:embed questions.jsonl
var lines string

// questions are in the order in which they are asked; the first ones decide.
var questions = sync.OnceValue(func() (out []*question) {
	for line := range strings.Lines(lines) {
		v, err := pyval.ParseJSON(line)
		if err != nil {
			panic(fmt.Sprintf("doctor: %v in %s", err, line)) // a test reads them all
		}
		out = append(out, newQuestion(v.(*pyval.Dict)))
	}
	return append(out, longAnswer())
})

// longAnswer asks for more than servers that cap answers let through.
func longAnswer() *question {
	const most = 1000
	var b strings.Builder
	for i := range most {
		fmt.Fprintf(&b, "%d ", i+1)
	}
	return newQuestion(pyval.Object("name", pyval.Str(aLongAnswer), "needs", pyval.Str("calls"),
		"messages", pyval.NewList(pyval.Object("role", pyval.Str("user"), "content", pyval.Str("Write the numbers from 1 to 1000 in digits, with a blank between them and nothing else. Leave none out."))),
		"tools", pyval.NewList(), "answer", pyval.Object("calls", pyval.NewList(), "text", pyval.Str(strings.TrimSpace(b.String())))))
}

func newQuestion(line *pyval.Dict) *question {
	need, _ := line.Text("needs")
	line.Delete(pyval.Str("needs"))
	q := &question{costs: needs[need], line: line}
	q.name, _ = line.Text("name")
	for _, m := range line.List("messages") {
		q.turn = append(q.turn, newMessage(m.(*pyval.Dict)))
	}
	for _, t := range line.List("tools") {
		q.tools = append(q.tools, t.(*pyval.Dict))
	}
	answer := line.Child("answer")
	result := pyval.MakeList(0)
	for _, c := range answer.List("calls") {
		name, _ := c.(*pyval.Dict).Text("name")
		result.Items = append(result.Items, pyval.Object(name, c.(*pyval.Dict).Child("arguments")))
	}
	q.want = why.Read(result)
	q.want.Text, _ = answer.Text("text")
	return q
}

func newMessage(d *pyval.Dict) eval.Message {
	m := eval.Message{}
	m.Role, _ = d.Text("role")
	m.Content, _ = d.Text("content")
	m.CallID, _ = d.Text("tool_call_id")
	m.Name, _ = d.Text("name")
	for _, item := range d.List("tool_calls") {
		f := item.(*pyval.Dict).Child("function")
		c := eval.ToolCall{}
		c.ID, _ = item.(*pyval.Dict).Text("id")
		c.Name, _ = f.Text("name")
		c.Arguments, _ = f.Text("arguments")
		m.Calls = append(m.Calls, c)
	}
	return m
}

// asCase returns the question as a case of a single turn.
func (q *question) asCase() *eval.Case {
	return &eval.Case{ID: "simple_python_0", Language: eval.Python, Turns: [][]eval.Message{q.turn}, Tools: q.tools}
}

// wanted returns the right answer with names as the model sees them.
func (q *question) wanted(s eval.Settings) why.Answer {
	want := q.want
	want.Calls = append([]why.Call(nil), want.Calls...)
	for i := range want.Calls {
		if s.UnderscoreToDot {
			want.Calls[i].Name = strings.ReplaceAll(want.Calls[i].Name, ".", "_")
		}
	}
	return want
}

// Questions writes the questions with their right answers, one a line in JSON.
func Questions(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, q := range questions() {
		line, err := pyval.JSON(q.line, pyval.JSONUnicode)
		if err != nil {
			return err
		}
		if !json.Valid([]byte(line)) {
			return fmt.Errorf("the question %q is no JSON", q.name)
		}
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}
