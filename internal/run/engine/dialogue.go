package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

// MostSteps is upstream's MAXIMUM_STEP_LIMIT. It is checked after a step, so one
// more step is executed.
const MostSteps = 20

// A Loop holds what the cases of a run share. It does not change and is safe
// for concurrent use.
type Loop struct {
	// Library has the simulated APIs.
	Library *sim.Library
	// Wording holds the texts of prompts.
	Wording *prompt.Wording
	// Model is the model's name, which becomes part of its instances' names.
	Model string
	// Settings are the model's settings.
	Settings eval.Settings
	// Plain is set for adapters that are not models: they get the tools, and no
	// system prompt, in prompt mode too.
	Plain bool
	// Manner says how to lead conversations for an adapter that writes them as
	// text; nil for other adapters.
	Manner *eval.Manner
}

// Run leads a model through a trial of a case. An error means that
// infrastructure failed. There is no partial answer then, because each step
// depends on the steps before it.
func (l *Loop) Run(ctx context.Context, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error) {
	t, err := l.begin(ctx, c, trial, ask)
	if err != nil {
		return nil, err
	}
	for turn := 0; turn < len(t.c.Turns); turn++ {
		quit, err := t.turn(ctx, turn)
		if err != nil {
			return nil, err
		}
		if quit {
			break
		}
	}
	return t.response(), nil
}

// A talk is one conversation.
type talk struct {
	*Loop
	c     *eval.Case
	trial int
	ask   eval.Ask
	env   *sim.Env
	// tools are the functions available in the turn, with hints.
	tools    []*pyval.Dict
	schemas  eval.Schemas
	sent     []*pyval.Dict // as their owner wrote them; nil if the documents are sent
	messages []eval.Message
	calls    int // so far, to make ids for calls without one

	result  *pyval.List
	account eval.Talk
	cutOff  bool // the token limit ended one of the answers
	// malformed says that the server could not read one of the answers.
	malformed bool
	finish    string
	// before and chars are the tokens and characters of the latest prompt, and
	// thinks says that the model shows thoughts, which templates leave out later.
	before, chars, documented int
	thinks                    bool
}

func (l *Loop) begin(ctx context.Context, c *eval.Case, trial int, ask eval.Ask) (*talk, error) {
	if c.Scene == nil {
		return nil, eval.Infra("pose", "case %q has no scene", c.ID)
	}
	env, err := l.Library.Open(sim.Setup{
		Model: l.Model, Entry: c.ID, Involved: c.Scene.Classes, Config: c.Scene.Config, World: sim.NewWorld(c.Scene.Long).Bound(ctx),
	})
	if err != nil {
		return nil, &eval.InfraError{Kind: "scenario", Err: err}
	}
	tools, err := l.Wording.Tools.HintedAll(c.Tools, c.Language)
	if err != nil {
		return nil, &eval.InfraError{Kind: "pose", Err: err}
	}
	t := &talk{Loop: l, c: c, trial: trial, ask: ask, env: env, tools: tools, sent: eval.Pose(c, trial, l.Settings).Sent, result: pyval.NewList()}
	t.account.Log = pyval.NewList()
	t.logState()
	return t, nil
}

// turn asks a turn's question and takes steps until the model makes no more
// calls. quit reports whether the model was stopped because it kept making
// calls.
func (t *talk) turn(ctx context.Context, turn int) (quit bool, err error) {
	question, err := t.question(turn)
	if err != nil {
		return false, &eval.InfraError{Kind: "pose", Err: err}
	}
	t.messages = append(t.messages, question...)
	row := pyval.NewDict(2)
	row.SetStr("begin_of_turn_query", plainMessages(question))
	t.account.Log.Items = append(t.account.Log.Items, row)
	t.openTurn()
	for step := 0; ; step++ {
		log := pyval.NewList()
		row.SetStr(fmt.Sprintf("step_%d", step), log)
		more, err := t.step(ctx, turn, step, log)
		if err != nil {
			return false, err
		}
		if quit = more && step >= MostSteps; quit {
			log.Items = append(log.Items, said("handler_log", logQuitText))
		}
		if !more || quit {
			t.logState()
			return quit, nil
		}
	}
}

// question returns a turn's messages. In prompt mode the first turn's begin
// with the system prompt, and a turn that adds functions begins with a message
// about them.
func (t *talk) question(turn int) ([]eval.Message, error) {
	if docs, ok := t.c.Scene.HeldOut[turn]; ok {
		inField := !t.SystemPrompt() && (t.Manner == nil || !t.Manner.MoreAsText)
		if inField {
			t.tools, t.documented = append(slices.Clip(t.tools), docs...), 0
		}
		return append([]eval.Message{{Role: "user", Content: t.Wording.MoreFunctions(docs, inField)}}, t.c.Turns[turn]...), nil
	}
	messages := slices.Clone(t.c.Turns[turn])
	if turn == 0 {
		var err error
		if messages, err = t.withMemory(messages); err != nil {
			return nil, err
		}
	}
	if turn > 0 || !t.SystemPrompt() {
		return messages, nil
	}
	docs := t.tools
	if t.c.Sent != nil {
		docs = t.c.Sent
	}
	return t.Wording.Messages(prompt.Default, docs, messages)
}

// withMemory puts what the memory, if any, shows before the first turn.
func (t *talk) withMemory(messages []eval.Message) ([]eval.Message, error) {
	m := memory.In(t.env)
	if m == nil {
		return messages, nil
	}
	content, err := m.Context()
	if err != nil {
		return nil, err
	}
	system, err := t.Wording.Memory(m.Backend(), t.c.Scene.Scenario, content)
	if err != nil {
		return nil, err
	}
	return prompt.WithSystem(system, messages), nil
}

// SystemPrompt reports whether the functions are described in a system prompt.
func (l *Loop) SystemPrompt() bool {
	if l.Manner != nil {
		return l.Manner.SystemPrompt
	}
	return l.Settings.Mode == eval.Prompt && !l.Plain
}

func (t *talk) openTurn() {
	if t.thinks {
		t.before = 0
	}
	t.result.Items = append(t.result.Items, pyval.NewList())
	a := &t.account
	a.InputTokens = append(a.InputTokens, nil)
	a.OutputTokens = append(a.OutputTokens, nil)
	a.Latency = append(a.Latency, nil)
	a.TTFT = append(a.TTFT, nil)
	a.Reasoning = append(a.Reasoning, nil)
}

func (t *talk) response() *eval.Response {
	resp := &eval.Response{Result: t.result, Talk: &t.account, CutOff: t.cutOff, Malformed: t.malformed, Finish: t.finish}
	if m := memory.In(t.env); m != nil {
		t.account.Memory = m.Snapshot()
	}
	for i := range t.account.Latency {
		for k := range t.account.Latency[i] {
			resp.InputTokens += t.account.InputTokens[i][k]
			resp.OutputTokens += t.account.OutputTokens[i][k]
			resp.Latency += t.account.Latency[i][k]
		}
	}
	resp.TTFT = eval.MeanTTFT(t.account.TTFT)
	return resp
}
