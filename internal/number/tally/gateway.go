package tally

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

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
// score is none of the model. The same text for unrelated cases does not count: a
// model that declines in one sentence is bad, and still the model.
const refusedShare = 0.2

// Gateway returns nil if all answers, but a few, can be the model's.
func (r *Run) Gateway() *Gateway {
	g := &Gateway{Signs: map[string]int{}}
	var same map[uint64]bool
	if r.Parameters["adapter"] != "" { // of a server: the baseline in this process repeats itself
		same = why.Repeated(r.answers())
	}
	for _, result := range r.answers() {
		g.Of++
		sign := result.Gateway
		if sign == "" && same[result.Said] {
			sign = why.SameText
		}
		if result.Gateway = sign; sign == "" {
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

// refuse returns an error if so many answers are not the model's that a score
// of the run would be of something else.
func (g *Gateway) refuse(allowed bool, run advise.Run) error {
	if g == nil || allowed || float64(g.Answers-g.Signs[why.SameText]) < refusedShare*float64(g.Of) {
		return nil
	}
	return fmt.Errorf("%s; from one in five on that is no score of a model: look at them with `%s`, ask again in another folder, or score it with `%s`", g, run.Show("failures"), run.Show("score", "--allow-gateway"))
}
