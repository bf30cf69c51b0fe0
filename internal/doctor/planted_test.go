package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// planted are faults of servers and gateways that users reported, chosen after the
// explanation was built; each names its report.
func planted() map[string]row {
	calls := func(f func(i, n int, c *made)) row {
		return parsed(eachCall(func(x *exchange, i int, c *made) { f(i, len(x.calls), c) }))
	}
	keys := func(f func(string) string) func(v map[string]any) map[string]any {
		return func(v map[string]any) map[string]any {
			out := map[string]any{}
			for k, w := range v {
				out[f(k)] = w
			}
			return out
		}
	}
	written := func(f func(args map[string]any, text string) string) row {
		return calls(func(_, _ int, c *made) {
			text, _ := json.Marshal(c.Args)
			c.written = f(c.Args, string(text))
		})
	}
	integer := func(v any) (string, bool) {
		n, ok := v.(json.Number)
		return n.String(), ok && !strings.ContainsAny(n.String(), ".eE")
	}
	return map[string]row{
		// vllm-project/vllm 40959, AstrBotDevs/AstrBot 10076
		"wrapped": calls(func(_, _ int, c *made) { c.Args = map[string]any{"arguments": c.Args} }),
		// ollama/ollama 17486
		"envelope": calls(func(_, _ int, c *made) { c.Args = map[string]any{"name": c.Name, "arguments": c.Args} }),
		// openclaw/openclaw 119464
		"dotted_keys": calls(func(_, _ int, c *made) { c.Args = keys(func(k string) string { return "args." + k })(c.Args) }),
		// lidge-jun/opencodex 1611, openai/codex 33452
		"whole_floats": parsed(leaves(func(v any) any {
			if n, ok := integer(v); ok {
				return json.RawMessage(n + ".0")
			}
			return v
		})),
		// ml-explore/mlx-lm 1417
		"dropped_numbers": parsed(func(x *exchange) {
			x.calls = slices.DeleteFunc(x.calls, func(c made) bool {
				return slices.ContainsFunc(slices.Collect(maps.Values(c.Args)), func(v any) bool { _, ok := integer(v); return ok })
			})
		}),
		// SWE-agent/SWE-agent 1475
		"lists_as_texts": calls(func(_, _ int, c *made) {
			for k, v := range c.Args {
				if list, ok := v.([]any); ok {
					text, _ := json.Marshal(list)
					c.Args[k] = string(text)
				}
			}
		}),
		// lidge-jun/opencodex 5230, recoupable/app 1176
		"namespace": calls(func(_, _ int, c *made) { c.Name = "default_api." + c.Name }),
		// router-for-me/CLIProxyAPI 4106
		"bare_name": calls(func(_, _ int, c *made) {
			_, c.Name, _ = strings.Cut("_"+c.Name, "_")
			c.Name = c.Name[strings.LastIndex(c.Name, "_")+1:]
		}),
		// ggml-org/llama.cpp 14101
		"rest_in_text": parsed(func(x *exchange) {
			if len(x.calls) > 1 {
				first := x.calls[:1]
				x.calls = x.calls[1:]
				x.unparse()
				x.calls = first
			}
		}),
		// can1357/oh-my-pi 1970
		"last_alone": calls(func(i, n int, c *made) {
			if i < n-1 {
				c.Args = map[string]any{}
			}
		}),
		// sgl-project/sglang 37634
		"second_bare": calls(func(i, _ int, c *made) {
			if i > 0 {
				c.written = ""
			}
		}),
		// vllm-project/vllm 30722
		"lists_in_text": parsed(func(x *exchange) {
			for _, c := range x.calls {
				for _, v := range c.Args {
					if _, ok := v.([]any); ok {
						x.unparse()
						return
					}
				}
			}
		}),
		// vllm-project/vllm 39468
		"list_tokens": calls(func(_, _ int, c *made) {
			for _, v := range c.Args {
				if list, ok := v.([]any); ok {
					for i := range list {
						if s, ok := list[i].(string); ok {
							list[i] = `<|"` + s + `<|"|`
						}
					}
				}
			}
		}),
		// raullenchai/Rapid-MLX 3419, SWE-agent/SWE-agent 1178
		"layout_lines": parsed(texts(func(s string) string { return "\n" + s + "\n" })),
		// vllm-project/vllm 21046
		"first_letters": written(func(_ map[string]any, text string) string { return strings.Replace(text, `{"`, `{`, 1) }),
		// sgl-project/sglang 35564
		"one_more_call": parsed(func(x *exchange) {
			if len(x.calls) > 0 {
				x.calls = append([]made{{Name: x.calls[0].Name, Args: map[string]any{}}}, x.calls...)
			}
		}),
		// vllm-project/vllm 49316
		"integers_as_texts": parsed(leaves(func(v any) any {
			if n, ok := integer(v); ok {
				return n
			}
			return v
		})),
		// BerriAI/litellm 20107
		"hashed_names": calls(func(_, _ int, c *made) {
			if h := fnv.New32a(); len(c.Name) > 20 {
				_, _ = h.Write([]byte(c.Name))
				c.Name = fmt.Sprintf("%s_%08x", c.Name[:11], h.Sum32())
			}
		}),
		// vllm-project/vllm 30722 (comment): arguments as Python writes them
		"python_text": written(func(_ map[string]any, text string) string {
			return strings.NewReplacer(`"`, `'`, "true", "True", "false", "False", "null", "None").Replace(text)
		}),
		// numbers through 32 bits, as of protobuf gateways
		"single_precision": parsed(leaves(func(v any) any {
			if n, ok := v.(json.Number); ok {
				if f, err := n.Float64(); err == nil && f != math.Trunc(f) {
					return float64(float32(f))
				}
			}
			return v
		})),
	}
}

// TestGoldenPlanted holds doctor, failures and compare against these faults.
func TestGoldenPlanted(t *testing.T) {
	if os.Getenv("BFCL_YARDSTICK") == "" && os.Getenv("CI") != "true" {
		t.Skip("it takes minutes: set BFCL_YARDSTICK=1, or CI=true")
	}
	shared := testkit.Shared(t)
	cases := answers(t, shared)
	all := testkit.Must(suite.NewPlan(options(t, "http://127.0.0.1:1", "-model=openai:m", "-dataset=v4", "-data="+filepath.Join(shared, "bfcl"), "-categories=all")))(t)
	questions := questionsOf(all)
	open := func(f fault) string {
		at := httptest.NewServer(&server{fault: f, cases: cases, questions: questions})
		t.Cleanup(at.Close)
		return at.URL
	}
	table := &yardstick{shared: shared, clean: measured(t, shared, open(fault{}))}
	faults := planted()
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		table.row(t, name, faults[name].layer, open(faults[name].fault))
	}
	table.holds(t)
}

// answers are the right answers to the cases that are measured.
func answers(t *testing.T, shared string) map[string][]made {
	flags := []string{"-model=openai:m", "-dataset=v4", "-data=" + filepath.Join(shared, "bfcl"), "-categories=simple_python,multiple,parallel,live_simple,irrelevance"}
	plan := testkit.Must(suite.NewPlan(options(t, "http://127.0.0.1:1", flags...)))(t)
	out := map[string][]made{}
	for _, part := range plan.Parts {
		for _, c := range part.Cases {
			last := c.Turns[0][len(c.Turns[0])-1]
			x := &exchange{Messages: []message{{Content: last.Content}}}
			key := x.last()
			for _, tool := range c.Tools {
				name, _ := tool.Text("name")
				key += "\n" + strings.ReplaceAll(name, ".", "_")
			}
			want, _, _ := why.Expected(part.Category, c, why.Answer{Text: "No function fits."})
			list := []made{}
			for _, call := range want.Calls {
				args := map[string]any{}
				text := testkit.Must(pyval.JSON(call.Args, pyval.JSONUnicode))(t)
				d := json.NewDecoder(bytes.NewReader([]byte(text)))
				d.UseNumber()
				require.NoError(t, d.Decode(&args))
				list = append(list, made{Name: strings.ReplaceAll(call.Name, ".", "_"), Args: args})
			}
			out[key] = list
		}
	}
	return out
}
