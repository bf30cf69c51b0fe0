package compare

import (
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A unit is the outcome of a case in one run, over its trials.
type unit struct {
	id, cluster string
	// right of answered trials were right. Trials with an infrastructure error
	// are not among them unless errors count.
	right, answered int
	// value is the case's value of the measure; ok is false if too few trials
	// were answered.
	value float64
	ok    bool
	// errorType and cause are those of the first trial that did not pass.
	errorType string
	cause     cause.Cause
	// overlooked reports whether a right answer holds a call that was not read.
	overlooked bool
	// took has seconds, tokens of the input and of the output, and dollars, each over the
	// trials for which it is known.
	took [4]stat.Ratio
	// taken is what an agent took in its trials; empty for a model.
	taken score.AgentTotal
}

// A side of a comparison is a run's units by category, in the dataset's order.
type side struct {
	run     *tally.Run
	options Options
	parts   map[string][]*unit
	at      map[string]map[string]*unit // by category and id
	// strict is the side on which right answers with a call that was not read are
	// wrong; nil if there are none.
	strict *side
}

func newSide(r *tally.Run, o Options) *side {
	clusters := r.Clusters()
	s := &side{run: r, options: o, parts: map[string][]*unit{}, at: map[string]map[string]*unit{}}
	for _, part := range r.Parts {
		name := part.Category.Name
		s.at[name] = make(map[string]*unit, len(part.Results))
		for from := 0; from < len(part.Results); {
			to := from + 1
			for to < len(part.Results) && part.Results[to].Case.ID == part.Results[from].Case.ID {
				to++
			}
			u := s.unit(part.Results[from:to])
			u.cluster = clusters.Of(part.Results[from].Case)
			s.parts[name] = append(s.parts[name], u)
			s.at[name][u.id] = u
			from = to
		}
	}
	if strict := r.Strict(); strict != nil {
		s.strict = newSide(strict, o)
	}
	return s
}

func (s *side) unit(trials []eval.Result) *unit {
	u, o := &unit{id: trials[0].Case.ID}, s.options
	add := func(k int, x float64, known bool) {
		if known {
			u.took[k].Add(stat.Ratio{Over: x, Under: 1})
		}
	}
	for i := range trials {
		t := &trials[i]
		if t.Status != eval.Error || o.AllowErrors {
			u.answered++
		}
		u.overlooked = u.overlooked || len(t.Overlooked) > 0
		if t.Passed() || o.AllowErrors && t.Right() {
			u.right++
		} else if u.errorType == "" {
			if u.errorType, u.cause = t.ErrorType, t.Cause; u.cause.Kind == "" { // nothing else is known
				u.cause.Kind = cause.KindOf(t.ErrorType)
			}
		}
		cost := s.run.CostOf(t)
		add(0, t.Latency.Seconds(), t.Latency > 0)
		add(1, float64(t.InputTokens), t.InputTokens > 0)
		add(2, float64(t.OutputTokens), t.OutputTokens > 0)
		add(3, cost.Dollars, cost.Requests > 0 && cost.Unknown == 0)
		u.taken.Add(t)
	}
	u.value, u.ok = o.Measure.Of(u.answered, u.right)
	return u
}
