package main

import (
	"context"
	"os"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/world/embed"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web/offline"
)

// open makes an endpoint for a case and begins a turn on it that does not end.
func (s *serving) open(ctx context.Context, host *endpoint.Host, cat *eval.Category, c *eval.Case) (*served, error) {
	one := &served{c: c}
	if s.category != "" {
		one.label = c.ID
	}
	world, err := s.world(ctx, one, cat)
	if err != nil {
		return nil, err
	}
	docs := c.Tools
	if c.Scene != nil {
		for turn := range c.Turns {
			docs = append(docs[:len(docs):len(docs)], c.Scene.HeldOut[turn]...)
		}
	}
	wording, err := s.dataset.Wording()
	if err != nil {
		return nil, err
	}
	if docs, err = wording.Tools.HintedAll(docs, c.Language); err != nil {
		return nil, err
	}
	tools, err := endpoint.Tools(wording.Tools, docs, eval.Pose(c, 0, eval.SettingsFor(eval.FC)).Sent)
	if err != nil {
		return nil, err
	}
	if one.endpoint, err = host.Open(world, endpoint.Limits{}); err != nil {
		return nil, err
	}
	one.endpoint.Begin()
	return one, one.endpoint.Show(tools)
}

// world is what a case's calls act on. It prints each call.
func (s *serving) world(ctx context.Context, one *served, cat *eval.Category) (endpoint.World, error) {
	switch {
	case one.c.Scene != nil && one.c.Scene.Script != nil:
		return &seen{World: endpoint.Scripted{Case: one.c, Settings: eval.SettingsFor(eval.FC)}, s: s, one: one}, nil
	case cat.MultiTurn():
		library, err := s.library(cat)
		if err != nil {
			return nil, err
		}
		scene := one.c.Scene
		one.env, err = library.Open(sim.Setup{
			Model: "agent", Entry: one.c.ID, Involved: scene.Classes, Config: scene.Config, World: sim.NewWorld(scene.Long).Bound(ctx),
		})
		return &seen{World: endpoint.Simulated{Env: one.env}, s: s, one: one}, err
	case cat.Executes:
		env, closer, err := execution.Environment(s.dataset, execution.Replay, nil)
		if closer != nil {
			one.closers = append(one.closers, closer)
		}
		return &seen{s: s, one: one, World: endpoint.Executed{Env: env, Case: one.c, Decode: func(result pyval.Value) (pyval.Value, error) {
			return cat.Decode(one.c, result, eval.SettingsFor(eval.FC))
		}}}, err
	}
	return &seen{World: endpoint.Noted{}, s: s, one: one}, nil
}

// library is the simulated APIs, with the dataset's own web if the category
// searches the web.
func (s *serving) library(cat *eval.Category) (*sim.Library, error) {
	embedder, err := embed.Open(embed.Default, os.Getenv)
	if err != nil {
		return nil, err
	}
	var web websearch.Web
	if pages, own, err := s.dataset.Web(); cat.Web && own {
		if err != nil {
			return nil, err
		}
		if web, err = offline.Load(pages); err != nil {
			return nil, err
		}
	}
	return classes.With(classes.Services{Embedder: embedder, Web: web}), nil
}

// A seen world prints each call with what it changed.
type seen struct {
	endpoint.World
	s   *serving
	one *served
}

// Call carries out a call and prints it.
func (w *seen) Call(ctx context.Context, name, arguments string) (endpoint.Answer, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	env := w.one.env
	var before []*pyval.Dict
	if env != nil {
		before = trace.StatesOf(env)
	}
	answer, err := w.World.Call(ctx, name, arguments)
	if err != nil {
		answer = endpoint.Answer{Text: err.Error(), Failed: true}
	}
	var changes []trace.Change
	if env != nil {
		changes = trace.ChangesOf(env, before)
	}
	w.s.show(w.one, endpoint.Call{Name: name, Arguments: arguments, Result: answer.Text, Failed: answer.Failed}, changes)
	return answer, nil
}
