package tally

import (
	"time"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// Rehearse returns the run that a plan will be if every answer comes and is
// right: what it lacks no answers can give. Recordings may be an agent's, which
// is known only from them, so that it has what agents have.
func Rehearse(p *suite.Plan) (*Run, error) {
	answered := eval.Result{Level: cause.Values, Seen: true, Response: eval.Response{Latency: time.Second, InputTokens: 1, OutputTokens: 1}}
	if m := &p.Model; m.Kind.Agent || m.Whole && !m.Kind.Unwritten {
		answered.Effort = &eval.Effort{Steps: 1, Calls: 1, Wall: time.Second, Cost: 1}
	}
	return Of(p, func(cat *eval.Category, c *eval.Case, trial int) eval.Result {
		result := answered
		result.Category, result.Case, result.Trial = cat, c, trial
		return result
	})
}

// Of returns the run of a plan whose results are known.
func Of(p *suite.Plan, of func(cat *eval.Category, c *eval.Case, trial int) eval.Result) (*Run, error) {
	r, err := OfParts(p.Dataset, *p.Run, p.Parts, of)
	if err != nil {
		return nil, err
	}
	r.Path = p.Dir
	return r, nil
}

// OfParts returns the run of a dataset's cases whose results are known.
func OfParts(d *fixtures.Dataset, stated record.Run, parts []suite.Part, of func(cat *eval.Category, c *eval.Case, trial int) eval.Result) (*Run, error) {
	sizes, err := Sizes(d, stated.Dataset)
	if err != nil {
		return nil, err
	}
	r := newRun(stated, d, sizes)
	if own := d.Own(); own != nil {
		r.Suite = own.Name
	}
	for _, part := range parts {
		results := make([]eval.Result, 0, len(part.Cases)*r.Trials)
		for _, c := range part.Cases {
			for trial := range r.Trials {
				results = append(results, of(part.Category, c, trial))
			}
		}
		r.Parts = append(r.Parts, Part{Category: part.Category, Results: results})
	}
	return r, nil
}
