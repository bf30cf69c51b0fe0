package calllog_test

import (
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

	inputMessages = `[{"role": "user", "parts": [{"type": "text", "content": "Two seats to Moss, please."}]},
		{"role": "assistant", "parts": [{"type": "reasoning", "content": "…"}, {"type": "text", "content": "I look it up."}, {"type": "tool_call", "id": "c1", "name": "sailings", "arguments": {"to": "Moss"}}]},
		{"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": ["07:10"]}]}]`
	outputMessages  = `[{"role": "assistant", "finish_reason": "tool_call", "parts": [{"type": "tool_call", "id": "c2", "name": "book", "arguments": {"at": "07:10", "seats": 2}}]}]`
	instructions    = `[{"type": "text", "content": "You help in a ferry office."}]`
	toolDefinitions = `[{"type": "function", "name": "sailings", "description": "Sailings to a port.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}},
		{"type": "function", "name": "book", "description": "Book seats.", "parameters": {"type": "object", "properties": {"at": {"type": "string"}, "seats": {"type": "integer"}}}}]`
)

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

// otlpLine is a span as OTLP's JSON writes it, with the lists as texts or as
// framed values.
func otlpLine(resource, scope string, value func(string) string) string {
	pair := func(key, v string) string { return `{"key": "` + key + `", "value": ` + v + `}` }
	attributes := strings.Join([]string{
		pair("gen_ai.operation.name", `{"stringValue": "chat"}`), pair("gen_ai.usage.input_tokens", `{"intValue": "52"}`), pair("gen_ai.provider.name", `{"stringValue": "x"}`),
		pair("gen_ai.response.finish_reasons", `{"arrayValue": {"values": [{"stringValue": "tool_call"}]}}`),
		pair("gen_ai.input.messages", value(inputMessages)), pair("gen_ai.output.messages", value(outputMessages)),
		pair("gen_ai.system_instructions", value(instructions)), pair("gen_ai.tool.definitions", value(toolDefinitions)),
	}, ", ")
	other := `{"name": "execute_tool sailings", "attributes": [` + pair("gen_ai.operation.name", `{"stringValue": "execute_tool"}`) + `]}`
	return flat(`{"` + resource + `": [{"resource": {}, "` + scope + `": [{"scope": {}, "spans": [` + other + `, {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "kind": 3, "unheard": 1, "status": {"code": 0}, "attributes": [` + attributes + `]}]}]}]}`)
}

// spanLine is the export with its lists as texts.
func spanLine() string { return otlpLine("resourceSpans", "scopeSpans", asText) }

// eventLine is the export whose span has the messages in an event.
func eventLine() string {
	return strings.Replace(strings.Replace(spanLine(), `"status": {"code": 0}, "attributes": [`, `"status": {"code": 0}, "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}], "events": [{"name": "gen_ai.client.inference.operation.details", "attributes": [`, 1), `]}]}]}]}`, `]}]}]}]}]}`, 1)
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
	rows := []struct {
		name, line string
		format     calllog.Format
	}{
		{"chat", chatLine(), calllog.Chat},
		{"responses", responsesLine, calllog.Responses},
		{"export, texts", spanLine(), calllog.OTel},
		{"export, values", otlpLine("resourceSpans", "scopeSpans", framed), calllog.OTel},
		{"export, snake case", otlpLine("resource_spans", "scope_spans", asText), calllog.OTel},
		{"export, messages in an event", eventLine(), calllog.OTel},
		{"span without ids of calls", strings.NewReplacer(`\"id\": \"c1\", `, "", `\"id\": \"c2\", `, "").Replace(spanLine()), calllog.OTel},
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
		{swap(responsesLine, `"model": "m"`, `"previous_response_id": "resp_0"`), "the request's previous_response_id is kept by the provider"},
		{swap(responsesLine, `"model": "m"`, `"conversation": "conv_1"`), "the request's conversation is kept by the provider"},
		{swap(responsesLine, `{"type": "reasoning", "id": "rs_1", "summary": []}`, `{"type": "item_reference", "id": "x"}`), "input 2: the item it refers to is kept by the provider"},
		{swap(responsesLine, `{"type": "reasoning", "id": "rs_2", "summary": []}`, `{"type": "web_search_call", "id": "x"}`), `output 1: it is of type "web_search_call"`},
		{swap(responsesLine, `"type": "input_text", "text": "Two seats to Moss, please."`, `"type": "input_image", "image_url": "x"`), "input 1: it holds more than text"},
		{swap(responsesLine, `"name": "book", "arguments": "{\"at\"`, `"name": "book", "arguments": "{\"at`), `output 2: the arguments of "book" are not a JSON object`},
		{swap(responsesLine, `"call_id": "c1", "output"`, `"call_id": "c7", "output"`), `the result of "c7" has no call before it`},
		{swap(spanLine(), `\"finish_reason\": \"tool_call\"`, `\"finish_reason\": \"length\"`), "cut short (length)"},
		{swap(spanLine(), `"status": {"code": 0}`, `"status": {"code": 2}`), "the response is an error"},
		{swap(spanLine(), `gen_ai.provider.name`, `error.type`), "the response is an error"},
		{swap(spanLine(), `{\"type\": \"text\", \"content\": \"I look it up.\"}`, `{\"type\": \"server_tool_call\", \"name\": \"x\"}`), `message 2: part 2 is of type "server_tool_call"`},
		{swap(spanLine(), `{\"type\": \"text\", \"content\": \"I look it up.\"}`, `{\"type\": \"blob\", \"content\": \"x\"}`), "message 2: it holds more than text"},
		{swap(spanLine(), `"gen_ai.tool.definitions"`, `"gen_ai.tool.other"`), "the request shows no tools"},
		{swap(spanLine(), `\"id\": \"c2\", \"name\": \"book\"`, `\"id\": \"c2\", \"name\": \"bok\"`), `calls "bok", which is not among`},
		{`{"resourceSpans": []}`, "the export holds no spans"},
		{swap(spanLine(), `"gen_ai.output.messages"`, `"gen_ai.other"`), "the span lacks gen_ai.input.messages or gen_ai.output.messages"},
		{swap(spanLine(), `"stringValue": "[{\"role\": \"user\"`, `"stringValue": "{\"role\": \"user\"`), "was it cut at an attribute length limit"},
		{swap(spanLine(), `"kind": 3`, `"kind": 3, "droppedAttributesCount": 12`), "the span lost 12 attributes to a limit"},
		{`[]`, "expected a JSON object with a request and a response"},
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
	lines := map[calllog.Format]string{calllog.Chat: chatLine(), calllog.Responses: responsesLine, calllog.OTel: spanLine()}
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

// TestCounts: spans that call no model are counted, and every exchange left out, however many there are.
func TestCounts(t *testing.T) {
	log, err := calllog.Read(strings.NewReader(spanLine()+"\n"+strings.Repeat("torn\n", 1500)), calllog.Any)
	require.NoError(t, err)
	assert.Equal(t, "span 2", log.Cases[0].Place)
	assert.Equal(t, 1, log.Other)
	assert.Equal(t, 1500, log.Left)
	assert.Len(t, log.Skipped, 1000)
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
	for _, line := range []string{chatLine(), responsesLine, spanLine()} {
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
		"torn\n" + flat(responsesLine):         true,
		spanLine():                             true,
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
	require.Len(t, blocks, 3)
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

func FuzzSpans(f *testing.F) {
	fuzz(f, calllog.OTel, spanLine(), eventLine(), otlpLine("resourceSpans", "scopeSpans", framed))
}
