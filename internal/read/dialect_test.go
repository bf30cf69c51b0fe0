package read_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A row is an answer as JSON and what it decodes to; want "" is a failure.
// exec, where given, are the call texts; "-" is a failure, "none" no texts.
type row struct{ dialect, in, want, exec string }

var rows = []row{
	{"fc-json", `[{"f": "{\"a\": 1.0}"}, {"g": "{}"}]`, `[{'f': {'a': 1.0}}, {'g': {}}]`, `f(a=1.0)|g()`},
	{"fc-json", `"no call"`, "", "-"},
	{"fc-json", `""`, "[]", ""},
	{"fc-json", `{"f": "{\"a\": [1, \"x\"]}"}`, "", `f(a=[1, 'x'])`},
	{"gemini", `{"f": "{}"}`, `[{'f': {}}]`, "f()"},
	{"gemini", `""`, "", ""},
	{"gemini", `["a part", {"f": "{}"}]`, "", "-"},
	{"fc-object", `[{"f": {"a": true}}]`, `[{'f': {'a': True}}]`, "f(a=True)"},
	{"fc-object", `[{}]`, "", ""},
	{"fc-object", `"text"`, "", "-"},
	{"prompt-plain", `"[f(a=1), g(b='x y')]"`, `[{'f': {'a': 1}}, {'g': {'b': 'x y'}}]`, "f(a=1)|g(b='x y')"},
	{"prompt-plain", `"f(a=1)"`, "", "-"},
	{"prompt-plain", `" [f(a=1)]"`, "", "-"},
	{"prompt-plain", `"[f()]"`, "['f()']", "-"},
	{"prompt-plain", `"(f(a=+5), g.h(b=not True))"`, "[{'f': {'a': -5}}, {'g.h': {'b': -1}}]", "f(a=-5)|g.h(b=-1)"},
	{"prompt-plain", `"[1]"`, "", "-"},
	{"prompt-plain", `[]`, "", "-"},
	{"prompt-space", `" f(a=1)"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-space", `"  f(a=1)"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-space", `""`, "", "-"},
	{"prompt-brackets", `"f(a=1), g(b=2)"`, `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"prompt-lines", `"[f(a=1),\ng(b=2\n)]"`, `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"prompt-mistral", `"f(a\\_b=1)"`, `[{'f': {'a_b': 1}}]`, "-"},
	{"prompt-mistral", `"[f(a\\_b=1)]"`, `[{'f': {'a_b': 1}}]`, "f(a_b=1)"},
	{"prompt-wrap", `"f(a=1), g(b=2)"`, `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"prompt-search", `"Sure:\n[f(a=[1,\n2])]\nThat is it."`, `[{'f': {'a': [1, 2]}}]`, "f(a=[1, 2])"},
	{"prompt-search", `"no brackets"`, "", "-"},
	{"prompt-search", `"] ["`, "", "-"},
	{"prompt-quoted", `"['f(a=1)', 'g(b=2)']"`, `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"prompt-quoted", `"f(a=1)"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-dbrx", `"['f(a=1)']"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-dbrx", `"['f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-dbrx", `"[f(a='x y')]"`, `[{'f': {'a': 'x y'}}]`, "f(a='x y')"},
	{"prompt-fenced", "\"Here:\\n```python\\n[f(a=1)]\\n```\"", `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt-fenced", `"[f(a=1)]"`, "", "-"},
	{"raven", `"f(a=1); g(b=2);"`, `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"raven", `"out_of_domain(q='x')"`, "'irrelevant'", "out_of_domain(q='x')"},
	{"hermes", `"<tool_call>\n{'name': 'f', 'arguments': {'a': 1}}\n</tool_call>\nDone."`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"hermes", `"<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": True}}"`, "", "-"},
	{"hermes", `"<tool_call>\n{\"name\": \"f\"}"`, "", "-"},
	{"hermes", `"just talk"`, "[]", ""},
	{"hermes", `"<tool_call>\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}"`, `[{'f': {}}]`, "f()"},
	{"hermes", `"<tool_call>\n<tool_call>\n</tool_call>"`, "", "-"},
	{"glm", `"f\n{\"a\": 1}\nmore"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"glm", `"just talk"`, "['just talk']", "-"},
	{"glm", `""`, "['']", ""},
	{"glm", `"two lines\nof talk"`, "", "-"},
	{"granite", `"<function_call> {\"name\": \" f \", \"arguments\": {\"a\": 1}} <function_call> {\"name\": \"g\"}"`, `[{'f': {'a': 1}}, {'g': {}}]`, "f(a=1)|g()"},
	{"granite", `"<function_call> {\"name\": \"no_function\"}"`, "['No function is called']", "No function is called"},
	{"granite", `"talk"`, "['talk']", "talk"},
	{"granite", `"[1]"`, "", "-"},
	{"granite", `"{\"name\": 3}"`, "", "-"},
	{"xlam", `"[{\"name\": \"f\", \"arguments\": {\"a\": 1, \"b\": 2}}]"`, `[{'f': {'a': 1, 'b': 2}}]`, "f(a=1, b=2)"},
	{"xlam", `"{\"tool_calls\": [{\"name\": \"f\"}]}"`, `[{'f': {}}]`, "f()"},
	{"xlam", `"talk"`, "'talk'", "-"},
	{"xlam", `"[3, {\"name\": \"f\"}]"`, `[{'f': {}}]`, "f()"},
	{"fc-list", `[{"name": "f", "arguments": {"a": "x"}}]`, `[{'f': {'a': 'x'}}]`, "f(a='x')"},
	{"fc-list", `[{"f": {"a": 1}}]`, "", "()"},
	{"fc-list", `null`, "", "-"},
	{"gemini-object", `[{"f": {"a": 1, "b": 2}}]`, `[{'f': {'a': 1, 'b': 2}}]`, "f(a=1,b=2)"},
	{"gemini-object", `"talk"`, `['talk']`, "-"},
	{"nova", `[{"f": "{\"a\": 1}"}, {"g": {}}]`, `[{'f': '{"a": 1}'}, {'g': {}}]`, "f(a=1)|g()"},
	{"nova", `"talk"`, "", "-"},
	{"cohere", `[{"tool_name": "f", "parameters": {"a": 1}}]`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"cohere", `[{"name": "f"}]`, "", "-"},
	{"cohere", `"talk"`, "[]", ""},
	{"prompt", "\"```\\n f(a=1) \\n```\"", `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"prompt", `"[f(a={'x': {}}, b=2)]"`, `[{'f': {'a': {'x': {}}, 'b': 2}}]`, "f(a=x(), b=2)"},
	{"nemotron", `"<TOOLCALL>[f(a=1)]</TOOLCALL> and more"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"nemotron", `"[f(a=1)]"`, "[]", ""},
	{"gorilla", `"f(a=1)"`, `[{'f': {'a': 1}}]`, "-"},
	{"gorilla", `[]`, "", "-"},
	{"arch", `[{"f": {"a": 1}}]`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"arch", `"talk"`, "", "-"},
	{"arch", `[1]`, "", "-"},
	{"bitagent", `"[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"bitagent", `"{\"name\": \"f\", \"arguments\": {}}; {\"name\": \"g\", \"arguments\": {}}"`, "", "-"},
	{"xlam-llama", `"{\"name\": \"f\", \"arguments\": {}}; {\"name\": \"g\", \"arguments\": {}}"`, `[{'f': {}}, {'g': {}}]`, "f()|g()"},
	{"xlam-qwen", `"{\"name\": \"f\", \"arguments\": {\"a\": \";\"}}"`, `[{'f': {'a': ';'}}]`, "f(a=';')"},
	{"xlam-qwen", `"talk"`, "", "-"},
	{"falcon3", "\"Well: <tool_call>\\n```json\\n[{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}]\\n```\\n\"", `[{'f': {}}]`, "f()"},
	{"falcon3", `"[{\"name\": \"f\", \"arguments\": {}}]"`, "", "-"},
	{"functiongemma", `"<start_function_call>call:f{a:1,b:[true,{c:<escape>x, y<escape>}],d:2.50}<end_function_call>"`, `[{'f': {'a': 1, 'b': [True, {'c': 'x, y'}], 'd': 2.5}}]`, "f(a=1, b=[True, {'c': 'x, y'}], d=2.5)"},
	{"functiongemma", `"<start_function_call>call:f{a:}<end_function_call>"`, `[{'f': {'a': ''}}]`, ""},
	{"functiongemma", `"call:f{a:1}"`, "[]", ""},
	{"functiongemma", `"<start_function_call>call: f {a:false,b:null,c:1e2,d:-3,e:x y,g:{},h:[]}<end_function_call>"`, `[{'f': {'a': False, 'b': None, 'c': 100.0, 'd': -3, 'e': 'x y', 'g': {}, 'h': []}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{a:[1,[2,3],{b:4}],c:[<escape>]<escape>,5]}<end_function_call>"`, `[{'f': {'a': [1, [2, 3], {'b': 4}], 'c': [']', 5]}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{<escape>k<escape>:1,{x:1},[2],a:3}<end_function_call>"`, `[{'f': {'a': 3}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{a:1],b:2}<end_function_call>"`, `[{'f': {'a': 1}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{a:[1},b:2}<end_function_call>"`, `[{'f': {'a': [1]}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{a:<escape>open,b:2}<end_function_call>"`, `[{'f': {'a': '<escape>open,b:2}'}}]`, ""},
	{"functiongemma", `"<start_function_call>call:f{a:one<escape>two<escape>,b:2}<end_function_call>"`, `[{'f': {'a': 'one', 'b': 2}}]`, ""},
	{"functiongemma", `"<start_function_call>f{a:1}<end_function_call><start_function_call>call:g{}<end_function_call>"`, `[{'g': {}}]`, ""},
	{"minicpm-fc", `"<|thought_start|>f(a=0)<|thought_end|><|tool_call_start|>f(a=1)<|tool_call_end|>"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"minicpm-fc", `"<|tool_call_end|>f(a=1)<|tool_call_start|>"`, `'f(a=1)<|tool_call_start|>'`, ""},
	{"minicpm-fc", `"<|tool_call_start|>f(a=1)\n\n  g()<|tool_call_end|>No."`, `'No.'`, ""},
	{"minicpm-fc", `"<|tool_call_start|>f(a=1)\n\ng()<|tool_call_end|>No."`, `[{'f': {'a': 1}}, {'g': {}}]`, "f(a=1)|g()"},
	{"granite-3", `[{"f": {"a": 1}}]`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"granite-3", `"talk"`, "", "-"},
	{"granite-4", `"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"`, `[{'f': {}}]`, "f()"},
	{"granite-4", `"<tool_call>\n{\"name\": \"f\"}\n</tool_call>"`, "", "-"},
	{"hammer", "\"```[{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {\\\"a\\\": 1}}]```\"", `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"hammer", `"talk"`, "[]", ""},
	{"hammer", `"[{\"Name\": \"f\"}, 1]"`, "", "()"},
	{"llama-fc", `"<|python_tag|>{'name': 'f', 'parameters': {'a': True}}"`, `[{'f': {'a': True}}]`, "f(a=True)"},
	{"llama-fc", `"{\"name\": \"f\", \"parameters\": {\"a\": true}}"`, "", "-"},
	{"llama-fc", `"{\"name\": \"f\", \"parameters\": {\"a\": true}}; {\"name\": \"g\", \"parameters\": {}}"`, `[{'f': {'a': True}}, {'g': {}}]`, "f(a=True)|g()"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': 2 * 3}}"`, `[{'f': {'a': 6}}]`, "f(a=6)"},
	{"llama-fc", `"{'name': open('x'), 'parameters': {}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': 'n' + str(2.0)}}"`, `[{'f': {'a': 'n2.0'}}]`, "f(a='n2.0')"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': str(round((1 + 2) / 2)), 'b': round(True)}}"`, `[{'f': {'a': '2', 'b': 1}}]`, "f(a='2',b=1)"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': round(1e999)}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': round('x')}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': str}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': str(b'x', 'ascii')}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': 'x'.upper()}}"`, "", "-"},
	{"minicpm-fc", "\"<|tool_call_start|>\\n```python\\nf(a=1)\\ng(\\n  b=2)\\n```\\n<|tool_call_end|>\\n\"", `[{'f': {'a': 1}}, {'g': {'b': 2}}]`, "f(a=1)|g(b=2)"},
	{"minicpm-fc", `"<|tool_call_start|>f(<|tool_call_end|> Sorry."`, `'Sorry.'`, ""},
	{"mistral-fc", `[{"f": {"a": 1}}, {"g": "{}"}]`, `[{'f': {'a': 1}}, {'g': '{}'}]`, "f(a=1)|g()"},
	{"mistral-fc", `"talk"`, "", "-"},
	{"nanbeige", `"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"`, `[{'f': {}}]`, "f()"},
	{"pelican", `"<tool_call>\n[]\n</tool_call>"`, "", "-"},
	{"qwen-fc", `"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call> <tool_call>\n{\n</tool_call>"`, `[{'f': {}}]`, "f()"},
	{"qwen-fc", `"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"`, "[]", ""},
	{"phi-fc", `[{"f": {"a": 1}}]`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"phi", "\" ```json\\n[f(a=1)]\\n```\"", `[{'f': {'a': 1}}]`, "-"},
	{"bielik", `"[f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"deepseek-r1", `"[f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"gemma", `"f(a=1)"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"llama", `"[f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"minicpm", `"[f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"qwen", `"[f(a=1)]"`, `[{'f': {'a': 1}}]`, "f(a=1)"},
	{"thinkagent", `"<think>Hm.</think>[{'name': 'f', 'arguments': {'a': 1}}]"`, `[{'f': {'a': 1}}]`, "-"},
	{"thinkagent", `"[{'name': 'f', 'arguments': {'a': 1}}]"`, "[]", ""},
	{"glm", `"\n{\"a\": 1}"`, `[{'': {'a': 1}}]`, "(a=1)"},
	{"glm", `"f\n{broken"`, "", "-"},
	{"glm", `5`, "", "-"},
	{"hermes", `5`, "", "-"},
	{"hermes", `"<tool_call>\n[1]"`, "", "-"},
	{"hermes", `"<tool_call>\n{\"arguments\": {}}"`, "", "-"},
	{"hermes", `"<tool_call>\n{\"name\": \"f\", \"arguments\": [1]}"`, "[{'f': [1]}]", "-"},
	{"hermes", `"<tool_call>\n{\"name\": [], \"arguments\": {}}"`, "", "[]()"},
	{"granite", `5`, "", "-"},
	{"granite", `"<function_call>{\"name\": \"f\", \"arguments\": [1]}"`, "[{'f': [1]}]", "-"},
	{"granite", `"Well <function_call> {\"name\": \"f\"}"`, "['Well', {'f': {}}]", "Well|f()"},
	{"xlam", `5`, "", "-"},
	{"xlam", `"5"`, "", "-"},
	{"xlam", `"[{\"name\": \"f\", \"arguments\": [1]}]"`, "[{'f': [1]}]", "-"},
	{"xlam", `"[{\"name\": [], \"arguments\": {}}]"`, "", "[]()"},
	{"xlam", `"{\"other\": 1}"`, "[]", "none"},
	{"fc-list", `[1, {"name": "f", "arguments": {"a": 1}}, {}]`, "", "f(a=1)|()"},
	{"fc-list", `[{"name": "f", "arguments": 5}]`, "[{'f': 5}]", "-"},
	{"fc-list", `[{"name": [], "arguments": {}}]`, "", "[]()"},
	{"fc-object", `[1]`, "", "-"},
	{"fc-object", `[{"f": 1, "g": 2}]`, "[{'f': 1}]", "-"},
	{"fc-json", `[{"f": 5}]`, "", "-"},
	{"fc-json", `[{"f": "5"}]`, "[{'f': 5}]", "-"},
	{"nova", `[1]`, "[1]", "-"},
	{"cohere", `[1]`, "", "-"},
	{"cohere", `[{"tool_name": "f"}]`, "", "-"},
	{"cohere", `[{"tool_name": [], "parameters": {}}]`, "", "-"},
	{"cohere", `[{"tool_name": "f", "parameters": 5}]`, "[{'f': 5}]", "-"},
	{"bitagent", `5`, "", "-"},
	{"bitagent", `"[{\"name\": \"f\", \"arguments\": [1]}]"`, "[{'f': [1]}]", "-"},
	{"bitagent", `"[{\"arguments\": {}}]"`, "", "-"},
	{"xlam-llama", `5`, "", "-"},
	{"xlam-llama", `"{\"name\": \"f\", \"arguments\": {}}; talk"`, "", "-"},
	{"falcon3", `5`, "", "-"},
	{"falcon3", `"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call> Done."`, "[{'f': {}}]", "f()"},
	{"falcon3", `"<tool_call>{\"name\": \"f\", \"arguments\": {}}<tool_call>{}"`, "[{'f': {}}]", "f()"},
	{"falcon3", `"<tool_call>f()</tool_call>"`, "", "-"},
	{"hammer", `5`, "", "none"},
	{"hammer", `"5"`, "", "none"},
	{"hammer", `"[{\"name\": \"f\", \"arguments\": 5}]"`, "[{'f': 5}]", "-"},
	{"thinkagent", `5`, "", "-"},
	{"thinkagent", `"a</think>b"`, "", "-"},
	{"thinkagent", `"a</think>5"`, "", "-"},
	{"thinkagent", `"a</think>[]"`, "[]", "none"},
	{"thinkagent", `"a</think>[]</think>b</think>c"`, "[]", "none"},
	{"granite-4", `5`, "", "-"},
	{"granite-4", `"<tool_call>\n{\"name\": \"f\", \"arguments\": [1]}\n</tool_call>"`, "", "-"},
	{"granite-4", `"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n"`, "[]", "none"},
	{"granite-4", `"<tool_call>\n{\"name\": [], \"arguments\": {}}\n</tool_call>"`, "", "-"},
	{"llama-fc", `5`, "", "-"},
	{"llama-fc", `"5"`, "", "-"},
	{"llama-fc", `"[{'name': 'f', 'parameters': {}}, {'name': 'g', 'parameters': {}}]"`, "[{'f': {}}, {'g': {}}]", "f()|g()"},
	{"llama-fc", `"{\"name\": \"f\", \"parameters\": {}}; talk"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': str()}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': str(object=5)}}"`, "", "-"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': '\u0001'}}"`, "[{'f': {'a': '\\x01'}}]", "f(a='\\x01')"},
	{"llama-fc", `"{'name': 'f', 'parameters': {'a': '\u0000'}}"`, "", "-"},
	{"minicpm-fc", `5`, "", "-"},
	{"minicpm-fc", `"Hm. "`, "'Hm.'", "none"},
	{"minicpm-fc", `"<|tool_call_start|>f (a=1)<|tool_call_end|>No."`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"minicpm-fc", `"<|tool_call_start|>f(a=1)"`, "'<|tool_call_start|>f(a=1)'", "none"},
	{"functiongemma", `5`, "", "-"},
	{"functiongemma", `"<start_function_call>call:f{,:5,[2]:6,a:1,}<end_function_call>"`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"functiongemma", `"<start_function_call>call:f{a:1,[2<end_function_call>"`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"functiongemma", `"<start_function_call>call:f{a<end_function_call>"`, "[{'f': {}}]", "f()"},
	{"functiongemma", `"<start_function_call>call:f{b:1,a:<end_function_call>"`, "[{'f': {'b': 1}}]", "f(b=1)"},
	{"functiongemma", `"<start_function_call>call:f{a: : ,1, b : two }<end_function_call>"`, "[{'f': {'a': 1, 'b': 'two'}}]", "f(a=1, b='two')"},
	{"functiongemma", `"<start_function_call>call:f{a:<escape>x<escape><escape>y<escape>,b:[<escape><escape>,2]}<end_function_call>"`, "[{'f': {'a': 'x', 'b': ['', 2]}}]", "f(a='x', b=['', 2])"},
	{"functiongemma", `"<start_function_call>f{}<end_function_call><start_function_call>call:g{1:2}<end_function_call>"`, "[{'g': {'1': 2}}]", "g(1=2)"},
	{"prompt-search", `"[f(a=1)]"`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"prompt-quoted", `"['f(a=1)',\n'g(b=2)']"`, "[{'f': {'a': 1}}, {'g': {'b': 2}}]", "f(a=1)|g(b=2)"},
	{"prompt-fenced", "\"```f```[g(a=1)]\"", "", "-"},
	{"prompt-fenced", "\"``` [f(a=1)] ``` ``` [g(a=1)] ```\"", "[{'f': {'a': 1}}]", "f(a=1)"},
	{"prompt-dbrx", `"'f(a=1)', 'g(b=2)'"`, "[{'f': {'a': 1}}, {'g': {'b': 2}}]", "f(a=1)|g(b=2)"},
	{"prompt-dbrx", `"'f(a=1)'"`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"prompt-dbrx", `"['f(a=1)\n    ]"`, "[{'f': {'a': 1}}]", "f(a=1)"},
	{"prompt-dbrx", `"talk"`, "", "-"},
	{"phi", "\"```python\\n[f(a=1)]\\n```\"", "[{'f': {'a': 1}}]", "f(a=1)"},
	{"phi", `5`, "", "-"},
	{"deepseek-r1", `5`, "", "-"},
	{"raven", `"talk and talk"`, "", "-"},
	{"gemini", `[{"f": "{}"}, {"g": "{}"}]`, "[{'f': {}}, {'g': {}}]", "f()|g()"},
	{"gemini-object", `[{"f": {}}, 5]`, "[{'f': {}}, 5]", "-"},
	{"gemini-object", `[{"f": 5}]`, "[{'f': 5}]", "-"},
	{"tool-call", `[{"f": "{}"}]`, "[{'f': {}}]", "f()"},
	{"tool-call", `[{"f": {}}]`, "", "f()"},
	{"tool-call", `"<tool_call>f</tool_call>"`, "", "-"},
}

func TestDialects(t *testing.T) {
	tried := map[string]bool{}
	for _, r := range rows {
		result, err := pyval.ParseJSON(r.in)
		require.NoError(t, err, r.in)
		d := dialect.Find(r.dialect)
		require.NotNil(t, d, r.dialect)
		tried[r.dialect] = true
		got, err := d.Decode(result, dialect.V1(decode.Python))
		if r.want == "" {
			assert.Error(t, err, "%s: %s gives %v", r.dialect, r.in, got)
		} else if assert.NoError(t, err, "%s: %s", r.dialect, r.in) {
			assert.Equal(t, r.want, pyval.Repr(got), "%s: %s", r.dialect, r.in)
		}
		if r.exec == "" {
			continue
		}
		texts, err := d.Execute(result, dialect.V1(decode.Python))
		if r.exec == "none" {
			assert.NoError(t, err, "%s: %s", r.dialect, r.in)
			assert.Empty(t, texts, "%s: %s", r.dialect, r.in)
		} else if r.exec == "-" {
			assert.Error(t, err, "%s: %s gives %q", r.dialect, r.in, texts)
		} else if assert.NoError(t, err, "%s: %s", r.dialect, r.in) {
			assert.Equal(t, r.exec, strings.Join(texts, "|"), "%s: %s", r.dialect, r.in)
		}
	}
	for _, d := range dialect.All() {
		assert.True(t, tried[d.Name] || d.Example() != "", "%s has no row and no example", d.Name)
		assert.NotEmpty(t, d.Doc, d.Name)
	}
}

// TestDialectSource: the grammars of Java and JavaScript leave arguments as source
// text, and hermes makes source text of JSON values.
func TestDialectSource(t *testing.T) {
	in := pyval.Str("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": true, \"b\": [1]}}")
	for format, want := range map[decode.Format]string{
		decode.Java: "{'a': 'True', 'b': '[1]'}", decode.JavaScript: "{'a': 'True', 'b': '[1]'}", decode.Python: "{'a': True, 'b': [1]}",
	} {
		for _, g := range []dialect.Grammar{dialect.V1(format), dialect.V4(format)} {
			got := testkit.Must(dialect.Find("hermes").Decode(in, g))(t)
			assert.Equal(t, "[{'f': "+want+"}]", pyval.Repr(got))
		}
	}
	require.Error(t, testkit.Err(dialect.Find("hermes").Decode(pyval.Str("<tool_call>\n{\"name\": \"f\", \"arguments\": [1]}"), dialect.V1(decode.Java))), "arguments that are no object")
	got := testkit.Must(dialect.Find("prompt-plain").Decode(pyval.Str("[f(a=new int[]{1})]"), dialect.V1(decode.Java)))(t)
	assert.Equal(t, "[{'f': {'a': 'new int[]{1}'}}]", pyval.Repr(got))
	got, err := dialect.Find("prompt-plain").Decode(pyval.Str(" f() "), dialect.V4(decode.Python))
	require.NoError(t, err, "the current grammar forgives more")
	assert.Equal(t, "[{'f': {}}]", pyval.Repr(got))
}

func TestDialectForModel(t *testing.T) {
	for _, c := range []struct {
		model, dialect string
		dots           bool
	}{
		{"NousResearch_Hermes-2-Pro-Mistral-7B", "hermes", true}, {"THUDM_glm-4-9b-chat", "glm", true},
		{"claude-3-5-sonnet-20240620-FC", "fc-json", true}, {"claude-3-haiku-20240307", "prompt-space", false},
		{"command-r-plus-FC", "fc-object", true}, {"command-r-plus", "prompt-brackets", false}, {"databricks-dbrx-instruct", "prompt-dbrx", false},
		{"gemini-1.5-pro-preview-0514", "gemini", true}, {"google_gemma-7b-it", "prompt-search", false},
		{"gorilla-openfunctions-v2", "prompt-wrap", false}, {"gpt-4o-2024-05-13", "prompt-plain", false},
		{"gpt-4o-2024-08-06-FC", "fc-json", true}, {"ibm-granite_granite-20b-functioncalling", "granite", true},
		{"meetkai/functionary-small-v3.1-FC", "fc-json", true}, {"mistral-large-2407-FC-Any", "fc-json", true},
		{"mistral-small-2402", "prompt-mistral", false}, {"open-mixtral-8x22b-FC-Auto", "fc-json", true},
		{"firefunction-v2-FC", "fc-json", false}, {"meta-llama_Meta-Llama-3-8B-Instruct", "prompt-lines", false},
		{"yi-large-fc", "fc-json", true}, {"nvidia_nemotron-4-340b-instruct", "prompt-quoted", false}, {"snowflake_arctic", "prompt-quoted", false},
		{"deepseek-ai_deepseek-coder-6.7b-instruct", "prompt-fenced", false}, {"open-mistral-nemo-2407", "prompt-mistral", false},
		{"Nexusflow-Raven-v2", "raven", false}, {"Salesforce_xLAM-1b-fc-r", "xlam", false},
	} {
		m, ok := dialect.ForModel(c.model)
		require.True(t, ok, c.model)
		assert.Equal(t, c.dialect, m.Dialect.Name, c.model)
		assert.Equal(t, c.dots, m.Dots, c.model)
	}
	_, ok := dialect.ForModel("my-own-model")
	assert.False(t, ok)
}

func TestDialectCheck(t *testing.T) {
	assert.NoError(t, dialect.Check(""))
	assert.Nil(t, dialect.Find(""))
	seen := map[string]bool{}
	for _, d := range dialect.All() {
		assert.NoError(t, dialect.Check(d.Name))
		assert.False(t, seen[d.Name], "%s twice", d.Name)
		seen[d.Name] = true
	}
	assert.ErrorContains(t, dialect.Check("klingon"), `unknown dialect "klingon": use one of fc-json, `)
}

// TestDialectHostile: deep, long and broken answers end in a value or an error.
func TestDialectHostile(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("[", 1<<17), strings.Repeat("<tool_call>\n", 1<<11), strings.Repeat("<function_call>{", 1<<11),
		strings.Repeat("f(a=", 1<<11), "<|tool_call_start|>f(" + strings.Repeat("\n1,", 1<<11) + "<|tool_call_end|>",
		"<start_function_call>call:f{" + strings.Repeat("a:[", 1<<11) + "<end_function_call>", strings.Repeat("<|tool_call|>{", 1<<11),
		"<|tool_call|>[\"" + strings.Repeat("(", 1<<11) + "\"]", "\xff\xfe", strings.Repeat("'", 1<<11), "f\n" + strings.Repeat("{\"a\":", 1<<11), strings.Repeat("```", 1<<11),
		strings.Repeat("\n{\"name\":", 1<<10), strings.Repeat("<think>x</think>", 1<<10), "<function=f>" + strings.Repeat("</parameter>  ", 1<<10),
		"<function=f>" + strings.Repeat("<parameter=a>\n1\n</parameter>", 1<<10), strings.Repeat("<function=f>", 1<<10), "<tool_call>f" + strings.Repeat("<arg_key>", 1<<10),
		"<invoke name=\"f\">" + strings.Repeat("<a>", 1<<10), strings.Repeat("<|tool_call>call:f{a:[", 1<<10), strings.Repeat(" ", 1<<11) + "x",
		"<|tool_call_start|>[f(\\x)]<|tool_call_end|>", "<function_calls>\nf(a=1, \\ )\n</function_calls>", "[f(\\\n\\x41=1)]",
		strings.Repeat("to=functions.f ", 1<<10), strings.Repeat("<|im_end|> ", 1<<10) + "x", "<tool_call>" + strings.Repeat("{\"name\": \"f\"}", 1<<10),
	} {
		for _, d := range dialect.All() {
			for _, f := range []decode.Format{decode.Python, decode.Java, decode.JavaScript} {
				_, _ = d.Decode(pyval.Str(s), dialect.V1(f))
			}
			_, _ = d.Execute(pyval.Str(s), dialect.V1(decode.Python))
			r, _ := d.Read(s, nil, nil)
			_, _ = d.Decode(r.Kept, dialect.V4(decode.Python))
		}
		_ = dialect.Holds(pyval.Str(s), nil)
	}
}

func FuzzDialects(f *testing.F) {
	for _, r := range rows {
		f.Add(r.dialect, r.in)
	}
	f.Fuzz(func(t *testing.T, name, in string) {
		d := dialect.Find(name)
		if d == nil {
			return
		}
		for _, result := range []pyval.Value{pyval.Str(in), parsed(in)} {
			got, err := d.Decode(result, dialect.V1(decode.Python))
			if err == nil && got == nil {
				t.Fatalf("neither a value nor an error")
			}
			_, _ = d.Decode(result, dialect.V4(decode.JavaScript))
			_, _ = d.Decode(result, dialect.V4Tagged(decode.JSON, true))
			_, _ = d.Execute(result, dialect.V1(decode.Python))
		}
	})
}

func parsed(in string) pyval.Value {
	v, err := pyval.ParseJSON(in)
	if err != nil {
		return pyval.None
	}
	return v
}

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
	files := testkit.Must(filepath.Glob(filepath.Join(testkit.GoldenFile(t, "templates_2026"), "*.jinja")))(t)
	same, none := 0, 0
	for _, file := range files {
		text := testkit.Must(os.ReadFile(file))(t)
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
