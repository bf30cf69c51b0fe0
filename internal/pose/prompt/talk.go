package prompt

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
	return w.talk.morePrompt.Fill(pyval.Repr(docList(docs)))
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
