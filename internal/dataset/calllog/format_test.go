package calllog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/calllog"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// The same exchange in each format: a history with a call and its result, and
// the call that is judged.
const (
	responsesLine = `{"request": {"model": "m", "instructions": "You help in a ferry office.", "input": [
		{"role": "user", "content": [{"type": "input_text", "text": "Two seats to Moss, please."}]},
		{"type": "reasoning", "id": "rs_1", "summary": []},
		{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look it up."}]},
		{"type": "function_call", "call_id": "c1", "name": "sailings", "arguments": "{\"to\": \"Moss\"}"},
		{"type": "function_call_output", "call_id": "c1", "output": "[\"07:10\"]"}],
		"tools": [{"type": "function", "name": "sailings", "description": "Sailings to a port.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}},
		{"type": "function", "name": "book", "description": "Book seats.", "parameters": {"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}, "strict": true}]},
		"response": {"id": "resp_1", "object": "response", "status": "completed", "error": null, "incomplete_details": null, "output": [
		{"type": "reasoning", "id": "rs_2", "summary": []},
		{"type": "function_call", "id": "fc_1", "call_id": "c2", "name": "book", "arguments": "{\"at\": \"07:10\", \"seats\": 2}", "status": "completed"}]}}`

	anthropicLine = `{"request": {"model": "m", "max_tokens": 500, "system": [{"type": "text", "text": "You help in a ferry office.", "cache_control": {"type": "ephemeral"}}], "messages": [
		{"role": "user", "content": "Two seats to Moss, please."},
		{"role": "assistant", "content": [{"type": "thinking", "thinking": "…", "signature": "s"}, {"type": "text", "text": "I look it up."}, {"type": "tool_use", "id": "c1", "name": "sailings", "input": {"to": "Moss"}}]},
		{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "[\"07:10\"]"}]}]}],
		"tools": [{"name": "sailings", "description": "Sailings to a port.", "input_schema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}},
		{"name": "book", "description": "Book seats.", "input_schema": {"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}}]},
		"response": {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [
		{"type": "tool_use", "id": "c2", "name": "book", "input": {"at": "07:10", "seats": 2}}]}}`

	inputMessages = `[{"role": "user", "parts": [{"type": "text", "content": "Two seats to Moss, please."}]},
		{"role": "assistant", "parts": [{"type": "reasoning", "content": "…"}, {"type": "text", "content": "I look it up."}, {"type": "tool_call", "id": "c1", "name": "sailings", "arguments": {"to": "Moss"}}]},
		{"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": ["07:10"]}]}]`
	outputMessages  = `[{"role": "assistant", "finish_reason": "tool_call", "parts": [{"type": "tool_call", "id": "c2", "name": "book", "arguments": {"at": "07:10", "seats": 2}}]}]`
	instructions    = `[{"type": "text", "content": "You help in a ferry office."}]`
	toolDefinitions = `[{"type": "function", "name": "sailings", "description": "Sailings to a port.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}},
		{"type": "function", "name": "book", "description": "Book seats.", "parameters": {"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}}]`

	spanLine = `{"name": "chat m", "context": {"trace_id": "0x1", "span_id": "0x2"}, "status": {"status_code": "UNSET"}, "attributes": {
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "x", "gen_ai.response.finish_reasons": ["tool_call"],
		"gen_ai.input.messages": ` + inputMessages + `, "gen_ai.output.messages": ` + outputMessages + `,
		"gen_ai.system_instructions": ` + instructions + `, "gen_ai.tool.definitions": ` + toolDefinitions + `}}`
)

// The same exchange with an attribute for each field, as OpenLLMetry and
// OpenInference write it.
const (
	sailingsSchema = `{"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}`
	bookSchema     = `{"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}`
)

func traceloopLine() string {
	return `{"name": "openai.chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "attributes": {"llm.request.type": "chat", "gen_ai.system": "OpenAI", "gen_ai.usage.prompt_tokens": 7,
		"gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "You help in a ferry office.",
		"gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "[{\"type\": \"text\", \"text\": \"Two seats to Moss, please.\"}]",
		"gen_ai.prompt.2.role": "assistant", "gen_ai.prompt.2.content": "I look it up.",
		"gen_ai.prompt.2.tool_calls.0.id": "c1", "gen_ai.prompt.2.tool_calls.0.name": "sailings", "gen_ai.prompt.2.tool_calls.0.arguments": "{\"to\": \"Moss\"}",
		"gen_ai.prompt.3.role": "tool", "gen_ai.prompt.3.tool_call_id": "c1", "gen_ai.prompt.3.content": "[\"07:10\"]",
		"llm.request.functions.0.name": "sailings", "llm.request.functions.0.description": "Sailings to a port.", "llm.request.functions.0.parameters": ` + quoted(sailingsSchema) + `,
		"llm.request.functions.1.name": "book", "llm.request.functions.1.description": "Book seats.", "llm.request.functions.1.parameters": ` + quoted(bookSchema) + `,
		"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.finish_reason": "tool_calls",
		"gen_ai.completion.0.tool_calls.0.id": "c2", "gen_ai.completion.0.tool_calls.0.name": "book", "gen_ai.completion.0.tool_calls.0.arguments": "{\"at\": \"07:10\", \"seats\": 2}"}}`
}

func openInferenceLine() string {
	const in, out = "llm.input_messages.", "llm.output_messages."
	tool := func(name, description, schema string) string {
		return quoted(`{"type": "function", "function": {"name": "` + name + `", "description": "` + description + `", "parameters": ` + schema + `}}`)
	}
	return `{"name": "ChatCompletion", "context": {"trace_id": "0x1", "span_id": "0x2"}, "attributes": {"openinference.span.kind": "LLM", "llm.model_name": "m", "input.value": "{}",
		"` + in + `0.message.role": "system", "` + in + `0.message.content": "You help in a ferry office.",
		"` + in + `1.message.role": "user", "` + in + `1.message.contents.0.message_content.type": "text", "` + in + `1.message.contents.0.message_content.text": "Two seats to Moss, please.",
		"` + in + `2.message.role": "assistant", "` + in + `2.message.content": "I look it up.",
		"` + in + `2.message.tool_calls.0.tool_call.id": "c1", "` + in + `2.message.tool_calls.0.tool_call.function.name": "sailings", "` + in + `2.message.tool_calls.0.tool_call.function.arguments": "{\"to\": \"Moss\"}",
		"` + in + `3.message.role": "tool", "` + in + `3.message.tool_call_id": "c1", "` + in + `3.message.content": "[\"07:10\"]",
		"llm.tools.0.tool.json_schema": ` + tool("sailings", "Sailings to a port.", sailingsSchema) + `, "llm.tools.1.tool.json_schema": ` + tool("book", "Book seats.", bookSchema) + `,
		"` + out + `0.message.role": "assistant", "` + out + `0.message.tool_calls.0.tool_call.id": "c2",
		"` + out + `0.message.tool_calls.0.tool_call.function.name": "book", "` + out + `0.message.tool_calls.0.tool_call.function.arguments": "{\"at\": \"07:10\", \"seats\": 2}"}}`
}

// exported is a span on one line as OTLP's JSON exports it.
func exported(t testing.TB, line string) string {
	v, err := pyval.ParseJSON(flat(line))
	require.NoError(t, err)
	attributes, _ := v.(*pyval.Dict).GetStr("attributes")
	var pairs []string
	for key, value := range attributes.(*pyval.Dict).All() {
		pairs = append(pairs, `{"key": `+quoted(pyval.Text(key))+`, "value": `+frame(value)+`}`)
	}
	return `{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "1", "spanId": "2", "droppedAttributesCount": 0, "attributes": [` + strings.Join(pairs, ", ") + `]}]}]}]}`
}

// nested is a line of OpenInference with objects and lists in place of dotted
// names.
func nested() string {
	call := func(id, name, arguments string) string {
		return `{"tool_call": {"id": "` + id + `", "function": {"name": "` + name + `", "arguments": ` + quoted(arguments) + `}}}`
	}
	tool := func(name, description, schema string) string {
		return `{"tool": {"name": "` + name + `", "description": "` + description + `", "json_schema": ` + quoted(schema) + `}}`
	}
	return `{"context": {"span_id": "2"}, "attributes": {"openinference": {"span": {"kind": "LLM"}}, "llm": {"model_name": "m", "input_messages": [
		{"message": {"role": "system", "content": "You help in a ferry office."}}, {"message": {"role": "user", "content": "Two seats to Moss, please."}},
		{"message": {"role": "assistant", "content": "I look it up.", "tool_calls": [` + call("c1", "sailings", `{"to": "Moss"}`) + `]}},
		{"message": {"role": "tool", "tool_call_id": "c1", "content": "[\"07:10\"]"}}],
		"output_messages": [{"message": {"role": "assistant", "tool_calls": [` + call("c2", "book", `{"at": "07:10", "seats": 2}`) + `]}}],
		"tools": [` + tool("sailings", "Sailings to a port.", sailingsSchema) + `, ` + tool("book", "Book seats.", bookSchema) + `]}}}`
}

const (
	wantMessages = `[[{'role': 'system', 'content': 'You help in a ferry office.'}, {'role': 'user', 'content': 'Two seats to Moss, please.'}, ` +
		`{'role': 'assistant', 'content': 'I look it up.', 'tool_calls': [{'id': 'c1', 'name': 'sailings', 'arguments': '{"to": "Moss"}'}]}, ` +
		`{'role': 'tool', 'content': '["07:10"]', 'tool_call_id': 'c1', 'name': 'sailings'}]]`
	wantAnswer = `[{'book': {'at': ['07:10'], 'seats': [2]}}]`
)

// flat is a JSON text on one line.
func flat(text string) string { return strings.NewReplacer("\n", "", "\t", "").Replace(text) }

// quoted is a text as JSON writes it.
func quoted(text string) string {
	return string(pyval.AppendJSONString(nil, flat(text), pyval.JSONUnicode))
}

// chatLine is that exchange as chat completions have it.
func chatLine() string {
	return flat(`{"request": {"messages": [{"role": "system", "content": "You help in a ferry office."}, {"role": "user", "content": "Two seats to Moss, please."},
		{"role": "assistant", "content": "I look it up.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "sailings", "arguments": "{\"to\": \"Moss\"}"}}]},
		{"role": "tool", "tool_call_id": "c1", "content": "[\"07:10\"]"}],
		"tools": [{"type": "function", "function": {"name": "sailings", "description": "Sailings to a port.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}},
		{"type": "function", "function": {"name": "book", "description": "Book seats.", "parameters": {"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}}}]},
		"response": {"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "book", "arguments": "{\"at\": \"07:10\", \"seats\": 2}"}}]}}]}}`)
}

// otlpLine is the span as OTLP's JSON writes it: the lists are texts there, or
// framed values.
func otlpLine(resource, scope, spans, extra string, value func(string) string) string {
	pair := func(key, v string) string { return `{"key": "` + key + `", "value": ` + v + `}` }
	attributes := strings.Join([]string{
		pair("gen_ai.operation.name", `{"stringValue": "chat"}`), pair("gen_ai.usage.input_tokens", `{"intValue": "52"}`),
		pair("gen_ai.response.finish_reasons", `{"arrayValue": {"values": [{"stringValue": "tool_call"}]}}`),
		pair("gen_ai.input.messages", value(inputMessages)), pair("gen_ai.output.messages", value(outputMessages)),
		pair("gen_ai.system_instructions", value(instructions)), pair("gen_ai.tool.definitions", value(toolDefinitions)),
	}, ", ")
	other := `{"name": "execute_tool sailings", "attributes": [` + pair("gen_ai.operation.name", `{"stringValue": "execute_tool"}`) + `]}`
	return flat(`{"` + resource + `": [{"resource": {}, "` + scope + `": [{"scope": {}, "` + spans + `": [` + other + `, {"traceId": "1", ` + extra + `"attributes": [` + attributes + `]}]}]}]}`)
}

func asText(text string) string { return `{"stringValue": ` + quoted(text) + `}` }

// framed is a JSON text as OTLP's framed value.
func framed(text string) string {
	v, err := pyval.ParseJSON(text)
	if err != nil {
		panic(err)
	}
	return frame(v)
}

func frame(v pyval.Value) string {
	switch v := v.(type) {
	case *pyval.List:
		var items []string
		for _, item := range v.Items {
			items = append(items, frame(item))
		}
		return `{"arrayValue": {"values": [` + strings.Join(items, ", ") + `]}}`
	case *pyval.Dict:
		var items []string
		for key, item := range v.All() {
			items = append(items, `{"key": `+quoted(pyval.Text(key))+`, "value": `+frame(item)+`}`)
		}
		return `{"kvlistValue": {"values": [` + strings.Join(items, ", ") + `]}}`
	case pyval.Int:
		return `{"intValue": "` + pyval.Repr(v) + `"}`
	}
	return `{"stringValue": ` + quoted(pyval.Text(v)) + `}`
}

// TestSameCase: whatever the format, the case is the same, and the format is told
// from the line.
func TestSameCase(t *testing.T) {
	attributes := func(with string) string {
		return `"gen_ai.input.messages": ` + quoted(inputMessages) + `, "gen_ai.output.messages": ` + quoted(outputMessages) +
			`, "gen_ai.system_instructions": ` + quoted(instructions) + `, "gen_ai.tool.definitions": ` + quoted(toolDefinitions) + with
	}
	rows := []struct {
		name, line string
		format     calllog.Format
	}{
		{"chat", chatLine(), calllog.Chat},
		{"responses", responsesLine, calllog.Responses},
		{"responses, end of a stream", strings.Replace(responsesLine, `"response": {`, `"response": {"type": "response.completed", "response": {`, 1) + "}", calllog.Responses},
		{"responses, request beside", strings.Replace(strings.Replace(responsesLine, `{"request": {`, `{`, 1), `"strict": true}]},`, `"strict": true}],`, 1), calllog.Responses},
		{"anthropic", anthropicLine, calllog.Anthropic},
		{"anthropic, response without marks", strings.Replace(anthropicLine, `"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use", `, "", 1), calllog.Anthropic},
		{"span", spanLine, calllog.OTel},
		{"span, attributes as texts", `{"traceId": "1", "attributes": {` + attributes("") + `}}`, calllog.OTel},
		{"attributes alone", `{` + attributes(`, "gen_ai.operation.name": "chat"`) + `}`, calllog.OTel},
		{"span with an event", `{"attributes": {"gen_ai.operation.name": "chat"}, "events": [{"name": "gen_ai.client.inference.operation.details", "attributes": {` + attributes("") + `}}]}`, calllog.OTel},
		{"export, texts", otlpLine("resourceSpans", "scopeSpans", "spans", "", asText), calllog.OTel},
		{"export, values", otlpLine("resourceSpans", "scopeSpans", "spans", "", framed), calllog.OTel},
		{"export, snake case", otlpLine("resource_spans", "scope_spans", "spans", "", asText), calllog.OTel},
		{"export of events", otlpLine("resourceLogs", "scopeLogs", "logRecords", `"eventName": "gen_ai.client.inference.operation.details", `, framed), calllog.OTel},
		{"span without ids of calls", strings.NewReplacer(`"id": "c1", `, "", `"id": "c2", `, "").Replace(spanLine), calllog.OTel},
		{"OpenLLMetry", traceloopLine(), calllog.OTel},
		{"OpenLLMetry, export", exported(t, traceloopLine()), calllog.OTel},
		{"OpenInference", openInferenceLine(), calllog.OTel},
		{"OpenInference, export", exported(t, openInferenceLine()), calllog.OTel},
		{"OpenInference, objects", nested(), calllog.OTel},
		{"span, older name of a result", strings.Replace(spanLine, `"response": ["07:10"]`, `"result": ["07:10"]`, 1), calllog.OTel},
	}
	for _, row := range rows {
		for _, format := range []calllog.Format{calllog.Any, row.format} {
			log, err := calllog.Read(strings.NewReader(flat(row.line)), format)
			require.NoError(t, err)
			require.Len(t, log.Cases, 1, "%s: %v", row.name, log.Skipped)
			assert.Empty(t, log.Skipped)
			assert.Equal(t, map[calllog.Format]int{row.format: 1}, log.By, row.name)
			entry := load(t, log).Categories[0].Entries[0]
			question, _ := entry.Row.GetStr("question")
			assert.Equal(t, wantMessages, strings.ReplaceAll(pyval.Repr(question), "call_0", "c1"), row.name)
			assert.Equal(t, wantAnswer, pyval.Repr(entry.Answer), row.name)
			assert.Equal(t, []string{"sailings", "book"}, log.Cases[0].Tools, row.name)
		}
	}
	t.Logf("%d ways to log one exchange", len(rows))
}

// TestLeftOut: what no case can be made of is named, in each format.
func TestLeftOut(t *testing.T) {
	swap := func(line string, pairs ...string) string {
		out := strings.NewReplacer(pairs...).Replace(line)
		require.NotEqual(t, line, out, "%q", pairs)
		return out
	}
	for _, c := range []struct{ line, want string }{
		{swap(responsesLine, `"status": "completed", "error": null, "incomplete_details": null`, `"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}`), "cut short (max_output_tokens)"},
		{swap(responsesLine, `"error": null`, `"error": {"code": "server_error"}`), "the response is an error"},
		{swap(responsesLine, `"status": "completed", "error"`, `"status": "queued", "error"`), `the response is "queued"`},
		{swap(responsesLine, `"model": "m"`, `"previous_response_id": "resp_0"`), `continues the response "resp_0", which is not earlier in the log`},
		{swap(responsesLine, `"model": "m"`, `"conversation": "conv_1"`), "the request's conversation is kept by the provider"},
		{swap(responsesLine, `{"type": "reasoning", "id": "rs_1", "summary": []}`, `{"type": "item_reference", "id": "x"}`), "input 2: the item it refers to is kept by the provider"},
		{swap(responsesLine, `{"type": "reasoning", "id": "rs_2", "summary": []}`, `{"type": "web_search_call", "id": "x"}`), `output 1: it is of type "web_search_call"`},
		{swap(responsesLine, `"type": "input_text", "text": "Two seats to Moss, please."`, `"type": "input_image", "image_url": "x"`), "input 1: it holds more than text"},
		{swap(responsesLine, `"name": "book", "arguments": "{\"at\"`, `"name": "book", "arguments": "{\"at`), `output 2: the arguments of "book" are not a JSON object`},
		{swap(responsesLine, `"call_id": "c1", "output"`, `"call_id": "c7", "output"`), "input 5 is a result, but its call does not come before it"},
		{swap(anthropicLine, `"stop_reason": "tool_use"`, `"stop_reason": "max_tokens"`), "cut short (max_tokens)"},
		{swap(anthropicLine, `"stop_reason": "tool_use"`, `"stop_reason": null`), "cut short"},
		{swap(anthropicLine, `"id": "msg_1", "type": "message", "role"`, `"type": "error", "error": {"type": "overloaded_error"}, "role"`), "the response is an error"},
		{swap(anthropicLine, `{"type": "text", "text": "I look it up."}`, `{"type": "server_tool_use", "id": "x", "name": "web_search", "input": {}}`), `message 2: block 2 is of type "server_tool_use"`},
		{swap(anthropicLine, `[{"type": "text", "text": "[\"07:10\"]"}]`, `[{"type": "image", "source": {}}]`), "message 3: block 1: it holds more than text"},
		{swap(anthropicLine, `"tool_use_id": "c1"`, `"tool_use_id": "c7"`), "message 3 is a result, but its call does not come before it"},
		{swap(anthropicLine, `"type": "message", "role"`, `"type": "message", "choices": [], "role"`), "looks like both chat and anthropic: choose one with --format"},
		{swap(spanLine, `"finish_reason": "tool_call"`, `"finish_reason": "length"`), "cut short (length)"},
		{swap(spanLine, `"status_code": "UNSET"`, `"status_code": "ERROR"`), "the response is an error"},
		{swap(spanLine, `"gen_ai.provider.name": "x"`, `"error.type": "timeout"`), "the response is an error"},
		{`{"attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}}`, "the span lacks gen_ai.input.messages"},
		{`{"attributes": {"gen_ai.input.messages": "[{\"role\": \"us", "gen_ai.output.messages": "[]"}}`, "was it cut at an attribute length limit"},
		{swap(spanLine, `{"type": "text", "content": "I look it up."}`, `{"type": "server_tool_call", "name": "x"}`), `message 2: part 2 is of type "server_tool_call"`},
		{swap(spanLine, `{"type": "text", "content": "I look it up."}`, `{"type": "blob", "content": "x"}`), "message 2: it holds more than text"},
		{swap(spanLine, `"gen_ai.tool.definitions"`, `"gen_ai.tool.other"`), "the request shows no tools"},
		{swap(spanLine, `"type": "tool_call", "id": "c2", "name": "book"`, `"type": "tool_call", "id": "c2", "name": "bok"`), `calls "bok", which is not among`},
		{swap(traceloopLine(), `"gen_ai.completion.0.finish_reason": "tool_calls"`, `"gen_ai.completion.0.finish_reason": "length"`), "cut short (length)"},
		{swap(traceloopLine(), `"gen_ai.prompt.2.`, `"gen_ai.prompt.5.`), "gen_ai.prompt: item 2 of 6 is missing"},
		{swap(traceloopLine(), `"gen_ai.prompt.2.role"`, `"gen_ai.prompt.x.role"`), `gen_ai.prompt: "x" is not an index`},
		{swap(traceloopLine(), `"gen_ai.completion.0.tool_calls.0.`, `"gen_ai.completion.0.tool_calls.1.`), "gen_ai.completion.0: tool_calls: item 0 of 2 is missing"},
		{swap(traceloopLine(), `"gen_ai.completion.`, `"gen_ai.other.`), "the span lacks gen_ai.prompt or gen_ai.completion"},
		{swap(traceloopLine(), `"llm.request.functions.`, `"llm.request.other.`), "the request shows no tools"},
		{swap(traceloopLine(), `.parameters": "{`, `.parameters": "`), "llm.request.functions.0: the parameters are not a JSON object; was the text cut"},
		{swap(traceloopLine(), `[{\"type\": \"text\"`, `[{\"id\": \"x\", \"type\": \"tool_result\"`), "message 2: it holds more than text"},
		{swap(exported(t, traceloopLine()), `"droppedAttributesCount": 0`, `"droppedAttributesCount": 12`), "the span lost 12 attributes to a limit"},
		{swap(openInferenceLine(), `"I look it up."`, `"__REDACTED__"`), "llm.input_messages.2: its content was redacted"},
		{swap(openInferenceLine(), `.0.message.tool_calls.0.tool_call.function.name": "book"`, `.0.message.function_call_name": "book"`), "llm.output_messages.0: it holds a call in the older form"},
		{swap(openInferenceLine(), `"llm.tools.0.tool.json_schema": "{`, `"llm.tools.0.tool.json_schema": "`), "llm.tools.0: its tool.json_schema is not a JSON object"},
		{`{"attributes": {"openinference.span.kind": "LLM", "input.value": "x"}}`, "the span lacks llm.input_messages"},
		{`{"resourceSpans": []}`, "the export holds no spans"},
		{`[` + flat(spanLine) + `, 7]`, "expected a JSON object with a request and a response"},
	} {
		log, err := calllog.Read(strings.NewReader(flat(c.line)), calllog.Any)
		require.NoError(t, err)
		require.Len(t, log.Skipped, 1, "%s: %s", c.want, c.line)
		assert.Contains(t, log.Skipped[0].Reason, c.want)
		assert.Equal(t, 1, log.Left)
	}
}

// TestOneFormat: with a format given, lines of others are left out.
func TestOneFormat(t *testing.T) {
	lines := map[calllog.Format]string{calllog.Chat: chatLine(), calllog.Responses: responsesLine, calllog.Anthropic: anthropicLine, calllog.OTel: spanLine}
	for asked := range lines {
		for is, line := range lines {
			log, err := calllog.Read(strings.NewReader(flat(line)), asked)
			require.NoError(t, err)
			if asked == is {
				assert.Len(t, log.Cases, 1, asked)
			} else {
				assert.Empty(t, log.Cases, "%s read as %s", is, asked)
				assert.Len(t, log.Skipped, 1)
			}
		}
	}
}

// TestContinued: a request that names the response before it has its history
// from there; instructions are each request's own.
func TestContinued(t *testing.T) {
	next := `{"request": {"previous_response_id": "resp_1", "input": [{"type": "function_call_output", "call_id": "c2", "output": "booked"}, {"role": "user", "content": "And back?"}], ` +
		strings.SplitN(responsesLine, `"output": "[\"07:10\"]"}],`, 2)[1]
	next = strings.Replace(next, "resp_1\", \"object", "resp_2\", \"object", 1)
	last := strings.Replace(strings.Replace(next, `"previous_response_id": "resp_1"`, `"previous_response_id": "resp_2"`, 1), "And back?", "Thanks.", 1)
	log, err := calllog.Read(strings.NewReader(flat(responsesLine)+"\n"+flat(next)+"\n"+flat(last)), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 3, "%v", log.Skipped)
	roles := func(c calllog.Case) (out []string) {
		for _, m := range c.Messages.Items {
			name, _ := m.(*pyval.Dict).GetStr("role")
			out = append(out, pyval.Text(name))
		}
		return out
	}
	assert.Equal(t, []string{"user", "assistant", "tool", "assistant", "tool", "user"}, roles(log.Cases[1]))
	assert.Equal(t, []string{"user", "assistant", "tool", "assistant", "tool", "user", "assistant", "tool", "user"}, roles(log.Cases[2]))
	load(t, log)
}

// TestCarried: histories that are continued again and again are bounded.
func TestCarried(t *testing.T) {
	tool := `"tools": [{"type": "function", "name": "f"}]`
	var lines strings.Builder
	fmt.Fprintf(&lines, `{"request": {"input": %s, %s}, "response": {"id": "r", "object": "response", "output": [{"type": "message", "role": "assistant", "content": "ok"}]}}`+"\n", quoted(strings.Repeat("x", 8<<10)), tool)
	for i := range 12 {
		fmt.Fprintf(&lines, `{"request": {"previous_response_id": "r", "input": "%d", %s}, "response": {"object": "response", "output": [{"type": "message", "role": "assistant", "content": "ok"}]}}`+"\n", i, tool)
	}
	log, err := calllog.ReadCarrying(strings.NewReader(lines.String()), calllog.Any, 64<<10)
	require.NoError(t, err)
	require.NotEmpty(t, log.Skipped)
	assert.Contains(t, log.Skipped[0].Reason, "larger than 64 MB in total")
	assert.Len(t, log.Cases, 8)
}

// TestDocument: a file can be one value over many lines, or a list.
func TestDocument(t *testing.T) {
	for _, text := range []string{
		"{\n" + strings.TrimPrefix(otlpLine("resourceSpans", "scopeSpans", "spans", "", asText), "{"),
		"[\n" + anthropicLine + ",\n" + strings.Replace(responsesLine, "Two seats", "Three seats", 1) + "\n]\n",
		"[" + flat(anthropicLine) + ", " + flat(strings.Replace(responsesLine, "Two seats", "Three seats", 1)) + "]",
	} {
		log, err := calllog.Read(strings.NewReader(text), calllog.Any)
		require.NoError(t, err)
		assert.NotEmpty(t, log.Cases, log.Skipped)
		assert.NotEmpty(t, log.Cases[0].Place)
		assert.Empty(t, log.Skipped)
		assert.Equal(t, 1, log.Lines)
		load(t, log)
	}
	log, err := calllog.Read(strings.NewReader("{\n"+chatLine()+"\n\n"), calllog.Any)
	require.NoError(t, err)
	assert.Len(t, log.Cases, 1, "a torn line is no beginning of a document")
	assert.Equal(t, []int{1, 3}, []int{log.Skipped[0].Line, log.Skipped[1].Line})
}

// TestCounts: spans that call no model and the provider's own tools are counted,
// and every exchange left out, however many there are.
func TestCounts(t *testing.T) {
	log, err := calllog.Read(strings.NewReader(otlpLine("resourceSpans", "scopeSpans", "spans", "", asText)+"\n"+strings.Repeat("torn\n", 1500)), calllog.Any)
	require.NoError(t, err)
	assert.Equal(t, "span 2", log.Cases[0].Place)
	assert.Equal(t, 1, log.Other)
	assert.Equal(t, 1500, log.Left)
	assert.Len(t, log.Skipped, 1000)

	for line, want := range map[string]int{
		strings.Replace(openInferenceLine(), `"openinference.span.kind": "LLM"`, `"openinference.span.kind": "CHAIN"`, 1): 1,
		strings.Replace(traceloopLine(), `"llm.request.type": "chat"`, `"llm.request.type": "embedding"`, 1):              1,
		`{"context": {"span_id": "1"}, "attributes": {"openinference.span.kind": "TOOL", "tool.name": "x"}}`:              1,
		traceloopLine(): 0,
	} {
		log, err = calllog.Read(strings.NewReader(flat(line)), calllog.Any)
		require.NoError(t, err)
		assert.Equal(t, want, log.Other, line)
		assert.Len(t, log.Cases, 1-want, line)
		assert.Empty(t, log.Skipped)
	}

	own := strings.Replace(responsesLine, `"tools": [`, `"tools": [{"type": "web_search"}, `, 1)
	log, err = calllog.Read(strings.NewReader(flat(own)), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 1)
	assert.Equal(t, 1, log.Own)
	assert.Equal(t, []string{"sailings", "book"}, log.Cases[0].Tools)
}

// TestGiantLine: a line beyond all bounds is counted and left out, and the next
// ones are read.
func TestGiantLine(t *testing.T) {
	giant := `{"request": "` + strings.Repeat("x", 33<<20) + `"}`
	log, err := calllog.Read(strings.NewReader(giant+"\n"+chatLine()), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 1)
	assert.Equal(t, []calllog.Skip{{Line: 1, Reason: "the line is longer than 32 MB"}}, log.Skipped)
	assert.Equal(t, 2, log.Lines)
}

// TestRenamedHistory: a tool that got a number has it in the calls of histories,
// too.
func TestRenamedHistory(t *testing.T) {
	other := strings.NewReplacer("Sailings to a port.", "Sailings, another way.", "Two seats", "Three seats").Replace(chatLine())
	gone := strings.NewReplacer(`"name": "sailings", "description"`, `"name": "departures", "description"`, "Two seats", "Four seats").Replace(chatLine())
	log, err := calllog.Read(strings.NewReader(chatLine()+"\n"+other+"\n"+gone), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 3, log.Skipped)
	assert.Equal(t, 1, log.Renamed)
	names := func(c calllog.Case) string {
		question, _ := load(t, log).Categories[0].Entries[c.Line-1].Row.GetStr("question")
		history := question.(*pyval.List).Items[0].(*pyval.List).Items
		return pyval.Repr(history[2]) + pyval.Repr(history[3])
	}
	assert.Equal(t, []string{"sailings", "book"}, log.Cases[0].Tools)
	assert.NotContains(t, names(log.Cases[0]), "sailings_2")
	assert.Equal(t, []string{"sailings_2", "book"}, log.Cases[1].Tools)
	assert.Equal(t, 2, strings.Count(names(log.Cases[1]), "'sailings_2'"), "the call and its result")
	assert.NotContains(t, names(log.Cases[1]), "'sailings'")
	assert.Equal(t, 2, strings.Count(names(log.Cases[2]), "'sailings'"), "a tool that is not shown keeps its name")

	two := strings.Replace(chatLine(), `"name": "book"`, `"name": "sailings"`, 1)
	log, err = calllog.Read(strings.NewReader(two), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Skipped, 1)
	assert.Contains(t, log.Skipped[0].Reason, `two different tools called "sailings"`)
}

// TestSecretsEverywhere: keys in instructions, histories and results are masked
// in each format, and what stands beside is not read.
func TestSecretsEverywhere(t *testing.T) {
	const key = "sk-ant-abcdefghijklmnop0123456789"
	for _, line := range []string{chatLine(), responsesLine, anthropicLine, spanLine, otlpLine("resourceSpans", "scopeSpans", "spans", "", asText)} {
		for _, place := range []string{"You help in a ferry office.", "Two seats to Moss", "I look it up.", "Sailings to a port."} {
			log, err := calllog.Read(strings.NewReader(flat(strings.Replace(line, place, key, 1))), calllog.Any)
			require.NoError(t, err)
			require.Len(t, log.Cases, 1, log.Skipped)
			assert.Equal(t, 1, log.Masked, "%s in %s", place, line)
			_, files, err := log.Files("s")
			require.NoError(t, err)
			for name, text := range files {
				assert.NotContains(t, string(text), key, name)
			}
		}
	}
}

// TestIsLog tells logs from files of tools.
func TestIsLog(t *testing.T) {
	for text, want := range map[string]bool{
		chatLine():                             true,
		"torn\n" + flat(anthropicLine):         true,
		responsesLine:                          false, // over several lines that do not begin a document
		"{\n" + anthropicLine[1:]:              true,
		"[" + flat(spanLine) + "]":             true,
		flat(toolDefinitions):                  false,
		`{"tools": [{"name": "f"}]}`:           false,
		`{"jsonrpc": "2.0", "result": {}}`:     false,
		"openapi: 3.0.3\npaths: {}\n":          false,
		"- name: f\n  parameters:\n    x: 1\n": false,
		"{\n\"openapi\": \"3.1.0\"\n}":         false,
		"":                                     false,
	} {
		assert.Equal(t, want, calllog.IsLog(strings.NewReader(text)), "%.60s", text)
	}
}

// TestDocs: the examples of docs/own-suite.md are one exchange in each format.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs", "own-suite.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "## Cases from production")
	require.True(t, ok)
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(section, -1)
	require.Len(t, blocks, 4)
	for i, block := range blocks {
		log, err := calllog.Read(strings.NewReader(strings.ReplaceAll(block[1], "\n", "")), calllog.Any)
		require.NoError(t, err)
		require.Len(t, log.Cases, 1, log.Skipped)
		assert.Equal(t, 1, log.By[calllog.Formats[i+1]])
		assert.Equal(t, "[{'ring': {'times': 2}}]", pyval.Repr(&pyval.List{Items: []pyval.Value{log.Cases[0].Calls[0]}}))
	}
}

// fuzz holds that whatever a log holds, all of it is taken or counted, and what
// is taken is a suite that can be loaded.
func fuzz(f *testing.F, format calllog.Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add(flat(seed))
		f.Add(flat(seed) + "\n" + flat(seed)[:len(flat(seed))/2] + "\n[" + flat(seed) + "]")
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := calllog.Read(strings.NewReader(text), format)
		if err != nil {
			return
		}
		if log.Lines > len(log.Cases)+log.Left+log.Other {
			t.Fatalf("%d lines, %d cases, %d left out, %d others", log.Lines, len(log.Cases), log.Left, log.Other)
		}
		if len(log.Cases) == 0 {
			return
		}
		cases := 0
		for _, c := range load(t, log).Categories {
			cases += len(c.Entries)
		}
		if cases != len(log.Cases) {
			t.Fatalf("%d cases were read, the suite has %d", len(log.Cases), cases)
		}
	})
}

func FuzzResponses(f *testing.F) { fuzz(f, calllog.Responses, responsesLine) }

func FuzzAnthropic(f *testing.F) { fuzz(f, calllog.Anthropic, anthropicLine) }

func FuzzSpans(f *testing.F) {
	fuzz(f, calllog.OTel, spanLine, traceloopLine(), openInferenceLine(), nested(), exported(f, openInferenceLine()),
		otlpLine("resourceSpans", "scopeSpans", "spans", "", asText), otlpLine("resourceLogs", "scopeLogs", "logRecords", "", framed))
}
