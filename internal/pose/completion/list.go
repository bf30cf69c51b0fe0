package completion

import "github.com/gobfcl/bfcl/internal/pose/tool"

// callsByValue finds the first call by comparing each with it, not by its
// place.
var callsByValue = []string{
	"(loop.first and content", "(tool_call == message.tool_calls[0] and content",
	"(not loop.first)", "(tool_call != message.tool_calls[0])",
}

// anyOrder permits consecutive messages of the user, as in three official
// cases.
var anyOrder = []string{"!= (ns.index % 2 == 0)", "and false"}

// vars are the variables of a row's template.
type vars = map[string]string

// The marks around messages, for frames.
var (
	llama3 = vars{"bos_token": "<|begin_of_text|>", "open": "<|start_header_id|>", "close": "<|end_header_id|>\n\n", "end": "<|eot_id|>", "results": "ipython", "strip": "yes"}
	llama4 = vars{"bos_token": "<|begin_of_text|>", "open": "<|header_start|>", "close": "<|header_end|>\n\n", "end": "<|eot|>", "results": "ipython", "strip": "yes"}
	phi4   = vars{"open": "<|im_start|>", "close": "<|im_sep|>", "end": "<|im_end|>\n", "results": "tool"}
	chatML = vars{"open": "<|im_start|>", "close": "\n", "end": "<|im_end|>", "results": "tool"}
)

// handlers are upstream's handlers of local models, by dialect. A new one is a
// row here and a row in package fetch for each of its texts.
var handlers = []handler{
	{dialect: "arch"},
	{dialect: "bielik", system: true, vars: vars{"bos_token": "<s>"}},
	{dialect: "bitagent", frame: "instructed", needed: []string{"system", "instructions"}, vars: llama3},
	{dialect: "deepseek-r1", system: true, together: true, vars: vars{"bos_token": "<｜begin▁of▁sentence｜>"}, steps: []step{asUser, merged}},
	{dialect: "functiongemma", frame: "functiongemma", needed: []string{"system"}, reshapes: true, steps: []step{parsedResults}},
	{dialect: "gemma", frame: "gemma", system: true, vars: vars{"bos_token": "<bos>"}, steps: []step{merged, asModel}},
	{dialect: "glm", underscores: true, untrimmed: true, style: tool.OpenAICompletions, steps: []step{toolsFirst}, cut: onlyWithTools, stop: []int64{151329, 151336, 151338}},
	{dialect: "granite", underscores: true, frame: "granite", needed: []string{"before", "after"}, style: tool.OSSModel},
	{dialect: "granite-3", needed: []string{"alone"}, silent: true, steps: []step{unlessSystem("", "alone")}},
	{dialect: "granite-4", edits: callsByValue},
	{dialect: "hammer", frame: "hammer", needed: []string{"system", "task", "format"}, tools: flat, reshapes: true, steps: []step{asUser}},
	{dialect: "llama", model: "Llama-4", frame: "turns", system: true, vars: llama4},
	{dialect: "llama", frame: "turns", system: true, vars: llama3},
	{dialect: "llama-fc", vars: vars{"bos_token": "<|begin_of_text|>"}, edits: []string{" or message.content is iterable", ""}},
	{dialect: "minicpm", system: true},
	{dialect: "mistral-fc", vars: vars{"bos_token": "<s>", "eos_token": "</s>"}, edits: anyOrder, tools: wrapped, steps: []step{quotedResults}},
	{dialect: "nanbeige", needed: []string{"tools", "alone"}, edits: callsByValue, steps: []step{unlessSystem("tools", "alone")}, cut: joinedTools},
	{dialect: "pelican", frame: "pelican", needed: []string{"before", "after", "alone"}},
	{dialect: "phi", model: "Phi-4-mini", system: true},
	{dialect: "phi", frame: "turns", system: true, vars: phi4},
	{dialect: "phi-fc", needed: []string{"system"}, steps: []step{unlessSystem("system", "system"), toolsInSystem}},
	{dialect: "qwen", system: true},
	{dialect: "qwen-fc", edits: callsByValue},
	{dialect: "thinkagent", frame: "thinkagent", needed: []string{"system", "task"}, vars: vars{"bos_token": "<|begin_of_text|>"}, tools: brief, reshapes: true, steps: []step{withoutSystem}},
	{dialect: "xlam-llama", frame: "instructed", needed: []string{"system", "instructions"}, vars: llama3},
	{dialect: "xlam-qwen", frame: "instructed", needed: []string{"system", "instructions"}, vars: chatML},
}

// leftOut are the dialects of upstream's handlers that have no row, and why.
var leftOut = map[string]string{
	"falcon3":    "they are the chat template of the model's own tokenizer; give -chat-template=<the model's folder>",
	"minicpm-fc": "they hold function documents that another package rewrites; give -chat-template=<the model's folder>",
}

// onlyWithTools removes the marks at the beginning if there are no functions.
func onlyWithTools(_ *Handler, tools int) (before, after string) {
	if tools > 0 {
		return "", ""
	}
	return "[gMASK]<sop>", ""
}

// joinedTools removes the empty line after the handler's own text.
func joinedTools(h *Handler, _ int) (before, after string) {
	return h.texts["tools"] + "\n\n", h.texts["tools"]
}
