package compare

import (
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
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
	// seconds, tokens and dollars are means over the trials for which they are
	// known; negative if they are not known for any.
	seconds, input, output, dollars float64
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
			u := s.unit(part.Category, part.Results[from:to], o)
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

func (s *side) unit(cat *eval.Category, trials []eval.Result, o Options) *unit {
	u := &unit{id: trials[0].Case.ID}
	var seconds, input, output, dollars mean
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
		in, out := positive(float64(t.InputTokens)), positive(float64(t.OutputTokens))
		seconds.add(positive(t.Latency.Seconds()))
		input.add(in)
		output.add(out)
		dollars.add(s.dollars(t))
		u.taken.Add(t)
	}
	u.value, u.ok = o.Measure.Of(u.answered, u.right)
	u.seconds, u.input, u.output, u.dollars = seconds.value(), input.value(), output.value(), dollars.value()
	return u
}

// dollars returns a trial's cost, unless some of it is not known.
func (s *side) dollars(t *eval.Result) float64 {
	if m := s.run.CostOf(t); m.Requests > 0 && m.Unknown == 0 {
		return m.Dollars
	}
	return unknown
}

const unknown = -1

// positive returns a number above 0, or that it is unknown.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return unknown
}

// A mean is computed over the known values.
type mean struct {
	n   int
	sum float64
}

func (m *mean) add(x float64) {
	if x >= 0 {
		m.n++
		m.sum += x
	}
}

func (m *mean) value() float64 {
	if m.n == 0 {
		return unknown
	}
	return m.sum / float64(m.n)
}
