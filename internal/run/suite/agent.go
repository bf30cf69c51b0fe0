package suite

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
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
	if m.kind.InProcess {
		return nil
	}
	return endpoint.Check()
}

// openAgents opens the endpoint for the calls of an agent and returns its
// limits; nil if the adapter is a model's.
func (p *Plan) openAgents(adapter eval.Adapter, open *closers) (*engine.Agents, error) {
	a, ok := adapter.(eval.Agent)
	if !ok {
		return nil, nil
	}
	out := &engine.Agents{
		Release: a.Release,
		Limits:  endpoint.Limits{Calls: cmp.Or(p.options.AgentCalls, agentCalls)}, Time: cmp.Or(p.options.AgentTime, agentTime),
	}
	if p.model.kind.InProcess {
		return out, nil
	}
	host, err := endpoint.Listen()
	if err != nil {
		return nil, fmt.Errorf("cannot serve the tools: %w", err)
	}
	open.add(host)
	out.Host = host
	return out, nil
}

// agented adds an agent's limits to a run's parameters.
func (p *Plan) agented(parameters map[string]string) {
	if !p.model.kind.Agent {
		return
	}
	parameters["agent_calls"] = strconv.Itoa(cmp.Or(p.options.AgentCalls, agentCalls))
	parameters["agent_time"] = cmp.Or(p.options.AgentTime, agentTime).String()
	if p.model.kind.Argument != "program" {
		parameters["not_isolated"] = "the agent is not a program that this one starts"
	} else if why := agent.Exposed(p.model.entry.ID, p.hidden()); why != "" {
		parameters["not_isolated"] = why
	}
}

// hidden returns the folders that an agent must not read: those with possible
// answers, and the results of this run and of others beside it.
func (p *Plan) hidden() []string {
	o := p.options
	out := []string{fixtures.DataDir(o.Data), o.RunDir}
	if info, err := os.Stat(o.Dataset); err == nil && info.IsDir() {
		out = append(out, o.Dataset)
	}
	if all := filepath.Dir(o.RunDir); o.RunDir != "" && filepath.Base(all) == "results" {
		out = append(out, all)
	}
	return out
}
