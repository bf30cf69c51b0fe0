package suite

import (
	"context"
	"os"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/world/embed"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

// embedderParameter is the parameter in run.json that names the embedder.
const embedderParameter = "embedder"

// checkEmbedder returns an error if the embedder cannot be opened.
func checkEmbedder(o Options) error {
	embedder, err := embed.Open(o.Embedder, os.Getenv)
	if err != nil {
		return err
	}
	return embedder.Close()
}

// embedded adds the embedder to a run's parameters, if any category needs one.
func (p *Plan) embedded(parameters map[string]string) {
	if slices.ContainsFunc(p.settled, func(c *eval.Category) bool { return c.Memory == memory.VectorClass }) {
		parameters[embedderParameter] = embed.Name(p.options.Embedder)
	}
}

// openLibrary opens the simulated APIs, and the services that those of agentic
// categories use.
func (p *Plan) openLibrary(open *closers) (*sim.Library, error) {
	embedder, err := embed.Open(p.options.Embedder, os.Getenv)
	if err != nil {
		return nil, err
	}
	open.add(embedder)
	web, err := p.openWeb(open)
	if err != nil {
		return nil, err
	}
	return classes.With(classes.Services{Embedder: embedder, Web: web}), nil
}

// conversations returns those that come before the selected questions, with the
// questions' categories.
func (p *Plan) conversations() ([]Part, error) {
	var out []Part
	for _, part := range p.Parts {
		before, err := p.Dataset.Prerequisites(part.Category)
		if err != nil {
			return nil, err
		}
		if len(before) > 0 {
			out = append(out, Part{Category: part.Category, Cases: before})
		}
	}
	return out, nil
}

// schedule returns the schedule of the conversations before questions.
func (p *Plan) schedule(before []Part, e *engine.Engine, library *sim.Library) *Schedule {
	out := &Schedule{Engine: e, Library: library, Model: p.modelName(), Settings: e.Settings, Lines: p.Concurrency, Dir: p.Dir}
	for _, part := range before {
		out.Add(part.Category, part.Cases)
	}
	return out
}

// recorded returns the categories that a run records: the selected ones, and
// those of the conversations before them.
func (p *Plan) recorded() []*eval.Category {
	out := p.Categories()
	for _, part := range p.Parts {
		if slices.ContainsFunc(part.Cases, func(c *eval.Case) bool { return len(c.Needs) > 0 }) {
			out = append(out, part.Category.Before())
		}
	}
	return out
}

// Expect announces that a case will run: the conversations that come before it
// begin now. Once begin is done no more conversations begin; ctx bounds those
// that have begun.
func (s *Suite) Expect(begin, ctx context.Context, cat *eval.Category, c *eval.Case) {
	if eval.AnswersWhole(s.Engine.Adapter) {
		return
	}
	for _, trial := range s.Plan.TrialsOf(cat.Name, c.ID) {
		s.recall.Expect(begin, ctx, cat, c, trial)
	}
}

// Remarks returns remarks for the user at the end of a run, such as what was
// repaired in its folder.
func (s *Suite) Remarks() []string {
	notes := s.recall.Notes()
	if learned := s.learned(); learned != "" {
		notes = append(notes, learned)
	}
	names, _ := s.served.all()
	said := record.Run{Parameters: s.Plan.Run.Parameters, Served: names}
	if note := said.ServedNote(); note != "" {
		notes = append(notes, note)
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
