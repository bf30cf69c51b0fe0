package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

// trouble is the kind of a question's error if a conversation before it failed.
const trouble = "prerequisite"

// errStopping is the reason why no conversation begins after an interrupt.
var errStopping = errors.New("the run was interrupted")

// A Schedule starts conversations when the first question that needs them is
// expected, and makes questions wait for them. Its fields do not change after
// the first use. It is safe for concurrent use.
type Schedule struct {
	// Engine asks and records.
	Engine *engine.Engine
	// Library executes recorded calls again.
	Library *sim.Library
	// Model is the model's name, which becomes part of its instances' names.
	Model string
	// Dir is the run folder; if "", snapshots are kept only in memory.
	Dir string
	// Lines limits the number of scenarios that run at the same time.
	Lines int
	// Before are the conversations by category of the questions, in load order.
	Before map[string][]*eval.Case

	mu      sync.Mutex
	begun   map[key]*line
	places  chan struct{}
	running sync.WaitGroup
	notes   []string
}

// A key identifies a line of conversations.
type key struct {
	category, scenario string
	trial              int
}

// A line is the conversations of one scenario, which run one after another.
type line struct {
	done   chan struct{}
	stop   context.CancelFunc
	memory *pyval.Dict
	err    error
}

// Expect starts the conversations that a case needs in a trial, in the
// background, unless they have been started or the case's answer is recorded.
// Once begin is done, no further conversation starts.
func (s *Schedule) Expect(begin, ctx context.Context, cat *eval.Category, c *eval.Case, trial int) {
	if len(c.Needs) == 0 || s.Before[cat.Name] == nil {
		return
	}
	if _, recorded := s.Engine.Recorded.Get(c.ID, trial); !recorded {
		s.line(begin, ctx, cat, c, trial)
	}
}

// Pose returns a case with the memory that it begins with. It waits for the
// conversations that fill the memory; a case that is itself such a conversation
// is returned as it is.
func (s *Schedule) Pose(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) (*eval.Case, error) {
	if len(c.Needs) == 0 || s.Before[cat.Name] == nil {
		return c, nil
	}
	l := s.line(ctx, ctx, cat, c, trial)
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.err != nil {
		return nil, l.err
	}
	return with(c, l.memory), nil
}

// line returns the line of conversations that a case waits for, and starts it if need be.
func (s *Schedule) line(begin, ctx context.Context, cat *eval.Category, c *eval.Case, trial int) *line {
	k := key{cat.Name, c.Scene.Scenario, trial}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.begun[k]; l != nil {
		return l
	}
	if s.begun == nil {
		s.begun, s.places = map[key]*line{}, make(chan struct{}, max(s.Lines, 1))
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &line{done: make(chan struct{}), stop: cancel}
	s.begun[k] = l
	s.running.Go(func() {
		defer close(l.done)
		l.memory, l.err = s.run(begin, ctx, cat, k)
	})
	return l
}

// run leads through a scenario's conversations.
func (s *Schedule) run(begin, ctx context.Context, cat *eval.Category, k key) (left *pyval.Dict, err error) {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	before := cat.Before()
	for _, c := range s.Before[cat.Name] {
		if c.Scene.Scenario != k.scenario {
			continue
		}
		if begin.Err() != nil {
			return nil, &engine.NotRun{Cause: errStopping}
		}
		out, resp := s.Engine.Obtain(ctx, before, with(c, left), k.trial)
		switch {
		case resp == nil && out.NotRun: // the run was stopped
			return nil, &engine.NotRun{Cause: out.Err}
		case resp == nil:
			return nil, &eval.InfraError{Kind: trouble, Err: fmt.Errorf("the conversation %s, which must come first, failed: %w", c.ID, out.Err)}
		}
		if left, err = s.keep(ctx, before, with(c, left), k, out, resp); err != nil {
			return nil, &eval.InfraError{Kind: trouble, Err: fmt.Errorf("%s: %w", c.ID, err)}
		}
	}
	return left, s.save(s.final(before, k), left)
}

// with returns a case that begins with a memory; nil is an empty memory.
func with(c *eval.Case, left *pyval.Dict) *eval.Case {
	posed, scene := *c, *c.Scene
	scene.Config = pyval.NewDict(len(scene.Classes))
	for _, class := range scene.Classes {
		scene.Config.SetStr(class, memory.Scenario(left))
	}
	posed.Scene = &scene
	return &posed
}

// Notes returns remarks on what was found in the run folder, sorted.
func (s *Schedule) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.notes))
}

// Close stops the conversations that are still running and waits for them.
func (s *Schedule) Close() {
	s.mu.Lock()
	for _, l := range s.begun {
		l.stop()
	}
	s.mu.Unlock()
	s.running.Wait()
}

// maxSnapshot is the largest size of a snapshot, in bytes.
const maxSnapshot = 64 << 20

// keep returns the memory that a conversation left, and writes it to the run folder.
func (s *Schedule) keep(ctx context.Context, before *eval.Category, c *eval.Case, k key, out eval.Result, resp *eval.Response) (*pyval.Dict, error) {
	if out.Reused {
		return s.restore(ctx, before, c, k, resp.Result)
	}
	var left *pyval.Dict
	if resp.Talk != nil {
		left, _ = resp.Talk.Memory.(*pyval.Dict)
	}
	if left == nil {
		return nil, errors.New("the conversation left no memory")
	}
	return left, s.write(before, c.ID, k, left)
}

// folder returns the folder where upstream keeps the snapshots of a memory.
func (s *Schedule) folder(before *eval.Category, trial int) string {
	return filepath.Join(record.ResultDir(s.Dir, trial), filepath.FromSlash(before.Group), "memory_snapshot")
}

func (s *Schedule) checkpoint(before *eval.Category, id string, trial int) string {
	return filepath.Join(s.folder(before, trial), "prereq_checkpoints", id+".json")
}

// final is the scenario's last snapshot.
func (s *Schedule) final(before *eval.Category, k key) string {
	return filepath.Join(s.folder(before, k.trial), k.scenario+"_final.json")
}

// write writes two snapshots, as upstream does: the conversation's and the scenario's last.
func (s *Schedule) write(before *eval.Category, id string, k key, left *pyval.Dict) error {
	return errors.Join(s.save(s.checkpoint(before, id, k.trial), left), s.save(s.final(before, k), left))
}

// save writes a snapshot, if there is a run folder, unless it stands there already.
func (s *Schedule) save(path string, left *pyval.Dict) error {
	if s.Dir == "" || left == nil {
		return nil
	}
	text, err := memory.Write(left)
	if err != nil {
		return err
	}
	if have, err := plainfile.Read(path, maxSnapshot); err == nil && string(have) == text {
		return nil
	}
	if err := record.ReplaceFile(path, []byte(text)); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// restore returns the memory that a recorded conversation left, by executing
// its calls again on the memory before it. A snapshot that differs was damaged,
// or is another model's, and is written again.
func (s *Schedule) restore(ctx context.Context, before *eval.Category, c *eval.Case, k key, result pyval.Value) (*pyval.Dict, error) {
	path := s.checkpoint(before, c.ID, k.trial)
	text, readErr := plainfile.Read(path, maxSnapshot)
	left, err := s.again(ctx, c, result)
	if err != nil {
		return nil, fmt.Errorf("the memory cannot be made again from the recorded answers: %w", err)
	}
	want, err := memory.Write(left)
	if err != nil || readErr == nil && string(text) == want {
		return left, err
	}
	why := "does not match the recorded conversation"
	if readErr != nil {
		why = "is missing"
	}
	s.mu.Lock()
	s.notes = append(s.notes, fmt.Sprintf("the memory snapshot %s %s; it was made again from the recorded answers", path, why))
	s.mu.Unlock()
	return left, s.write(before, c.ID, k, left)
}

func (s *Schedule) setup(c *eval.Case) sim.Setup {
	return sim.Setup{Model: s.Model, Entry: c.ID, Involved: c.Scene.Classes, Config: c.Scene.Config}
}

// again executes the calls of a recorded conversation.
func (s *Schedule) again(ctx context.Context, c *eval.Case, result pyval.Value) (*pyval.Dict, error) {
	turns, err := multiturn.Decode(result, s.Engine.Settings)
	if err != nil {
		return nil, err
	}
	setup := s.setup(c)
	setup.World = sim.NewWorld(nil).Bound(ctx)
	env, err := s.Library.Open(setup)
	if err != nil {
		return nil, err
	}
	for _, steps := range turns {
		for _, calls := range steps {
			if env.Execute(calls); env.Outage() != nil {
				return nil, env.Outage()
			}
		}
	}
	m := memory.In(env)
	if m == nil {
		return nil, fmt.Errorf("%s has no memory", c.ID)
	}
	return m.Snapshot(), nil
}
