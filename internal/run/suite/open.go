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
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/sim"
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

	model   opened
	leader  *leader
	recall  *Schedule
	served  served
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
		err = s.openFolder()
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
	pulse := engine.NewPulse()
	s := &Suite{Plan: p, closers: closers{pulse}}
	s.Engine = &engine.Engine{
		Settings: p.Settings, Budget: engine.Budget{Prices: p.Model.Access.Entry.Prices, Most: p.options.MaxCost},
		Stood: pulse.Stood, Heard: s.served.hear, Admitted: p.Model.Kind.Remote,
	}
	if !p.Model.Kind.Remote { // a transport limits the time of each attempt itself
		s.Engine.Timeout = p.Model.timeout(p.options)
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
	executor := New(context.Background(), p.Dataset, env)
	s.Engine.Settings.Executor = executor
	before, err := p.conversations()
	if err != nil {
		return err
	}
	if err := s.openModel(lookup(slices.Concat(p.Parts, before), executor), nil); err != nil {
		return err
	}
	s.leader.executor = executor
	return s.openWorld(before)
}

// openWorld opens what the calls of conversations and agents act on.
func (s *Suite) openWorld(before []Part) (err error) {
	loop := s.leader.loop
	if loop.Library, err = s.openLibrary(); err != nil {
		return err
	}
	s.recall = s.Plan.schedule(before, s.Engine, loop.Library)
	s.leader.recall = s.recall
	s.leader.agents, err = s.openAgents()
	return err
}

// An opened is a plan's model, ready to be asked.
type opened struct {
	adapter   eval.Adapter
	transport *transport.Transport // nil for adapters without a server
	wording   *prompt.Wording      // nil for adapters that are not models
}

// openModel opens the model, and what leads it through cases. lookup finds a case
// for the oracle; capture, if it is not nil, receives the requests instead of the
// network.
func (s *Suite) openModel(lookup oracle.Lookup, capture http.RoundTripper) (err error) {
	p, out := s.Plan, &s.model
	if p.Model.missing != nil {
		return p.Model.missing
	}
	cfg := p.adapterConfig()
	cfg.Lookup = lookup
	if p.Model.Kind.Remote {
		options := p.transportOptions(&cfg)
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
		s.closers.add(closer(out.transport.CloseIdleConnections))
	}
	if p.Model.Kind.Chat {
		if out.wording, err = p.Dataset.Wording(); err != nil {
			return err
		}
		cfg.Wording = out.wording.Tools
	}
	if out.adapter, err = p.Model.Kind.Open(cfg); err != nil {
		return err
	}
	if c, ok := out.adapter.(io.Closer); ok {
		s.closers.add(c)
	}
	s.Engine.Adapter = out.adapter
	return s.lead()
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

func (p *Plan) transportOptions(cfg *adapters.Config) transport.Options {
	o, m, access := p.options, &p.Model, &cfg.Access
	options := transport.Options{
		RPM: cmp.Or(o.RPM, access.Entry.RPM), TPM: cmp.Or(o.TPM, access.Entry.TPM), Timeout: m.timeout(o),
		Secrets: access.Secrets(), KeyName: access.KeyVariable, StartWait: o.ServerWait, MaxConnections: p.connections,
	}
	if m.Kind.Base != nil {
		options.Base = m.Kind.Base()
	}
	if o.Concurrency != m.Kind.Concurrency {
		options.MaxInFlight = o.Concurrency // set by the user or the catalogue
	}
	return options
}

// openLibrary opens the simulated APIs, and the services that those of agentic
// categories use.
func (s *Suite) openLibrary() (*sim.Library, error) {
	p := s.Plan
	embedder, err := web.OpenEmbedder(p.options.Embedder, os.Getenv)
	if err != nil {
		return nil, err
	}
	s.closers.add(embedder)
	var pages websearch.Web // nil if no selected category needs it
	if slices.ContainsFunc(p.Categories(), func(c *eval.Category) bool { return c.Web }) {
		var recording io.Closer
		if pages, recording, err = web.Open(webOptions(p.options, p.Dataset)); err != nil {
			return nil, err
		}
		s.closers.add(recording)
	}
	return classes.With(classes.Services{Embedder: embedder, Web: pages}), nil
}

// openAgents opens the endpoint for the calls of an agent and returns its
// limits; nil if the adapter is a model's.
func (s *Suite) openAgents() (*engine.Agents, error) {
	p := s.Plan
	a, ok := s.model.adapter.(eval.Agent)
	if !ok {
		return nil, nil
	}
	out := &engine.Agents{
		Release: a.Release,
		Limits:  endpoint.Limits{Calls: cmp.Or(p.options.AgentCalls, agentCalls)}, Time: cmp.Or(p.options.AgentTime, agentTime),
	}
	if p.Model.Kind.InProcess {
		return out, nil
	}
	host, err := endpoint.Listen()
	if err != nil {
		return nil, fmt.Errorf("cannot serve the tools: %w", err)
	}
	s.closers.add(host)
	out.Host = host
	return out, nil
}

// A leader leads the run's model or agent through cases.
type leader struct {
	loop     *engine.Loop
	recall   *Schedule
	agents   *engine.Agents // nil for models
	executor *Executor
}

// lead sets what leads the model through cases, without what calls act on.
func (s *Suite) lead() (err error) {
	p, m := s.Plan, &s.model
	wording := m.wording
	if wording == nil && !p.Model.Whole && slices.ContainsFunc(p.recorded(), (*eval.Category).MultiTurn) {
		wording, err = p.Dataset.Wording()
	}
	name := p.Model.ID()
	if p.Model.Kind.Agent {
		name = "agent" // its own name is a command line, which cannot be part of an instance's
	}
	loop := &engine.Loop{Wording: wording, Model: name, Settings: s.Engine.Settings, Plain: m.wording == nil}
	if a, ok := m.adapter.(eval.Mannered); ok {
		manner := a.Manner()
		loop.Manner = &manner
	}
	s.leader = &leader{loop: loop}
	s.Engine.Leader = s.leader
	return err
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
func (l *leader) pose(c *eval.Case, trial int) (*eval.Request, error) {
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

// mostServed is how many model names a run keeps; if a server makes up a new one
// for each reply, a few are enough.
const mostServed = 20

// A served collects the names of the models that answer, and the proxy that
// carried the last request that one carried.
type served struct {
	mu    sync.Mutex
	names []string
	proxy string
	// fresh is called with all names and the proxy when one is new; may be nil.
	fresh func(names []string, proxy string)
}

// hear notes a model and a proxy; "" is none.
func (s *served) hear(name, proxy string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := slices.BinarySearch(s.names, name)
	more := name != "" && !known && len(s.names) < mostServed
	if more {
		s.names = slices.Insert(s.names, at, name)
	}
	if proxy != "" && proxy != s.proxy {
		s.proxy, more = proxy, true
	}
	if more && s.fresh != nil {
		s.fresh(slices.Clone(s.names), s.proxy)
	}
}

func (s *served) all() (names []string, proxy string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names), s.proxy
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

// Expect announces that the run's cases will be asked: the conversations that come
// before them begin now. Once begin is done no more conversations begin; ctx bounds
// those that have begun.
func (s *Suite) Expect(begin, ctx context.Context) {
	if eval.AnswersWhole(s.Engine.Adapter) {
		return
	}
	for _, part := range s.Plan.Asked {
		for _, c := range part.Cases {
			for _, trial := range s.Plan.TrialsOf(part.Category.Name, c.ID) {
				s.recall.Expect(begin, ctx, part.Category, c, trial)
			}
		}
	}
}

// Each calls try for each trial of each case that is asked, as many at once as the
// plan has places, and returns when all have ended. The conversations that come
// before questions begin first.
func (s *Suite) Each(ctx context.Context, try func(cat *eval.Category, c *eval.Case, trial int)) {
	s.Expect(ctx, ctx)
	var running sync.WaitGroup
	places := make(chan struct{}, s.Plan.Places)
	for _, part := range s.Plan.Asked {
		for _, c := range part.Cases {
			for _, trial := range s.Plan.TrialsOf(part.Category.Name, c.ID) {
				places <- struct{}{}
				running.Go(func() {
					defer func() { <-places }()
					try(part.Category, c, trial)
				})
			}
		}
	}
	running.Wait()
}

// Remarks returns remarks for the user at the end of a run, such as what was
// repaired in its folder, or what the adapter learned about its server.
func (s *Suite) Remarks() []string {
	notes := s.recall.Notes()
	names, _ := s.served.all()
	said := record.Run{Parameters: s.Plan.Run.Parameters, Served: names}
	for _, note := range []string{s.learned(), said.ServedNote()} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// learned returns what the adapter learned about its server; "" if it learned
// nothing.
func (s *Suite) learned() string {
	if a, ok := s.model.adapter.(interface{ Learned() string }); ok {
		return a.Learned()
	}
	return ""
}

// Finish records the end of the run; interrupted reports whether cases were not
// run.
func (s *Suite) Finish(interrupted bool) error {
	s.recall.Close()
	s.Engine.Progress.Close()
	return errors.Join(s.writeEnd(interrupted), s.Close())
}

// writeEnd records the end of the run.
func (s *Suite) writeEnd(interrupted bool) error {
	p, run := s.Plan, s.Plan.Run
	if p.Dir == "" {
		return nil
	}
	now := time.Now().UTC()
	run.Interrupted, run.Halted = interrupted, ""
	if p.idle {
		run.Idle = now
	}
	if !p.idle || run.Ended.IsZero() {
		run.Ended = now
	}
	if cause := s.Engine.Halted(); cause != nil {
		run.Halted = cause.Error()
	}
	run.Served, run.Proxy = s.served.all()
	run.Learned = cmp.Or(s.learned(), run.Learned)
	if a, ok := s.model.adapter.(interface{ Facts() server.Facts }); ok {
		run.Server = cmp.Or(a.Facts().String(), run.Server)
	}
	return record.WriteRun(p.Dir, run)
}

// Close releases the model and the files.
func (s *Suite) Close() error {
	if s.recall != nil {
		s.recall.Close()
	}
	return s.closers.Close()
}
