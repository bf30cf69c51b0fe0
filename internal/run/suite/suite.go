package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/credential"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/run/dialogue"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/recall"
	"github.com/gobfcl/bfcl/internal/run/telemetry"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A Suite is a run that is ready to begin: a plan with its run folder, the
// model's adapter, and what the model's calls use.
type Suite struct {
	*Plan
	// Engine runs the cases.
	Engine *engine.Engine

	byID      map[string]*eval.Case // the selected cases, and the conversations before them
	executes  map[string]bool       // by category name
	adapter   eval.Adapter
	transport *transport.Transport // nil for adapters without a server
	keys      *credential.Source   // nil if the key does not come from a command
	wording   *prompt.Wording      // nil for adapters that are not models
	executor  *execution.Executor
	library   *sim.Library
	recall    *recall.Schedule
	agents    *dialogue.Agents // nil for models
	closers   []io.Closer
	served    served
	tracer    telemetry.Tracer // nil without -otel
	// capture receives the requests instead of the network; nil in runs.
	capture http.RoundTripper
}

// Open plans a run and opens it. The model is not asked yet.
func Open(o Options) (*Suite, error) {
	if err := built(o); err != nil {
		return nil, err
	}
	p, err := NewPlan(o)
	if err != nil {
		return nil, err
	}
	return p.Open()
}

// Open opens the run folder, and then everything else that the run needs.
func (p *Plan) Open() (*Suite, error) {
	if p.model.kind.Open == nil {
		return nil, built(p.options)
	}
	s := &Suite{Plan: p, byID: map[string]*eval.Case{}, executes: map[string]bool{}}
	for _, step := range []func() error{s.openEngine, s.openDir, s.openExecutor, s.openAdapter, s.openLibrary, s.openRecall, s.openAgents, s.openTracer} {
		if err := step(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// openEngine creates the engine; the later steps give it what it needs.
func (s *Suite) openEngine() error {
	for _, part := range s.Parts {
		s.executes[part.Category.Name] = part.Category.Executes
		for _, c := range part.Cases {
			s.byID[c.ID] = c
		}
	}
	s.Engine = &engine.Engine{
		Settings: s.Settings, Pose: s.pose, Converse: s.converse, Fatal: transport.IsFatal,
		MaxCost: s.options.MaxCost, InFlight: s.Concurrency,
	}
	if !s.model.kind.Remote {
		s.Engine.Timeout = s.model.timeout(s.options) // the transport limits the time of each attempt itself
	}
	if s.charsPerToken() > 0 {
		s.Engine.Estimate = s.estimate
	}
	if entry := s.access.Entry; entry.Prices.Known() {
		s.Engine.Cost = func(input, output int) float64 {
			dollars, _ := catalog.Cost(entry, int64(input), int64(output))
			return dollars
		}
	}
	return nil
}

// openAdapter opens the model's adapter.
func (s *Suite) openAdapter() error {
	cfg := s.adapterConfig()
	cfg.Lookup = s.lookup
	if s.model.kind.Remote {
		if err := s.printKey(&cfg); err != nil {
			return err
		}
		options := s.model.transportOptions(s.options, s.access)
		options.MaxConnections = s.connections
		if s.keys != nil {
			first := string(s.access.Key)
			options.MoreSecrets, options.KeyName = s.keys.Seen, "key_command"
			options.Wrap = func(next http.RoundTripper) http.RoundTripper { return s.keys.Carry(first, next) }
		}
		options.May, s.Engine.Asks = s.Engine.May, true
		if s.capture != nil {
			options.Base, options.Wrap = s.capture, nil
		}
		cfg.Transport = transport.New(options)
		s.transport = cfg.Transport
	}
	if s.model.kind.Chat {
		w, err := s.Dataset.Wording()
		if err != nil {
			return err
		}
		s.wording, cfg.Wording = w, w.Tools
	}
	var err error
	if s.adapter, err = s.model.kind.Open(cfg); err != nil {
		return err
	}
	if c, ok := s.adapter.(io.Closer); ok {
		s.closes(c)
	}
	if s.Dir != "" {
		s.served.fresh = s.stateServed
	}
	s.Engine.Adapter = asker{s.adapter, s.options.ShareEqual, &s.served}
	return nil
}

// printKey takes the key from the model's key command, if it has one.
func (s *Suite) printKey(cfg *adapters.Config) error {
	command := s.access.Entry.KeyCommand
	if command == "" {
		return nil
	}
	s.keys = credential.New(command)
	key, err := s.keys.Key(context.Background())
	if err != nil {
		return fmt.Errorf("model %s: %w", safe.Plain(s.Run.Model, 200), err)
	}
	s.access.Key = catalog.Secret(key)
	cfg.Access, cfg.Secrets = s.access, s.keys.Seen
	return nil
}

// closes makes Close close c, which may be nil.
func (s *Suite) closes(c io.Closer) {
	if c != nil {
		s.closers = append(s.closers, c)
	}
}

// Start starts counting progress, in the run folder too if there is one.
func (s *Suite) Start() {
	counts := make([]engine.Count, len(s.Parts))
	for i, part := range s.Parts {
		counts[i] = engine.Count{Name: part.Category.Name, Total: len(part.Cases) * s.Run.Trials}
	}
	s.Engine.Progress = engine.NewProgress(counts, s.Concurrency, s.Dir, 250*time.Millisecond)
	if s.transport != nil {
		s.Engine.Progress.Watch(func() engine.Wait { return engine.Wait(s.transport.Wait()) })
	}
}

// Finish records the end of the run; interrupted reports whether cases were not
// run.
func (s *Suite) Finish(interrupted bool) error {
	s.recall.Close()
	s.Engine.Progress.Close()
	s.closeTracer()
	return errors.Join(s.writeEnd(interrupted), s.Close())
}

// Close releases the adapter and the files.
func (s *Suite) Close() error {
	if s.recall != nil {
		s.recall.Close()
	}
	var errs []error
	for _, c := range slices.Backward(s.closers) {
		errs = append(errs, c.Close())
	}
	s.closers = nil
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
	return errors.Join(errs...)
}

// Answer runs one trial of a case.
func (s *Suite) Answer(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) engine.Outcome {
	return s.Engine.Run(ctx, cat, c, trial)
}
