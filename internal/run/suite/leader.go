package suite

import (
	"context"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A leader leads the run's model or agent through cases.
type leader struct {
	loop     *engine.Loop
	recall   *Schedule
	agents   *engine.Agents // nil for models
	executor *Executor
}

// Lead leads the model or agent through a trial of a case.
func (l *leader) Lead(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error) {
	if cat.MultiTurn() {
		c, err := l.recall.Pose(ctx, cat, c, trial)
		switch {
		case err != nil:
			return nil, err
		case l.agents != nil:
			return l.loop.LeadAgent(ctx, c, trial, ask, l.agents)
		}
		return l.loop.Run(ctx, c, trial, ask)
	}
	posed, err := l.pose(c, trial)
	switch {
	case err != nil:
		return nil, &eval.InfraError{Kind: "pose", Err: err}
	case l.agents != nil:
		return engine.AskAgent(ctx, posed, l.world(cat, c), l.loop.Wording, ask, l.agents)
	}
	return ask(ctx, posed)
}

// world returns what an agent's calls act on in a single-turn case.
func (l *leader) world(cat *eval.Category, c *eval.Case) endpoint.World {
	if !cat.Executes {
		return endpoint.Noted{}
	}
	return endpoint.Executed{Env: l.executor.Env(), Case: c, Decode: func(result pyval.Value) (pyval.Value, error) {
		return cat.Decode(c, result, l.loop.Settings)
	}}
}

// pose builds the request for a case. In function-calling mode the documents
// have the hints of the category's language; in prompt mode they are in a
// system prompt, in the case's format configuration. Adapters that are not
// models get the case as it is.
func (l *leader) pose(c *eval.Case, trial int) (*eval.Request, error) {
	settings := l.loop.Settings
	if l.loop.Plain {
		return eval.Pose(c, trial, settings), nil
	}
	if l.loop.SystemPrompt() {
		messages, err := l.loop.Wording.Pose(c)
		if err != nil {
			return nil, err
		}
		return &eval.Request{ID: c.ID, Trial: trial, Mode: settings.Mode, Messages: messages}, nil
	}
	hinted, err := l.loop.Wording.Tools.HintedAll(c.Tools, c.Language)
	if err != nil {
		return nil, err
	}
	posed := *c
	posed.Tools = hinted
	return eval.Pose(&posed, trial, settings), nil
}

// loop returns what all conversations of the run share.
func (p *Plan) loop(m *opened, settings eval.Settings, library *sim.Library) (*engine.Loop, error) {
	wording, err := m.wording, error(nil)
	if wording == nil && !p.whole && slices.ContainsFunc(p.recorded(), (*eval.Category).MultiTurn) {
		wording, err = p.Dataset.Wording()
	}
	name := p.modelName()
	if p.model.kind.Agent {
		name = agentName
	}
	out := &engine.Loop{
		Library: library, Wording: wording, Model: name, Settings: settings, Plain: m.wording == nil,
	}
	if a, ok := m.adapter.(eval.Mannered); ok {
		manner := a.Manner()
		out.Manner = &manner
	}
	return out, err
}
