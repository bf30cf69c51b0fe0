package dialect

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
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
	name    string
	pattern func() *regexp.Regexp
	dialect string
	turn    Turn
}{
	{"gpt-oss", at(`gpt-?oss`), "harmony", One},
	{"Muse", at(`muse-(?:glimmer|spark)`), "muse", Several},
	{"Kimi K3", at(`kimi-?k3`), "kimi-k3", Several},
	{"Kimi K2", at(`kimi-?(?:k2|linear)`), "kimi-k2", Several},
	{"GLM 4.5", at(`glm-?(?:4\.[5-9]|[5-9])`), "glm-4.5", Several},
	{"GLM 4", at(`glm-?4`), "glm", One},
	{"MiniMax M3", at(`minimax-?m3`), "minimax-m3", Several},
	{"MiniMax M2", at(`minimax-?m2`), "minimax-m2", Several},
	{"MiniMax M1", at(`minimax`), "tool-call", Several},
	{"DeepSeek R1 on Llama", at(`deepseek-?r1-distill-llama`), "deepseek-v3.1", None},
	{"DeepSeek R1 and V3", at(`deepseek-?(?:r1|v3\.2-?exp|v3\.1|v3(?:-|$))`), "deepseek-v3.1", Several},
	{"DeepSeek V3.2 and V4", at(`deepseek-?(?:v3\.[2-9]|v[4-9])`), "deepseek-v3.2", Several},
	{"FunctionGemma", at(`functiongemma`), "functiongemma", Several},
	{"Gemma 4", at(`gemma-?[4-9]`), "gemma-4", Several},
	{"Gemma", at(`gemma`), "gemma", None},
	{"Granite 4", at(`granite-?[4-9]`), "tool-call", Several},
	{"Granite 3", at(`granite-?3`), "granite-3", None},
	{"Ministral", at(`ministral|devstral|magistral|mistral-(?:small|medium|large)`), "mistral-v11", Several},
	{"LFM2.5", at(`lfm-?2\.5-8b`), "lfm2", Several},
	{"LFM2", at(`lfm-?2`), "lfm2", None},
	{"Llama-Nemotron", at(`nemotron.*(?:nano-v2|nano-9b-v2|nano-12b-v2|-v1)`), "tool-call", Several},
	{"Nemotron 3", at(`nemotron`), "function", Several},
	{"Qwen3-Coder", at(`qwen-?3-?coder|qwen-?3\.[5-9]|qwen-?[4-9]`), "function", Several},
	{"Step 3.5", at(`step-?(?:fun-?)?3`), "function", Several},
	{"MiMo V2", at(`mimo-?v2`), "function", Several},
	{"Seed-OSS", at(`seed-oss`), "seed", Several},
	{"MiniCPM 5", at(`minicpm-?5`), "function", Several},
	{"MiniCPM 3", at(`minicpm-?3`), "minicpm-fc", Several},
	{"Laguna", at(`laguna`), "glm-4.5", Several},
	{"Ling 3", at(`(?:ling|ring)-3`), "glm-4.5", Several},
	{"Spark", at(`spark-?x?2`), "glm-4.5", Several},
	{"Hunyuan 3", at(`hy-?3`), "glm-4.5", Several},
	{"Hunyuan", at(`hunyuan`), "tool-call", Several},
	{"Olmo 3", at(`olmo-?3`), "olmo-3", Several},
	{"Apertus", at(`apertus`), "apertus", Several},
	{"Apriel", at(`apriel`), "apriel", Several},
	{"Command", at(`cohere|command-[ar]|c4ai|north-code`), "cohere-2", Several},
	{"GigaChat 3", at(`gigachat`), "gigachat-3", One},
	{"Solar Open", at(`solar-open`), "solar", Several},
	{"Functionary 3.1", at(`functionary.*v3\.1`), "function", Several},
	{"Functionary", at(`functionary`), "functionary", Several},
	{"Firefunction", at(`firefunction`), "json", Several},
	{"Hermes", at(`hermes`), "tool-call", Several},
	{"SmolLM3", at(`smollm3`), "tool-call", None},
	{"Bielik", at(`bielik`), "tool-call", Several},
	{"Reka", at(`reka`), "tool-call", Several},
	{"MiMo", at(`mimo`), "tool-call", Several},
	{"Qwen", at(`qwen|qwq`), "tool-call", Several},
	{"Phi 4 mini", at(`phi-?4-mini`), "phi-fc", Several},
	{"Phi", at(`phi-?[0-9]`), "json", None},
	{"Llama 4", at(`llama-?4`), "llama", Several},
	{"Mistral", at(`mistral|mixtral`), "mistral-v11", Several},
	{"Llama", at(`llama-?3`), "json", One},
	{"RWKV", at(`rwkv`), "json", None},
}

// at is a pattern at the beginning of a part of the name.
func at(text string) func() *regexp.Regexp { return pattern.Of(`(?:^|-)(?:` + text + `)`) }

var separators = strings.NewReplacer("_", "-", "/", "-", ":", "-", " ", "-", "\\", "-")

// FamilyOf returns the family of a model, by the name that people, files or
// servers give it, such as openai/gpt-oss-120b or Qwen3.5-4B-Q4_K_M.gguf.
func FamilyOf(model string) (Family, bool) {
	const longest = 400 // of a name that is worth a look
	name := strings.ToLower(separators.Replace(model[:min(len(model), longest)]))
	for _, f := range families {
		if f.pattern().MatchString(name) {
			return Family{Name: f.name, Dialect: Find(f.dialect), Turn: f.turn}, true
		}
	}
	return Family{}, false
}

// templateMark is the beginning of a mark around calls, as far as it is the same
// for all functions and arguments.
var templateMark = pattern.Of(`[<\[{]/?[|｜]?[\w▁:]{2,}`)

// OfTemplate returns the dialect whose marks a chat template writes; nil if it
// writes those of none.
func OfTemplate(template string) *Dialect {
	var best *Dialect
	most := 0
	for _, w := range wires {
		_, example, cut := strings.Cut(w.example, cmp.Or(w.thought, thinkEnd))
		if !cut {
			example = w.example
		}
		marks := templateMark().FindAllString(example, -1)
		if missing := slices.ContainsFunc(marks, func(mark string) bool { return !strings.Contains(template, mark) }); !missing && len(marks) > most {
			best, most = Find(w.name), len(marks)
		}
	}
	return best
}

// A Model says how a model of the first leaderboard answered.
type Model struct {
	// Dialect is the way in which it wrote calls.
	Dialect *Dialect
	// Dots reports whether it saw "_" in place of each "." in function names.
	Dots bool
}

// models are patterns for names of the first leaderboard. The first match
// counts.
var models = []struct {
	pattern, dialect string
	dots             bool
}{
	{"gorilla-openfunctions-*", "prompt-wrap", false},
	{"firefunction-*", "fc-json", false},
	{"gpt-*-FC", "fc-json", true},
	{"gpt-*", "prompt-plain", false},
	{"claude-*-FC", "fc-json", true},
	{"claude-*", "prompt-space", false},
	{"NousResearch_Hermes-2-*", "hermes", true},
	{"mistral-*-FC*", "fc-json", true},
	{"open-mi[sx]tral-*-FC*", "fc-json", true},
	{"mistral-*", "prompt-mistral", false},
	{"open-mi[sx]tral-*", "prompt-mistral", false},
	{"meetkai_functionary-*", "fc-json", true},
	{"yi-large-fc", "fc-json", true},
	{"command-r-plus-FC*", "fc-object", true},
	{"command-r-plus*", "prompt-brackets", false},
	{"gemini-*", "gemini", true},
	{"THUDM_glm-4-*", "glm", true},
	{"ibm-granite_granite-*", "granite", true},
	{"google_gemma-*", "prompt-search", false},
	{"meta-llama_Meta-Llama-3-*", "prompt-lines", false},
	{"nvidia_nemotron-*", "prompt-quoted", false},
	{"snowflake_arctic*", "prompt-quoted", false},
	{"databricks-dbrx-instruct", "prompt-dbrx", false},
	{"deepseek-ai_deepseek-coder-*", "prompt-fenced", false},
	{"Nexusflow-Raven-v2", "raven", false},
	{"Salesforce_xLAM-*", "xlam", false},
}

// ForModel returns how a recorded model answered, by the name of its folder.
func ForModel(name string) (Model, bool) {
	name = strings.ReplaceAll(name, "/", "_")
	for _, m := range models {
		if ok, _ := path.Match(m.pattern, name); ok {
			return Model{Dialect: Find(m.dialect), Dots: m.dots}, true
		}
	}
	return Model{}, false
}
