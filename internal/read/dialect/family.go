package dialect

import (
	"regexp"
	"strings"
)

// A Turn says how many calls the chat template of a family writes for one turn
// of the model.
type Turn string

// The turns of chat templates. A model that is shown templates with One or None
// has never seen several of its own calls in one turn.
const (
	Several Turn = "several"
	One     Turn = "one"
	None    Turn = "none"
)

// A Family is models that write calls in one way.
type Family struct {
	// Name is the family's name for people.
	Name string
	// Dialect reads its calls.
	Dialect *Dialect
	// Turn is how many calls its chat template writes for one turn.
	Turn Turn
}

// families are patterns for models' names in lower case, with "-" for what
// separates their parts. The first match counts.
var families = []struct {
	name, pattern, dialect string
	turn                   Turn
}{
	{"gpt-oss", `gpt-?oss`, "harmony", One},
	{"Muse", `muse-(?:glimmer|spark)`, "muse", Several},
	{"Kimi K3", `kimi-?k3`, "kimi-k3", Several},
	{"Kimi K2", `kimi-?(?:k2|linear)`, "kimi-k2", Several},
	{"GLM 4.5", `glm-?(?:4\.[5-9]|[5-9])`, "glm-4.5", Several},
	{"GLM 4", `glm-?4`, "glm", One},
	{"MiniMax M3", `minimax-?m3`, "minimax-m3", Several},
	{"MiniMax M2", `minimax-?m2`, "minimax-m2", Several},
	{"MiniMax M1", `minimax`, "tool-call", Several},
	{"DeepSeek R1 on Llama", `deepseek-?r1-distill-llama`, "deepseek-v3.1", None},
	{"DeepSeek R1 and V3", `deepseek-?(?:r1|v3\.2-?exp|v3\.1|v3(?:-|$))`, "deepseek-v3.1", Several},
	{"DeepSeek V3.2 and V4", `deepseek-?(?:v3\.[2-9]|v[4-9])`, "deepseek-v3.2", Several},
	{"FunctionGemma", `functiongemma`, "functiongemma", Several},
	{"Gemma 4", `gemma-?[4-9]`, "gemma-4", Several},
	{"Gemma", `gemma`, "gemma", None},
	{"Granite 4", `granite-?[4-9]`, "tool-call", Several},
	{"Granite 3", `granite-?3`, "granite-3", None},
	{"Ministral", `ministral|devstral|magistral|mistral-(?:small|medium|large)`, "mistral-v11", Several},
	{"LFM2.5", `lfm-?2\.5-8b`, "lfm2", Several},
	{"LFM2", `lfm-?2`, "lfm2", None},
	{"Llama-Nemotron", `nemotron.*(?:nano-v2|nano-9b-v2|nano-12b-v2|-v1)`, "tool-call", Several},
	{"Nemotron 3", `nemotron`, "function", Several},
	{"Qwen3-Coder", `qwen-?3-?coder|qwen-?3\.[5-9]|qwen-?[4-9]`, "function", Several},
	{"Step 3.5", `step-?(?:fun-?)?3`, "function", Several},
	{"MiMo V2", `mimo-?v2`, "function", Several},
	{"Seed-OSS", `seed-oss`, "seed", Several},
	{"MiniCPM 5", `minicpm-?5`, "function", Several},
	{"MiniCPM 3", `minicpm-?3`, "minicpm-fc", Several},
	{"Laguna", `laguna`, "glm-4.5", Several},
	{"Ling 3", `(?:ling|ring)-3`, "glm-4.5", Several},
	{"Spark", `spark-?x?2`, "glm-4.5", Several},
	{"Hunyuan 3", `hy-?3`, "glm-4.5", Several},
	{"Hunyuan", `hunyuan`, "tool-call", Several},
	{"Apertus", `apertus`, "apertus", Several},
	{"Apriel", `apriel`, "apriel", Several},
	{"Command", `cohere|command-[ar]|c4ai|north-code`, "cohere-2", Several},
	{"GigaChat 3", `gigachat`, "gigachat-3", One},
	{"Solar Open", `solar-open`, "solar", Several},
	{"Functionary 3.1", `functionary.*v3\.1`, "function", Several},
	{"Functionary", `functionary`, "functionary", Several},
	{"Firefunction", `firefunction`, "json", Several},
	{"Hermes", `hermes`, "tool-call", Several},
	{"SmolLM3", `smollm3`, "tool-call", None},
	{"Bielik", `bielik`, "tool-call", Several},
	{"Reka", `reka`, "tool-call", Several},
	{"MiMo", `mimo`, "tool-call", Several},
	{"Qwen", `qwen|qwq`, "tool-call", Several},
	{"Phi 4 mini", `phi-?4-mini`, "phi-fc", Several},
	{"Phi", `phi-?[0-9]`, "json", None},
	{"Llama 4", `llama-?4`, "llama", Several},
	{"Mistral", `mistral|mixtral`, "mistral-v11", Several},
	{"Llama", `llama-?3`, "json", One},
	{"RWKV", `rwkv`, "json", None},
}

// patterns are those of the families, at the beginning of a part of the name.
var patterns = func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(families))
	for i, f := range families {
		out[i] = regexp.MustCompile(`(?:^|-)(?:` + f.pattern + `)`)
	}
	return out
}()

var separators = strings.NewReplacer("_", "-", "/", "-", ":", "-", " ", "-", "\\", "-")

// FamilyOf returns the family of a model, by the name that people, files or
// servers give it, such as openai/gpt-oss-120b or Qwen3.5-4B-Q4_K_M.gguf.
func FamilyOf(model string) (Family, bool) {
	const longest = 400 // of a name that is worth a look
	name := strings.ToLower(separators.Replace(model[:min(len(model), longest)]))
	for i, f := range families {
		if patterns[i].MatchString(name) {
			return Family{Name: f.name, Dialect: Find(f.dialect), Turn: f.turn}, true
		}
	}
	return Family{}, false
}
