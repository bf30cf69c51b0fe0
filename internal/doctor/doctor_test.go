package doctor_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// A made is a call that a model makes, with its arguments as a server writes them.
type made struct {
	Name string
	Args map[string]any
	// written takes the place of the arguments' JSON.
	written any
}

type message struct {
	Role, Content string
	ToolCalls     []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
}

// An exchange is one request on its way to its reply.
type exchange struct {
	Messages []message
	Tools    []struct {
		Function struct {
			Name       string
			Parameters struct {
				Properties map[string]struct {
					Default any
					Enum    []any
				}
			}
		}
	}
	Stream bool
	Max    int    `json:"max_tokens"`
	Choice string `json:"tool_choice"`

	calls           []made
	text, reasoning string
	model, finish   string
	in, out         int
	refused         string
	raw             bool
	index           func(i int) int // of a call in a stream
}

func (x *exchange) last() string { return x.Messages[len(x.Messages)-1].Content }

// asked is by what a case is known: the last text and the functions.
func (x *exchange) asked() string {
	key := x.last()
	for _, t := range x.Tools {
		key += "\n" + t.Function.Name
	}
	return key
}

// A fault changes an exchange: request before the model answers, model what it
// writes, and parsed what the server makes of its calls.
type fault struct{ request, model, parsed func(x *exchange) }

// A row is a fault with the layer that doctor has to name; "" if it costs nothing.
type row struct {
	fault
	layer why.Layer
}

func parsed(f func(*exchange)) row { return row{fault{parsed: f}, why.Parser} }

// A server plays a perfect model behind a server with one fault.
type server struct {
	fault
	// cases are the right answers to a dataset's cases, by what is asked.
	cases map[string][]made
	// questions are doctor's, of another dataset than the starter.
	questions []line
	pages     map[string]string
}

type line struct {
	Name     string
	Messages []struct{ Role, Content string }
	Tools    []struct{ Name string }
	Answer   struct {
		Calls []struct {
			Name      string
			Arguments map[string]any
		}
		Text string
	}
	// asked is the question without its answer, as it was written.
	asked string
}

// known are the questions about the starter suite.
var known = sync.OnceValue(func() []line {
	var o option.Options
	o.Register(flag.NewFlagSet("doctor", flag.ContinueOnError))
	o.Model, o.Categories = "oracle", "simple_python"
	plan, err := suite.NewPlan(o)
	if err != nil {
		panic(err)
	}
	return questionsOf(plan)
})

// questionsOf are doctor's questions about the functions of a plan.
func questionsOf(plan *suite.Plan) (out []line) {
	var lines bytes.Buffer
	if err := doctor.Questions(&lines, documents(plan)); err != nil {
		panic(err)
	}
	for text := range strings.Lines(lines.String()) {
		var q line
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&q); err != nil {
			panic(err)
		}
		q.asked, _, _ = strings.Cut(text, `, "answer": `)
		out = append(out, q)
	}
	return out
}

// answer is what a perfect model answers.
func (x *exchange) answer(questions []line) {
	offered := map[string]string{}
	for _, t := range x.Tools {
		offered[strings.ReplaceAll(t.Function.Name, "_", ".")] = t.Function.Name
	}
	said := ""
	for _, m := range x.Messages {
		said += m.Role + m.Content + "\n"
	}
	for _, q := range questions {
		fits := len(x.Tools) == 0 || len(q.Tools) == len(x.Tools)
		for _, t := range q.Tools {
			if _, ok := offered[strings.ReplaceAll(t.Name, "_", ".")]; !ok && len(x.Tools) > 0 {
				fits = false
			}
		}
		for _, t := range q.Tools {
			fits = fits && (len(x.Tools) > 0 || strings.Contains(said, t.Name))
		}
		for _, m := range q.Messages {
			fits = fits && strings.Contains(said, m.Content)
		}
		if !fits {
			continue
		}
		x.text = q.Answer.Text
		for _, c := range q.Answer.Calls {
			name := c.Name
			if shown := offered[strings.ReplaceAll(name, "_", ".")]; shown != "" {
				name = shown
			}
			args, _ := json.Marshal(c.Arguments)
			own := map[string]any{}
			d := json.NewDecoder(bytes.NewReader(args))
			d.UseNumber()
			_ = d.Decode(&own)
			x.calls = append(x.calls, made{Name: name, Args: own})
		}
		return
	}
	x.text = "I cannot tell that from what I was given."
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if page, ok := s.pages[r.URL.Path]; ok {
		_, _ = fmt.Fprint(w, page)
		return
	}
	x := &exchange{model: "m"}
	if r.URL.Path != "/v1/chat/completions" || json.NewDecoder(r.Body).Decode(x) != nil {
		http.NotFound(w, r)
		return
	}
	for _, m := range x.Messages {
		x.in += len(m.Content) / 4
	}
	x.in += 60
	at := func(change func(*exchange)) {
		if change != nil {
			change(x)
		}
	}
	at(s.request)
	if x.refused != "" {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": x.refused}})
		return
	}
	if calls, ok := s.cases[x.asked()]; ok {
		for _, c := range calls {
			x.calls = append(x.calls, made{Name: c.Name, Args: deep(c.Args, func(v any) any { return v }).(map[string]any)})
		}
	} else {
		x.answer(slices.Concat(s.questions, known()))
	}
	at(s.model)
	args, _ := json.Marshal(x.calls)
	x.out = len(x.text)/4 + len(args)/4 + 1
	if x.finish = "stop"; x.Max > 0 && x.out > x.Max {
		x.calls, x.text, x.out, x.finish = nil, x.text[:min(4*x.Max, len(x.text))], x.Max, "length"
	}
	if x.raw = x.Choice == "none" || len(x.Tools) == 0; x.raw {
		x.unparse()
	} else {
		at(s.parsed)
	}
	x.reply(w)
}

// unparse leaves the calls in the text, as the Hermes and Qwen families write
// them.
func (x *exchange) unparse() {
	for _, c := range x.calls {
		call, _ := json.Marshal(map[string]any{"name": c.Name, "arguments": c.Args})
		x.text += "<tool_call>\n" + string(call) + "\n</tool_call>\n"
	}
	x.calls = nil
}

// reply writes an answer, plain or as a stream, in OpenAI's form.
func (x *exchange) reply(w http.ResponseWriter) {
	list := []any{}
	for i, c := range x.calls {
		if c.written == nil {
			args, _ := json.Marshal(c.Args)
			c.written = string(args)
		}
		if x.index != nil {
			i = x.index(i)
		}
		list = append(list, map[string]any{"index": i, "id": fmt.Sprint("call_", i), "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.written}})
	}
	message := map[string]any{"role": "assistant", "content": x.text, "reasoning_content": x.reasoning}
	if len(list) > 0 {
		message["tool_calls"] = list
	}
	usage := map[string]int{"prompt_tokens": x.in, "completion_tokens": x.out}
	if !x.Stream {
		_ = json.NewEncoder(w).Encode(map[string]any{"model": x.model, "choices": []any{map[string]any{"message": message, "finish_reason": x.finish}}, "usage": usage})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": message, "finish_reason": x.finish}}, "usage": usage})
	_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", chunk)
}

// eachCall is a change of each call, and leaves one of each leaf of its
// arguments.
func eachCall(change func(x *exchange, i int, c *made)) func(*exchange) {
	return func(x *exchange) {
		for i := range x.calls {
			change(x, i, &x.calls[i])
		}
	}
}

func leaves(change func(v any) any) func(*exchange) {
	return eachCall(func(_ *exchange, _ int, c *made) { c.Args = deep(c.Args, change).(map[string]any) })
}

func texts(change func(s string) string) func(*exchange) {
	return leaves(func(v any) any {
		if s, ok := v.(string); ok {
			return change(s)
		}
		return v
	})
}

func deep(v any, change func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, w := range v {
			out[k] = deep(w, change)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, w := range v {
			out[i] = deep(w, change)
		}
		return out
	}
	return change(v)
}

// streamed is a change of streams alone.
func streamed(change func(x *exchange)) func(*exchange) {
	return func(x *exchange) {
		if x.Stream {
			change(x)
		}
	}
}

// examined examines a server, for the starter suite's simple category.
func examined(t *testing.T, s http.Handler) *doctor.Report {
	t.Helper()
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	return testkit.Must(doctor.Examine(t.Context(), patient(t, at.URL)))(t)
}

// documents are those of a plan's functions.
func documents(plan *suite.Plan) (out []*pyval.Dict) {
	for _, part := range plan.Parts {
		for _, c := range part.Cases {
			out = append(out, c.Tools...)
		}
	}
	return out
}

// patient is the model m at an address.
func patient(t *testing.T, url string) doctor.Patient { return patientOf(t, url, "-model=openai:m") }

func patientOf(t *testing.T, url string, more ...string) doctor.Patient {
	if len(more) == 0 {
		more = []string{"-model=openai:qwen3-8b"}
	}
	open := func(flags ...string) (*suite.Plan, error) {
		return suite.NewPlan(options(t, url, slices.Concat([]string{"-categories=simple_python"}, more, flags)...))
	}
	plan := testkit.Must(open())(t)
	return doctor.Patient{
		ModelID: plan.Model.ID(), Reads: true, Streams: true, Documents: documents(plan), Prompts: append(plan.Prompts(), suite.PromptSize{Category: "simple_python", Chars: 2000}),
		Open: func(flags ...string) (doctor.Visit, eval.Settings, error) {
			p, err := open(flags...)
			if err != nil {
				return nil, eval.Settings{}, err
			}
			v, err := p.Visit()
			return v, p.Model.Settings, err
		},
	}
}

// options are those of a run that asks a server.
func options(t *testing.T, url string, flags ...string) option.Options {
	var o option.Options
	set := flag.NewFlagSet("doctor", flag.ContinueOnError)
	o.Register(set)
	require.NoError(t, set.Parse(append([]string{"-base-url=" + url + "/v1", "-run-dir=" + t.TempDir()}, flags...)))
	return o
}

// wait is how long a server may take to start.
const wait = 20 * time.Second

// TestHealthy: nothing is wrong with a server that has no fault, whatever its
// model writes: what the text of its calls has, too, is the model's.
func TestHealthy(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	r := examined(t, &server{fault: fault{model: func(*exchange) { asked.Add(1) }}})
	assert.Equal(t, doctor.Fine, r.Worst(), r.Findings)
	assert.Empty(t, r.Lost)
	assert.Equal(t, r.Asked, r.Right)
	assert.LessOrEqual(t, asked.Load(), int64(60), "requests of a clean server")
	assert.Nil(t, r.Cure)
	for name, sloppy := range map[string]func(*exchange){
		"numbers as texts": leaves(func(v any) any {
			if n, ok := v.(json.Number); ok {
				return n.String()
			}
			return v
		}),
		"wrong names":     eachCall(func(_ *exchange, _ int, c *made) { c.Name = strings.Replace(c.Name, "label", "tag", 1) }),
		"too few calls":   func(x *exchange) { x.calls = x.calls[:min(1, len(x.calls))] },
		"invented values": eachCall(func(_ *exchange, i int, c *made) { c.Args["extra"] = i }),
	} {
		r := examined(t, &server{fault: fault{model: sloppy}})
		assert.Equal(t, doctor.Fine, r.Worst(), "%s: %+v", name, r.Findings)
		assert.True(t, slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool { return f.State == doctor.Note }), name)
	}
}

// TestCostless: a limit of the server that no case meets costs nothing, and
// there is nothing to do.
func TestCostless(t *testing.T) {
	t.Parallel()
	const seventeen = "12345678901234567"
	r := examined(t, &server{fault: fault{parsed: leaves(func(v any) any {
		if v == json.Number(seventeen) {
			return json.Number("12345678901234568")
		}
		return v
	})}})
	assert.Equal(t, doctor.Fine, r.Worst())
	at := slices.IndexFunc(r.Findings, func(f doctor.Finding) bool { return strings.Contains(f.Want, seventeen) })
	if assert.GreaterOrEqual(t, at, 0, r.Findings) {
		assert.Equal(t, doctor.Note, r.Findings[at].State)
		assert.Contains(t, r.Findings[at].Said, "no case of a dataset needs it")
		assert.Empty(t, r.Findings[at].Remedy)
	}
}

// TestDeclining: a model that declines every call in words, or says one thing to
// everything, is a model.
func TestDeclining(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]func(*exchange){
		"declines": func(x *exchange) {
			if len(x.calls) > 0 {
				x.calls, x.text = nil, "I am sorry, I cannot help with that."
			}
		},
		"one word": func(x *exchange) { x.calls, x.text = nil, "Yes." },
		"one call": func(x *exchange) {
			x.calls, x.text = []made{{Name: "place_label", Args: map[string]any{"code": "A"}}}, ""
		},
	} {
		r := examined(t, &server{fault: fault{model: model}})
		assert.NotEqual(t, doctor.Fault, r.Worst(), "%s: %+v", name, r.Findings)
	}
}

// TestFaults: faults of requests and answers are found with their layer.
func TestFaults(t *testing.T) {
	t.Parallel()
	refuse := func(is func(x *exchange) bool, why string) fault {
		return fault{request: func(x *exchange) {
			if is(x) {
				x.refused = why
			}
		}}
	}
	for name, c := range map[string]struct {
		server
		layer why.Layer
		cure  []string
	}{
		"no parser":   {server{fault: fault{parsed: (*exchange).unparse}}, why.Parser, []string{"-read=dialect", "-dialect=tool-call"}},
		"another":     {server{fault: fault{model: func(x *exchange) { x.model = []string{"llama-3.1-8b", "qwen3-8b"}[len(x.last())%2] }}}, why.Weights, nil},
		"a cap":       {server{fault: fault{request: func(x *exchange) { x.Max = 256 }}}, why.Limit, nil},
		"no limit":    {server{fault: fault{request: func(x *exchange) { x.Max = 0 }}}, why.Limit, nil},
		"cut prompts": {server{fault: fault{request: func(x *exchange) { x.in = min(x.in, 4096) }}}, why.Limit, nil},
		"a short context": {server{
			pages: map[string]string{"/v1/models": `{"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 300}]}`},
		}, why.Limit, nil},
		"no results": {server{fault: refuse(func(x *exchange) bool { return x.Messages[len(x.Messages)-1].Role == "tool" }, "Only user and assistant roles are supported!")}, why.Template, nil},
		"no system": {server{fault: fault{request: func(x *exchange) {
			x.Messages = slices.DeleteFunc(x.Messages, func(m message) bool { return m.Role == "system" })
		}}}, why.Template, nil},
		"front cut": {server{fault: fault{request: func(x *exchange) {
			for len(x.Messages) > 1 && len(x.last()) > 16_000 {
				x.Messages = x.Messages[1:]
			}
		}}}, why.Limit, nil},
		"text in thoughts": {server{fault: fault{parsed: func(x *exchange) {
			if len(x.calls) == 0 {
				x.text, x.reasoning = "", x.text
			}
		}}}, why.Parser, []string{"-read=dialect", "-dialect=tool-call"}},
		"forced calls": {server{fault: fault{parsed: func(x *exchange) {
			if len(x.calls) == 0 {
				x.calls, x.text = []made{{Name: x.Tools[0].Function.Name, Args: map[string]any{}}}, ""
			}
		}}}, why.Parser, []string{"-read=dialect", "-dialect=tool-call"}},
		"no usage":     {server{fault: fault{parsed: func(x *exchange) { x.in, x.out = 0, 0 }}}, why.Gateway, nil},
		"thoughts":     {server{fault: fault{model: func(x *exchange) { x.text = "<think>\nhm\n</think>\n" + x.text }}}, why.Parser, []string{"-read=dialect", "-dialect=tool-call"}},
		"no functions": {server{fault: fault{model: func(x *exchange) { noFunctions(x) }}}, why.Template, []string{"-mode=prompt"}},
		"unequipped":   {server{fault: refuse(func(x *exchange) bool { return len(x.Tools) > 0 && x.Choice != "none" }, `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`)}, why.Parser, []string{"-read=dialect", "-dialect=tool-call"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examined(t, &c.server)
			var found []string
			for _, f := range r.Findings {
				if f.State != doctor.Fine {
					found = append(found, string(f.State)+" "+string(f.Layer))
				}
			}
			assert.Contains(t, found, "fault "+string(c.layer))
			if c.cure == nil {
				assert.Nil(t, r.Cure)
				return
			}
			if assert.NotNil(t, r.Cure) {
				assert.Equal(t, c.cure, r.Cure.Flags)
				assert.Greater(t, r.Cure.Right, r.Right, "it gains what it says")
			}
		})
	}
}

// noFunctions is a template without a place for functions.
func noFunctions(x *exchange) {
	if len(x.Tools) > 0 && len(x.calls) > 0 {
		x.calls, x.text = nil, "I have no access to such a function."
	}
}

// TestDead: nothing is found at a dead address but that it is dead.
func TestDead(t *testing.T) {
	t.Parallel()
	at := httptest.NewServer(http.NotFoundHandler())
	at.Close()
	require.ErrorIs(t, testkit.Err(doctor.Examine(t.Context(), patient(t, at.URL))), doctor.ErrDead)
}

// TestShort: the questions before a run name what differs, without blame, say
// nothing of a clean server, and refuse one without answers.
func TestShort(t *testing.T) {
	unequipped := func(x *exchange) {
		x.refused = `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`
	}
	for name, c := range map[string]struct {
		fault
		said, refused string
		worst         doctor.State
	}{
		"clean":     {worst: doctor.Fine},
		"no parser": {fault: fault{parsed: (*exchange).unparse}, said: "calls stay in the text", worst: doctor.Doubt},
		"refuses":   {fault: fault{request: unequipped}, said: "no answer", refused: "no answer", worst: doctor.Fault},
	} {
		t.Run(name, func(t *testing.T) {
			at := httptest.NewServer(&server{fault: c.fault})
			t.Cleanup(at.Close)
			r := testkit.Must(doctor.Short(t.Context(), patient(t, at.URL)))(t)
			assert.Equal(t, c.worst, r.Worst())
			assert.Contains(t, r.Refused(), c.refused)
			assert.Equal(t, c.refused == "", r.Refused() == "")
			if c.said == "" {
				assert.Empty(t, r.Findings)
			} else if assert.NotEmpty(t, r.Findings) {
				assert.Contains(t, r.Findings[0].Said, c.said)
			}
		})
	}
}

// TestQuestions: each has a name, a right answer, and a text by which it is known.
// All that the answer holds stands in the question.
func TestQuestions(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range known() {
		assert.False(t, seen[q.Name], q.Name)
		seen[q.Name] = true
		assert.NotEmpty(t, q.Messages)
		assert.True(t, len(q.Answer.Calls) > 0 || q.Answer.Text != "", q.Name)
		bare := strings.NewReplacer(`\`, "", `"`, "")
		for _, c := range q.Answer.Calls {
			assert.True(t, slices.ContainsFunc(q.Tools, func(tool struct{ Name string }) bool { return tool.Name == c.Name }), q.Name)
			assert.LessOrEqual(t, len(c.Name), 64, "servers refuse longer names")
			deep(c.Arguments, func(v any) any {
				var leaf strings.Builder
				out := json.NewEncoder(&leaf)
				out.SetEscapeHTML(false)
				assert.NoError(t, out.Encode(v))
				assert.Contains(t, bare.Replace(q.asked), bare.Replace(strings.TrimSpace(leaf.String())), q.Name)
				return v
			})
		}
	}
}
