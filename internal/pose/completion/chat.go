// Package completion writes a conversation as the text that a model continues,
// as a server does behind its chat endpoint.
//
//	own        with the model's own chat template
//	source     where that template is: a file or a model's folder
//	handler    as upstream's handlers of local models write it
//	chat       those handlers, one row each
//	step       what they do with messages and documents first
//	frames/    our templates that put texts in place
package completion

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Chat describes the functions to an API model as upstream's handler of the
// model does: in a system message of upstream's own text.
type Chat struct {
	family
	texts map[string]string
}

// A family describes the functions to a family of models.
type family struct {
	// name is the family's name, under which its texts are found.
	name string
	// needed are the names of its texts.
	needed []string
	// write adds the functions, as Python writes a list of them, to the
	// messages.
	write func(texts map[string]string, messages []eval.Message, functions string) []eval.Message
	// read returns what is kept of a text; nil keeps it as it is.
	read func(text string) pyval.Value
	// asText says that results are sent back as one message of the user.
	asText bool
}

var families = []family{
	{name: "dm-cito", needed: []string{"before", "after"}, write: aboveSystem, read: calledInTags, asText: true},
	{name: "nemotron", needed: []string{"before", "between"}, write: aroundQuestion},
}

// ChatNames returns the families that NewChat knows.
func ChatNames() (names []string) {
	for _, c := range families {
		names = append(names, c.name)
	}
	return names
}

// CheckChat returns an error if there is no family of that name. The name "" is
// valid and means none.
func CheckChat(name string) error {
	if name == "" {
		return nil
	}
	_, err := familyOf(name)
	return err
}

func familyOf(name string) (family, error) {
	for _, c := range families {
		if c.name == name {
			return c, nil
		}
	}
	return family{}, fmt.Errorf("unknown form %.100q%s; the forms are %s", name, say.Propose(say.Nearest(name, ChatNames())), strings.Join(ChatNames(), ", "))
}

// NewChat makes the Chat of a family from the texts that were derived from
// upstream's sources.
func NewChat(name string, texts Texts) (*Chat, error) {
	c, err := familyOf(name)
	if err != nil {
		return nil, err
	}
	for _, key := range c.needed {
		if texts[name][key] == "" {
			return nil, fmt.Errorf("upstream's text %s.%s is missing: `bfcl fetch v4` derives it from the pinned archive; with `functions_as: \"\"` in models.yaml the request has the ordinary form", name, key)
		}
	}
	return &Chat{c, texts[name]}, nil
}

// Messages returns a conversation that describes the functions: as documents,
// or as sent, which holds them as a suite's owner wrote them, if that is not
// nil.
func (c *Chat) Messages(messages []eval.Message, tools, sent []*pyval.Dict) []eval.Message {
	if sent != nil {
		tools = sent
	}
	return c.write(c.texts, messages, pyval.Repr(pyval.ListOf(tools)))
}

// Kept returns what is recorded of an answer.
func (c *Chat) Kept(answer pyval.Value) pyval.Value {
	text, ok := answer.(pyval.Str)
	if !ok || c.read == nil {
		return answer
	}
	return c.read(string(text))
}

// AsText reports whether results are sent back as a message of the user, and
// functions that come later are described in one.
func (c *Chat) AsText() bool { return c.asText }

// aboveSystem adds a system message with the functions.
func aboveSystem(texts map[string]string, messages []eval.Message, functions string) []eval.Message {
	return prompt.WithSystem(texts["before"]+functions+texts["after"], messages)
}

// aroundQuestion moves the first question into a system message with the
// functions. System messages become the user's, and consecutive messages of the
// user become one.
func aroundQuestion(texts map[string]string, messages []eval.Message, functions string) []eval.Message {
	var list []eval.Message
	for _, m := range messages {
		if m.Role == "system" {
			m.Role = "user"
		}
		if n := len(list); n > 0 && m.Role == "user" && list[n-1].Role == "user" {
			list[n-1].Content += "\n\n" + m.Content
			continue
		}
		list = append(list, m)
	}
	question := ""
	for i, m := range list {
		if m.Role == "user" {
			question = m.Content
			list = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	system := eval.Message{Role: "system", Content: texts["before"] + functions + texts["between"] + question}
	return append([]eval.Message{system}, list...)
}

var tagged = pattern.Of(`(?s)<tool_calls>\n(.*?)\n</tool_calls>`)

// calledInTags returns the value of the JSON between the tags, or of the whole
// text; the text itself if it is not JSON.
func calledInTags(text string) pyval.Value {
	if m := tagged().FindStringSubmatch(text); m != nil {
		text = pyval.Strip(m[1])
	}
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return pyval.Str(text)
	}
	return v
}

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

// TextsFile is the file of a dataset that holds upstream's texts. Verdicts do
// not depend on it.
const TextsFile = "handlers.texts"

// Texts are upstream's own, by dialect and name.
type Texts map[string]map[string]string

// ReadTexts reads a TextsFile.
func ReadTexts(data []byte) (Texts, error) {
	var out Texts
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", TextsFile, err)
	}
	return out, nil
}
