package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// all are the dialects. A new one is a line here.
var all = append([]*Dialect{
	// Calls in fields of their own, and plain text: the models behind APIs.
	{"fc-json", "tool calls, arguments as JSON text", fcDecode, fcExecute, nil},
	{"fc-object", "tool calls, arguments as an object", objectDecode, fcExecute, nil},
	{"fc-list", "tool calls as objects with name and arguments", caller(nameAndArguments).decode, lenientExecute, nil},
	{"gemini", "tool calls, arguments as JSON text; anything but a list is one item", geminiDecode, fcExecute, nil},
	{"gemini-object", "tool calls, arguments as an object; anything but a list is one item", asList, objectTexts, nil},
	{"nova", "tool calls as they are, arguments as JSON text or an object", novaDecode, novaExecute, nil},
	calls("cohere", "tool calls with tool_name and parameters; a text has none", cohereCalls, nil),
	promptText("prompt", "[f(a=1)]; backquotes, blanks, missing brackets are forgiven", plain),
	promptText("nemotron", "[f(a=1)] between <TOOLCALL> and </TOOLCALL>", toolCallTag),
	{"gorilla", "f(a=1) without brackets; never carried out", preparation(wrapped).decode, gorillaExecute, nil},

	// Text of a completion: the models with open weights.
	calls("arch", "<tool_call> blocks of JSON or Python literals", keptCalls, readArch),
	promptText("bielik", "[f(a=1)]", plain),
	calls("bitagent", "JSON list of name and arguments, or one object", listedCalls, nil),
	{"deepseek-r1", "reasoning, </think>, then [f(a=1)]", stripped.decode, preparation(plain).executeList, readBehindThought},
	calls("falcon3", "<tool_call> around a JSON list, perhaps in a fence", falconCalls, nil),
	{"functiongemma", "call:f{a:1,b:<escape>text<escape>} between marks", caller(gemmaCalls).decode, gemmaExecute, nil},
	promptText("gemma", "[f(a=1)]", plain),
	{"glm", "the name on one line, JSON arguments on the next", glmDecode, glmExecute, nil},
	{"granite", "<function_call> before each object of name and arguments", graniteDecode, graniteExecute, nil},
	calls("granite-3", "<|tool_call|>, then a JSON list of name and arguments", keptCalls, readMarked(granite3Text)),
	calls("granite-4", "<tool_call> blocks of JSON", toolCalls, readTools(false)),
	{"hammer", "JSON list of name and arguments, perhaps in a fence", hammerDecode, hammerExecute, nil},
	promptText("llama", "[f(a=1)]", plain),
	calls("llama-fc", "<|python_tag|>, a Python literal, or JSON objects separated by ;", llamaCalls, nil),
	promptText("minicpm", "[f(a=1)]", plain),
	{"minicpm-fc", "<|tool_call_start|> around Python calls, one a line", caller(minicpmCalls).decode, minicpmExecute, nil},
	{"mistral-fc", "JSON list of name and arguments", caller(keptCalls).decode, mistralTexts, readMistral},
	calls("nanbeige", "reasoning, then <tool_call> blocks of JSON", toolCalls, readTools(true)),
	calls("pelican", "reasoning, then <tool_call> blocks of JSON", toolCalls, readTools(true)),
	{"phi", "[f(a=1)], perhaps in a fence", phiDecode, preparation(phiFence).executeList, nil},
	calls("phi-fc", "<|tool_call|> around a JSON list of name and arguments", keptCalls, readMarked(phiTexts)),
	{"qwen", "reasoning, then [f(a=1)]", stripped.decode, preparation(plain).executeList, readThought},
	calls("qwen-fc", "reasoning, then <tool_call> blocks of JSON", toolCalls, readTools(true)),
	calls("xlam-llama", "JSON list of name and arguments, or objects separated by ;", xlamListed, nil),
	calls("xlam-qwen", "JSON list of name and arguments, or objects separated by ;", xlamListed, nil),
	{"thinkagent", "reasoning, then a list of name and arguments; never carried out", caller(thinkAgentCalls).decode, thinkAgentExecute, nil},

	// The first release's.
	text("prompt-plain", "[f(a=1)], nothing around it", plain, plain),
	text("prompt-space", "f(a=1) after a blank; brackets may be missing", space, space),
	text("prompt-brackets", "f(a=1), brackets may be missing", decode.Brackets, decode.Brackets),
	text("prompt-lines", "f(a=1) over several lines, brackets may be missing", joined, joined),
	text("prompt-mistral", `[f(a\_b=1)], underscores escaped as in Markdown`, markdown, unescaped),
	text("prompt-wrap", "f(a=1) without brackets", wrapped, wrapped),
	text("prompt-search", "prose around [f(a=1)]", bracketed, bracketed),
	text("prompt-quoted", "['f(a=1)', 'g()'], calls in quotes", quoted, quoted),
	text("prompt-fenced", "[f(a=1)] between triple backquotes", fenced, fenced),
	{"prompt-dbrx", "['f(a=1)'] or [f(a=1)]", dbrxDecode, dbrxExecute, nil},
	{"raven", "f(a=1); g(b=2)", ravenDecode, preparation(raven).execute, nil},
	{"hermes", "<tool_call>, then a line of JSON with name and arguments", hermesDecode, hermesExecute, nil},
	{"xlam", "JSON list of name and arguments, or tool_calls", xlamDecode, xlamExecute, nil},
}, dialects(wires)...)

// listedCalls reads a text that is JSON: an object or a list of objects.
func listedCalls(result pyval.Value) pyval.Value {
	return namedCalls(objectsOf(load(str(result))), "arguments")
}

// xlamListed is listedCalls for one text, or for several separated by ";".
func xlamListed(result pyval.Value) pyval.Value {
	s := str(result)
	if v, err := decode.LoadJSON(s); err == nil {
		return namedCalls(objectsOf(v), "arguments")
	}
	return namedCalls(each(strings.Split(s, ";"), load), "arguments")
}

// nameAndArguments reads a list of objects with name and arguments, which is
// not a text any more.
func nameAndArguments(result pyval.Value) pyval.Value {
	return namedCalls(iterate(result), "arguments")
}

// lenientCalls returns the names and arguments of a list's objects, empty if
// they are missing; items that are not objects are skipped.
func lenientCalls(items []pyval.Value) []jsonCall {
	out := []jsonCall{}
	for _, item := range items {
		if d, ok := item.(*pyval.Dict); ok {
			out = append(out, jsonCall{get(d, "name", pyval.Str("")), get(d, "arguments", pyval.NewDict(0))})
		}
	}
	return out
}

// spacedTexts writes name(key=value, key=value).
func spacedTexts(calls []jsonCall) []string {
	return each(calls, func(c jsonCall) string {
		d := dictOf(c.args, "items")
		parts := make([]string, 0, d.Len())
		for key, v := range d.All() {
			parts = append(parts, pyval.Text(key)+"="+pyval.Repr(v))
		}
		return pyval.Text(c.name) + "(" + strings.Join(parts, ", ") + ")"
	})
}

func lenientExecute(result pyval.Value, _ Grammar) []string {
	return spacedTexts(lenientCalls(iterate(result)))
}

// hammerItems returns the items of a text that is JSON, perhaps in a fence;
// nothing if it is not JSON.
func hammerItems(result pyval.Value) []pyval.Value {
	v, err := decode.LoadJSON(strings.ReplaceAll(str(result), "```", ""))
	if err != nil {
		return nil
	}
	return iterate(v)
}

func hammerDecode(result pyval.Value, _ Grammar) pyval.Value {
	return namedCalls(hammerItems(result), "arguments")
}

func hammerExecute(result pyval.Value, _ Grammar) []string {
	items, err := pyval.Try(func() []pyval.Value { return hammerItems(result) })
	if err != nil {
		return nil
	}
	return spacedTexts(lenientCalls(items))
}

// thinkAgentCalls reads the text after the reasoning as JSON, with ' taken for
// ". Without reasoning there are no calls.
func thinkAgentCalls(result pyval.Value) pyval.Value {
	parts := strings.SplitN(str(result), thinkEnd, 3)
	if len(parts) < 2 {
		return &pyval.List{}
	}
	return nameAndArguments(load(strings.ReplaceAll(parts[1], "'", `"`)))
}

// thinkAgentExecute fails for every call, as upstream's does, because it takes
// the text of a call for a call.
func thinkAgentExecute(result pyval.Value, _ Grammar) []string {
	if list, ok := thinkAgentCalls(result).(*pyval.List); ok && len(list.Items) > 0 {
		lacks(pyval.Str(""), "items")
	}
	return []string{}
}

// cohereCalls reads objects with tool_name and parameters; a text has no calls.
func cohereCalls(result pyval.Value) pyval.Value {
	list, ok := result.(*pyval.List)
	if !ok {
		return &pyval.List{}
	}
	return list.Map(func(v pyval.Value) pyval.Value {
		name := member(v, "tool_name")
		return call(name, member(v, "parameters"))
	})
}
