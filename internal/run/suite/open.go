package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// A Suite is a run that is ready to begin: a plan with its run folder, the
// model, and what the model's calls use.
type Suite struct {
	// Plan is what the run is to do.
	Plan *Plan
	// Engine runs the cases.
	Engine *engine.Engine

	model   *opened
	closers closers
}

// Open plans a run and, if nothing objects to the plan, opens it. The model is
// not asked yet.
func Open(o Options, objections ...func(*Plan) error) (*Suite, error) {
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
	s := p.begin()
	err := marked(s.assemble())
	if err == nil {
		s.closers.add(&p.closers)
		err = p.take(p.Selection, s.Engine, p.Looked.Looks())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Rehearse reports whether the run can begin, by opening all but its folder.
func (p *Plan) Rehearse() error {
	s := p.begin()
	return errors.Join(marked(s.assemble()), s.Close())
}

// begin returns a suite of which only the engine is there.
func (p *Plan) begin() *Suite {
	pulse, m := engine.NewPulse(), &p.Model
	s := &Suite{Plan: p, closers: closers{pulse.Close}, model: &opened{}}
	s.Engine = &engine.Engine{
		Leader: s.model, Settings: m.Settings, Budget: engine.Budget{Prices: m.Access.Entry.Prices, Most: p.options.MaxCost},
		Stood: pulse.Stood, Heard: p.hear, Admitted: m.Kind.Remote,
	}
	if !m.Kind.Remote { // a transport limits the time of each attempt itself
		s.Engine.Timeout = m.timeout(p.options)
	}
	return s
}

// assemble opens all parts of a suite but its folder. The conversations before
// questions come last, because they ask the model.
func (s *Suite) assemble() error {
	p := s.Plan
	env, recording, err := Environment(p.Dataset, cmp.Or(p.options.Exec, Replay), execFiles(p.options))
	if err != nil {
		return err
	}
	s.closers.add(recording)
	s.model.executor = New(context.Background(), p.Dataset, env)
	s.Engine.Settings.Executor = s.model.executor
	before, err := p.conversations()
	if err != nil {
		return err
	}
	if err := s.openModel(lookup(slices.Concat(p.Parts, before), s.model.executor), nil); err != nil {
		return err
	}
	return s.openWorld(before)
}

// An opened model is ready to be led through cases.
type opened struct {
	adapter   eval.Adapter
	transport *transport.Transport // nil for adapters without a server
	loop      *engine.Loop
	recall    *Schedule
	agents    *engine.Agents // nil for models
	executor  *Executor
}

// openModel opens the model, without what its calls act on. lookup finds a case
// for the oracle; capture, if it is not nil, receives the requests instead of the
// network.
func (s *Suite) openModel(lookup oracle.Lookup, capture http.RoundTripper) (err error) {
	p, m, out := s.Plan, &s.Plan.Model, s.model
	if m.missing != nil {
		return m.missing
	}
	cfg := m.config(p.Dataset, p.options)
	cfg.Lookup = lookup
	if m.Kind.Remote {
		options := m.transportOptions(p.options, &cfg.Access)
		options.May, options.Sending, options.Stood = s.Engine.May, s.Engine.Sending, s.Engine.Stood
		if capture != nil {
			options.Base = capture
			cfg.Access.Key = cmp.Or(cfg.Access.Key, "none") // never sent
		} else if command := cfg.Access.Entry.KeyCommand; command != "" {
			if err := byCommand(command, &cfg, &options); err != nil {
				return fmt.Errorf("model %s: %w", say.Plain(p.Run.Model, 200), err)
			}
		}
		out.transport = transport.New(options)
		cfg.Transport = out.transport
		s.closers = append(s.closers, func() error { out.transport.CloseIdleConnections(); return nil })
	}
	out.loop = &engine.Loop{Model: m.ID(), Settings: s.Engine.Settings, Plain: !m.Kind.Chat}
	if m.Kind.Chat || !m.Whole && slices.ContainsFunc(p.recorded(), (*eval.Category).MultiTurn) {
		if out.loop.Wording, err = p.Dataset.Wording(); err != nil {
			return err
		}
	}
	if m.Kind.Chat {
		cfg.Wording = out.loop.Wording.Tools
	}
	if m.Kind.Agent {
		out.loop.Model = "agent" // its own name is a command line, which cannot be part of an instance's
	}
	if out.adapter, err = m.Kind.Open(cfg); err != nil {
		return err
	}
	if c, ok := out.adapter.(io.Closer); ok {
		s.closers.add(c)
	}
	if a, ok := out.adapter.(eval.Mannered); ok {
		manner := a.Manner()
		out.loop.Manner = &manner
	}
	s.Engine.Adapter = out.adapter
	return nil
}

// openWorld opens what the calls of conversations and agents act on: the simulated
// APIs, the services that those of agentic categories use, and the endpoint for the
// calls of an agent.
func (s *Suite) openWorld(before []Part) error {
	p, out := s.Plan, s.model
	embedder, err := web.OpenEmbedder(p.options.Embedder, os.Getenv)
	if err != nil {
		return err
	}
	s.closers.add(embedder)
	var pages websearch.Web // nil if no selected category needs it
	if slices.ContainsFunc(p.Categories(), func(c *eval.Category) bool { return c.Web }) {
		var recording io.Closer
		if pages, recording, err = web.Open(webOptions(p.options, p.Dataset)); err != nil {
			return err
		}
		s.closers.add(recording)
	}
	out.loop.Library = classes.With(classes.Services{Embedder: embedder, Web: pages})
	out.recall = &Schedule{Engine: s.Engine, Library: out.loop.Library, Model: p.Model.ID(), Lines: p.Model.Concurrency, Dir: p.Dir, Before: map[string][]*eval.Case{}}
	for _, part := range before {
		out.recall.Before[part.Category.Name] = part.Cases
	}
	a, ok := out.adapter.(eval.Agent)
	if !ok {
		return nil
	}
	out.agents = &engine.Agents{
		Release: a.Release,
		Limits:  endpoint.Limits{Calls: cmp.Or(p.options.AgentCalls, agentCalls)}, Time: cmp.Or(p.options.AgentTime, agentTime),
	}
	if p.Model.Kind.InProcess {
		return nil
	}
	if out.agents.Host, err = endpoint.Listen(); err != nil {
		return fmt.Errorf("cannot serve the tools: %w", err)
	}
	s.closers.add(out.agents.Host)
	return nil
}

// byCommand takes the key from a command, first now and then whenever it is refused.
func byCommand(command string, cfg *adapters.Config, options *transport.Options) error {
	keys := provider.NewKeys(command)
	first, err := keys.Key(context.Background())
	if err != nil {
		return err
	}
	cfg.Access.Key, cfg.Secrets = catalog.Secret(first), keys.Seen
	options.Secrets = cfg.Access.Secrets()
	options.MoreSecrets, options.KeyName = keys.Seen, "key_command"
	options.Wrap = func(next http.RoundTripper) http.RoundTripper { return keys.Carry(first, next) }
	return nil
}

func (m *Model) transportOptions(o Options, access *catalog.Access) transport.Options {
	options := transport.Options{
		RPM: cmp.Or(o.RPM, access.Entry.RPM), TPM: cmp.Or(o.TPM, access.Entry.TPM), Timeout: m.timeout(o),
		Secrets: access.Secrets(), KeyName: access.KeyVariable, StartWait: o.ServerWait, MaxConnections: m.connections,
	}
	if m.Kind.Base != nil {
		options.Base = m.Kind.Base()
	}
	if o.Concurrency != m.Kind.Concurrency {
		options.MaxInFlight = o.Concurrency // set by the user or the catalogue
	}
	return options
}

// Lead leads the model or agent through a trial of a case.
func (l *opened) Lead(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error) {
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
	case l.agents == nil:
		return ask(ctx, posed)
	}
	world := endpoint.World(endpoint.Noted{}) // what an agent's calls act on
	if cat.Executes {
		world = endpoint.Executed{Env: l.executor.env, Case: c, Decode: func(result pyval.Value) (pyval.Value, error) {
			return cat.Decode(c, result, l.loop.Settings)
		}}
	}
	return engine.AskAgent(ctx, posed, world, l.loop.Wording, ask, l.agents)
}

// pose builds the request for a case. In function-calling mode the documents
// have the hints of the category's language; in prompt mode they are in a
// system prompt, in the case's format configuration. Adapters that are not
// models get the case as it is.
func (l *opened) pose(c *eval.Case, trial int) (*eval.Request, error) {
	settings := l.loop.Settings
	if l.loop.Plain {
		return eval.Pose(c, trial, settings), nil
	}
	if l.loop.SystemPrompt() {
		messages, err := l.loop.Wording.Pose(c)
		return &eval.Request{ID: c.ID, Trial: trial, Mode: settings.Mode, Messages: messages}, err
	}
	hinted, err := l.loop.Wording.Tools.HintedAll(c.Tools, c.Language)
	if err != nil {
		return nil, err
	}
	posed := *c
	posed.Tools = hinted
	return eval.Pose(&posed, trial, settings), nil
}

// closers close what is open, the last first.
type closers []func() error

// add adds a closer, which may be nil.
func (c *closers) add(one io.Closer) {
	if one != nil {
		*c = append(*c, one.Close)
	}
}

// Close closes everything, once.
func (c *closers) Close() error {
	var errs []error
	for _, one := range slices.Backward(*c) {
		errs = append(errs, one())
	}
	*c = nil
	return errors.Join(errs...)
}

// Start starts counting progress, in the run folder too if there is one.
func (s *Suite) Start() {
	p := s.Plan
	totals := map[string]int{}
	p.each(func(cat *eval.Category, _ *eval.Case, _ int) { totals[cat.Name]++ })
	counts := make([]engine.Count, len(p.Asked))
	for i, part := range p.Asked {
		counts[i] = engine.Count{Name: part.Category.Name, Total: totals[part.Category.Name]}
	}
	s.Engine.Progress = engine.NewProgress(counts, p.Model.Concurrency, p.Dir, 250*time.Millisecond)
	if t := s.model.transport; t != nil {
		s.Engine.Progress.Watch(t.Wait)
	}
}

// Expect announces that the run's cases will be asked: the conversations that come
// before them begin now. Once begin is done no more conversations begin; ctx bounds
// those that have begun.
func (s *Suite) Expect(begin, ctx context.Context) {
	if eval.AnswersWhole(s.Engine.Adapter) {
		return
	}
	s.Plan.each(func(cat *eval.Category, c *eval.Case, trial int) { s.model.recall.Expect(begin, ctx, cat, c, trial) })
}

// Each calls try for each trial of each case that is asked, as many at once as the
// plan has places, and returns when all have ended. The conversations that come
// before questions begin first.
func (s *Suite) Each(ctx context.Context, try func(cat *eval.Category, c *eval.Case, trial int)) {
	s.Expect(ctx, ctx)
	var running sync.WaitGroup
	places := make(chan struct{}, s.Plan.Model.Places)
	s.Plan.each(func(cat *eval.Category, c *eval.Case, trial int) {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			try(cat, c, trial)
		})
	})
	running.Wait()
}

// Remarks returns remarks for the user at the end of a run, such as what was
// repaired in its folder, or what the adapter learned about its server.
func (s *Suite) Remarks() []string {
	notes := append(s.model.recall.Notes(), s.model.learned(), s.Plan.servedNote())
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}

// learned returns what the adapter learned about its server; "" if it learned nothing.
func (l *opened) learned() string {
	if a, ok := l.adapter.(interface{ Learned() string }); ok {
		return a.Learned()
	}
	return ""
}

// Finish records the end of the run; interrupted reports whether cases were not
// run.
func (s *Suite) Finish(interrupted bool) error {
	s.model.recall.Close()
	s.Engine.Progress.Close()
	told := ""
	if a, ok := s.model.adapter.(interface{ Facts() server.Facts }); ok {
		told = a.Facts().String()
	}
	return errors.Join(s.Plan.end(interrupted, s.Engine.Halted(), s.model.learned(), told), s.Close())
}

// Close releases the model and the files.
func (s *Suite) Close() error {
	if s.model.recall != nil {
		s.model.recall.Close()
	}
	return s.closers.Close()
}
