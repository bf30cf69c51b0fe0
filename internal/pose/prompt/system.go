package prompt

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
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
		return pyval.JSONIndent(docList(docs), 4)
	}
	return "", fmt.Errorf("unknown document format %.40q", format)
}

func docList(docs []*pyval.Dict) *pyval.List {
	list := &pyval.List{Items: make([]pyval.Value, len(docs))}
	for i, doc := range docs {
		list.Items[i] = doc
	}
	return list
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
