package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// Score returns the run's score. Infrastructure errors have no score: they are
// an error unless allowed, and then count as upstream counts them.
//
// With trials, the accuracy of a case is the mean over its trials, and counts
// are of trials. For intervals, a case's trials are a cluster, as are cases
// that share a base or a question: see package cluster.
func (r *Run) Score(allowErrors bool) (*score.Score, error) {
	if n := r.Errors(); n > 0 && !allowErrors {
		var names []string
		for _, k := range r.Kinds() {
			if strings.HasPrefix(k.ErrorType, infrastructure) {
				names = append(names, fmt.Sprintf("%s (%d, such as %s)", k.ErrorType, k.Count, k.Example.Case.ID))
			}
		}
		return nil, fmt.Errorf("infrastructure errors, which are not wrong answers, ended %s: %s; %s; or give --allow-errors to count them as upstream does", say.Cases(n), some(names), r.Again())
	}
	return r.Answered(allowErrors)
}

// Answered returns the score over the answered cases; infrastructure errors are
// left out, or counted where allowed.
func (r *Run) Answered(allowErrors bool) (*score.Score, error) {
	gateway := GatewayOf(r)
	if g := gateway; g != nil && !r.AllowGateway && !r.Upstream && float64(g.Answers) >= refusedShare*float64(g.Of) {
		run := r.Named()
		return nil, fmt.Errorf("%s; from one in five on that is no score of a model: look at them with `%s`, ask again in another folder, or score it with `%s`", g, run.Show("failures"), run.Show("score", "--allow-gateway"))
	}
	about := aboutOf(r)
	s, err := score.New(about, r.tallies(allowErrors),
		score.Options{Layout: r.layout, Sizes: r.sizes, AllowErrors: allowErrors})
	if err == nil {
		s.Basis, err = basisOf(r, s)
	}
	if err == nil {
		if len(s.ReadAnswers) > 0 {
			s.Warn("has read the answers: it gave the wrong answers that are planted in " + some(s.ReadAnswers) + "; no figure says how good it is")
		}
		if gateway != nil {
			s.Warn(gateway.String())
		}
		n := 0
		for _, result := range r.All() {
			if allowErrors && result.Status == eval.Error && result.Right() {
				n++
			}
		}
		if n > 0 {
			s.Warn(fmt.Sprintf("%s of the server count as right, as upstream counts them: where no call is wanted, any text is right", say.Count(n, "error", "errors")))
		}
		s.Warn(slices.Concat(doubts(r), saidOfServer(r))...)
		if o := s.Overlooked; o != nil {
			s.Warn(overlookedIn(r, o))
		}
	}
	return s, err
}

// AskedNothing says that nothing was asked when the run was continued last, and
// how old its answers are; "" if something was.
func (r *Run) AskedNothing() string {
	if r.Idle.IsZero() {
		return ""
	}
	const minute = "2006-01-02 15:04"
	return fmt.Sprintf("nothing was asked on %s UTC: answers of %s UTC", r.Idle.UTC().Format(minute), r.Ended.UTC().Format(minute))
}

// aboutOf says what a score is of, and how the answers ended.
func aboutOf(r *Run) score.Run {
	about := score.Run{
		Dataset: r.Dataset, Digest: r.Digest, Data: r.Data, Model: r.Model, Shard: r.Shard, Dialect: r.Dialect, Finishes: map[string]int{},
		Skipped: r.Skipped, Embedder: r.Parameters["embedder"], Server: r.Server, Proxy: r.Proxy, Idle: r.AskedNothing(), Overlooked: r.Overlooked(),
	}
	cut, ends := &score.CutOff{}, map[int]int{}
	cut.Limit, _ = strconv.Atoi(r.Parameters["max_tokens"])
	for _, result := range r.All() {
		if result.Status != eval.Error {
			cut.Of++
		}
		if result.CutOff {
			cut.Answers++
			ends[result.Tokens()]++
		}
		if finish := result.Finish; finish != "" && !strings.HasPrefix(finish, eval.ShortPrompt) {
			about.Finishes[finish]++
		}
		if id := result.Case.ID; result.ErrorType == eval.HasRead && !slices.Contains(about.ReadAnswers, id) {
			about.ReadAnswers = append(about.ReadAnswers, id)
		}
	}
	for sum, n := range ends {
		if sum > 0 && n > 1 && n == cut.Answers {
			cut.Context = sum
		}
	}
	if cut.Answers > 0 {
		about.CutOff = cut
	}
	return about
}

// Clusters returns the clusters of the run's cases.
func (r *Run) Clusters() *eval.Clusters {
	all := eval.New(r.Len())
	for cat, result := range r.All() {
		all.Add(cat, result.Case)
	}
	return all
}

// Without returns the run without the cases with the given ids, and which of
// these ids it had.
func (r *Run) Without(ids []string) (*Run, []string) {
	out, left, leave := *r, []string(nil), map[string]bool{}
	for _, id := range ids {
		leave[id] = true
	}
	out.Parts, out.sizes = nil, maps.Clone(r.Sizes())
	for _, part := range r.Parts {
		kept := Part{Category: part.Category}
		for _, result := range part.Results {
			if !leave[result.Case.ID] {
				kept.Results = append(kept.Results, result)
			} else if result.Trial == 0 {
				if !unasked(&result) {
					left = append(left, result.Case.ID)
				}
				if out.sizes[part.Category.Name] > 0 {
					out.sizes[part.Category.Name]--
				}
			}
		}
		out.Parts = append(out.Parts, kept)
	}
	return &out, left
}

// Worth returns what one passing result of a category adds to the overall of
// what ran, in percentage points; nothing of a category that does not count.
func (r *Run) Worth() map[string]float64 {
	cases, answers := map[string]int{}, map[string]int{}
	for _, a := range r.Attempted(false) {
		if a.Answered > 0 {
			cases[a.Category.Name]++
			answers[a.Category.Name] += a.Answered
		}
	}
	sizes, out := r.Sizes(), map[string]float64{}
	for _, share := range r.Layout().Overall.Shares(func(category string) (int, bool) {
		return cmp.Or(sizes[category], cases[category]), answers[category] > 0
	}) {
		const all = 100
		out[share.Category] = all * share.Weight / float64(answers[share.Category])
	}
	return out
}

// tallies counts the results by category.
func (r *Run) tallies(allowErrors bool) map[string]score.Tally {
	clusters, out := r.Clusters(), map[string]score.Tally{}
	for _, part := range r.Parts {
		if r.Shard != "" && len(part.Results) == 0 {
			continue // the others have the cases of this category
		}
		out[part.Category.Name] = tallyOf(part, clusters, allowErrors)
	}
	return out
}

func tallyOf(part Part, clusters *eval.Clusters, allowErrors bool) score.Tally {
	t := score.Tally{Total: len(part.Results), Unit: eval.Unit(part.Category)}
	at, scored := make(map[string]int, len(part.Results)), ""
	for i := range part.Results {
		result := &part.Results[i]
		if result.Status == eval.Error {
			if t.Errors++; unasked(result) {
				t.Unasked++
			}
		} else if scored != result.Case.ID { // trials are adjacent
			t.Cases, scored = t.Cases+1, result.Case.ID
		}
		if !counted(result, allowErrors) {
			continue
		}
		right := 0.0
		if result.Right() {
			right = 1
			t.Correct++
		}
		t.Clusters = stat.AddTo(t.Clusters, at, clusters.Of(result.Case), right)
	}
	return t
}

// unasked reports whether a recording holds nothing of a case: upstream, too, counts
// only what was recorded.
func unasked(r *eval.Result) bool {
	return r.Status == eval.Error && r.ErrorType == infrastructure+replay.Missing
}

// counted reports whether a result counts: an answer does and, if errors count, an
// error of a case that was asked.
func counted(r *eval.Result, allowErrors bool) bool {
	return r.Status != eval.Error || allowErrors && !unasked(r)
}

// basisOf returns what the run's numbers are over.
func basisOf(r *Run, s *score.Score) (*score.Basis, error) {
	b := &score.Basis{Results: r.Len() + r.Missing, Missing: r.Missing, Cases: s.Overall.Cases, Of: s.Overall.Size, Ran: s.Overall.Ran.Value, Upstream: s.Overall.Accuracy}
	counts := r.counting()
	for cat, result := range r.All() {
		switch {
		case result.Status == eval.Error:
			b.Errors++
			continue
		case result.Passed() && counts(cat):
			b.Right++
		case !result.Passed() && counts(cat):
			b.Wrong++
		case !result.Passed():
			b.Aside++
		}
		b.Answered++
	}
	if b.Errors == 0 || s.AllowErrors {
		return b, nil
	}
	as, err := score.New(score.Run{Dataset: r.Dataset}, r.tallies(true), score.Options{Layout: r.layout, Sizes: r.sizes, AllowErrors: true})
	if err == nil {
		b.Upstream = as.Overall.Accuracy
	}
	return b, err
}

// counting returns what reports whether a category counts in the overall; all do if
// none of the run's would.
func (r *Run) counting() func(*eval.Category) bool {
	names := map[string]bool{}
	for _, share := range r.Layout().Overall.Shares(func(string) (int, bool) { return 1, true }) {
		names[share.Category] = true
	}
	none := !slices.ContainsFunc(r.Parts, func(p Part) bool { return names[p.Category.Name] })
	return func(c *eval.Category) bool { return none || names[c.Name] }
}

// A Kind is an error type of a run.
type Kind struct {
	// ErrorType is upstream's spelling.
	ErrorType string
	// Count is how many results have it.
	Count int
	// Example is the first of these results.
	Example *eval.Result
}

// Summary returns the first line of the example's text, without the error type.
func (k Kind) Summary() string { return k.Example.Reason(reasonBytes) }

// reasonBytes bounds a reason in a message or a report.
const reasonBytes = 300

// Kinds returns the run's error types, the most frequent first.
func (r *Run) Kinds() []Kind {
	counts, examples := map[string]int{}, map[string]*eval.Result{}
	for _, result := range r.All() {
		if result.Passed() {
			continue
		}
		if counts[result.ErrorType]++; examples[result.ErrorType] == nil {
			examples[result.ErrorType] = result
		}
	}
	out := make([]Kind, 0, len(counts))
	for _, name := range say.Frequent(counts) {
		out = append(out, Kind{name, counts[name], examples[name]})
	}
	return out
}
