package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/kit/version"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/recall"
	"github.com/gobfcl/bfcl/internal/run/shard"
	"github.com/gobfcl/bfcl/internal/world/embed"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// Options are a user's wishes, as the flags state them.
type Options = option.Options

// A Suite is a run that is ready to begin.
type Suite struct {
	*Selection
	// Engine runs the cases.
	Engine *engine.Engine
	// Run is what run.json states.
	Run *record.Run
	// Dir is the run folder; "" where nothing is written.
	Dir string
	// Concurrency is the number of requests in flight.
	Concurrency int
	// Places is the number of cases that are worked on at once. Where the
	// transport holds requests to the number in flight it is larger, so that
	// the next request is ready when an answer comes, and reading an answer
	// keeps none from being sent.
	Places int
	// Notes are remarks for the user, such as where an older run went.
	Notes []string

	options   Options
	dataset   *fixtures.Dataset
	byID      map[string]*eval.Case
	entry     catalog.Entry
	adapter   eval.Adapter
	transport *transport.Transport // nil for adapters that reach no server
	wording   *prompt.Wording      // nil for adapters that are not posed as a model
	writer    *record.Writer
	recording io.Closer // of API answers; most often nil
	executor  *execution.Executor
	executes  map[string]bool // categories by name
	skipped   map[string][]string
	embedder  embed.Embedder
	library   *sim.Library
	recall    *recall.Schedule
	searches  io.Closer // of what models search; most often nil
}

// Open prepares a run. Nothing is asked of the model yet.
func Open(o Options) (*Suite, error) {
	if o.Trials < 1 {
		return nil, fmt.Errorf("-trials must be at least 1, not %d", o.Trials)
	}
	if err := loadEnv(o.Root); err != nil {
		return nil, err
	}
	m, err := resolve(o)
	if err != nil {
		return nil, err
	}
	part, err := shard.Parse(o.Shard)
	if err != nil {
		return nil, fmt.Errorf("-shard: %w", err)
	}
	o = budgets(o, m, part)
	if o.Concurrency = m.concurrency(o); o.Concurrency < 1 {
		return nil, fmt.Errorf("-concurrency must be at least 1, not %d", o.Concurrency)
	}
	s := &Suite{Concurrency: o.Concurrency, Places: m.places(o), options: o}
	if s.dataset, err = fixtures.Open(o.Dataset, o.Data); err != nil {
		return nil, err
	}
	if err := s.open(o, m); err != nil {
		return nil, err
	}
	if err := s.prepare(o, m, part); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Suite) index() {
	s.byID, s.executes = map[string]*eval.Case{}, map[string]bool{}
	for _, part := range s.Parts {
		s.executes[part.Category.Name] = part.Category.Executes
		for _, c := range part.Cases {
			s.byID[c.ID] = c
		}
	}
}

func (s *Suite) prepare(o Options, m model, part shard.Shard) error {
	settings, err := m.settings(s.adapter, o)
	if err != nil {
		return err
	}
	if err = s.openExecutor(o); err != nil {
		return err
	}
	settings.Executor = s.executor
	ids, err := ReadIDs(o.IDs)
	if err != nil {
		return err
	}
	if s.Selection, err = selectFor(s.dataset, o.Categories, ids, settings.Mode, s.objection(o)); err != nil {
		return err
	}
	s.Divide(part)
	s.index()
	if err = s.openServices(o); err != nil {
		return err
	}
	digest, err := s.Dataset.Digest()
	if err != nil {
		return err
	}
	s.Run = &record.Run{
		Model: o.Model, Mode: settings.Mode, UnderscoreToDot: settings.UnderscoreToDot, Dialect: settings.Dialect,
		Parameters: s.searched(embedded(executed(m.parameters(o, s.entry), o, s.Categories()), o, s.Categories()), o),
		Dataset:    s.Dataset.Name, Digest: digest, Categories: s.Names(), Skipped: s.skipped, IDs: s.IDs, Shard: part.String(), Trials: o.Trials,
		Concurrency: o.Concurrency, Version: version.String(), Go: runtime.Version(), Started: time.Now().UTC(),
	}
	if s.Engine, err = s.newEngine(o, m, settings); err != nil {
		return err
	}
	if err = s.openRecall(); err != nil {
		return err
	}
	s.Dir = runDir(o, m.kind)
	s.recall.Dir = s.Dir
	if s.Dir == "" {
		if o.Resume {
			return errors.New("-resume needs a run folder: give -run-dir")
		}
		return nil
	}
	return s.openDir(o)
}

// An asker asks the adapter. Requests that are in flight already may be shared,
// but not by trials, which are to be independent, nor by conversations, which
// would go on alike.
type asker struct {
	eval.Adapter
	share bool
}

// AnswersWhole is the adapter's.
func (a asker) AnswersWhole() bool { return eval.AnswersWhole(a.Adapter) }

// Generate asks once.
func (a asker) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if a.share && !req.Conversation {
		ctx = transport.WithSharing(ctx)
	}
	return a.Adapter.Generate(ctx, req)
}

func (s *Suite) newEngine(o Options, m model, settings eval.Settings) (*engine.Engine, error) {
	e := &engine.Engine{
		Adapter: asker{s.adapter, o.Trials == 1}, Settings: settings, Pose: s.pose, Converse: s.converse, MaxCost: o.MaxCost, Fatal: transport.IsFatal,
	}
	if !m.kind.Remote {
		e.Timeout = o.Timeout // the transport bounds its attempts itself
	}
	if p := s.entry.Prices; p.Known() {
		s.Run.Prices = &record.Prices{Input: *p.Input, Output: *p.Output, Priced: p.Priced}
		e.Cost = func(input, output int) float64 {
			dollars, _ := catalog.Cost(s.entry, int64(input), int64(output))
			return dollars
		}
	}
	switch {
	case o.MaxCost < 0:
		return nil, fmt.Errorf("-max-cost must not be negative, it is %g", o.MaxCost)
	case o.MaxCost > 0 && e.Cost == nil:
		return nil, fmt.Errorf("-max-cost needs the model's prices: none are known of %q at this server; give them in models.yaml", o.Model)
	}
	return e, nil
}

// runDir is where the run is written: results/<model> by default, nowhere for
// the oracle, whose answers are the dataset's own.
func runDir(o Options, kind adapters.Kind) string {
	if o.RunDir != "" {
		return o.RunDir
	}
	if kind.Name == "oracle" {
		return ""
	}
	return RunDir(o)
}

// FolderName makes a model's name safe for a folder.
func FolderName(model string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '_'
	}, model)
	const longest = 80
	if safe = strings.Trim(safe, "._"); len(safe) > longest {
		safe = safe[len(safe)-longest:]
	}
	if safe == "" {
		return "model"
	}
	return safe
}

func (s *Suite) openDir(o Options) error {
	have, err := record.ReadRun(s.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return fmt.Errorf("run folder: %w (remove it, or choose another -run-dir)", err)
	case o.Resume:
		if err := record.Resumable(have, s.Run); err != nil {
			return err
		}
		s.Run.Started = have.Started
	default:
		if err := s.moveAside(have); err != nil {
			return err
		}
	}
	if o.Resume {
		if s.Engine.Recorded, err = record.ReadAnswers(s.Dir, s.recorded(), o.Trials); err != nil {
			return fmt.Errorf("resume: %w", err)
		}
	}
	if s.writer, err = record.NewWriter(s.Dir); err != nil {
		return err
	}
	s.Engine.Writer = s.writer
	return record.WriteRun(s.Dir, s.Run)
}

// moveAside keeps an older run: a folder never mixes two runs unless -resume
// asks for it, and nothing is overwritten.
func (s *Suite) moveAside(have *record.Run) error {
	aside := s.Dir + "." + have.Started.Format("20060102-150405")
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.%s-%d", s.Dir, have.Started.Format("20060102-150405"), n)
	}
	if err := os.Rename(s.Dir, aside); err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("an earlier run was there; it is now %s (use -resume to go on with a run)", aside))
	return nil
}

// Start begins to count progress, in the run folder too where there is one.
func (s *Suite) Start() {
	s.Engine.Progress = engine.NewProgress(s.Cases()*s.Run.Trials, s.Concurrency, s.Dir, 250*time.Millisecond)
}

// Finish writes the end of the run down; interrupted tells that not every
// case had its turn.
func (s *Suite) Finish(interrupted bool) error {
	s.recall.Close()
	s.Engine.Progress.Close()
	var err error
	if s.Dir != "" {
		s.Run.Ended, s.Run.Interrupted = time.Now().UTC(), interrupted
		s.Run.Halted = ""
		if cause := s.Engine.Halted(); cause != nil {
			s.Run.Halted = cause.Error()
		}
		err = record.WriteRun(s.Dir, s.Run)
	}
	return errors.Join(err, s.Close())
}

// Close releases the adapter and the files.
func (s *Suite) Close() error {
	if s.recall != nil {
		s.recall.Close()
	}
	var errs []error
	if c, ok := s.adapter.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
	if s.embedder != nil {
		errs = append(errs, s.embedder.Close())
	}
	if s.searches != nil {
		errs = append(errs, s.searches.Close())
		s.searches = nil
	}
	if s.recording != nil {
		errs = append(errs, s.recording.Close())
		s.recording = nil
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
		s.writer = nil
	}
	return errors.Join(errs...)
}

// Slow reports whether the model is asked outside this process, so that a run may
// take long.
func (s *Suite) Slow() bool { return s.wording != nil }

// Answer runs one trial of a case.
func (s *Suite) Answer(ctx context.Context, cat *eval.Category, c *eval.Case, trial int) engine.Outcome {
	return s.Engine.Run(ctx, cat, c, trial)
}
