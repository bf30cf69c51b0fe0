package doctor_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/why"
)

// trackers are faults that users reported to inference servers and gateways,
// each with the layer that doctor has to name; "" for those that cost nothing
// here. Someone chose them who had not read doctor's rules.
func trackers() map[string]row {
	stream := func(f func(*exchange)) row { return row{fault{parsed: streamed(f)}, why.Stream} }
	out := map[string]row{
		"after_empty": parsed(eachCall(func(x *exchange, i int, c *made) {
			if i > 0 && len(x.calls[i-1].Args) == 0 {
				c.Args = nil
				c.written = "{}"
			}
		})),
		"stream_coarse": stream(eachCall(func(_ *exchange, _ int, c *made) { c.written = "{}" })),
		"stream_null_args": {fault{parsed: streamed(eachCall(func(_ *exchange, _ int, c *made) {
			if len(c.Args) == 0 {
				c.written = json.RawMessage("null")
			}
		}))}, why.Stream},
		"same_index": stream(func(x *exchange) {
			for i := 1; i < len(x.calls); i++ {
				a, _ := json.Marshal(x.calls[0].Args)
				b, _ := json.Marshal(x.calls[i].Args)
				x.calls[0].written = string(a) + string(b)
			}
			x.calls = x.calls[:min(1, len(x.calls))]
		}),
		"tool_index":     {fault{parsed: streamed(func(x *exchange) { x.index = func(i int) int { return 3 + 2*i } })}, ""},
		"first_of_array": parsed(func(x *exchange) { x.calls = x.calls[:min(1, len(x.calls))] }),
		"string_int": parsed(eachCall(func(_ *exchange, _ int, c *made) {
			for k, v := range c.Args {
				if nested, ok := v.(map[string]any); ok {
					c.Args[k] = deep(nested, func(v any) any {
						if n, ok := v.(json.Number); ok {
							return n.String()
						}
						return v
					})
				}
			}
		})),
		"unclosed_last_object": parsed(eachCall(func(_ *exchange, _ int, c *made) {
			if text, _ := json.Marshal(c.Args); strings.HasSuffix(string(text), "}}") {
				c.written = string(text[:len(text)-1])
			} else if c.Args["guest"] != nil { // the last argument as the model wrote it
				c.written = string(text[:len(text)-1])
			}
		})),
		"trim": {fault{parsed: texts(strings.TrimSpace)}, ""},
		"name_null_split": parsed(func(x *exchange) {
			var out []made
			for _, c := range x.calls {
				args, _ := json.Marshal(c.Args)
				out = append(out, made{Name: c.Name, written: ""}, made{written: string(args) + string(args)})
			}
			x.calls = out
		}),
		"missing_space": parsed(texts(func(s string) string {
			return strings.NewReplacer(", ", ",", ": ", ":").Replace(s)
		})),
		"unicode_keys": {fault{parsed: eachCall(func(_ *exchange, _ int, c *made) {
			if v, ok := c.Args["länge"]; ok {
				delete(c.Args, "länge")
				c.Args["größe"] = v
			}
		})}, ""},
		"replacement_char": {fault{parsed: texts(func(s string) string {
			return strings.Map(func(r rune) rune {
				if r > 0x7ff {
					return '\uFFFD'
				}
				return r
			}, s)
		})}, why.Parser},
		"double_escape": parsed(texts(func(s string) string {
			return strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(s)
		})),
		"finish_stop": {fault{parsed: func(x *exchange) { x.finish = "stop" }}, ""},
		"dict_args":   {fault{parsed: eachCall(func(_ *exchange, _ int, c *made) { c.written = c.Args })}, ""},
		"coerce_none": parsed(leaves(func(v any) any {
			switch v {
			case "none", "null":
				return nil
			case "true":
				return true
			}
			return v
		})),
		"number_string": parsed(leaves(func(v any) any {
			if s, ok := v.(string); ok && s != "" && strings.Trim(s, "0123456789") == "" {
				return json.Number(strings.TrimLeft(s, "0"))
			}
			return v
		})),
		"history_reject": {fault{request: func(x *exchange) {
			for _, m := range x.Messages {
				for _, c := range m.ToolCalls {
					if c.Function.Arguments == "{}" {
						x.refused = "Failed to parse tool call arguments as JSON"
					}
				}
			}
		}}, why.Template},
		"nul_cut": {fault{request: func(x *exchange) {
			for i := range x.Messages {
				x.Messages[i].Content, _, _ = strings.Cut(x.Messages[i].Content, "東")
			}
		}}, why.Template},
		"text_lost": parsed(func(x *exchange) {
			if x.text != "" {
				x.calls = nil
			}
		}),
		"reasoning_call": parsed(func(x *exchange) {
			if len(x.calls) > 0 {
				x.unparse()
				x.reasoning, x.text = "I call it. "+x.text, ""
			}
		}),
		"default_filled": parsed(eachCall(func(x *exchange, _ int, c *made) {
			for _, tool := range x.Tools {
				for name, p := range tool.Function.Parameters.Properties {
					if _, given := c.Args[name]; !given && p.Default != nil {
						c.Args[name] = p.Default
					}
				}
			}
		})),
		"enum_case": parsed(eachCall(func(x *exchange, _ int, c *made) {
			for _, tool := range x.Tools {
				for name, p := range tool.Function.Parameters.Properties {
					if s, ok := c.Args[name].(string); ok && len(p.Enum) > 0 {
						c.Args[name] = strings.ToUpper(s)
					}
				}
			}
		})),
	}
	var earlier sync.Map
	out["cached"] = row{fault{model: func(x *exchange) {
		was, _ := earlier.LoadOrStore(x.last(), x.calls)
		x.calls = was.([]made)
	}}, why.Gateway}
	var n, flying atomic.Int64
	out["wrong_slot"] = row{fault{model: func(x *exchange) {
		defer flying.Add(-1)
		busy := flying.Add(1) > 1
		for range 10 {
			busy = busy || flying.Load() > 1
			time.Sleep(time.Millisecond / 10)
		}
		if mine := n.Add(1); busy && mine%10 == 0 {
			x.calls, x.text = []made{{Name: "place_label", Args: map[string]any{"code": "QUARTZ-7391"}}}, ""
		}
	}}, why.Gateway}
	out["seed_ignored_temp"] = row{fault{model: func(x *exchange) {
		if n.Add(1)%10 == 0 && len(x.calls) > 0 {
			for k, v := range x.calls[0].Args {
				x.calls[0].Args[k] = fmt.Sprint(v, n.Load())
			}
		}
	}}, why.Sampling}
	return out
}

// TestTrackers: doctor names the layer of nearly each fault that costs something,
// and none of those that cost nothing.
func TestTrackers(t *testing.T) {
	named, cost := 0, 0
	for name, c := range trackers() {
		t.Run(name, func(t *testing.T) {
			r := examined(t, &server{fault: c.fault})
			found := ""
			for _, f := range r.Findings {
				if f.State != doctor.Fine {
					found += fmt.Sprintf("\n    %s %s (%s): %.150s", f.State, f.Layer, f.Question, f.Said)
				}
			}
			right := false
			for _, f := range r.Findings {
				right = right || f.State == doctor.Fault && f.Layer == c.layer
			}
			t.Logf("%-20s %v%s", name, right, found)
			if c.layer == "" {
				assert.Equal(t, doctor.Fine, r.Worst())
				return
			}
			cost++
			if right {
				named++
			}
		})
	}
	t.Logf("%d of %d named with their layer", named, cost)
	assert.GreaterOrEqual(t, 10*named, 9*cost) // some depend on how many requests meet
}
