package dialect

import (
	"path"
	"strings"
)

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
