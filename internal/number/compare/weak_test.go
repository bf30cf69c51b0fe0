package compare_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// everything are all variants, each in one number.
const everything = "none,order,opaque,distractors:8,schema"

// A wire is what a model sees of a request.
type wire struct {
	Messages []struct{ Role, Content string }
	Tools    []struct {
		Function struct {
			Name, Description string
			Parameters        struct {
				Properties map[string]map[string]any
			}
		}
	}
}

// print tells requests apart: what is said, and the tools' names.
func (w *wire) print() string {
	var b strings.Builder
	for _, m := range w.Messages {
		b.WriteString(m.Role + ":" + m.Content + "\n")
	}
	for _, t := range w.Tools {
		b.WriteString(t.Function.Name + ";")
	}
	return b.String()
}

func printOf(c *eval.Case) string {
	var b strings.Builder
	for _, m := range c.Turns[0] {
		b.WriteString(m.Role + ":" + m.Content + "\n")
	}
	for _, name := range c.ToolNames() {
		b.WriteString(strings.ReplaceAll(name, ".", "_") + ";")
	}
	return b.String()
}

// A memory is where the right tool stood in the plain cases, by question.
type memory map[string]int

func (m memory) learn(c *eval.Case, right pyval.Value) {
	m[c.Question()] = slices.IndexFunc(c.ToolNames(), func(name string) bool { return strings.ReplaceAll(name, ".", "_") == called(right) })
}

// A weakness is what a model does instead of answering right; nil where it
// answers right.
type weakness func(w *wire, right pyval.Value, m memory) pyval.Value

var nothing = pyval.Str("I cannot help with that.")

// called is the name of the right call.
func called(right pyval.Value) string {
	list, ok := right.(*pyval.List)
	if !ok || len(list.Items) == 0 {
		return ""
	}
	call, _ := list.Items[0].(*pyval.Dict)
	name, _ := call.At(0)
	return pyval.Text(name)
}

func call(name string) pyval.Value {
	return eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: "{}"}})
}

// weaknesses are one for each variant.
var weaknesses = []struct {
	variant, name string
	do            weakness
}{
	{"order", "picks the tool in a place that it knows", func(w *wire, right pyval.Value, m memory) pyval.Value {
		at, known := m[w.Messages[len(w.Messages)-1].Content]
		if !known || at < 0 || w.Tools[at].Function.Name == called(right) {
			return nil
		}
		return call(w.Tools[at].Function.Name)
	}},
	{"opaque", "reads names only", func(_ *wire, right pyval.Value, _ memory) pyval.Value {
		if strings.ContainsAny(called(right), "aeiou") {
			return nil // it has a syllable
		}
		return nothing
	}},
	{"distractors8", "gives up before many tools", func(w *wire, _ pyval.Value, _ memory) pyval.Value {
		if len(w.Tools) > 8 {
			return nothing
		}
		return nil
	}},
	{"schema", "needs a type beside each parameter", func(w *wire, right pyval.Value, _ memory) pyval.Value {
		for _, t := range w.Tools {
			for _, p := range t.Function.Parameters.Properties {
				if p["type"] == nil {
					return nothing
				}
			}
		}
		return nil
	}},
}

// loopback is a server that knows every case's answer and has a weakness.
func loopback(t *testing.T, p *suite.Plan, do weakness) string {
	answers := map[string]pyval.Value{}
	m := memory{}
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			posed := c.Posed()
			answers[printOf(posed)] = oracle.Answer(posed, eval.FC)
			if c.Variation == nil {
				m.learn(c, answers[printOf(posed)])
			}
		}
	}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q wire
		if err := json.Unmarshal(body, &q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		answer, known := answers[q.print()]
		if !known {
			http.Error(w, `{"error": {"message": "a question that no case asks"}}`, http.StatusBadRequest)
			return
		}
		if weak := do(&q, answer, m); weak != nil {
			answer = weak
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply(answer))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// reply writes an answer as a chat completion.
func reply(answer pyval.Value) []byte {
	message := map[string]any{"role": "assistant", "content": nil}
	if list, ok := answer.(*pyval.List); ok {
		calls := []any{}
		for i, item := range list.Items {
			for name, args := range item.(*pyval.Dict).All() {
				calls = append(calls, map[string]any{
					"id": fmt.Sprintf("call_%d", i), "type": "function",
					"function": map[string]any{"name": pyval.Text(name), "arguments": pyval.Text(args)},
				})
			}
		}
		message["tool_calls"] = calls
	} else {
		message["content"] = pyval.Text(answer)
	}
	out, _ := json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion", "model": "m",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 1, "completion_tokens": 1},
	})
	return out
}

// found are the variants whose loss is significant.
func found(r *compare.Robustness) (out []string) {
	for _, f := range r.Variants {
		if f.Significant && f.Value < 0 {
			out = append(out, f.Variant)
		}
	}
	return out
}

// rich are official cases of which every variant is made.
func rich(t *testing.T, most int) string {
	o := options(t)
	o.Dataset, o.Data, o.Categories, o.Variant = "v4", testkit.Shared(t, "bfcl"), "multiple,live_multiple", everything
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	made := map[string]int{}
	var order []string
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			if made[c.Plain().ID]++; c.Variation == nil {
				order = append(order, c.ID)
			}
		}
	}
	var out []string
	for _, id := range order {
		if made[id] == 5 && len(out) < most {
			out = append(out, id)
		}
	}
	require.Len(t, out, most)
	return strings.Join(out, ",")
}

func options(t *testing.T) suite.Options {
	root := t.TempDir()
	return suite.Options{
		Model: "openai:weak", BaseURL: "http://127.0.0.1:1/v1", Categories: "all", Trials: 1, Root: root, RunDir: filepath.Join(root, "run"),
		Timeout: time.Minute, Concurrency: 8, Seed: 1,
	}
}

// TestGoldenWeaknesses: a model with one weakness is found by its variant and by
// no other.
func TestGoldenWeaknesses(t *testing.T) {
	ids := rich(t, 60)
	for i, weak := range weaknesses {
		if testing.Short() && i%4 > 0 || i%testkit.Some(2, 1) > 0 {
			continue
		}
		t.Run(weak.name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			o.Dataset, o.Data, o.Categories, o.IDs, o.Variant = "v4", testkit.Shared(t, "bfcl"), "multiple,live_multiple", ids, everything
			p, err := suite.NewPlan(o)
			require.NoError(t, err)
			o.BaseURL = loopback(t, p, weak.do)
			run := runAll(t, o)
			r := compare.RobustnessOf(run, false)
			require.NotNil(t, r)
			var b strings.Builder
			require.NoError(t, r.Write(&b))
			t.Log(b.String())
			assert.Equal(t, []string{weak.variant}, found(r))
			assert.NotEmpty(t, r.Signs)
		})
	}
}

// runAll asks all cases and reads the run folder.
func runAll(t *testing.T, o suite.Options) *tally.Run {
	s, err := suite.Open(o)
	require.NoError(t, err)
	s.Start()
	var running sync.WaitGroup
	places := make(chan struct{}, 8)
	for _, part := range s.Plan.Parts {
		for _, c := range part.Cases {
			places <- struct{}{}
			running.Go(func() {
				defer func() { <-places }()
				out := s.Answer(t.Context(), part.Category, c, 0)
				assert.NotEqual(t, eval.Error, out.Status, "%s: %v", c.ID, out.Err)
			})
		}
	}
	running.Wait()
	require.NoError(t, s.Finish(false))
	run, err := tally.Read([]string{o.RunDir}, tally.Options{Data: o.Data})
	require.NoError(t, err)
	return run
}
