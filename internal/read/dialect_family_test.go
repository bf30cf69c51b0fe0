package read_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestUsualNames: a family is found by any usual spelling of a model's name.
func TestUsualNames(t *testing.T) {
	for want, names := range map[string]string{
		"tool-call":     "qwen3-8b Qwen/Qwen3-8B qwen3:8b Qwen3-8B-Q4_K_M.gguf qwen3-32b-awq /models/Qwen3-8B qwen2.5-7b-instruct qwq-32b hermes3:8b NousResearch/Hermes-3-Llama-3.1-8B granite4:micro smollm3",
		"function":      "qwen3-coder:30b Qwen3-Coder-480B-A35B-Instruct-FP8 qwen3.5-4b nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
		"glm-4.5":       "glm-4.5 GLM-4.6 glm-4.5-air zai-org/GLM-4.5-Air-FP8 z-ai/glm-4.7 glm4.5",
		"harmony":       "gpt-oss:20b openai/gpt-oss-120b gpt-oss-20b-mxfp4.gguf",
		"mistral-v11":   "mistral-small3.2 mistral-small-2506 mistralai/Mistral-Small-3.2-24B-Instruct-2506 Mistral-7B-Instruct-v0.3 mistral-nemo:12b mistral-large-latest devstral-small ministral-3:14b magistral-small",
		"json":          "llama3.1:8b llama-3.3-70b-instruct Llama-3.1-8B-Instruct-Q5_K_M.gguf meta-llama/Llama-3.1-8B-Instruct phi3.5",
		"kimi-k2":       "kimi-k2 moonshotai/Kimi-K2-Instruct-0905 kimi-k2-thinking",
		"deepseek-v3.1": "deepseek-v3 deepseek-ai/DeepSeek-V3.1 deepseek-r1:8b deepseek-r1-0528",
		"phi-fc":        "phi4-mini microsoft/Phi-4-mini-instruct",
		"minimax-m2":    "minimax-m2 MiniMaxAI/MiniMax-M2",
		"gemma-4":       "gemma4:31b google/gemma-4-31b-it",
	} {
		for name := range strings.FieldsSeq(names) {
			f, ok := dialect.FamilyOf(name)
			if assert.True(t, ok, name) {
				assert.Equal(t, want, f.Dialect.Name, name)
			}
		}
	}
}

// TestGoldenTemplateDialects: the dialect of a template's text is that of the
// family that its name belongs to, or none.
func TestGoldenTemplateDialects(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.GoldenFile(t, "templates_2026"), "*.jinja"))
	require.NoError(t, err)
	same, none := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".jinja")
		family, _ := dialect.FamilyOf(name)
		d := dialect.OfTemplate(string(text))
		switch {
		case d == nil:
			none++
		case family.Dialect == d:
			same++
		default:
			t.Logf("%s: %s, its family %s", name, d.Name, family.Dialect.Name)
		}
	}
	t.Logf("%d templates: %d as their family, %d unknown", len(files), same, none)
	assert.GreaterOrEqual(t, same, 20)
}
