package prompt

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// System returns the system prompt of a configuration, like upstream's
// formulate_system_prompt. The documents must have their hints already.
func (w *Wording) System(c Config, docs []*pyval.Dict) (string, error) {
	texts, layout := w.styles[c.Style], w.layouts[c.Layout]
	output, ok := w.outputs[c.Return]
	if texts == nil || layout == nil || !ok {
		return "", fmt.Errorf("unknown prompt configuration %.200q", c.String())
	}
	functions, err := w.Docs(docs, c.Doc)
	if err != nil {
		return "", err
	}
	calls := texts.noTag
	if c.Tag {
		calls = texts.withTag
	}
	return layout.Fill(
		texts.persona, texts.task,
		calls.Fill(output, w.paramTypes[c.Return]),
		texts.multiTurn,
		texts.tools.Fill(string(c.Doc), functions),
	), nil
}

// Docs returns function documents as the prompt shows them, like upstream's
// format_function_doc.
func (w *Wording) Docs(docs []*pyval.Dict, format DocFormat) (string, error) {
	switch format {
	case DocPython:
		return w.pythonDocs(docs)
	case DocXML:
		return w.xmlDocs(docs)
	case DocJSON:
		return pyval.JSONIndent(pyval.ListOf(docs), 4)
	}
	return "", fmt.Errorf("unknown document format %.40q", format)
}

// Messages puts the system prompt before a turn's messages, like upstream's
// system_prompt_pre_processing_chat_model. The text of an existing system
// message follows after an empty line. The turn itself is not changed.
func (w *Wording) Messages(c Config, docs []*pyval.Dict, turn []eval.Message) ([]eval.Message, error) {
	system, err := w.System(c, docs)
	if err != nil {
		return nil, err
	}
	return WithSystem(system, turn), nil
}

// WithSystem puts a system message before a turn's messages. The text of an
// existing one follows after an empty line.
func WithSystem(system string, turn []eval.Message) []eval.Message {
	if len(turn) > 0 && turn[0].Role == "system" {
		system += "\n\n" + turn[0].Content
		turn = turn[1:]
	}
	return append([]eval.Message{{Role: "system", Content: system}}, turn...)
}

// Pose returns the first turn of a case in prompt mode, with the configuration
// that the case's id names and the hints of its category's language.
func (w *Wording) Pose(c *eval.Case) ([]eval.Message, error) {
	config, err := ConfigOf(c.ID)
	if err != nil {
		return nil, err
	}
	docs := c.Sent
	if docs == nil {
		if docs, err = w.Tools.HintedAll(c.Tools, c.Language); err != nil {
			return nil, fmt.Errorf("case %.200q: %w", c.ID, err)
		}
	}
	var turn []eval.Message
	if len(c.Turns) > 0 {
		turn = c.Turns[0]
	}
	return w.Messages(config, docs, turn)
}

// talkTexts are the texts of conversations: multi-turn, memory, web search.
type talkTexts struct {
	moreFC, agentic string
	morePrompt      *pyval.Template // field: functions
	settings        map[string]string
	scenarios       []string        // the keys of the settings, in the file's order
	core, unified   *pyval.Template // fields: memoryFields
	empty           map[string]string
}

var memoryFields = []string{"scenario_setting", "memory_content"}

// unifiedBackend is the memory backend that has one memory instead of a core
// and an archive.
const unifiedBackend = "memory_rec_sum"

func readTalk(src *tool.Source) talkTexts {
	t := talkTexts{
		moreFC:     src.Text(prompts, "DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC"),
		morePrompt: src.Template([]string{"functions"}, prompts, "DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_PROMPTING"),
		agentic:    src.Text(prompts, "ADDITIONAL_SYSTEM_PROMPT_FOR_AGENTIC_RESPONSE_FORMAT"),
		core:       src.Template(memoryFields, prompts, "MEMORY_BACKEND_INSTRUCTION_CORE_ARCHIVAL"),
		unified:    src.Template(memoryFields, prompts, "MEMORY_BACKEND_INSTRUCTION_UNIFIED"),
		settings:   map[string]string{},
		empty:      map[string]string{},
	}
	scenarios, _ := src.Value(prompts, "MEMORY_AGENT_SETTINGS").(*pyval.Dict)
	if scenarios != nil {
		for _, name := range scenarios.Keys() {
			key := pyval.Text(name)
			t.scenarios = append(t.scenarios, key)
			t.settings[key] = src.Text(prompts, "MEMORY_AGENT_SETTINGS", key)
		}
	}
	for _, backend := range []string{"memory_kv", "memory_vector", unifiedBackend} {
		t.empty[backend] = src.Text("memory_empty_core", backend)
	}
	return t
}

// MoreFunctions returns the user's message that announces the functions held
// out until now. In function-calling mode they come as tools; otherwise the
// message has the documents, as Python's str() writes the list.
func (w *Wording) MoreFunctions(docs []*pyval.Dict, fc bool) string {
	if fc {
		return w.talk.moreFC
	}
	return w.talk.morePrompt.Fill(pyval.Repr(pyval.ListOf(docs)))
}

// AgenticAnswer returns the system message that asks for an answer with its
// context.
func (w *Wording) AgenticAnswer() string { return w.talk.agentic }

// Scenarios returns the memory scenarios that have a setting, in upstream's
// order.
func (w *Wording) Scenarios() []string { return w.talk.scenarios }

// Memory returns the system message that explains the memory, like upstream's
// add_memory_instruction_system_prompt. The content is what the memory shows,
// "" if it is empty; the backend is memory_kv, memory_vector or memory_rec_sum.
func (w *Wording) Memory(backend, scenario, content string) (string, error) {
	setting, ok := w.talk.settings[scenario]
	if !ok {
		return "", fmt.Errorf("unknown memory scenario %.80q: the dataset's prompts have %q",
			scenario, slices.Sorted(maps.Keys(w.talk.settings)))
	}
	empty, ok := w.talk.empty[backend]
	if !ok {
		return "", fmt.Errorf("unknown memory backend %.80q", backend)
	}
	if content == "" {
		content = empty
	}
	if backend == unifiedBackend {
		return w.talk.unified.Fill(setting, content), nil
	}
	return w.talk.core.Fill(setting, content), nil
}

// Wording holds the texts of a dataset's prompts.
type Wording struct {
	// Tools are the texts added to function documents.
	Tools *tool.Wording
	// Digest is the SHA-256 of the data that the texts were read from, in hex.
	Digest string

	outputs    map[ReturnFormat]string
	paramTypes map[ReturnFormat]string
	styles     map[Style]*styleTexts
	layouts    map[Layout]*pyval.Template
	talk       talkTexts
}

// styleTexts are the parts of a prompt in one style.
type styleTexts struct {
	persona, task, multiTurn string
	noTag, withTag           *pyval.Template // fields: outputFields
	tools                    *pyval.Template // fields: toolsFields
}

var (
	outputFields = []string{"output_format", "param_types"}
	toolsFields  = []string{"format", "functions"}
	layoutFields = []string{"persona", "task", "tool_call_format", "multiturn_behavior", "available_tools"}
)

// prompts is the key of prompts.json that holds the texts, each under the name
// of upstream's constant.
const prompts = "default_prompts"

// Load reads the texts from a dataset's prompts.json. The error names a missing
// or broken text.
func Load(data []byte) (*Wording, error) {
	src, err := tool.NewSource(data)
	if err != nil {
		return nil, err
	}
	w := &Wording{
		Tools:      tool.ReadWording(src),
		outputs:    map[ReturnFormat]string{},
		paramTypes: map[ReturnFormat]string{},
		styles:     map[Style]*styleTexts{},
		layouts:    map[Layout]*pyval.Template{},
		talk:       readTalk(src),
		Digest:     fmt.Sprintf("%x", sha256.Sum256(data)),
	}
	for _, f := range []ReturnFormat{ReturnPython, ReturnJSON, ReturnVerboseXML, ReturnConciseXML} {
		w.outputs[f] = src.Text(prompts, "OUTPUT_FORMAT_MAPPING", string(f))
		w.paramTypes[f] = src.Text(prompts, "PARAM_TYPE_MAPPING", string(f))
	}
	for _, s := range []Style{Classic, Experimental} {
		w.styles[s] = readStyle(src, s)
	}
	for _, l := range []Layout{Plaintext, Markdown} {
		w.layouts[l] = src.Template(layoutFields, prompts, "PROMPT_TEMPLATE_MAPPING", string(l))
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	return w, nil
}

func readStyle(src *tool.Source, s Style) *styleTexts {
	path := func(part string) []string { return []string{prompts, "PROMPT_STYLE_TEMPLATES", string(s), part} }
	return &styleTexts{
		persona:   src.Text(path("persona")...),
		task:      src.Text(path("task")...),
		multiTurn: src.Text(path("multiturn_behavior")...),
		noTag:     src.Template(outputFields, path("tool_call_no_tag")...),
		withTag:   src.Template(outputFields, path("tool_call_with_tag")...),
		tools:     src.Template(toolsFields, path("available_tools")...),
	}
}
