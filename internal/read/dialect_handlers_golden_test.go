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
	testkit.Compare(t, testkit.GoldenFile(t, "handlers", "decode.jsonl"), func(c *testkit.Comparison) {
		handler, raw := testkit.Text(c.Row, "handler"), testkit.Text(c.Row, "raw")
		d := dialect.Find(local[handler])
		require.NotNil(t, d, handler)
		reading, err := d.Read(raw, nil, func() string { return "abcdefghi" })
		same(c, "parse", kept(reading, testkit.Field(c.Row, "parse").(*pyval.Dict), err))
		if err == nil {
			same(c, "ast", astOf(d, reading.Kept))
			same(c, "execute", textsOf(d, reading.Kept))
			return
		}
		c.Note("not taken apart")
		assert.Error(c, testkit.Err(d.Decode(reading.Kept, dialect.V4(decode.Python))), "%s: an answer that upstream cannot take apart has no calls: %.300q", handler, raw)
	})
}

// TestGoldenDialectRemote compares the calls of results as the models behind APIs have
// them.
func TestGoldenDialectRemote(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "handlers", "decode_api.jsonl"), func(c *testkit.Comparison) {
		handler := testkit.Text(c.Row, "handler")
		name := "prompt"
		switch {
		case testkit.Flag(c.Row, "fc") && remote[handler] != "":
			name = remote[handler]
		case testkit.Flag(c.Row, "fc"):
			name = "fc-json"
		case handler == "DMCitoHandler":
			name = "fc-list"
		}
		d := dialect.Find(name)
		require.NotNil(t, d, name)
		result := testkit.Marked(t, testkit.Field(c.Row, "result"))
		same(c, "ast", astOf(d, result))
		same(c, "execute", textsOf(d, result))
	})
}

const failed = "failed"

// same compares what is made of an answer with upstream's, failures as such.
func same(c *testkit.Comparison, field, got string) {
	c.Helper()
	answer := testkit.Field(c.Row, "raw")
	if answer == nil {
		answer = testkit.Field(c.Row, "result")
	}
	want := failed
	if out, ok := testkit.Field(c.Row, field).(*pyval.Dict).GetStr("out"); ok {
		want = shown(testkit.Marked(c, out))
	}
	c.Same(testkit.Text(c.Row, "handler")+": "+field+" of "+pyval.Text(answer), want, got)
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
	calls, err := d.Execute(result, dialect.V4(decode.Python))
	if err != nil {
		return failed
	}
	return shown(texts(calls))
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
			out.SetStr("tool_call_ids", texts(r.CallIDs))
		}
	}
	return shown(out)
}
