package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/early"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/plan"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// askedFile lists the cases of a run that may stop early, in the run folder.
const askedFile = "asked.ids"

// A stopping is a run that ends as soon as its gate's decision is known.
type stopping struct {
	*runner
	rule  *gate.Rule
	cases []early.Case
	ids   []string // "category/id", by case
	at    map[string]int
	order []int
	watch *early.Watch
	// tokens are what the baseline took for each case; nil where a case's are
	// not known.
	tokens []float64
}

// untilKnown runs the suite in looks, each over more of the sample's order, and
// concludes after the first that settles the gate's decision.
func (r *runner) untilKnown() error {
	s, err := r.newStopping()
	if err != nil {
		return err
	}
	asked := filepath.Join(r.flags.o.RunDir, askedFile)
	r.flags.o.IDs = "@" + asked
	for look := early.First; ; look++ {
		n := look * len(s.order) / early.Looks
		if err := record.WriteFile(asked, []byte(s.first(n))); err != nil {
			return err
		}
		ended, err := r.test()
		if err != nil {
			return err
		}
		run, err := tally.Read([]string{r.flags.o.RunDir}, tally.Options{Data: r.flags.o.Data, Shard: true})
		if ended.interrupted || err != nil || look >= early.Looks {
			return r.conclude(ended)
		}
		if outcome, said := s.look(run, n); outcome != early.Open {
			s.settle(outcome, said, n)
			return r.conclude(ended)
		}
		r.flags.o.Resume = true
	}
}

func (r *runner) newStopping() (*stopping, error) {
	held := r.gate.held
	switch {
	case held == nil || held.Baseline == nil:
		return nil, misuse.Errorf("-stop-early needs -gate and -baseline: it ends the run when the gate's decision against the baseline is known")
	case r.flags.o.Shard != "" && r.flags.o.Shard != "0/1":
		return nil, misuse.Errorf("-stop-early cannot run in shards: each would have to know the others' verdicts")
	case r.flags.o.IDs != "" || r.flags.o.Sample != "" || r.flags.o.Limit != 0:
		return nil, misuse.Errorf("-stop-early chooses the cases itself: leave -ids and -sample out")
	}
	rules, reference := held.Rules, held.Baseline
	s := &stopping{runner: r, at: map[string]int{}}
	for i := range rules.Regressions {
		if rule := &rules.Regressions[i]; rule.Target == "overall" && rule.Measure == (stat.Measure{}) && rule.On == gate.Estimate {
			s.rule, rule.Settled = rule, nil
		}
	}
	if s.rule == nil {
		return nil, misuse.Errorf("-stop-early needs a rule on the overall among the gate's regressions, such as overall: {detect: 3}")
	}
	p, err := suite.NewPlan(r.flags.o)
	if err != nil {
		return nil, err
	}
	if p.Run.Digest != reference.Digest {
		return nil, misuse.Errorf("the baseline is of other cases: of %s with digest %.12q, this run of %s with %.12q", safe.Plain(reference.Dataset, 100), reference.Digest, p.Run.Dataset, p.Run.Digest)
	}
	if err := s.add(p.Selection); err != nil {
		return nil, err
	}
	rule := early.Rule{Points: s.rule.Limit / 100}
	if s.rule.Significance > 0 {
		rule = early.Rule{Level: s.rule.Significance / float64(max(1, rules.Looks))}
	}
	s.watch = early.New(s.cases, rule)
	s.order = early.Order(s.cases, r.flags.o.Seed, func(i int) string { return s.ids[i] })
	return s, nil
}

// add takes the selected cases that count, with the baseline's verdicts.
func (s *stopping) add(sel *suite.Selection) error {
	base, spent := map[string]float64{}, map[string]float64{}
	for _, a := range s.gate.held.Baseline.Attempted(false) {
		if a.Answered > 0 {
			base[a.Category.Name+"/"+a.Case.ID] = float64(a.Right) / float64(a.Answered)
			spent[a.Category.Name+"/"+a.Case.ID] = a.Tokens
		}
	}
	clusters, parts := plan.Clusters(sel), map[string]suite.Part{}
	for _, part := range sel.Parts {
		parts[part.Category.Name] = part
	}
	var lacking []string
	for _, share := range tally.LayoutOf(sel.Dataset).Overall.Shares(func(name string) (int, bool) {
		return len(parts[name].Cases), len(parts[name].Cases) > 0
	}) {
		for _, c := range parts[share.Category].Cases {
			id := share.Category + "/" + c.ID
			value, known := base[id]
			if !known {
				lacking = append(lacking, id)
				continue
			}
			s.at[id] = len(s.cases)
			s.ids, s.tokens = append(s.ids, id), append(s.tokens, spent[id])
			s.cases = append(s.cases, early.Case{
				Category: share.Category, Weight: share.Weight / float64(len(parts[share.Category].Cases)), Base: value, Cluster: clusters.Of(c),
			})
		}
	}
	if len(lacking) > 0 {
		return misuse.Errorf("the baseline has no verdict on %d of the cases, such as %s: choose the -categories that it has, or run it over all", len(lacking), lacking[0])
	}
	if len(s.cases) < early.Looks {
		return misuse.Errorf("-stop-early needs %d cases that count: there are %d", early.Looks, len(s.cases))
	}
	return nil
}

// first are the ids of the first n cases in the order, a line each.
func (s *stopping) first(n int) string {
	var b strings.Builder
	for _, i := range s.order[:n] {
		_, id, _ := strings.Cut(s.ids[i], "/")
		b.WriteString(id + "\n")
	}
	return b.String()
}

// look takes the verdicts so far; infrastructure errors are none.
func (s *stopping) look(run *tally.Run, n int) (early.Outcome, string) {
	for _, a := range run.Attempted(false) {
		if i, counts := s.at[a.Category.Name+"/"+a.Case.ID]; counts && a.Answered > 0 {
			s.watch.See(i, float64(a.Right)/float64(a.Answered))
		}
	}
	outcome, e := s.watch.Decide()
	const all = 100
	said := fmt.Sprintf("%+.2f points over all cases (%+.2f to %+.2f, from %d of %d)", all*e.Difference, all*e.Low, all*e.High, n, len(s.order))
	if !s.quiet {
		fmt.Fprintf(s.err, "bfcl: %s; the gate's bound is %+.2f: %s\n", said, all*e.Bound, map[early.Outcome]string{early.Open: "not known yet", early.Pass: "kept", early.Fail: "broken"}[outcome])
	}
	return outcome, fmt.Sprintf("%s, all would find %.1f", said, all*stat.Detectable(e.Error))
}

// settle makes what is known the rule's outcome.
func (s *stopping) settle(outcome early.Outcome, said string, n int) {
	var spent, all float64
	for k, i := range s.order {
		all += s.tokens[i]
		if k < n {
			spent += s.tokens[i]
		}
	}
	why := fmt.Sprintf("known after %d of %d cases (%.0f%%)", n, len(s.order), 100*float64(n)/float64(len(s.order)))
	if all > 0 {
		why += fmt.Sprintf(", which took the baseline %.0f%% of its tokens", 100*spent/all)
	}
	s.rule.Settled = &gate.Settled{Outcome: gate.Pass, Got: said, Why: why}
	if outcome == early.Fail {
		s.rule.Settled.Outcome = gate.Fail
	}
	s.gate.intersect = true
}
