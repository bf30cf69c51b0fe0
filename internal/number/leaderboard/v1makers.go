package leaderboard

import "strings"

// A maker holds a model's organization, its licence and a page about it.
type maker struct {
	prefix            string // of the model's name
	org, license, url string
}

const huggingFace = "https://huggingface.co/"

// v1Makers are the makers of the first leaderboard's models, with the longest
// of several matching prefixes first. The facts are from the makers, not copied
// from the leaderboard.
var v1Makers = []maker{
	{"claude-", "Anthropic", "Proprietary", "https://www.anthropic.com/claude"},
	{"command-r-plus", "Cohere", "CC-BY-NC-4.0", huggingFace + "CohereForAI/c4ai-command-r-plus"},
	{"databricks-dbrx-instruct", "Databricks", "Databricks Open Model License", huggingFace + "databricks/dbrx-instruct"},
	{"deepseek-ai/deepseek-coder-6.7b-instruct", "DeepSeek", "DeepSeek License", huggingFace + "deepseek-ai/deepseek-coder-6.7b-instruct"},
	{"firefunction-v1", "Fireworks AI", "Apache-2.0", huggingFace + "fireworks-ai/firefunction-v1"},
	{"gemini-", "Google", "Proprietary", "https://deepmind.google/technologies/gemini"},
	{"google/gemma-7b-it", "Google", "Gemma Terms of Use", huggingFace + "google/gemma-7b-it"},
	{"gorilla-openfunctions-v2", "Gorilla LLM", "Apache-2.0", "https://gorilla.cs.berkeley.edu/blogs/7_open_functions_v2.html"},
	{"gpt-", "OpenAI", "Proprietary", "https://platform.openai.com/docs/models"},
	{"ibm-granite/granite-20b-functioncalling", "IBM", "Apache-2.0", huggingFace + "ibm-granite/granite-20b-functioncalling"},
	{"meetkai/functionary-small-v3.1", "MeetKai", "MIT", huggingFace + "meetkai/functionary-small-v3.1"},
	{"meetkai/functionary-", "MeetKai", "MIT", huggingFace + "meetkai"},
	{"meta-llama/Meta-Llama-3-", "Meta", "Meta Llama 3 Community License", huggingFace + "meta-llama"},
	{"mistral-large-2407", "Mistral AI", "Mistral Research License", "https://mistral.ai/news/mistral-large-2407"},
	{"mistral-", "Mistral AI", "Proprietary", "https://docs.mistral.ai"},
	{"NousResearch/Hermes-2-Pro-Mistral-7B", "NousResearch", "Apache-2.0", huggingFace + "NousResearch/Hermes-2-Pro-Mistral-7B"},
	{"nvidia/nemotron-4-340b-instruct", "NVIDIA", "NVIDIA Open Model License", huggingFace + "nvidia/Nemotron-4-340B-Instruct"},
	{"open-mistral-nemo-2407", "Mistral AI", "Apache-2.0", huggingFace + "mistralai/Mistral-Nemo-Instruct-2407"},
	{"open-mixtral-", "Mistral AI", "Apache-2.0", huggingFace + "mistralai"},
	{"Salesforce/xLAM-", "Salesforce", "CC-BY-NC-4.0", huggingFace + "Salesforce"},
	{"snowflake/arctic", "Snowflake", "Apache-2.0", huggingFace + "Snowflake/snowflake-arctic-instruct"},
	{"THUDM/glm-4-9b-chat", "THUDM", "glm-4", huggingFace + "THUDM/glm-4-9b-chat"},
	{"yi-large", "01.AI", "Proprietary", "https://platform.01.ai"},
}

// makerOf returns the maker of a model by its name; empty if not known.
func makerOf(name string) maker {
	for _, m := range v1Makers {
		if strings.HasPrefix(name, m.prefix) {
			return m
		}
	}
	return maker{}
}
