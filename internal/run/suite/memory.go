package suite

import (
	"context"
	"os"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/recall"
	"github.com/gobfcl/bfcl/internal/world/embed"
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
	if slices.ContainsFunc(p.Categories(), func(c *eval.Category) bool { return c.Memory == memory.VectorClass }) {
		parameters[embedderParameter] = embed.Name(p.options.Embedder)
	}
}

// openLibrary opens the services that the tools of agentic categories use.
func (s *Suite) openLibrary() error {
	embedder, err := embed.Open(s.options.Embedder, os.Getenv)
	if err != nil {
		return err
	}
	s.closes(embedder)
	web, err := s.openWeb()
	if err != nil {
		return err
	}
	s.library = classes.With(classes.Services{Embedder: embedder, Web: web})
	return nil
}

// openRecall finds the conversations that come before the selected questions.
func (s *Suite) openRecall() error {
	s.recall = &recall.Schedule{
		Engine: s.Engine, Library: s.library, Model: s.modelName(), Settings: s.Engine.Settings, Lines: s.Concurrency, Dir: s.Dir,
	}
	for _, part := range s.Parts {
		if part.Category.Plain != nil { // a variant uses the memory of the plain cases
			continue
		}
		conversations, err := s.Dataset.Prerequisites(part.Category)
		if err != nil {
			return err
		}
		if len(conversations) == 0 {
			continue
		}
		s.recall.Add(part.Category, conversations)
		for _, c := range conversations {
			s.byID[c.ID] = c
		}
	}
	return nil
}

// recorded returns the categories that a run records: the selected ones, and
// those of the conversations before them.
func (p *Plan) recorded() []*eval.Category {
	out := p.Categories()
	for _, part := range p.Parts {
		if part.Category.Plain == nil && slices.ContainsFunc(part.Cases, func(c *eval.Case) bool { return len(c.Needs) > 0 }) {
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
	for trial := range s.Run.Trials {
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
	said := record.Run{Parameters: s.Run.Parameters, Served: s.served.all()}
	if note := said.ServedNote(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// learned returns what the adapter learned about its server; "" if it learned
// nothing.
func (s *Suite) learned() string {
	if a, ok := s.adapter.(interface{ Learned() string }); ok {
		return a.Learned()
	}
	return ""
}
