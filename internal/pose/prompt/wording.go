package prompt

import (
	"crypto/sha256"
	"fmt"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
