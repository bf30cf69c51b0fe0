package dialect

import "github.com/gobfcl/bfcl/internal/pattern"

// The marks of calls that have tags. GLM's may carry a suffix.
var (
	functionTags = tagged(`<param(?:eter)?(?:=| name=)["']?([^<>"'\n]+)["']?>`, `</param(?:eter)?>`, `</function>|</tool_call>`)
	invokeTags   = exact(`<parameter name=["']?([^<>"'\n]+)["']?>`, `</parameter>`, `</invoke>|</minimax:tool_call>`)
	atemTags     = exact(`<atem:parameter name="([^<>"\n]+)"\s*>`, `</atem:parameter>`, `</atem:invoke>|</atem:function_calls>`)
	dsmlTags     = exact(`<｜+DSML｜+\s*parameter name="([^"\n]+)"(?: string="(\w+)")?\s*>`, `</｜+DSML｜+\s*parameter>`, `</｜+DSML｜+\s*(?:invoke|\w*calls)>`)
	pairTags     = exact(`<arg_key(?::\w+)?>\s*([^<>]+?)\s*</arg_key(?::\w+)?>\s*<arg_value(?::\w+)?>`, `</arg_value(?::\w+)?>`, `</tool_calls?(?::\w+)?>`)
	kimiTags     = kimiK3Tags()
)

func kimiK3Tags() tags {
	t := exact(`<\|open\|>argument key="([^"]*)"(?: type="(\w+)")?\s*<\|sep\|>`, `<\|close\|>argument<\|sep\|>`,
		`(?:<\|close\|>json<\|sep\|>\s*)?<\|close\|>(?:call|tools)<\|sep\|>`)
	t.object = pattern.Of(`^\s*<\|open\|>json[^<>\n]*<\|sep\|>`)
	return t
}

// exact returns tags around values as they are.
func exact(argument, close, end string) tags {
	t := tagged(argument, close, end)
	t.exact = true
	return t
}

// wires are the dialects of models since 2025. A new one is an entry here.
var wires = []wire{
	{
		name: "tool-call", doc: "JSON objects of name and arguments, or lists of them, in <tool_call>, <tool_calls> or <TOOLCALL>",
		example: "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
		head:    pattern.Of(`<(?:tool_calls?|TOOLCALL)>`), body: jsonObjects,
		end: pattern.Of(`</(?:tool_calls?|TOOLCALL)>`), tail: true,
	},
	{
		name: "apriel", doc: "[BEGIN FINAL RESPONSE], then <tool_calls> around a JSON list of name and arguments",
		example: "Hm.\n[BEGIN FINAL RESPONSE]\n<tool_calls>[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]</tool_calls>",
		head:    pattern.Of(`<tool_calls?>`), body: jsonObjects, think: "Here are my reasoning steps:", thought: "[BEGIN FINAL RESPONSE]",
		end: pattern.Of(`</tool_calls?>`), tail: true,
	},
	{
		name: "json", doc: "a JSON object of name and arguments or parameters, or a list, alone or in a fence",
		example: `{"name": "f", "parameters": {"a": 1}}`,
		head:    pattern.Of("(?:^|\\n|;|<\\|python_tag\\|>|functools)[ \\t]*(?:```(?:json)?\\s*)?"), body: jsonObjects, loose: true,
		open: pattern.Of(`(?:^|\n|<\|python_tag\|>)\s*\[?\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"`),
	},
	{
		name: "harmony", doc: "to=functions.f in a header, then JSON arguments: gpt-oss",
		example: `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>`,
		head:    pattern.Of(`\bto=functions\.([^\s<>{]+)(?:<\|(?:channel|constrain)\|>|[^<{\n])*(?:<\|message\|>)?`),
		body:    jsonArguments, think: "<|channel|>analysis<|message|>", thought: "<|end|>", closed: true,
		end: pattern.Of(`<\|(?:call|end|return)\|>`), open: pattern.Of(`(?:<\|channel\|>(?:analysis|commentary)|<\|start\|>assistant)\s+to=`),
		drop: pattern.Of(`<\|start\|>\w+|<\|channel\|>(?:final|commentary|analysis)`),
	},
	{
		name: "function", doc: "<function=f>, then <parameter=a> for each argument, or JSON: Qwen3-Coder, Nemotron 3, MiniCPM 5",
		example: "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
		head:    pattern.Of(`<function(?:=| name=)["']?([^<>"'\n]+)["']?>`), body: functionTags.read,
		end: pattern.Of(`</tool_call>`), open: pattern.Of(`<tool_call>\s*\S|<function(?:=| name=)|<param(?:eter)?(?:=| name=)`),
	},
	{
		name: "seed", doc: "<function=f> as Qwen3-Coder writes it, and <seed:think>: Seed-OSS",
		held:    "its example",
		example: "<seed:think>Hm.</seed:think><seed:tool_call>\n<function=f>\n<parameter=a>1</parameter>\n</function>\n</seed:tool_call>",
		head:    pattern.Of(`<function=([^<>\n]+)>`), body: functionTags.read, think: "<seed:think>", thought: "</seed:think>",
		end: pattern.Of(`</seed:tool_call>`), open: pattern.Of(`<seed:tool_call>\s*\S|<function=|<parameter=`),
	},
	{
		name: "glm-4.5", doc: "the name in <tool_call>, then <arg_key> and <arg_value> for each argument: GLM 4.5, Laguna, Ling 3, Hunyuan 3",
		example: "<think>Hm.</think>\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
		head:    pattern.Of(`<tool_call(?::\w+)?>\s*([^\s<>{][^<>\n]*)(?:\s*<tool_sep(?::\w+)?>)?`), body: pairTags.read,
		open: pattern.Of(`<tool_call(?::\w+)?>|<arg_key(?::\w+)?>`),
	},
	{
		name: "minimax-m2", doc: "<invoke name=f>, then <parameter name=a> for each argument",
		held:    "public reports",
		example: "<think>Hm.</think>\n<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>\n</minimax:tool_call>",
		head:    pattern.Of(`<invoke name=["']?([^<>"'\n]+)["']?>`), body: invokeTags.read,
		end: pattern.Of(`</minimax:tool_call>`), open: pattern.Of(`<minimax:tool_call>\s*\S|<invoke\b|<parameter name=`),
	},
	{
		name: "minimax-m3", doc: "<invoke name=f>, then a tag of its own name for each argument",
		example: "</mm:think>]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
		head:    pattern.Of(`<invoke name=["']?([^<>"'\n]+)["']?>`), body: nestedArguments, think: "<mm:think>", thought: "</mm:think>",
		end: pattern.Of(`(?:\]<\]minimax\[>\[)?</tool_call>`), open: pattern.Of(`<invoke\b`),
	},
	{
		name: "muse", doc: "<atem:invoke name=f>, then <atem:parameter name=a> for each argument, in a channel",
		held:    "its example",
		example: " to=self<|message|>Hm.<|eom|><|start|>assistant to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n<atem:parameter name=\"a\">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>",
		head:    pattern.Of(`<atem:invoke name="([^<>"\n]+)"\s*>`), body: atemTags.read,
		end: pattern.Of(`</atem:function_calls>`), open: pattern.Of(`<atem:function_calls>\s*\S|<atem:invoke\b|<atem:parameter\b`),
		think: "to=self<|message|>", thought: "<|eom|>", closed: true,
		drop: pattern.Of(`(?:<\|start\|>assistant)?\s*to=[^\s<]+<\|message\|>`),
	},
	{
		name: "deepseek-v3.1", doc: "the name and JSON arguments between <｜tool▁call▁begin｜> and <｜tool▁call▁end｜>, of DeepSeek R1, too",
		example: "Hm.</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		head:    pattern.Of("<｜tool▁call▁begin｜>\\s*(?:function\\s*<｜tool▁sep｜>)?\\s*([^\\s<>｜]+)\\s*(?:<｜tool▁sep｜>)?\\s*(?:```(?:json)?)?"), body: jsonArguments,
		end: pattern.Of(`<｜tool▁calls?▁end｜>`), open: pattern.Of(`<｜tool▁(?:call▁begin|sep)｜>`),
	},
	{
		name: "deepseek-v3.2", doc: "<｜DSML｜invoke name=f>, then <｜DSML｜parameter name=a> for each argument: DeepSeek V3.2 and V4",
		example: "</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"false\">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
		head:    pattern.Of(`<｜+DSML｜+\s*invoke name="([^"\n]+)"\s*>`), body: dsmlTags.read,
		end: pattern.Of(`</｜+DSML｜+\s*\w*calls>`), open: pattern.Of(`<｜+DSML｜+\s*(?:invoke|parameter)\b`),
	},
	{
		name: "kimi-k2", doc: "functions.f:0 and JSON arguments between <|tool_call_begin|> and <|tool_call_end|>",
		example: `<think>Hm.</think><|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|><|tool_calls_section_end|>`,
		head:    pattern.Of(`<\|tool_call_begin\|>\s*(?:functions\.)?([^\s<>:]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>`), body: jsonArguments,
		end: pattern.Of(`<\|tool_call(?:s_section)?_end\|>`), open: pattern.Of(`<\|tool_call_(?:argument_)?begin\|>`),
	},
	{
		name: "kimi-k3", doc: "<|open|>call tool=f, then <|open|>argument key=a for each argument",
		held:    "its example",
		example: `<|close|>think<|sep|><|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="a" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
		head:    pattern.Of(`<\|open\|>call tool="([^"]*)"(?: index="\d+")?\s*<\|sep\|>`), body: kimiTags.read,
		end: pattern.Of(`<\|close\|>tools<\|sep\|>`), open: pattern.Of(`<\|open\|>(?:call|argument)\b`),
		think: "<|open|>think<|sep|>", thought: "<|close|>think<|sep|>",
		drop: pattern.Of(`<\|(?:open|close)\|>(?:response|tools|message)<\|sep\|>`),
	},
	{
		name: "mistral-v11", doc: "[TOOL_CALLS], the name, [ARGS] and JSON arguments, or a JSON list: Ministral 3, Devstral, Mistral Small",
		example: `[THINK]Hm.[/THINK][TOOL_CALLS]f[ARGS]{"a": 1}`,
		head:    pattern.Of(`\[TOOL_CALLS\]\s*(?:([^\s\[\]{}]+)\s*(?:\[CALL_ID\]\s*\w*\s*)?(?:\[ARGS\])?)?`), body: jsonArguments,
		open:  pattern.Of(`\[ARGS\]`),
		think: "[THINK]", thought: "[/THINK]",
	},
	{
		name: "cohere-2", doc: "<|START_ACTION|>, then a JSON list of tool_name and parameters: Command R7B and A",
		example: "<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"a\": 1}}\n]<|END_ACTION|>",
		head:    pattern.Of("<\\|START_ACTION\\|>|(?:^|\\n)Action:\\s*(?:```(?:json)?)?"), body: jsonObjects, nothing: directlyAnswer,
		end:   pattern.Of(`<\|END_ACTION\|>`),
		think: "<|START_THINKING|>", thought: "<|END_THINKING|>",
	},
	{
		name: "gemma-4", doc: "call:f{a:1,b:<|\"|>text<|\"|>} between marks",
		example: `<|channel>thought` + "\nHm.\n" + `<channel|><|tool_call>call:f{a:1}<tool_call|>`,
		head:    pattern.Of(`<\|tool_call>\s*call:\s*([^\s{}<>]+)\s*`), body: gemma4Arguments,
		end: pattern.Of(`<tool_call\|>`), open: pattern.Of(`<\|tool_call>`),
		think: "<|channel>thought", thought: "<channel|>", drop: pattern.Of(`<\|tool_response>|<turn\|>`),
	},
	{
		name: "lfm2", doc: "[f(a=1)] between <|tool_call_start|> and <|tool_call_end|>",
		example: `<|tool_call_start|>[f(a=1)]<|tool_call_end|>`,
		head:    pattern.Of(`<\|tool_call_start\|>`), body: pythonCalls("<|tool_call_end|>"),
		end: pattern.Of(`<\|tool_call_end\|>`), tail: true,
	},
	{
		name: "olmo-3", doc: "f(a=1) on lines between <function_calls> and </function_calls>",
		held:    "public reports",
		example: "<function_calls>f(a=1)</function_calls>",
		head:    pattern.Of(`<function_calls>`), body: pythonCalls("</function_calls>"),
		end: pattern.Of(`</function_calls>`), tail: true,
	},
	{
		name: "apertus", doc: "<|tools_prefix|>, then a JSON list of {f: arguments}",
		example: `<|inner_prefix|>Hm.<|inner_suffix|><|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>`,
		head:    pattern.Of(`<\|tools_prefix\|>`), body: keyedObjects, think: "<|inner_prefix|>", thought: "<|inner_suffix|>",
		end: pattern.Of(`<\|tools_suffix\|>`), tail: true,
	},
	{
		name: "gigachat-3", doc: "function call<|role_sep|> or <|function_call|>, then a JSON object of name and arguments",
		example: "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}",
		head:    pattern.Of(`(?:<\|message_sep\|>\s*)?function call\s*<\|role_sep\|>|<\|function_call\|>`), body: jsonObjects,
	},
	{
		name: "solar", doc: "<|tool_call:name|>, the name, <|tool_call:args|> and JSON arguments",
		example: `<|think|>Hm.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>f<|tool_call:args|>{"a": 1}<|tool_call:end|><|calls|>`,
		head:    pattern.Of(`<\|tool_call:name\|>\s*([^\s<>]+)\s*<\|tool_call:args\|>`), body: jsonArguments,
		end: pattern.Of(`<\|tool_call:end\|>|<\|calls\|>`), open: pattern.Of(`<\|tool_call:(?:name|args)\|>`),
		think: "<|think|>", thought: "<|end|>", closed: true, drop: pattern.Of(`<\|begin\|>assistant|<\|tool_call:begin\|>\w*`),
	},
	{
		name: "functionary", doc: "the name on one line, JSON arguments on the next, >>> between calls: functionary 3.2",
		held:    "its example",
		example: "all\nI look.>>>f\n{\"a\": 1}",
		head:    pattern.Of(`(?:^|>>>)\s*([A-Za-z_][\w.-]*)\n`), body: jsonArguments, loose: true, drop: pattern.Of(`^(?:>>>)?all\n`),
	},
}
