package leaderboard

import (
	"slices"
	"strings"
)

// v1Prices are dollars per million input and output tokens, as on the first
// leaderboard of 2024-08-11. A model's function-calling variants cost the same.
var v1Prices = map[string][2]float64{
	"claude-2.1": {8, 24}, "claude-instant-1.2": {0.8, 2.4},
	"claude-3-haiku-20240307": {0.25, 1.25}, "claude-3-sonnet-20240229": {3, 15},
	"claude-3-opus-20240229": {15, 75}, "claude-3-5-sonnet-20240620": {3, 15},
	"command-r-plus": {3, 15}, "databricks-dbrx-instruct": {2.25, 6.75}, "yi-large-fc": {3, 3},
	"gemini-1.0-pro": {0.5, 1.5}, "gemini-1.5-flash-preview-0514": {0.35, 0.53},
	"gemini-1.5-pro-preview-0409": {3.5, 10.5}, "gemini-1.5-pro-preview-0514": {3.5, 10.5},
	"gpt-3.5-turbo-0125": {0.5, 1.5}, "gpt-4-0613": {30, 60}, "gpt-4-1106-preview": {10, 30},
	"gpt-4-0125-preview": {10, 30}, "gpt-4-turbo-2024-04-09": {10, 30}, "gpt-4o-2024-05-13": {5, 15},
	"gpt-4o-2024-08-06": {2.5, 10}, "gpt-4o-mini-2024-07-18": {0.15, 0.6},
	"mistral-tiny-2312": {0.25, 0.25}, "mistral-small-2402": {1, 3}, "mistral-medium-2312": {2.7, 8.1},
	"mistral-large-2407": {3, 9}, "open-mistral-nemo-2407": {0.3, 0.3},
	"open-mixtral-8x7b": {0.7, 0.7}, "open-mixtral-8x22b": {2, 6},
}

// v1Variants are the suffixes of the names of a model's variants.
var v1Variants = []string{"-optimized", "-Any", "-Auto", "-FC"}

// v1BatchSeconds are the times of one batch run over all 1,700 questions on the
// authors' machine.
var v1BatchSeconds = map[string]float64{
	"NousResearch/Hermes-2-Pro-Llama-3-8B": 77, "NousResearch/Hermes-2-Pro-Llama-3-70B": 674,
	"NousResearch/Hermes-2-Pro-Mistral-7B": 135, "NousResearch/Hermes-2-Theta-Llama-3-8B": 73,
	"NousResearch/Hermes-2-Theta-Llama-3-70B": 716, "THUDM/glm-4-9b-chat": 223,
	"deepseek-ai/deepseek-coder-6.7b-instruct": 909, "google/gemma-7b-it": 95, "gorilla-openfunctions-v2": 83,
	"meta-llama/Meta-Llama-3-8B-Instruct": 73, "meta-llama/Meta-Llama-3-70B-Instruct": 307,
}

// v1NoCost are the models for which the leaderboard showed no cost.
var v1NoCost = []string{
	"Nexusflow-Raven-v2", "Salesforce/xLAM-1b-fc-r", "Salesforce/xLAM-7b-fc-r", "THUDM/glm-4-9b-chat",
	"firefunction-v1-FC", "firefunction-v2-FC", "ibm-granite/granite-20b-functioncalling",
	"meetkai/functionary-medium-v2.4-FC", "meetkai/functionary-small-v2.2-FC", "meetkai/functionary-small-v2.4-FC",
	"nvidia/nemotron-4-340b-instruct", "snowflake/arctic",
}

// V1Model returns what the first leaderboard knew about a model's cost, and who
// made it, by the name of its folder.
func V1Model(folder string) Model {
	name := strings.ReplaceAll(folder, "_", "/")
	m := Model{Name: folder, BatchSeconds: v1BatchSeconds[name], NoCost: slices.Contains(v1NoCost, name)}
	if at := slices.IndexFunc(v1Makers, func(by maker) bool { return strings.HasPrefix(name, by.prefix) }); at >= 0 {
		by := v1Makers[at]
		m.Org, m.License, m.URL = by.org, by.license, by.url
	}
	base := name
	for _, variant := range v1Variants {
		base = strings.TrimSuffix(base, variant)
	}
	if price, ok := v1Prices[base]; ok {
		m.InputPrice, m.OutputPrice = &price[0], &price[1]
	}
	return m
}

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
