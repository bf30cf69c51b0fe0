package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// write puts a models.yaml into a folder of the test's own.
func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "models.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func load(t testing.TB, texts ...string) *Catalog {
	t.Helper()
	var paths []string
	for _, text := range texts {
		paths = append(paths, write(t, text))
	}
	return testkit.Must(Load(paths...))(t)
}

// local are the adapters without a server.
var local = []string{"oracle", "replay", "command"}

func resolve(t testing.TB, c *Catalog, model string) Entry {
	t.Helper()
	return testkit.Must(c.Resolve(model, local))(t)
}

func number(x float64) *float64 { return &x }

func environment(pairs ...string) Environment {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// TestEmbedded holds the shipped catalogue to its own rules: every entry
// resolves, no address is unknown, and a price names its day and its page.
func TestEmbedded(t *testing.T) {
	c := load(t)
	list := c.List()
	priced := 0
	for _, e := range list {
		assert.NotEmpty(t, e.DisplayName, e.Name)
		assert.NotEmpty(t, e.Organization, e.Name)
		assert.NotEmpty(t, e.License, e.Name)
		assert.NotEmpty(t, e.URL, e.Name)
		assert.NotEmpty(t, e.Mode, e.Name)
		assert.Equal(t, e, resolve(t, c, e.Name))
		_, known := e.provider()
		assert.True(t, known || isLocal(hostOf(e.BaseURL)) || strings.HasPrefix(e.BaseURL, "${"), "%s: no convention for %s", e.Name, e.BaseURL)
		if !e.Prices.Known() {
			assert.Equal(t, Prices{}, e.Prices, e.Name)
			continue
		}
		priced++
		assert.NotEmpty(t, e.Prices.Source, e.Name)
		assert.Regexp(t, ownPage, e.Prices.Source, "%s: a price's source is the provider's own page or upstream's table", e.Name)
		day, err := time.Parse(time.DateOnly, e.Prices.Priced)
		assert.NoError(t, err, e.Name)
		assert.Less(t, day.Year(), 2100, e.Name)
		assert.LessOrEqual(t, *e.Prices.Input, *e.Prices.Output, e.Name)
		if strings.HasPrefix(e.ID, e.Name) && e.ID != e.Name {
			assert.Equal(t, e.Prices, resolve(t, c, e.Adapter+":"+e.Name).Prices, "%s: the undated id is the model too", e.Name)
		}
	}
	assert.GreaterOrEqual(t, len(list), 40)
	t.Logf("%d models, %d with prices", len(list), priced)
}

// ownPage matches pages of providers, and upstream's table of models.
const ownPage = `^https://(([a-z0-9-]+\.)*(openai\.com|claude\.com|google\.dev|aws\.amazon\.com|mistral\.ai|x\.ai|deepseek\.com|groq\.com|kimi\.ai)|github\.com/ShishirPatil/gorilla/blob/[0-9a-f]+/.*model_config\.py$)`

func TestResolve(t *testing.T) {
	c := load(t, `
models:
  mine: {adapter: openai, id: org/model, base_url: "https://llm.example.com/v1", aliases: [other], prices: {input: 1, output: 2}}
  here: {adapter: openai, id: local-id, base_url: "http://localhost:9000", prices: {gpu_hour: 4}}
  "qwen3:8b": {adapter: openai, id: "qwen3:8b"}
  two-a: {adapter: openai, id: twice, base_url: "https://a.example.com", prices: {input: 1, output: 2}}
  two-b: {adapter: openai, id: twice, base_url: "https://b.example.com", prices: {input: 1, output: 2}}
`)
	cases := []struct {
		model, name, adapter, id string
		priced                   bool
	}{
		{"mine", "mine", "openai", "org/model", true},
		{"other", "mine", "openai", "org/model", true},
		{"org/model", "mine", "openai", "org/model", true},
		{"openai:org/model", "openai:org/model", "openai", "org/model", true},
		{"openai:other", "openai:other", "openai", "other", true},
		{"openai:local-id", "openai:local-id", "openai", "local-id", false},
		{"openai:twice", "openai:twice", "openai", "twice", false},
		{"anthropic:org/model", "anthropic:org/model", "anthropic", "org/model", false},
		{"qwen3:8b", "qwen3:8b", "openai", "qwen3:8b", false},
		{"openai:qwen3:8b", "openai:qwen3:8b", "openai", "qwen3:8b", false},
		{"gpt-5-mini", "gpt-5-mini", "responses", "gpt-5-mini-2025-08-07", true},
		{"gpt-5-mini-2025-08-07-FC", "gpt-5-mini-2025-08-07-FC", "responses", "gpt-5-mini-2025-08-07", true},
		{"deepseek-reasoner", "DeepSeek-V3.2-Exp-thinking", "openai", "deepseek-reasoner", false},
		{"openai:gpt-5-mini", "openai:gpt-5-mini", "openai", "gpt-5-mini", true},
		{"responses:gpt-5-mini-2025-08-07", "responses:gpt-5-mini-2025-08-07", "responses", "gpt-5-mini-2025-08-07", true},
		{"bedrock:us.amazon.nova-pro-v1:0", "bedrock:us.amazon.nova-pro-v1:0", "bedrock", "us.amazon.nova-pro-v1:0", true},
		{"openai:never-heard-of", "openai:never-heard-of", "openai", "never-heard-of", false},
		{"oracle", "oracle", "oracle", "", false},
		{"replay:results/run", "replay:results/run", "replay", "results/run", false},
		{"command:python ask.py", "command:python ask.py", "command", "python ask.py", false},
	}
	for _, tc := range cases {
		e := resolve(t, c, tc.model)
		assert.Equal(t, []string{tc.name, tc.adapter, tc.id}, []string{e.Name, e.Adapter, e.ID}, tc.model)
		assert.Equal(t, tc.priced, e.Prices.Known(), tc.model)
	}
}

func TestResolveUnknown(t *testing.T) {
	c := load(t, "models: {my-model: {adapter: openai, id: x}}")
	cases := []struct{ model, want string }{
		{"my-modle", "unknown model my-modle; did you mean \"my-model\"?; a model that is not in models.yaml is written adapter:id, as in openai:my-modle"},
		{"GPT-5-Mini", "did you mean \"gpt-5-mini"},
		{"orcale", "did you mean \"oracle\"?"},
		{"haiku", "did you mean \"claude-haiku-4-5"},
		{"zzzzzzzzzzzzzzzzzzz", "unknown model zzzzzzzzzzzzzzzzzzz; a model"},
		{"", "unknown model ;"},
		{"openai:", "model openai: has no id after the colon"},
		{"Qwen/Qwen3:free", "unknown model Qwen/Qwen3:free"},
		{"x\x1b[2J\n--- PASS", `unknown model "x\x1b[2J\n--- PASS"`},
		{strings.Repeat("a", 1<<20), "unknown model aaa"},
	}
	for _, tc := range cases {
		_, err := c.Resolve(tc.model, local)
		require.Error(t, err, tc.model)
		assert.Contains(t, err.Error(), tc.want)
		assert.Less(t, len(err.Error()), 1000)
	}
}

// TestOverride: a later file overrides what it says and extends the rest;
// another id is another model; another host takes nothing of the first's.
func TestOverride(t *testing.T) {
	c := load(t, `
models:
  gpt-4.1: {rpm: 60, parameters: {temperature: 0.5}}
  gpt-4o: {id: other-model, adapter: openai}
  o3: {base_url: "https://proxy.example.com/v1"}
  o4-mini: {base_url: "https://api.openai.com/v2", prices: {input: 0, output: 0}}
  base:
    adapter: openai
    id: m
    base_url: https://one.example.com/v1
    key: ONE_KEY
    headers: {X-A: "${A}", X-B: plain}
    extra: {top_k: 5, deep: {a: 1}}
    tpm: 1000
`, `
models:
  base:
    headers: {x-b: null, x-a: "${B}", X-C: c}
    extra: {top_k: null, min_p: 0.1}
    parameters: {max_tokens: 10, reasoning_effort: low}
    underscore_to_dot: false
`)
	e := resolve(t, c, "gpt-4.1")
	assert.Equal(t, 60, e.RPM)
	assert.Equal(t, Parameters{Temperature: number(0.5)}, e.Parameters)
	assert.Equal(t, number(2), e.Prices.Input)
	assert.Contains(t, e.Origin, "models.yaml:3")

	assert.Equal(t, Prices{}, resolve(t, c, "gpt-4o").Prices)
	assert.Empty(t, resolve(t, c, "gpt-4o").DisplayName)

	e = resolve(t, c, "o3")
	assert.Equal(t, Prices{}, e.Prices)
	assert.Equal(t, "o3-2025-04-16", e.ID)
	assert.Equal(t, Prices{Input: number(0), Output: number(0)}, resolve(t, c, "o4-mini").Prices)

	e = resolve(t, c, "base")
	assert.Equal(t, map[string]string{"x-a": "${B}", "X-C": "c"}, e.Headers, "the case of a header's name does not matter")
	assert.Equal(t, map[string]any{"top_k": nil, "deep": map[string]any{"a": 1}, "min_p": 0.1}, e.Extra)
	assert.Equal(t, Parameters{MaxTokens: 10, ReasoningEffort: "low"}, e.Parameters)
	assert.Equal(t, []any{"ONE_KEY", 1000, false}, []any{e.Key, e.TPM, *e.UnderscoreToDot})

	moved := e.At("https://two.example.com/v1")
	assert.Empty(t, moved.Key)
	assert.Empty(t, moved.Headers)
	assert.Zero(t, moved.TPM)
	assert.Equal(t, e.Extra, moved.Extra)
	assert.Equal(t, "ONE_KEY", e.At("https://one.example.com/v2").Key)
}

// TestListIsolated: what a caller changes does not reach the catalogue.
func TestListIsolated(t *testing.T) {
	c := load(t, "models: {m: {adapter: openai, id: x, headers: {A: b}, extra: {k: 1}}}")
	e := resolve(t, c, "m")
	e.Headers["A"], e.Extra["k"] = "changed", 2
	assert.Equal(t, "b", resolve(t, c, "m").Headers["A"])
	assert.Equal(t, 1, resolve(t, c, "m").Extra["k"])
}

// TestCost: rounded at the end, the cost is package leaderboard's figure.
func TestCost(t *testing.T) {
	e := Entry{Prices: Prices{Input: number(0.0375), Output: number(0.15)}}
	var u leaderboard.Usage
	var in, out int
	for n := range 5000 {
		u.Input.AddInt(int64(n*7 + 311))
		u.Output.AddInt(int64(n + 13))
		in, out = in+n*7+311, out+n+13
	}
	spend := testkit.Must(u.Spend(leaderboard.Model{InputPrice: e.Prices.Input, OutputPrice: e.Prices.Output}))(t)
	assert.Equal(t, spend.Cost.Value, stat.Round2(e.Prices.Cost(in, out)))

	assert.Zero(t, Prices{}.Cost(1, 1))
	assert.Zero(t, Prices{Input: number(0), Output: number(0)}.Cost(5, 5))
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	assert.Empty(t, Files("", environment()))
	require.NoError(t, os.WriteFile(DefaultFile, nil, 0o600))
	assert.Equal(t, []string{"models.yaml"}, Files("", environment()))
	assert.Equal(t, []string{"v.yaml"}, Files("", environment(FileVariable, "v.yaml")))
	assert.Equal(t, []string{"f.yaml"}, Files("f.yaml", environment(FileVariable, "v.yaml")))
	assert.ErrorIs(t, testkit.Err(Load("v.yaml")), os.ErrNotExist)
	assert.NoError(t, testkit.Err(Load(DefaultFile)), "an empty file names no models")
}

// TestDocumented holds docs/models.md to the keys that are read and to the
// conventions of providers.
func TestDocumented(t *testing.T) {
	text := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs", "models.md")))(t)
	names, _ := keysOf(reflect.ValueOf(&Entry{}).Elem())
	for _, name := range names {
		assert.Contains(t, string(text), "`"+name+"`", "docs/models.md lacks a key")
	}
	for _, p := range providers {
		for _, name := range append(p.keys, p.address) {
			assert.Contains(t, string(text), name, p.name)
		}
	}
}
