package suite

import (
	"context"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/dialogue"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// pose builds the request for a case. In function-calling mode the documents
// have the hints of the category's language; in prompt mode they are in a
// system prompt, in the case's format configuration. Adapters that are not
// models get the case as it is.
func (s *Suite) pose(c *eval.Case, trial int) (*eval.Request, error) {
	settings := s.Engine.Settings
	late := c.Variation != nil && c.Variation.LateTools
	c = c.Posed()
	if s.wording == nil {
		return eval.Pose(c, trial, settings), nil
	}
	if s.systemPrompt(settings) {
		messages, err := s.wording.Pose(inWords(c))
		if err != nil {
			return nil, err
		}
		if late {
			messages = toolsLast(messages)
		}
		return &eval.Request{ID: c.ID, Trial: trial, Mode: settings.Mode, Messages: messages}, nil
	}
	hinted, err := s.wording.Tools.HintedAll(c.Tools, c.Language)
	if err != nil {
		return nil, err
	}
	posed := *c
	posed.Tools = hinted
	return eval.Pose(&posed, trial, settings), nil
}

// inWords returns a case whose history, if it has one, is written as in prompt
// mode: calls are in the assistant's text, and results in a user message.
func inWords(c *eval.Case) *eval.Case {
	called := func(m eval.Message) bool { return len(m.Calls) > 0 || m.Role == "tool" }
	if len(c.Turns) != 1 || !slices.ContainsFunc(c.Turns[0], called) {
		return c
	}
	out := *c
	out.Turns = [][]eval.Message{dialogue.InWords(c.Turns[0], c.Language)}
	return &out
}

// toolsLast moves the system prompt, which describes the functions, into the
// last message.
func toolsLast(messages []eval.Message) []eval.Message {
	last := len(messages) - 1
	if last < 1 || messages[0].Role != "system" {
		return messages
	}
	out := slices.Clone(messages[1:])
	out[last-1].Content += "\n\n" + messages[0].Content
	return out
}

// systemPrompt reports whether functions are described in a system prompt.
func (s *Suite) systemPrompt(settings eval.Settings) bool {
	if m := s.manner(); m != nil {
		return m.SystemPrompt
	}
	return settings.Mode == eval.Prompt
}

// manner returns the adapter's manner; nil if it has none.
func (s *Suite) manner() *eval.Manner {
	a, ok := s.adapter.(eval.Mannered)
	if !ok {
		return nil
	}
	m := a.Manner()
	return &m
}

// converse leads the model through a multi-turn case.
func (s *Suite) converse(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask engine.Ask) (*eval.Response, error) {
	loop, err := s.loop()
	if err != nil {
		return nil, err
	}
	if c, err = s.recall.Pose(ctx, cat, c, trial); err != nil {
		return nil, err
	}
	return loop.Run(ctx, c, trial, dialogue.Ask(ask))
}

// loop returns what all conversations of the run share.
func (s *Suite) loop() (*dialogue.Loop, error) {
	wording, err := s.Dataset.Wording()
	if err != nil {
		return nil, err
	}
	name := s.modelName()
	if s.model.kind.Agent {
		name = agentName
	}
	return &dialogue.Loop{
		Library: s.library, Wording: wording, Model: name,
		Settings: s.Engine.Settings, Plain: s.wording == nil, Manner: s.manner(),
		OmitState: s.options.ExcludeStateLog, LogInput: s.options.IncludeInputLog,
	}, nil
}
