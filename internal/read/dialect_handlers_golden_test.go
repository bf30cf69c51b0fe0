package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// local are the dialects of upstream's handlers of open weights.
var local = map[string]string{
	"ArchHandler": "arch", "BielikHandler": "bielik", "BitAgentHandler": "bitagent",
	"DeepseekReasoningHandler": "deepseek-r1", "Falcon3FCHandler": "falcon3",
	"FunctionGemmaHandler": "functiongemma", "GLMHandler": "glm", "GemmaHandler": "gemma",
	"Granite3FCHandler": "granite-3", "Granite4FCHandler": "granite-4",
	"GraniteFunctionCallingHandler": "granite", "HammerHandler": "hammer",
	"LlamaHandler": "llama", "LlamaHandler_3_1": "llama-fc", "MiniCPMFCHandler": "minicpm-fc",
	"MiniCPMHandler": "minicpm", "MistralFCHandler": "mistral-fc", "NanbeigeFCHandler": "nanbeige",
	"PelicanVLFCHandler": "pelican", "PhiFCHandler": "phi-fc", "PhiHandler": "phi",
	"QwenFCHandler": "qwen-fc", "QwenHandler": "qwen", "SalesforceLlamaHandler": "xlam-llama",
	"SalesforceQwenHandler": "xlam-qwen", "ThinkAgentHandler": "thinkagent",
}

// remote are those of upstream's handlers of APIs, in the mode that they have
// beside prompt mode; the others have fc-json.
var remote = map[string]string{
	"CohereHandler": "cohere", "GeminiHandler": "gemini-object", "MiningHandler": "fc-list",
	"GorillaHandler": "gorilla", "NemotronHandler": "nemotron", "NovaHandler": "nova",
}

// TestGoldenDialectReadings compares what upstream's handlers of open weights make of
// completion texts: what is kept, the message for the history, the calls.
func TestGoldenDialectReadings(t *testing.T) {
	rows, failures, differences := 0, 0, 0
	handlers := map[string]int{}
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "decode.jsonl"), func(line int, row *pyval.Dict) {
		handler, raw := testkit.Text(row, "handler"), testkit.Text(row, "raw")
		d := dialect.Find(local[handler])
		require.NotNil(t, d, handler)
		rows++
		handlers[handler]++
		reading, err := d.Read(raw, nil, func() string { return "abcdefghi" })
		want := testkit.Field(row, "parse").(*pyval.Dict)
		ok := assert.Equal(t, parsedOf(t, want), kept(reading, want, err), "line %d: %s: kept of %.300q: %v", line, handler, raw, err)
		if err == nil {
			ok = same(t, row, "ast", astOf(d, reading.Kept), line) && ok
			ok = same(t, row, "execute", textsOf(d, reading.Kept), line) && ok
		} else {
			failures++
			_, err := d.Decode(reading.Kept, dialect.V4(decode.Python))
			assert.Error(t, err, "line %d: %s: an answer that upstream cannot take apart has no calls", line, handler)
		}
		if !ok {
			differences++
		}
	})
	t.Logf("%d rows of %d handlers compared, %d of them not taken apart; %d differences", rows, len(handlers), failures, differences)
}

// TestGoldenDialectRemote compares the calls of results as the models behind APIs have
// them.
func TestGoldenDialectRemote(t *testing.T) {
	rows, differences := 0, 0
	handlers := map[string]int{}
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "decode_api.jsonl"), func(line int, row *pyval.Dict) {
		handler := testkit.Text(row, "handler")
		name := "prompt"
		switch {
		case testkit.Flag(row, "fc") && remote[handler] != "":
			name = remote[handler]
		case testkit.Flag(row, "fc"):
			name = "fc-json"
		case handler == "DMCitoHandler":
			name = "fc-list"
		}
		d := dialect.Find(name)
		require.NotNil(t, d, name)
		rows++
		handlers[handler]++
		result := testkit.Marked(t, testkit.Field(row, "result"))
		ok := same(t, row, "ast", astOf(d, result), line)
		ok = same(t, row, "execute", textsOf(d, result), line) && ok
		if !ok {
			differences++
		}
	})
	t.Logf("%d rows of %d handlers compared; %d differences", rows, len(handlers), differences)
}

const failed = "failed"

// same compares a decoding with upstream's, failures as such.
func same(t *testing.T, row *pyval.Dict, field, got string, line int) bool {
	answer := testkit.Field(row, "raw")
	if answer == pyval.Value(pyval.None) {
		answer = testkit.Field(row, "result")
	}
	return assert.Equal(t, outcome(t, testkit.Field(row, field).(*pyval.Dict)), got,
		"line %d: %s: %s of %.400q", line, testkit.Text(row, "handler"), field, pyval.Text(answer))
}

func outcome(t *testing.T, want *pyval.Dict) string {
	out, ok := want.GetStr("out")
	if !ok {
		return failed
	}
	return shown(testkit.Marked(t, out))
}

// shown is a value with its type, a set in one order.
func shown(v pyval.Value) string { return pyval.Repr(v) }

func astOf(d *dialect.Dialect, result pyval.Value) string {
	v, err := d.Decode(result, dialect.V4(decode.Python))
	if err != nil {
		return failed
	}
	return shown(v)
}

func textsOf(d *dialect.Dialect, result pyval.Value) string {
	texts, err := d.Execute(result, dialect.V4(decode.Python))
	if err != nil {
		return failed
	}
	list := pyval.NewList()
	for _, s := range texts {
		list.Items = append(list.Items, pyval.Str(s))
	}
	return shown(list)
}

// parsedOf is what upstream keeps, as one text.
func parsedOf(t *testing.T, want *pyval.Dict) string {
	out, ok := want.GetStr("out")
	if !ok {
		return failed
	}
	return shown(testkit.Marked(t, out))
}

// kept is a reading in upstream's form, with the fields that upstream has for
// the handler. A history message that upstream keeps as bare text is its
// content.
func kept(r dialect.Reading, want *pyval.Dict, err error) string {
	if err != nil {
		return failed
	}
	form, _ := want.GetStr("out")
	d, _ := form.(*pyval.Dict)
	out := pyval.NewDict(4)
	for key := range d.All() {
		switch pyval.Text(key) {
		case "model_responses":
			out.SetStr("model_responses", r.Kept)
		case "reasoning_content":
			out.SetStr("reasoning_content", pyval.Str(r.Reasoning))
		case "model_responses_message_for_chat_history":
			var m pyval.Value = r.Message
			if v, _ := d.GetStr("model_responses_message_for_chat_history"); v.Kind() == pyval.KindStr {
				m, _ = r.Message.GetStr("content")
			}
			out.SetStr("model_responses_message_for_chat_history", m)
		case "tool_call_ids":
			ids := pyval.NewList()
			for _, id := range r.CallIDs {
				ids.Items = append(ids.Items, pyval.Str(id))
			}
			out.SetStr("tool_call_ids", ids)
		}
	}
	return shown(out)
}
