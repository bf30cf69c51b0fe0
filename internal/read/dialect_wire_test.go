package read_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// lamps are functions whose parameters have types.
const lamps = `[
	{"name": "lamp.set", "parameters": {"type": "dict", "required": ["room"], "properties": {
		"room": {"type": "string"}, "code": {"type": "string"}, "level": {"type": "integer"}, "on": {"type": "boolean"},
		"note": {"type": ["string", "null"]}, "colors": {"type": "array", "items": {"type": "string"}},
		"dim": {"anyOf": [{"type": "integer"}, 5, {"type": "string"}]}, "mix": {"oneOf": [{"type": ["String", "NULL"]}]}, "pair": {"type": "tuple", "items": {}},
		"plan": {"type": "dict", "properties": {"from": {"type": "string"}, "steps": {"type": "array", "items": {"type": "integer"}}}}}}},
	{"type": "function", "function": {"name": "lamp_list", "parameters": {"type": "object", "properties": {}}}}
]`

func lampTools(t testing.TB) []*pyval.Dict {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(lamps))(t)
	var out []*pyval.Dict
	for _, item := range v.(*pyval.List).Items {
		out = append(out, item.(*pyval.Dict))
	}
	return out
}

// completions are texts: the calls in them, or what is said if there are none;
// want "-" is an error of the model's.
var completions = []struct{ dialect, in, want string }{
	{"tool-call", `<tool_call>{"name": "lamp_set", "arguments": {"room": "hall"}}</tool_call>`, "[{'lamp_set': {'room': 'hall'}}]"},
	{"tool-call", "I look.\n<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 5.0}\"}\n{\"name\": \"g\"}\n</tool_call>", "[{'f': {'a': 5.0}}, {'g': {}}]"},
	{"tool-call", "<think>Should I <tool_call>?</think><tool_call>[{'name': 'f', 'arguments': {'a': None}}]", "[{'f': {'a': None}}]"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": "</tool_call>"}}</tool_call>`, "[{'f': {'a': '</tool_call>'}}]"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": [1]}</tool_call>`, "[{'f': [1]}]"},
	{"tool-call", `<tool_call>{"type": "function", "function": {"name": "f", "arguments": {}}}</tool_call>`, "[{'f': {}}]"},
	{"tool-call", "<tool_call>\n{\"name\": \"f\", \"arg", "-"},
	{"tool-call", "<tool_call>Sure.</tool_call>", "-"},
	{"tool-call", `<tool_call>{"arguments": {}}</tool_call>`, "-"},
	{"tool-call", "a</think>\n\n No lamp. <|im_end|>\n", "No lamp."},
	{"apriel", "I think.\n[BEGIN FINAL RESPONSE]\nNo lamp.\n[END FINAL RESPONSE]\n<|end|>", "No lamp."},
	{"json", "```json\n[{\"name\": \"f\", \"parameters\": {\"a\": true}}]\n```", "[{'f': {'a': True}}]"},
	{"json", `{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}`, "[{'f': {}}, {'g': {}}]"},
	{"json", `<|python_tag|>{"tool_calls": [{"name": "f", "arguments": {}}]}`, "[{'f': {}}]"},
	{"json", ` functools[{"name": "f", "arguments": {"a": 1}}]`, "[{'f': {'a': 1}}]"},
	{"json", `The answer is {"level": 3}, or [1].`, `The answer is {"level": 3}, or [1].`},
	{"json", "[1, 2]\n{\"level\": 3}", "[1, 2]\n{\"level\": 3}"},
	{"harmony", ` to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>`, "[{'f': {'a': 1}}]"},
	{"harmony", `commentary to=functions.lamp_set json{"room": "hall"}`, "[{'lamp_set': {'room': 'hall'}}]"},
	{"harmony", `<|channel|>analysis<|message|>to=functions.g{}<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>`, "[{'f': {}}]"},
	{"harmony", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>No lamp.<|return|>", "No lamp."},
	{"harmony", " to=functions.f<|message|>{broken<|call|>", "-"},
	{"function", "<tool_call>\n<function=lamp.set>\n<parameter=room>\nhall\n</parameter>\n<parameter=code>\n0815\n</parameter>\n<parameter=level>\n3\n</parameter>\n<parameter=on>\nTrue\n</parameter>\n</function>\n</tool_call><|im_end|>",
		"[{'lamp.set': {'room': 'hall', 'code': '0815', 'level': 3, 'on': True}}]"},
	{"function", "<function=lamp_set>\n<parameter=note>\nnull\n</parameter>\n<parameter=colors>\n['red', 'it\\'s']\n</parameter>\n<parameter=plan>\n{\"steps\": [1, 2]}\n</parameter>\n</function>",
		"[{'lamp_set': {'note': None, 'colors': ['red', \"it's\"], 'plan': {'steps': [1, 2]}}}]"},
	{"function", "<function=lamp_set>\n<parameter=room>\nthe </parameter> mark\n</parameter>\n</function>", "[{'lamp_set': {'room': 'the </parameter> mark'}}]"},
	{"function", "<function=lamp_set>\n<parameter=room>\nhall\n<parameter=level>\n3\n</tool_call>", "[{'lamp_set': {'room': 'hall', 'level': 3}}]"},
	{"function", "<function=lamp_set>\n<parameter=room>\nhall", "-"},
	{"function", "<function=lamp_set>\n<parameter=note>\n5\n</parameter>\n<parameter=level>\nnull\n</parameter>\n</function>", "[{'lamp_set': {'note': '5', 'level': None}}]"},
	{"function", "<function=unknown>\n<parameter=a>\n5.0\n</parameter>\n<parameter=b>\n007\n</parameter>\n</function>\n<function=lamp_list></function>", "[{'unknown': {'a': 5.0, 'b': '007'}}, {'lamp_list': {}}]"},
	{"function", `<function=f>{"a": [1]}</function><|eom_id|>`, "[{'f': {'a': [1]}}]"},
	{"function", `<function name="lamp_set"><param name="room"><![CDATA[a <b> & c]]></param><param name='level'>3</param></function>`, "[{'lamp_set': {'room': 'a <b> & c', 'level': 3}}]"},
	{"function", "<function=f>what now?</function>", "-"},
	{"seed", "<seed:think>Hm.</seed:think>No lamp.<seed:eos>", "No lamp."},
	{"glm-4.5", "<tool_call>lamp_set<arg_key>room</arg_key><arg_value>12</arg_value><arg_key>level</arg_key><arg_value>12</arg_value></tool_call>\n<tool_call>lamp_list\n</tool_call>",
		"[{'lamp_set': {'room': '12', 'level': 12}}, {'lamp_list': {}}]"},
	{"glm-4.5", "Look.<tool_calls:opensource>\n<tool_call:opensource>lamp_set<tool_sep:opensource>\n<arg_key:opensource>on</arg_key:opensource>\n<arg_value:opensource>false</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>", "[{'lamp_set': {'on': False}}]"},
	{"minimax-m2", "<minimax:tool_call>\n<invoke name=\"lamp_set\">\n<parameter name=\"colors\">[\"red\"]</parameter>\n<parameter name=\"code\">1</parameter>\n</invoke>\n<invoke name=\"lamp_list\">\n</invoke>\n</minimax:tool_call>[e~[",
		"[{'lamp_set': {'colors': ['red'], 'code': '1'}}, {'lamp_list': {}}]"},
	{"minimax-m2", "<think>\nHm.\n</think>\n\nNo lamp.[e~[\n", "No lamp."},
	{"minimax-m3", "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"lamp_set\">]<]minimax[>[<room>a <b>]<]minimax[>[</room>]<]minimax[>[<colors>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[<item>2]<]minimax[>[</item>]<]minimax[>[</colors>]<]minimax[>[<plan>]<]minimax[>[<steps>]<]minimax[>[<item>7]<]minimax[>[</item>]<]minimax[>[</steps>]<]minimax[>[</plan>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>",
		"[{'lamp_set': {'room': 'a <b>', 'colors': ['1', '2'], 'plan': {'steps': [7]}}}]"},
	{"minimax-m3", "<tool_call><invoke name=\"g\"><a><item>7</item></a><b><c>x</c></b></invoke></tool_call>", "[{'g': {'a': [7], 'b': {'c': 'x'}}}]"},
	{"minimax-m3", "<invoke name=\"g\"><a>7</b></invoke>", "-"},
	{"muse", " to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=lamp_set<|message|><atem:function_calls><atem:invoke name=\"lamp_set\"><atem:parameter name=\"level\">3</atem:parameter></atem:invoke></atem:function_calls><|eot|>", "[{'f': {}}, {'lamp_set': {'level': 3}}]"},
	{"muse", " to=user<|message|>No lamp.<|eot|>", "No lamp."},
	{"deepseek-v3.1", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "[{'f': {'a': 1}}, {'g': {}}]"},
	{"deepseek-v3.2", "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"lamp_set\">\n<｜DSML｜parameter name=\"level\" string=\"true\">3</｜DSML｜parameter>\n<｜DSML｜parameter name=\"colors\" string=\"false\">[1]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls><｜end▁of▁sentence｜>", "[{'lamp_set': {'level': '3', 'colors': [1]}}]"},
	{"kimi-k2", "I look.<|tool_calls_section_begin|><|tool_call_begin|>lamp_set<|tool_call_argument_begin|>{}<|tool_call_end|>", "[{'lamp_set': {}}]"},
	{"kimi-k3", `<|open|>response<|sep|>No lamp.<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>`, "No lamp."},
	{"kimi-k3", `<|open|>call tool="lamp&amp;set" index="1"<|sep|><|open|>json type="object"<|sep|>{"a": [1]}<|close|>json<|sep|><|close|>call<|sep|>`, "[{'lamp&set': {'a': [1]}}]"},
	{"kimi-k3", `<|open|>call tool="f" index="1"<|sep|><|open|>argument key="a" type="string"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|>`, "[{'f': {'a': '1'}}]"},
	{"mistral-v11", `[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}, "id": "abcdefghi"}]</s>`, "[{'f': {'a': 1}}]"},
	{"mistral-v11", `I look.[TOOL_CALLS]f[CALL_ID]abc123[ARGS]{}[TOOL_CALLS]g{"a": 1}`, "[{'f': {}}, {'g': {'a': 1}}]"},
	{"cohere-2", "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>No lamp.<|END_RESPONSE|><|END_OF_TURN_TOKEN|>", "No lamp."},
	{"cohere-2", "Action: ```json\n[\n    {\n        \"tool_name\": \"f\",\n        \"parameters\": {\"a\": 1}\n    }\n]```", "[{'f': {'a': 1}}]"},
	{"cohere-2", "Action: ```json\n[{\"tool_name\": \"directly_answer\", \"parameters\": {}}]```", ""},
	{"gemma-4", `<|tool_call>call:lamp_set{level:3,plan:{steps:[1,2]},room:<|"|>a, {b}: "c"<|"|>}<tool_call|><|tool_call>call:lamp_list{}<tool_call|>I look.`, "[{'lamp_set': {'level': 3, 'plan': {'steps': [1, 2]}, 'room': 'a, {b}: \"c\"'}}, {'lamp_list': {}}]"},
	{"gemma-4", `<|tool_call>call:f{a:{b:[1,{c:true}]},d:<|"|><|"|>,e:-2.5}<tool_call|>`, "[{'f': {'a': {'b': [1, {'c': True}]}, 'd': '', 'e': -2.5}}]"},
	{"gemma-4", `<|tool_call>call:f{a:1`, "-"},
	{"minimax-m3", "<tool_call><invoke name=\"lamp_set\"><room></room><colors></colors><plan></plan></invoke></tool_call>", "[{'lamp_set': {'room': '', 'colors': [], 'plan': {}}}]"},
	{"gemma-4", "<|channel>thought\nHm.\n<channel|>No lamp.<turn|>", "No lamp."},
	{"lfm2", "I look.<|tool_call_start|>[lamp_set(room='hall', on=true, level=3), lamp_list()]<|tool_call_end|><|im_end|>", "[{'lamp_set': {'room': 'hall', 'on': True, 'level': 3}}, {'lamp_list': {}}]"},
	{"lfm2", `<|tool_call_start|>[{"name": "f", "arguments": {"a": 1}}]<|tool_call_end|>`, "[{'f': {'a': 1}}]"},
	{"lfm2", "<|tool_call_start|>lamp<|tool_call_end|>", "-"},
	{"apertus", `I look.<|tools_prefix|>[{"f": {"a": 1}}, {"g": {}}]<|tools_suffix|>`, "[{'f': {'a': 1}}, {'g': {}}]"},
	{"apertus", `<|tools_prefix|>[1]<|tools_suffix|>`, "-"},
	{"gigachat-3", `I look.<|function_call|>{"name": "f", "arguments": {}}<|message_sep|>`, "[{'f': {}}]"},
	{"solar", "<|content|>No lamp.<|end|>", "No lamp."},
	{"functionary", "f\n{\"a\": 1}>>>g\n{}<|eot_id|>", "[{'f': {'a': 1}}, {'g': {}}]"},
	{"functionary", "all\nNo lamp.\nOff", "No lamp.\nOff"},
	{"tool-call", `<tool_call>[1]</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"name": "f"} 5`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": null}, {"name": "g", "arguments": {"a": "}\"]"}}; [{"name": "h"}, {"tool_call": {"tool_name": "i", "args": {}}}]`, "[{'f': {}}, {'g': {'a': '}\"]'}}, {'h': {}}, {'i': {}}]"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": "<tool_call>{}"}}<tool_call>{"name": "g"}`, "[{'f': {'a': '<tool_call>{}'}}, {'g': {}}]"},
	{"tool-call", `<tool_call>[{"name": "f"}, 5]</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"tool_calls": [{"name": "f"}, {"level": 3}]}</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {a}}</tool_call>`, "-"},
	{"tool-call", "<tool_call>", "-"},
	{"tool-call", "<think>a</think>\n<think>b</think>c</think>d", "c</think>d"},
	{"tool-call", "I <think>Hm.</think> do.", "I <think>Hm.</think> do."},
	{"tool-call", "<think>No end", "<think>No end"},
	{"json", `{"name": "f", "arguments": "x"}`, "-"},
	{"json", `[{"name": "f", "parameters": {"a": 1}}] and more`, "[{'f': {'a': 1}}]"},
	{"harmony", "<|channel|>final<|message|>No lamp.<|end|>", "No lamp."},
	{"harmony", " to=functions.f<|message|>[1]", "-"},
	{"muse", " to=user<|message|>No lamp.<|eom|>", "No lamp."},
	{"function", `<function=f>[1]</function>`, "-"},
	{"function", "<function=lamp_set><parameter=room></parameter><parameter=level>3</parameter></function>", "[{'lamp_set': {'room': '', 'level': 3}}]"},
	{"function", "<function=lamp_set><parameter=room>hall</parameter> so </function>", "-"},
	{"function", "<function=lamp_set><parameter=room>\n\n null\n\n</parameter><parameter=dim>5</parameter><parameter=mix>null</parameter><parameter=pair></parameter></function>", "[{'lamp_set': {'room': '\\n null\\n', 'dim': '5', 'mix': None, 'pair': ''}}]"},
	{"function", "<function=lamp_set><parameter=room>null</parameter><parameter=plan>{'steps': [1]}</parameter><parameter=on>False</parameter><parameter=level>{3</parameter></function>", "[{'lamp_set': {'room': 'null', 'plan': {'steps': [1]}, 'on': False, 'level': '{3'}}]"},
	{"function", `<function=f><parameter=a>"x"</parameter><parameter=b>true</parameter><parameter=c>None</parameter></function><function=g></function>`, "[{'f': {'a': '\"x\"', 'b': True, 'c': None}}, {'g': {}}]"},
	{"function", `<function=f>{"a": 1}<parameter=b>2</parameter></function>`, "[{'f': {'a': 1, 'b': 2}}]"},
	{"function", "<function=f><parameter=a><![CDATA[open</parameter></function>", "[{'f': {'a': '<![CDATA[open'}}]"},
	{"glm-4.5", "<tool_call>f<arg_key>a &lt;b&gt;</arg_key><arg_value>1</arg_value></tool_call>", "[{'f': {'a <b>': 1}}]"},
	{"minimax-m3", `<invoke name="g"><a><b>1</b>x<c>2</c></a></invoke>`, "-"},
	{"minimax-m3", `<invoke name="g"><a><item>1</item><b>2</b></a><c><d>3</d> </c></invoke>`, "[{'g': {'a': {'item': 1, 'b': 2}, 'c': {'d': 3}}}]"},
	{"minimax-m3", `<invoke name="lamp_set"><colors>["red"]</colors><pair><left>1</left><right>x</right></pair><plan> {} </plan></invoke> <invoke name="lamp_list"></invoke>`, "[{'lamp_set': {'colors': ['red'], 'pair': [1, 'x'], 'plan': {}}}, {'lamp_list': {}}]"},
	{"minimax-m3", `<invoke name="lamp_set"><pair> </pair></invoke>`, "[{'lamp_set': {'pair': []}}]"},
	{"minimax-m3", `<invoke name="g">x<a>1</a></invoke>`, "-"},
	{"minimax-m3", `<invoke name="g"><a>1</a></b>`, "-"},
	{"minimax-m3", `<invoke name="g"><a>1</a>`, "-"},
	{"minimax-m3", `<invoke name="g"><a><b>1</b>`, "-"},
	{"deepseek-v3.2", `<｜DSML｜invoke name="lamp_set"><｜DSML｜parameter name="room" string="false">3</｜DSML｜parameter><｜DSML｜parameter name="level" string="true">
</｜DSML｜parameter></｜DSML｜invoke>`, "[{'lamp_set': {'room': 3, 'level': '\\n'}}]"},
	{"kimi-k3", `<|open|>call tool="f"<|sep|><|open|>json type="object"<|sep|>{"a": 1}<|close|>json<|sep|><|close|>call<|sep|><|open|>call tool="g"<|sep|><|open|>argument key="b"<|sep|>"x"<|close|>argument<|sep|><|close|>call<|sep|>`, "[{'f': {'a': 1}}, {'g': {'b': '\"x\"'}}]"},
	{"cohere-2", `<|START_ACTION|>[{"tool_name": "directly_answer", "parameters": {}}, {"tool_name": "f"}]<|END_ACTION|>`, "[{'f': {}}]"},
	{"gemma-4", `<|tool_call>call:f{a:<|"|><|tool_call>call:g{}<|"|>}<|tool_call>call:h{b:1}`, "[{'f': {'a': '<|tool_call>call:g{}'}}, {'h': {'b': 1}}]"},
	{"gemma-4", `<|tool_call>call:f{}<|tool_call>call:g{}`, "[{'f': {}}, {'g': {}}]"},
	{"gemma-4", `<|tool_call>call:f[1]<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:lamp_set{room:5,level:<|"|>3<|"|>}<tool_call|><|tool_call>call:f{a:<|"|>3<|"|>}`, "[{'lamp_set': {'room': 5, 'level': 3}}, {'f': {'a': '3'}}]"},
	{"lfm2", `<|tool_call_start|>[f(a='5'), lamp_set(level='3', room='4')]<|tool_call_end|><|tool_call_start|>[{"name": "g"}]<|tool_call_end|>`, "[{'f': {'a': '5'}}, {'lamp_set': {'level': 3, 'room': '4'}}, {'g': {}}]"},
	{"apertus", `<|tools_prefix|>{"f": {"a": 1}, "g": {}}<|tools_suffix|>`, "[{'f': {'a': 1}}, {'g': {}}]"},
	{"harmony", `<|start|>assistant<|channel|>analysis to=functions.find code<|message|>{"p":1}<|call|>`, "[{'find': {'p': 1}}]"},
	{"harmony", `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.find<|channel|>analysis <|constrain|>JSON<|message|>{"p":1}<|call|>`, "[{'find': {'p': 1}}]"},
	{"harmony", `<|channel|>commentary to=functions.f application/json; charset=utf-8<|message|>{}<|end|>`, "[{'f': {}}]"},
	{"harmony", `<|channel|>commentary to=functions.f <|constrain|>yaml<|message|>{"a": 1} and more<|call|>`, "-"},
	{"harmony", `<|channel|>commentary to=functions.f json<|message|>{"a": 1}}<|call|>`, "-"},
	{"harmony", `<|channel|>commentary to=functions.f json<|message|>{"a": 1}<|call|><|start|>assistant<|channel|>commentary to=python code<|message|>print(1)<|call|>`, "-"},
	{"gemma-4", `<|tool_call>call:run{code:<|"|>x = 1<|"|>,refs=["r1"],note="n"}<tool_call|>`, "[{'run': {'code': 'x = 1', 'refs': ['r1'], 'note': 'n'}}]"},
	{"gemma-4", `<|tool_call>call:q{refs:["r1", 'it\'s', <|"|>c"<|"|>, "d\n"]}<tool_call|>`, "[{'q': {'refs': ['r1', \"it's\", 'c\"', 'd\\n']}}]"},
	{"gemma-4", `<|tool_call>call:a{<|"|>x<|"|>:1,"y":{'z':2}}<tool_call|>`, "[{'a': {'x': 1, 'y': {'z': 2}}}]"},
	{"gemma-4", `<|tool_call>call:f{f:'a, b: c.pdf',g:'it's one, too',h:"say "hi" now"}<tool_call|>`, "[{'f': {'f': 'a, b: c.pdf', 'g': \"it's one, too\", 'h': 'say \"hi\" now'}}]"},
	{"gemma-4", `<|tool_call>call:f{at:12:30,to:https://a.example/?b=c,on:True,off:None}<tool_call|>`, "[{'f': {'at': '12:30', 'to': 'https://a.example/?b=c', 'on': True, 'off': None}}]"},
	{"gemma-4", `<|tool_call>call:f{a:1 b:2}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:1,a:2}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:<|"|>x<|"|> y}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:(1,2)}}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:"x}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>f{a:1}<tool_call|>`, "-"},
	{"gemma-4", `<|tool_call>call:f{a:1}, call:g{}<tool_call|>`, "-"},
	{"lfm2", "<|tool_call_start|>[r(c='a\nb')]<|tool_call_end|>", "[{'r': {'c': 'a\\nb'}}]"},
	{"lfm2", "<|tool_call_start|>[m(from=1, class=\"x\", None=2)]<|tool_call_end|>", "[{'m': {'from': 1, 'class': 'x', 'None': 2}}]"},
	{"lfm2", "<|tool_call_start|>[m(a='<|tool_call_end|>')]<|tool_call_end|>", "[{'m': {'a': '<|tool_call_end|>'}}]"},
	{"lfm2", "<|tool_call_start|>[m(1, a=2)]<|tool_call_end|>", "-"},
	{"lfm2", "<|tool_call_start|>[m(**{'a': 1})]<|tool_call_end|>", "-"},
	{"lfm2", "<|tool_call_start|>[m(a=1, a=2)]<|tool_call_end|>", "-"},
	{"lfm2", "<|tool_call_start|>[m()(a=1)]<|tool_call_end|>", "-"},
	{"lfm2", `<|tool_call_start|>[{"name": "f", "arguments": {"a": 1}}] and more<|tool_call_end|>`, "-"},
	{"olmo-3", "I look.<function_calls>f(x=1, y=null)\ng(z=\"a\")\n</function_calls>", "[{'f': {'x': 1, 'y': None}}, {'g': {'z': 'a'}}]"},
	{"olmo-3", "<function_calls>\n  f(x=[true, {\"a\": null}],\n    t='a\nb')\nlamp_set(room=3, level=\"3\")", "[{'f': {'x': [True, {'a': None}], 't': 'a\\nb'}}, {'lamp_set': {'room': 3, 'level': 3}}]"},
	{"olmo-3", "<function_calls>f(x=1) more</function_calls>", "-"},
	{"olmo-3", "<function_calls>Sure.</function_calls>", "-"},
	{"minimax-m2", "<minimax:tool_call><invoke name=\"a\"><parameter name=\"x\">  code\n</parameter></invoke></minimax:tool_call>", "[{'a': {'x': '  code\\n'}}]"},
	{"minimax-m2", "<minimax:tool_call>\n<invoke name=\"f\"></invoke>\n{\"a\": 1}</minimax:tool_call>", "-"},
	{"minimax-m2", "<minimax:tool_call>f(a=1)</minimax:tool_call>", "-"},
	{"glm-4.5", "<tool_call>f<arg_key>a</arg_key><arg_value>\n x \n</arg_value></tool_call>", "[{'f': {'a': '\\n x \\n'}}]"},
	{"glm-4.5", `<tool_call>{"name": "f", "arguments": {}}</tool_call>`, "-"},
	{"function", "<function=f><parameter=a>1</parameter><parameter=a>2</parameter></function>", "-"},
	{"function", "<tool_call>\n<function=f></function>\nand more</tool_call>", "-"},
	{"function", `<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`, "-"},
	{"minimax-m3", `<invoke name="g"><a><tag>1</tag><tag>2</tag></a></invoke>`, "[{'g': {'a': [1, 2]}}]"},
	{"minimax-m3", `<invoke name="g"><a><b>1</b><b>2</b><c>3</c></a></invoke>`, "-"},
	{"minimax-m3", `<invoke name="g"><a>1</a><a>2</a></invoke>`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "a": 1}</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": 1}, "parameters": {"b": 2}}</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": 1}, "b": 2}</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"id": "c1", "type": "function", "name": "f", "arguments": {"a": 1}}</tool_call>`, "[{'f': {'a': 1}}]"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": 1}} and {"b": 2}</tool_call>`, "-"},
	{"tool-call", `<tool_call>{"name": "f", "arguments": {"a": 1}}, {"name": "g"</tool_call>`, "-"},
	{"json", `{"name": "f", "parameters": {}}; {"name": "g", "parameters": {`, "-"},
	{"json", `{"name": "f", "parameters": {"a": `, "-"},
	{"mistral-v11", `[TOOL_CALLS]f[ARGS]{"a": 1}{"b": 2}`, "-"},
	{"mistral-v11", `[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g[ARGS]{} That is all.`, "[{'f': {'a': 1}}, {'g': {}}]"},
	{"kimi-k2", `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1} and more<|tool_call_end|>`, "-"},
	{"kimi-k2", `<|tool_call_begin|>functions.f:0{"a": 1}<|tool_call_end|>`, "-"},
	{"functionary", "x\nf\n{\"a\": 1}", "[{'f': {'a': 1}}]"},
	{"functionary", strings.Repeat(">>>x\n", 99) + ">>>f\n{}", "[{'f': {}}]"},
	{"functionary", "No.\n" + strings.Repeat(">>>x\n", 100) + ">>>f\n{}", "No.\n" + strings.Repeat(">>>x\n", 100) + ">>>f\n{}"},
}

func TestDialectCompletions(t *testing.T) {
	tools := lampTools(t)
	tried := map[string]bool{}
	for _, c := range completions {
		d := dialect.Find(c.dialect)
		require.NotNil(t, d, c.dialect)
		tried[c.dialect] = true
		r, err := d.Read(c.in, tools, nil)
		if c.want == "-" {
			assert.ErrorContains(t, err, "malformed call: expected ", "%s: %q gives %v", c.dialect, c.in, r.Kept)
			assert.ErrorContains(t, err, " at character ", c.in)
			assert.Error(t, testkit.Err(d.Decode(r.Kept, dialect.V4(decode.Python))), "%s: %q", c.dialect, c.in)
			_, err = d.Execute(r.Kept, dialect.V4(decode.Python))
			assert.Error(t, err, "%s: %q", c.dialect, c.in)
			continue
		}
		if !assert.NoError(t, err, "%s: %q", c.dialect, c.in) {
			continue
		}
		if !strings.HasPrefix(c.want, "[{'") {
			assert.Equal(t, c.want, pyval.Text(r.Kept), "%s: %q", c.dialect, c.in)
			calls, err := d.Decode(r.Kept, dialect.V4(decode.Python))
			assert.True(t, err == nil && decode.IsEmpty(calls), "%s: %q has no calls", c.dialect, c.in)
			continue
		}
		assert.Equal(t, c.want, astOf(d, r.Kept), "%s: %q", c.dialect, c.in)
		g := dialect.V4(decode.Python)
		g.Tools = tools
		unread, err := d.Decode(pyval.Str(c.in), g) // a text that a server left as it was
		assert.NoError(t, err, "%s: %q", c.dialect, c.in)
		assert.Equal(t, c.want, shown(unread), "%s: %q", c.dialect, c.in)
	}
	for _, d := range dialect.All() {
		if d.Example() != "" && !tried[d.Name] {
			t.Logf("%s is tried by its example alone", d.Name)
		}
	}
}

// TestDialectExamples reads each dialect's own example, and every beginning of it: what
// is cut off never becomes another call.
func TestDialectExamples(t *testing.T) {
	for _, d := range dialect.All() {
		text := d.Example()
		if text == "" {
			continue
		}
		r, err := d.Read(text, nil, nil)
		require.NoError(t, err, d.Name)
		assert.Equal(t, "[{'f': {'a': 1}}]", astOf(d, r.Kept), d.Name)
		assert.Equal(t, "['f(a=1)']", textsOf(d, r.Kept), d.Name)
		if strings.Contains(text, "Hm.") {
			assert.Equal(t, "Hm.", r.Reasoning, d.Name)
		}
		calls, _ := r.Message.GetStr("tool_calls")
		assert.Equal(t, "[{'name': 'f', 'arguments': {'a': 1}}]", pyval.Repr(calls), d.Name)
		for n := range text {
			r, err := d.Read(text[:n], nil, nil)
			if err == nil && r.Kept.Kind() == pyval.KindList {
				assert.Equal(t, "[{'f': {'a': 1}}]", astOf(d, r.Kept), "%s: %q", d.Name, text[:n])
			}
		}
		r, err = d.Read("There is no lamp.", nil, nil)
		require.NoError(t, err, d.Name)
		assert.Equal(t, "There is no lamp.", pyval.Text(r.Kept), d.Name)
	}
}

func TestDialectFamilyOf(t *testing.T) {
	for model, want := range map[string]struct {
		dialect string
		turn    dialect.Turn
	}{
		"openai/gpt-oss-120b": {"harmony", dialect.One}, "gpt-oss:20b": {"harmony", dialect.One},
		"Qwen/Qwen3-Coder-30B-A3B-Instruct": {"function", dialect.Several}, "/models/qwen3.5-4b-q4_k_m.gguf": {"function", dialect.Several},
		"Qwen/Qwen3-8B": {"tool-call", dialect.Several}, "Qwen/QwQ-32B": {"tool-call", dialect.Several},
		"deepseek-ai/DeepSeek-R1-Distill-Qwen-32B": {"deepseek-v3.1", dialect.Several}, "deepseek-ai/DeepSeek-V3.2": {"deepseek-v3.2", dialect.Several},
		"deepseek-ai/DeepSeek-V3.2-Exp": {"deepseek-v3.1", dialect.Several}, "deepseek-ai/DeepSeek-V3-0324": {"deepseek-v3.1", dialect.Several},
		"zai-org/GLM-4.7-Flash": {"glm-4.5", dialect.Several}, "THUDM/glm-4-9b-chat": {"glm", dialect.One}, "zai-org/GLM-5": {"glm-4.5", dialect.Several},
		"moonshotai/Kimi-K2-Thinking": {"kimi-k2", dialect.Several}, "mistralai/Ministral-3-14B": {"mistral-v11", dialect.Several},
		"NousResearch/Hermes-3-Llama-3.1-8B": {"tool-call", dialect.Several}, "meta-llama/Llama-3.3-70B-Instruct": {"json", dialect.One},
		"nvidia/Llama-3_3-Nemotron-Super-49B-v1_5": {"tool-call", dialect.Several}, "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": {"function", dialect.Several},
		"google/gemma-4-31B-it": {"gemma-4", dialect.Several}, "google/gemma-3-27b-it": {"gemma", dialect.None}, "google/functiongemma-270m": {"functiongemma", dialect.Several},
		"ai-sage/GigaChat3-10B": {"gigachat-3", dialect.One}, "ibm-granite/granite-4.1-8b": {"tool-call", dialect.Several},
	} {
		f, ok := dialect.FamilyOf(model)
		require.True(t, ok, model)
		assert.Equal(t, want.dialect, f.Dialect.Name, model)
		assert.Equal(t, want.turn, f.Turn, model)
		assert.NotEmpty(t, f.Name, model)
	}
	f, ok := dialect.FamilyOf(strings.Repeat("x", 396) + "-qwq-32b")
	assert.True(t, ok && f.Name == "Qwen", "the first 400 characters")
	for _, model := range []string{"", strings.Repeat("x", 397) + "-qwq-32b", "gpt-5.2", "claude-opus", "my-own-model", "notqwen", strings.Repeat("x", 1<<20)} {
		_, ok := dialect.FamilyOf(model)
		assert.False(t, ok, "%.50s", model)
	}
}

// TestDialectUnread counts the marks that upstream's handlers leave unread.
func TestDialectUnread(t *testing.T) {
	const block = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
	for _, c := range []struct {
		dialect, in string
		want        int
	}{
		{"qwen-fc", block + "\n" + block, 0},
		{"qwen-fc", block + "\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>", 1},
		{"qwen-fc", block + "\n<tool_call>\n{\"name\": \"g\"", 1},
		{"granite-4", "<tool_call>\n{'name': 'f'}\n</tool_call>", 1},
		{"falcon3", "<tool_call>[{\"name\": \"f\", \"arguments\": {}}]</tool_call><tool_call>[{\"name\": \"g\", \"arguments\": {}}]</tool_call>", 1},
		{"functiongemma", "<start_function_call>call:f{a:1}<end_function_call><start_function_call>call:g{a:1}", 1},
		{"tool-call", block + block, 0},
		{"prompt", "[f(a=1)]", 0},
	} {
		d := dialect.Find(c.dialect)
		assert.Equal(t, c.want, d.Unread(pyval.Str(c.in)), "%s: %q", c.dialect, c.in)
		assert.Equal(t, 2*c.want, d.Unread(pyval.NewList(pyval.NewList(pyval.Str(c.in), pyval.Str(c.in)))), "a conversation")
	}
	assert.Zero(t, dialect.Find("qwen-fc").Unread(pyval.None))
}
