package tally

import (
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// Rehearse returns the run that a plan will be if every answer comes and is
// right: what it lacks no answers can give. Recordings may be an agent's, which
// is known only from them, so that it has what agents have.
func Rehearse(p *suite.Plan) (*Run, error) {
	stated := *p.Run
	r := &Run{
		Name: stated.Model, Model: stated.Model, Dataset: stated.Dataset, Digest: stated.Digest, Trials: stated.Trials,
		Data: stated.Data, Stated: &stated, Prices: sane(stated.Prices), Shard: stated.Shard, layout: LayoutOf(p.Dataset), LeftOut: p.LeftOut,
	}
	var err error
	if r.sizes, err = Sizes(p.Dataset, stated.Dataset); err != nil {
		return nil, err
	}
	answered := Result{
		Status: eval.Pass, Finding: ladder.Finding{Grade: ladder.Grade{Level: ladder.Values, Seen: true}},
		Took: Took{Latency: "1", InputTokens: "1", OutputTokens: "1"},
	}
	if p.ByAgent() || p.Recorded() {
		answered.Effort = &eval.Effort{Steps: 1, Calls: 1, Wall: time.Second, Cost: 1}
	}
	for _, part := range p.Parts {
		results := make([]Result, 0, len(part.Cases)*r.Trials)
		for _, c := range part.Cases {
			for trial := range r.Trials {
				result := answered
				result.Case, result.Trial = c, trial
				results = append(results, result)
			}
		}
		r.add(part.Category, results)
	}
	r.settleVariants(stated.Variants)
	return r, nil
}
