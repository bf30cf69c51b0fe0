package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Suspect says for how many wrong answers of a group there is evidence. It changes
// no verdict.
type Suspect struct {
	// Who are the benchmark, the server, or both.
	Who []string `json:"who"`
	// Counts are the wrong answers by what their evidence speaks for.
	Counts map[string]int `json:"counts"`
	// Evidence is a sentence with the figures, and with what would decide.
	Evidence string `json:"evidence"`
}

// signs are what a run's answers show together.
type signs struct {
	// served says that a server may have made the answers: what this program or one of
	// the user's own answers has no address.
	served bool
	// limit is the count of tokens that the run itself asked for, 0 for none: of
	// completions that is upstream's.
	limit int
	// steps explain wrong answers, and of says which step explains which.
	steps []why.Step
	of    map[*eval.Result]*why.Step
	// ends is the count of tokens at which answers end though nothing says so; 0
	// for none.
	ends int
	// other says that another model answered; "" if none is known to.
	other string
	// empty says that many calls have no arguments.
	empty bool
	// family is the model's, if its own template writes one call a turn.
	family string
	// listed are the cases with a defect.
	listed map[string]*errata.Item
}

// rule is when the explanation of a single run is said: the key says what is
// right, and what models do by chance shows as answers that contradict. What
// models do, too, is not: one that declines everything in words is a model.
var rule = why.Rule{Least: 4}

// signsOf looks at all answers of the run.
func signsOf(r *Run) *signs {
	s := &signs{other: OtherModel(r), of: map[*eval.Result]*why.Step{}}
	s.listed, _ = r.Defects() // an error is reported where the score is audited
	if f, ok := dialect.FamilyOf(r.Model); ok && f.Turn == dialect.One {
		s.family = f.Name
	}
	if s.served = r.ID == "" || r.Parameters["adapter"] != "" || strings.HasPrefix(r.Model, "replay:"); !s.served {
		return s
	}
	if r.Upstream || r.Parameters["adapter"] == "completions" {
		const upstreams = 4096
		s.limit = upstreams
	}
	_, _ = fmt.Sscan(r.Parameters["max_tokens"], &s.limit)
	var list []why.Arrival
	var results []*eval.Result
	ends, called, empty := map[int]int{}, 0, 0
	for cat, result := range r.answers() {
		if t := result.Trace; t != nil && t.Called {
			if called++; slices.Contains(t.Facts, why.EmptyArguments) {
				empty++
			}
		}
		if !cat.MultiTurn() && result.OutputTokens >= leastEnd {
			ends[result.OutputTokens]++
		}
		if result.Trace != nil {
			if a, ok := result.Trace.Pair.(*why.Arrival); ok {
				list, results = append(list, *a), append(results, result)
				list[len(list)-1].Wrong = result.Status == eval.Fail && len(a.Want.Calls) > 0 && !result.Amended && fact(result) == ""
			}
		}
	}
	if most := slices.Max(append(slices.Collect(maps.Keys(ends)), 0)); ends[most] >= sameEnds && most != s.limit {
		s.ends = most
	}
	s.empty = empty >= fewEmpty && float64(empty) >= emptyShare*float64(called)
	var of map[int]int
	s.steps, of = why.Explain(list, rule)
	for i, n := range of {
		s.of[results[i]] = &s.steps[n]
	}
	return s
}

// OtherModel says that a model of another family answered than the one that was
// asked for; "" if the names do not tell.
func OtherModel(r *Run) string {
	asked, known := dialect.FamilyOf(r.Parameters["id"])
	for _, name := range r.Served {
		if f, ok := dialect.FamilyOf(name); ok && known && f.Name != asked.Name {
			return "another model answered: " + say.Plain(name, 60)
		}
	}
	return ""
}

const (
	// leastEnd is the least count of tokens that is looked at as an end: short
	// answers often have the same length.
	leastEnd = 128
	// sameEnds is how many answers have to end at one count.
	sameEnds = 5
	// fewEmpty and emptyShare are the least number and share of answers with calls
	// that have none of the required arguments; of recorded models' at most 0.8% do.
	fewEmpty   = 5
	emptyShare = 0.02
)

// fact returns what an answer shows by itself; "" if nothing.
func fact(r *eval.Result) string {
	switch {
	case r.Gateway != "":
		return r.Gateway
	case r.Trace != nil:
		for _, fact := range r.Trace.Facts {
			if fact != why.EmptyArguments {
				return fact
			}
		}
	}
	return ""
}

// blame returns what the evidence of a failure speaks for, and the sign of the
// server's. The benchmark's: the answer passes with the amended key. The server's: the
// record shows what models do not write. Listed: the case is listed as defective, but
// the answer is not one that the amended key accepts. Nothing speaks for the model.
func (s *signs) blame(r *eval.Result) (who, sign string) {
	step := s.of[r]
	switch sign := fact(r); {
	case r.Amended:
		return say.Benchmark, ""
	case !s.served:
	case sign != "":
		return say.Server, sign
	case step != nil && step.Layer == why.Limit && r.OutputTokens == s.limit:
	case step != nil && !s.ones(step):
		return say.Server, step.Kind
	case s.empty && r.Trace != nil && slices.Contains(r.Trace.Facts, why.EmptyArguments):
		return say.Server, why.EmptyArguments
	case s.ends > 0 && r.OutputTokens == s.ends:
		return say.Server, fmt.Sprintf("answers end at exactly %d tokens", s.ends)
	case s.other != "":
		return say.Server, s.other
	}
	if s.listed[r.Case.ID] != nil {
		return say.Listed, ""
	}
	return say.Unexplained, ""
}

// ones reports whether a step is what the model's family does itself.
func (s *signs) ones(step *why.Step) bool {
	return s.family != "" && strings.Contains(step.Kind, "of several calls")
}

// suspect returns the evidence of a group's wrong answers; nil if there is none.
func (s *signs) suspect(b *Blame) *Suspect {
	out := &Suspect{Counts: map[string]int{}}
	var parts []string
	for _, who := range say.Evidences {
		n := b.Parts[who].Cases
		if n == 0 {
			continue
		}
		out.Counts[who] = n
		part := fmt.Sprintf("%d × %s", n, say.Evidence(who))
		if who == say.Server {
			const most = 2
			var words []string
			for _, sign := range b.Signs[:min(most, len(b.Signs))] {
				word := sign.Sign
				if at := slices.IndexFunc(s.steps, func(step why.Step) bool { return say.Plain(step.Kind, signBytes) == word }); at >= 0 {
					n := s.steps[at].Cases + s.steps[at].Others
					word += fmt.Sprintf(", in %d of %d answers that could show it", n, n+s.steps[at].Against)
				}
				words = append(words, say.Plain(word, signBytes))
			}
			if more := len(b.Signs) - len(words); more > 0 {
				words = append(words, fmt.Sprintf("%d more signs", more))
			}
			part += " (" + strings.Join(words, "; ") + ")"
		}
		if parts = append(parts, part); who == say.Benchmark || who == say.Server {
			out.Who = append(out.Who, who)
		}
	}
	if len(out.Who) == 0 && out.Counts[say.Listed] == 0 && b.own == "" {
		return nil
	}
	if out.Evidence = strings.Join(parts, " · "); b.own != "" {
		out.Evidence += "; " + b.own + "; " + s.family + "'s own chat template writes one a turn; `bfcl doctor` asks for several calls, and -read=dialect shows what the model writes"
	}
	return out
}

// Evidence returns what the evidence of each wrong answer speaks for, by case.
func (r *Run) Evidence() map[string]string {
	out, s := map[string]string{}, signsOf(r)
	for _, result := range r.All() {
		if who, _ := s.blame(result); result.Status == eval.Fail && out[result.Case.ID] == "" {
			out[result.Case.ID] = who
		}
	}
	return out
}

// A Blame says what evidence there is about the points that a run lost.
type Blame struct {
	// Points are all that wrong answers cost, below 0.
	Points float64 `json:"points"`
	// Parts are the points and cases by what their evidence speaks for.
	Parts map[string]Share `json:"by"`
	// Signs are the server's, the most frequent first.
	Signs []Sign `json:"signs,omitempty"`

	// cases are all of them, and own is what the model's family does itself; "" if
	// nothing of them is.
	cases int
	own   string
}

// A Share is a part of the points.
type Share struct {
	Cases  int     `json:"cases"`
	Points float64 `json:"points"`
	// Example is the id of one of the cases.
	Example string `json:"example"`
}

// A Sign is one sign of the server with what it cost.
type Sign struct {
	Sign string `json:"sign"`
	Share
}

// Blame returns what evidence there is about the wrong answers of a run.
func (r *Run) Blame() *Blame {
	s, b, worth := signsOf(r), &Blame{Parts: map[string]Share{}}, r.Worth()
	for cat, result := range r.All() {
		s.count(b, result, -worth[cat.Name])
	}
	return b
}

// signBytes bounds a sign.
const signBytes = 160

// count adds a result, if it is a wrong answer: an error is none.
func (s *signs) count(b *Blame, result *eval.Result, points float64) {
	if result.Status != eval.Fail {
		return
	}
	who, sign := s.blame(result)
	b.cases++
	b.Points += points
	b.Parts[who] = b.Parts[who].and(result, points)
	if sign != "" {
		sign = say.Plain(sign, signBytes)
		at := slices.IndexFunc(b.Signs, func(known Sign) bool { return known.Sign == sign })
		if at < 0 {
			at, b.Signs = len(b.Signs), append(b.Signs, Sign{Sign: sign})
		}
		b.Signs[at].Share = b.Signs[at].and(result, points)
		slices.SortFunc(b.Signs, func(x, y Sign) int { return cmp.Or(y.Cases-x.Cases, strings.Compare(x.Sign, y.Sign)) })
	}
	if step := s.of[result]; step != nil && s.ones(step) {
		b.own = step.Kind
	}
}

func (l Share) and(r *eval.Result, points float64) Share {
	if l.Cases == 0 {
		l.Example = r.Case.ID
	}
	return Share{l.Cases + 1, l.Points + points, l.Example}
}

// String returns the split in a line; "" if there is evidence of nothing.
func (b *Blame) String() string {
	if b == nil || b.Parts[say.Benchmark].Cases+b.Parts[say.Server].Cases == 0 {
		return ""
	}
	var parts []string
	for _, who := range say.Evidences {
		if part := b.Parts[who]; part.Cases > 0 {
			parts = append(parts, say.Evidence(who)+say.Signed(" %.2f", part.Points))
		} else if who == say.Server {
			parts = append(parts, say.NoServer)
		}
	}
	line := say.Signed("Of %.2f points: ", b.Points) + strings.Join(parts, ", ")
	if len(b.Signs) > 0 {
		line += fmt.Sprintf("; %s: %s", say.Cases(b.Signs[0].Cases), b.Signs[0].Sign)
	}
	return line
}

// A Gateway says how many answers of a run are not the model's, but of a gateway
// or of a server that gave up. It changes no verdict.
type Gateway struct {
	// Answers is how many there are among Of.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Signs counts them by what shows it, and First is the first one's case.
	Signs map[string]int `json:"signs"`
	First string         `json:"first"`
}

// Fewer of either are chance: of 23 recorded runs of models with 39,658 answers, none is named
// that holds no errors of its server.
const (
	fewSigns   = 3
	signsShare = 0.005
)

// refusedShare is the share of answers that are not the model's from which on a
// score is none of the model.
const refusedShare = 0.2

// GatewayOf returns nil if all answers, but a few, can be the model's.
func GatewayOf(r *Run) *Gateway {
	g := &Gateway{Signs: map[string]int{}}
	for _, result := range r.answers() {
		g.Of++
		sign := result.Gateway
		if sign == "" {
			continue
		}
		if g.Signs[sign]++; g.Answers == 0 {
			g.First = result.Case.ID
		}
		g.Answers++
	}
	if g.Answers < fewSigns || float64(g.Answers) < signsShare*float64(g.Of) {
		return nil
	}
	return g
}

// String says it in a sentence.
func (g *Gateway) String() string {
	var signs []string
	for _, sign := range slices.Sorted(maps.Keys(g.Signs)) {
		signs = append(signs, fmt.Sprintf("%d %s", g.Signs[sign], sign))
	}
	return fmt.Sprintf("%d of %s may not be the model's (%s), the first of %s: suspect the server or what stands before it", g.Answers, say.Count(g.Of, "answer", "answers"), strings.Join(signs, "; "), say.Plain(g.First, 100))
}
