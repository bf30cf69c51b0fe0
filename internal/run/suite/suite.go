package suite

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A Suite is a run that is ready to begin: a plan with its run folder, the
// model, and what the model's calls use.
type Suite struct {
	// Plan is what the run is to do.
	Plan *Plan
	// Engine runs the cases.
	Engine *engine.Engine

	model   *opened
	recall  *Schedule
	served  *served
	closers closers
}

// Open plans a run and, if nothing objects to the plan, opens it. The model is
// not asked yet.
func Open(o Options, objections ...func(*Plan) error) (*Suite, error) {
	if m, _ := resolve(o); m.missing != nil {
		return nil, m.missing
	}
	p, err := NewPlan(o)
	if err != nil {
		return nil, err
	}
	for _, objection := range objections {
		if err := objection(p); err != nil {
			return nil, err
		}
	}
	return p.Open()
}

// Open opens everything that the run needs, and then the run folder: as long as
// the run may not begin, what is there stays as it is.
func (p *Plan) Open() (*Suite, error) {
	if p.model.missing != nil {
		return nil, p.model.missing
	}
	s := &Suite{Plan: p}
	err := s.assemble()
	if err == nil {
		s.Engine.Writer, s.Engine.Recorded, err = p.openFolder(&s.closers)
		s.Engine.Unsure = p.unsure
	}
	switch {
	case err != nil || p.Dir == "" || p.idle || !p.model.kind.Chat: // an idle run asks nothing
	case p.options.NoLedger:
		err = record.SkipLedger(p.Dir)
	default:
		if s.Engine.Ledger, err = record.OpenLedger(p.Dir, p.begun); err == nil {
			s.closers.add(s.Engine.Ledger)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.served.hear(p.Run.Served...)
	return s, nil
}

// Rehearse reports whether the run can begin, by opening all but its folder.
func (p *Plan) Rehearse() error {
	if p.model.missing != nil {
		return p.model.missing
	}
	s := &Suite{Plan: p}
	return errors.Join(s.assemble(), s.Close())
}

// assemble opens the parts of a suite and puts them together. The engine comes
// before the model and the conversations before questions, which ask it.
func (s *Suite) assemble() error {
	p := s.Plan
	executor, err := p.openExecutor(&s.closers)
	if err != nil {
		return err
	}
	before, err := p.conversations()
	if err != nil {
		return err
	}
	settings := p.Settings
	settings.Executor = executor
	s.Engine = &engine.Engine{
		Settings: settings, Budget: p.budget(), Timeout: p.model.processTimeout(p.options),
	}
	s.served = p.served()
	pulse := engine.NewPulse()
	s.closers.add(pulse)
	s.Engine.Stood = pulse.Stood
	if s.model, err = p.openModel(reach{may: s.Engine.May, sending: s.sending, stood: pulse.Stood, lookup: p.lookup(before, executor)}, &s.closers); err != nil {
		return err
	}
	s.Engine.Adapter = s.model.asker(s.served)
	library, err := p.openLibrary(&s.closers)
	if err != nil {
		return err
	}
	s.recall = p.schedule(before, s.Engine, library)
	agents, err := p.openAgents(s.model.adapter, &s.closers)
	if err != nil {
		return err
	}
	loop, err := p.loop(s.model, settings, library)
	if err != nil {
		return err
	}
	s.Engine.Leader = &leader{loop: loop, recall: s.recall, agents: agents, executor: executor}
	return nil
}

// sending notes that a request is sent, and which proxy carries it.
func (s *Suite) sending(ctx context.Context, proxy string) func(transport.End) {
	s.served.through(proxy)
	return s.Engine.Sending(ctx, proxy)
}

// closers close what is open, the last first.
type closers []io.Closer

// add adds a closer, which may be nil.
func (c *closers) add(one io.Closer) {
	if one != nil {
		*c = append(*c, one)
	}
}

// Close closes everything, once.
func (c *closers) Close() error {
	var errs []error
	for _, one := range slices.Backward(*c) {
		errs = append(errs, one.Close())
	}
	*c = nil
	return errors.Join(errs...)
}

// A closer is a function that closes something.
type closer func()

// Close calls the function.
func (c closer) Close() error {
	c()
	return nil
}

// Start starts counting progress, in the run folder too if there is one.
func (s *Suite) Start() {
	p := s.Plan
	counts := make([]engine.Count, len(p.Asked))
	for i, part := range p.Asked {
		counts[i] = engine.Count{Name: part.Category.Name}
		for _, c := range part.Cases {
			counts[i].Total += len(p.TrialsOf(part.Category.Name, c.ID))
		}
	}
	s.Engine.Progress = engine.NewProgress(counts, p.Concurrency, p.Dir, 250*time.Millisecond)
	if t := s.model.transport; t != nil {
		s.Engine.Progress.Watch(func() engine.Wait { return engine.Wait(t.Wait()) })
	}
}

// Answer runs one trial of a case.
func (s *Suite) Answer(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) eval.Result {
	return s.Engine.Run(ctx, cat, c, trial)
}

// Finish records the end of the run; interrupted reports whether cases were not
// run.
func (s *Suite) Finish(interrupted bool) error {
	s.recall.Close()
	s.Engine.Progress.Close()
	return errors.Join(s.writeEnd(interrupted), s.Close())
}

// Close releases the model and the files.
func (s *Suite) Close() error {
	if s.recall != nil {
		s.recall.Close()
	}
	return s.closers.Close()
}
