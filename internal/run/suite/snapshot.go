package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

// maxSnapshot is the largest size of a snapshot, in bytes.
const maxSnapshot = 64 << 20

// keep returns the memory that a conversation left, and writes it to the run
// folder.
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

// write writes two snapshots, as upstream does: the conversation's own, and the
// scenario's last.
func (s *Schedule) write(before *eval.Category, id string, k key, left *pyval.Dict) error {
	if s.Dir == "" {
		return nil
	}
	text, err := memory.Write(left)
	if err != nil {
		return err
	}
	if err := record.ReplaceFile(s.checkpoint(before, id, k.trial), []byte(text)); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return s.finish(before, k, left)
}

// finish writes a snapshot as the scenario's last, unless it is that already.
func (s *Schedule) finish(before *eval.Category, k key, left *pyval.Dict) error {
	if s.Dir == "" || left == nil {
		return nil
	}
	text, err := memory.Write(left)
	if err != nil {
		return err
	}
	path := filepath.Join(s.folder(before, k.trial), k.scenario+"_final.json")
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
		return s.trust(c, path, string(text), readErr, err)
	}
	want, err := memory.Write(left)
	if err != nil || readErr == nil && string(text) == want {
		return left, err
	}
	why := "does not match the recorded conversation"
	if readErr != nil {
		why = "is missing"
	}
	s.note(fmt.Sprintf("the memory snapshot %s %s; it was made again from the recorded answers", path, why))
	return left, s.write(before, c.ID, k, left)
}

// trust returns a snapshot as it was found, if it cannot be made again because
// the embedder cannot be reached.
func (s *Schedule) trust(c *eval.Case, path, text string, readErr, cause error) (*pyval.Dict, error) {
	if readErr != nil {
		return nil, fmt.Errorf("the memory snapshot can be neither read (%w) nor made again: %w", readErr, cause)
	}
	left, err := memory.Read(text)
	if err == nil {
		_, err = s.Library.Open(s.setup(with(c, left)))
	}
	if err != nil {
		return nil, fmt.Errorf("the memory snapshot %s is damaged (%w) and cannot be made again: %w", path, err, cause)
	}
	return left, nil
}

func (s *Schedule) setup(c *eval.Case) sim.Setup {
	return sim.Setup{Model: s.Model, Entry: c.ID, Involved: c.Scene.Classes, Config: c.Scene.Config}
}

// again executes the calls of a recorded conversation.
func (s *Schedule) again(ctx context.Context, c *eval.Case, result pyval.Value) (*pyval.Dict, error) {
	turns, err := multiturn.Decode(result, s.Settings)
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

func (s *Schedule) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
}
