package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// byHandler are the dialects of upstream's handlers: in function-calling mode
// and, behind a blank, in prompt mode. Handlers of APIs that are not here have
// fc-json and prompt.
var byHandler = map[string][2]string{
	"ArchHandler": {"arch", ""}, "BielikHandler": {"", "bielik"}, "BitAgentHandler": {"bitagent", ""},
	"CohereHandler": {"cohere", "prompt"}, "DMCitoHandler": {"", "fc-list"}, "DeepseekReasoningHandler": {"", "deepseek-r1"},
	"Falcon3FCHandler": {"falcon3", ""}, "FunctionGemmaHandler": {"functiongemma", ""}, "GLMHandler": {"glm", ""},
	"GeminiHandler": {"gemini-object", "prompt"}, "GemmaHandler": {"", "gemma"}, "GorillaHandler": {"gorilla", ""},
	"Granite3FCHandler": {"granite-3", ""}, "Granite4FCHandler": {"granite-4", ""}, "GraniteFunctionCallingHandler": {"granite", ""},
	"HammerHandler": {"hammer", ""}, "LlamaHandler": {"llama", "llama"}, "LlamaHandler_3_1": {"llama-fc", ""},
	"MiniCPMFCHandler": {"minicpm-fc", ""}, "MiniCPMHandler": {"", "minicpm"}, "MiningHandler": {"fc-list", ""},
	"MistralFCHandler": {"", "mistral-fc"}, "NanbeigeFCHandler": {"nanbeige", ""}, "NemotronHandler": {"nemotron", ""},
	"NovaHandler": {"nova", ""}, "PelicanVLFCHandler": {"pelican", ""}, "PhiFCHandler": {"phi-fc", ""}, "PhiHandler": {"", "phi"},
	"QwenFCHandler": {"qwen-fc", ""}, "QwenHandler": {"", "qwen"}, "SalesforceLlamaHandler": {"xlam-llama", ""},
	"SalesforceQwenHandler": {"xlam-qwen", ""}, "ThinkAgentHandler": {"thinkagent", ""},
}

// TestGoldenLeaderboard holds the catalogue against upstream's table of models:
// every one is there under its name, and found by its folder's.
func TestGoldenLeaderboard(t *testing.T) {
	c := load(t)
	rows, priced := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "models.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		name := testkit.Text(row, "key")
		e, ok := c.Recorded(folderName(name))
		require.True(t, ok, name)
		assert.Equal(t, name, e.Name)
		assert.Equal(t, testkit.Text(row, "display_name"), e.DisplayName, name)
		assert.Equal(t, testkit.Text(row, "org"), e.Organization, name)
		assert.Equal(t, testkit.Text(row, "license"), e.License, name)
		assert.Equal(t, testkit.Text(row, "url"), e.URL, name)
		if name != "Ling/ling-lite-v1.5" { // its handler asks for another id
			assert.Equal(t, testkit.Text(row, "model_name"), e.ID, name)
		}
		fc := testkit.Flag(row, "fc")
		want := eval.Settings{Mode: eval.Prompt, UnderscoreToDot: testkit.Flag(row, "underscore_to_dot"), Dialect: "prompt"}
		if fc {
			want.Mode, want.Dialect = eval.FC, "fc-json"
		}
		if own, ok := byHandler[testkit.Text(row, "handler")]; ok {
			want.Dialect = own[1]
			if fc {
				want.Dialect = own[0]
			}
		}
		assert.Equal(t, want, e.Reading(), name)
		if in, ok := testkit.Field(row, "input_price").(pyval.Float); ok {
			priced++
			require.True(t, e.Prices.Known(), name)
			if e.ID != "claude-haiku-4-5-20251001" { // upstream has an older model's
				assert.InDelta(t, float64(in), *e.Prices.Input, 0, name)
			}
		}
	})
	assert.Equal(t, 175, rows)
	t.Logf("%d models compared, %d with a price that is no whole number", rows, priced)
}

func TestRecorded(t *testing.T) {
	c := load(t, `
models:
  org/mine: {adapter: openai, id: mine, dialect: qwen-fc, mode: fc, underscore_to_dot: false}
  plain: {adapter: openai, id: plain}
`)
	for name, want := range builtIn().entries { // of which only a part is read
		if got, ok := new(Catalog).Recorded(folderName(name)); want.Dialect != "" {
			require.Equal(t, want, got, name)
			assert.True(t, ok && new(Catalog).Knows(name) && new(Catalog).Knows(folderName(name)), name)
		}
	}
	assert.False(t, new(Catalog).Knows("Qwen_Qwen3"), "a part of a name")
	e, ok := c.Recorded("org_mine")
	require.True(t, ok)
	assert.Equal(t, eval.Settings{Mode: eval.FC, Dialect: "qwen-fc"}, e.Reading())
	for _, unknown := range []string{"plain", "org_other", "", "Qwen_Qwen3-8B-FC-tuned"} {
		_, ok = c.Recorded(unknown)
		assert.False(t, ok, unknown)
	}
	e, ok = c.Recorded("Qwen_Qwen3-8B-FC")
	require.True(t, ok)
	assert.Equal(t, "Qwen/Qwen3-8B-FC", e.Name)
	e, ok = c.Recorded("Qwen/Qwen3-8B-FC")
	assert.True(t, ok)
	assert.Equal(t, "qwen-fc", e.Dialect)
}
