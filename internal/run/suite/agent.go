package suite

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/dialogue"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

const (
	// agentCalls is the most calls an agent may make in a case, if the user
	// does not set it.
	agentCalls = 250
	// agentTime is the longest that an agent may take for a case, if the user
	// does not set it.
	agentTime = time.Hour
	// agentName is part of the names of the instances that agents act on. An
	// agent's own name is a command line, which cannot be part of a name.
	agentName = "agent"
)

// checkAgent returns an error if flags for agents are set for a model, or flags
// for models are set for an agent.
func (m *model) checkAgent(o Options) error {
	switch {
	case !m.kind.Agent && (o.AgentCalls != 0 || o.AgentTime != 0):
		return fmt.Errorf("-agent-calls and -agent-time are for agent:<program> and agent+http://<address>; %s is not an agent", m.kind.Name)
	case !m.kind.Agent:
		return nil
	case o.AgentCalls < 0:
		return fmt.Errorf("-agent-calls must not be negative")
	case o.Dialect != "" || o.Underscores != "":
		return fmt.Errorf("-dialect and -underscore-to-dot are for models: an agent makes its calls itself")
	}
	if mode, err := eval.ParseMode(o.Mode); err == nil && mode == eval.Prompt {
		return fmt.Errorf("-mode=prompt is for models: an agent makes its calls itself")
	}
	return nil
}

// openAgents prepares the endpoint and the limits for agents.
func (s *Suite) openAgents() error {
	a, ok := s.adapter.(eval.Agent)
	if !ok {
		return nil
	}
	host, err := endpoint.Listen("127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("cannot serve the tools: %w", err)
	}
	s.closes(host)
	s.agents = &dialogue.Agents{
		Host: host, Release: a.Release,
		Limits: endpoint.Limits{Calls: cmp.Or(s.options.AgentCalls, agentCalls)}, Time: cmp.Or(s.options.AgentTime, agentTime),
	}
	s.Engine.Lead = s.lead
	return nil
}

// lead leads an agent through a case.
func (s *Suite) lead(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask engine.Ask) (*eval.Response, error) {
	if cat.MultiTurn() {
		c, err := s.recall.Pose(ctx, cat, c, trial)
		if err != nil {
			return nil, err
		}
		loop, err := s.loop()
		if err != nil {
			return nil, err
		}
		return loop.LeadAgent(ctx, c, trial, dialogue.Ask(ask), s.agents)
	}
	posed, err := s.pose(c, trial)
	if err != nil {
		return nil, &eval.InfraError{Kind: "pose", Err: err}
	}
	return dialogue.AskAgent(ctx, posed, s.world(cat, c), s.wording, dialogue.Ask(ask), s.agents)
}

// world returns what the calls of a single-turn case act on.
func (s *Suite) world(cat *eval.Category, c *eval.Case) endpoint.World {
	if !cat.Executes || s.executor == nil {
		return endpoint.Noted{}
	}
	return endpoint.Executed{Env: s.executor.Env(), Case: c, Decode: func(result pyval.Value) (pyval.Value, error) {
		return cat.Decode(c, result, s.Engine.Settings)
	}}
}

// agented adds an agent's limits to a run's parameters.
func (p *Plan) agented(parameters map[string]string) {
	if !p.model.kind.Agent {
		return
	}
	parameters["agent_calls"] = strconv.Itoa(cmp.Or(p.options.AgentCalls, agentCalls))
	parameters["agent_time"] = cmp.Or(p.options.AgentTime, agentTime).String()
}
