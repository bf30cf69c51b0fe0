package suite

import (
	"context"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/dialogue"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// pose asks as a model is asked: in function-calling mode with the hints of
// the category's language in the documents, in prompt mode with a system
// prompt that holds them, in the case's format configuration. Other adapters
// get the case as it is.
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

// inWords is a case whose history, if it has one, is told as prompt mode tells
// calls and results: as the assistant's text, and as a message of the user's.
func inWords(c *eval.Case) *eval.Case {
	called := func(m eval.Message) bool { return len(m.Calls) > 0 || m.Role == "tool" }
	if len(c.Turns) != 1 || !slices.ContainsFunc(c.Turns[0], called) {
		return c
	}
	out := *c
	out.Turns = [][]eval.Message{dialogue.InWords(c.Turns[0], c.Language)}
	return &out
}

// toolsLast moves the system prompt, which tells the functions, into the last
// message.
func toolsLast(messages []eval.Message) []eval.Message {
	last := len(messages) - 1
	if last < 1 || messages[0].Role != "system" {
		return messages
	}
	out := slices.Clone(messages[1:])
	out[last-1].Content += "\n\n" + messages[0].Content
	return out
}

// systemPrompt reports whether functions are told in a system prompt.
func (s *Suite) systemPrompt(settings eval.Settings) bool {
	if m := s.manner(); m != nil {
		return m.SystemPrompt
	}
	return settings.Mode == eval.Prompt
}

// manner is the adapter's own; nil if it has none.
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

// loop is what all conversations of the run share.
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
