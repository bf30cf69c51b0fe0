package tally

import (
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Spend is what a run took. Latencies are in seconds, for requests only;
// costs are in dollars. Unknown values are left out.
type Spend struct {
	InputTokens   int64    `json:"input_tokens"`
	OutputTokens  int64    `json:"output_tokens"`
	LatencyMean   *float64 `json:"latency_mean,omitempty"`
	LatencyStdDev *float64 `json:"latency_stddev,omitempty"`
	LatencyP95    *float64 `json:"latency_p95,omitempty"`
	// TTFTMean and TTFTP95 are the time to the first token of answers that came
	// as streams.
	TTFTMean *float64 `json:"ttft_mean,omitempty"`
	TTFTP95  *float64 `json:"ttft_p95,omitempty"`
	// Cost is what was sent for the run's cases, and CostPer1000 that of a
	// thousand answers. Lacks says what is not in them; if there is anything, they
	// are lower bounds.
	Cost        *float64 `json:"cost,omitempty"`
	CostPer1000 *float64 `json:"cost_per_1000,omitempty"`
	Lacks       []string `json:"cost_lacks,omitempty"`
	// Basis says where the cost comes from: "ledger", added up over the requests
	// that were sent, retries and abandoned ones too; "agent", stated by the agent;
	// "tokens", that of the answers alone, by their tokens; or "time", upstream's
	// estimate for a model without a price, from the requests' time on eight
	// H100 GPUs that serve a hundred at once.
	Basis string `json:"basis,omitempty"`
	// Abandoned is the part of Cost that no answer came of: by the run's ledger,
	// what was paid for cases that have none.
	Abandoned float64 `json:"cost_abandoned,omitempty"`
	// Beside is what the ledger says of Others answers that the run folder has to
	// cases that are not of this selection. It is not part of Cost.
	Beside float64 `json:"cost_beside,omitempty"`
	Others int     `json:"answers_beside,omitempty"`
	// Requests is how many requests were sent, by the ledger, and Retried how many
	// of them again; 0 without a ledger.
	Requests int `json:"requests,omitempty"`
	Retried  int `json:"requests_retried,omitempty"`
	// Answers is the number of answers with a latency or tokens.
	Answers int `json:"answers"`
}

// Spend adds up the run's latencies, tokens and cost as upstream's
// get_cost_latency_info does, unrounded where upstream rounds to cents.
func (r *Run) Spend() Spend {
	var u leaderboard.Usage
	var first []float64
	var answers, stated eval.Money
	var s Spend
	agent, unpriced := false, 0
	for _, result := range r.All() {
		s.add(&u, result)
		if x := result.TTFT.Seconds(); x > 0 {
			first = append(first, x)
		}
		if result.Effort != nil { // an agent's time is not that of a model on a server
			agent = true
			stated = stated.Plus(r.CostOf(result))
		} else if m := r.CostOf(result); m.Requests > 0 {
			answers = answers.Plus(m)
		} else if result.InputTokens+result.OutputTokens > 0 || result.Latency > 0 {
			unpriced++
		}
	}
	s.latencies(&u)
	s.firstTokens(first)
	switch {
	case agent:
		if s.Basis = "agent"; stated.Dollars != 0 { // NaN is a cost that no limit allows
			s.cost(stated, s.Answers, fmt.Sprintf("the agent does not fully report what %s took", say.Cases(stated.Unknown)))
		}
		return s
	case r.Receipt != nil && r.Receipt.Requests > 0 && (r.Receipt.Dollars > 0 || answers.Requests > 0):
		if s.Basis = "ledger"; len(r.Receipt.Fates) == 0 {
			s.Basis = "tokens"
		}
		s.cost(r.Receipt.Money, r.Receipt.Answers, "")
		if s.CostPer1000 != nil { // looks are no part of an answer
			*s.CostPer1000 -= r.Receipt.Fates[record.Looked].Dollars / float64(r.Receipt.Answers) * 1000
		}
		s.Lacks = r.Receipt.Lacks
	case answers.Requests > 0 && s.Answers > 0:
		s.Basis = "tokens"
		answers.Unknown += unpriced
		s.cost(answers, s.Answers, fmt.Sprintf("answers whose price is not known: %d", answers.Unknown))
	case u.Latency.Sum() > 0 && s.Asked():
		s.Basis = "time"
		s.cost(eval.Money{Dollars: leaderboard.TimeCost(u.Latency.Sum())}, s.Answers, "")
	}
	if p := r.Receipt; p != nil {
		s.Requests, s.Retried = p.Requests, p.Fates[record.Retried].Requests
		s.Abandoned = p.Fates[record.Abandoned].Dollars
		s.Beside, s.Others = p.Beside.Dollars, p.Others
	}
	return s
}

// CostOf returns what a result cost: for an agent what it states, and else the
// price of its requests, by its tokens if nothing else is known. It has no requests if
// no price is known.
func (r *Run) CostOf(result *eval.Result) eval.Money {
	switch e := result.Effort; {
	case e != nil && e.States(e.Cost):
		return eval.Money{Dollars: e.Cost, Requests: 1}
	case e != nil:
		return eval.Money{Dollars: e.Cost, Requests: 1, Unknown: 1}
	case result.Cost.Requests > 0:
		return result.Cost
	case result.InputTokens+result.OutputTokens == 0 && result.Latency <= 0: // nobody was asked
		return eval.Money{}
	}
	return priced(result, r.Prices)
}

func (s *Spend) add(u *leaderboard.Usage, result *eval.Result) {
	latency, input, output := result.Latency.Seconds(), int64(result.InputTokens), int64(result.OutputTokens)
	if latency > 0 {
		u.Latency.AddFloat(latency)
	}
	if latency > 0 || input > 0 || output > 0 {
		s.Answers++
	}
	s.InputTokens += input
	s.OutputTokens += output
}

// latencies fills in the statistics. A single latency has no deviation, so none
// are given then, as in upstream's table.
func (s *Spend) latencies(u *leaderboard.Usage) {
	figures, err := u.Spend(leaderboard.Model{})
	if err != nil || !figures.Mean.Known {
		return
	}
	s.LatencyMean, s.LatencyStdDev, s.LatencyP95 = &figures.Mean.Value, &figures.StdDev.Value, &figures.P95.Value
}

// firstTokens fills in the statistics of the times to the first token.
func (s *Spend) firstTokens(seconds []float64) {
	if mean, err := stat.Mean(seconds); err == nil {
		p95, _ := stat.Percentile(seconds, 95) // fails where the mean does
		s.TTFTMean, s.TTFTP95 = &mean, &p95
	}
}

// cost sets the cost of some answers; lacks says what is not known, if anything is
// not.
func (s *Spend) cost(m eval.Money, answers int, lacks string) {
	s.Cost = &m.Dollars
	if answers > 0 {
		per1000 := m.Dollars / float64(answers) * 1000
		s.CostPer1000 = &per1000
	}
	if m.Unknown > 0 {
		s.Lacks = []string{lacks}
	}
}

// Asked reports whether a model was asked: the time of an answer computed in
// process is not worth showing.
func (s Spend) Asked() bool {
	const shown = 0.005 // seconds, the least that two decimals show
	return s.InputTokens+s.OutputTokens > 0 || s.LatencyMean != nil && *s.LatencyMean >= shown
}

// bases are the words for where a cost comes from.
var bases = map[string]string{
	"ledger": "by the ledger of requests",
	"tokens": "by the answers' tokens, without what else was sent",
	"agent":  "as the agent states",
	"time":   "estimated by time: the model's price is not known",
}

// Costs returns the lines about the cost, with its basis and what it lacks; "" if no
// cost is known.
func (s Spend) Costs() string {
	if s.Cost == nil {
		return ""
	}
	text := "cost     " + s.Text(*s.Cost)
	if s.CostPer1000 != nil {
		text += fmt.Sprintf(", $%.4f per 1,000 answers", *s.CostPer1000)
	}
	if s.Basis != "" {
		text += " (" + s.By() + ")"
	}
	if s.Abandoned > 0 {
		text += fmt.Sprintf("; $%.4f of it for cases without an answer", s.Abandoned)
	}
	for _, lack := range s.Lacks {
		text += "\n         not in it: " + lack
	}
	if s.Beside > 0 {
		text += fmt.Sprintf("\nbesides  $%.4f for %s in the folder that are not of this selection", s.Beside, say.Count(s.Others, "answer", "answers"))
	}
	return text + "\n"
}

// By says where the cost comes from.
func (s Spend) By() string { return bases[s.Basis] }

// Text returns dollars of the cost, and that they are a lower bound if they are.
func (s Spend) Text(dollars float64) string {
	return eval.Money{Dollars: dollars, Unknown: len(s.Lacks)}.String()
}

// Write prints the figures in a few lines.
func (s Spend) Write(w io.Writer) error {
	var b strings.Builder
	if s.LatencyMean != nil {
		fmt.Fprintf(&b, "latency  %.2f s mean, %.2f s deviation, %.2f s 95th percentile\n", *s.LatencyMean, *s.LatencyStdDev, *s.LatencyP95)
	}
	if s.TTFTMean != nil {
		fmt.Fprintf(&b, "ttft     %.2f s mean to the first token, %.2f s 95th percentile\n", *s.TTFTMean, *s.TTFTP95)
	}
	if s.InputTokens+s.OutputTokens > 0 {
		fmt.Fprintf(&b, "tokens   %d in, %d out\n", s.InputTokens, s.OutputTokens)
	}
	b.WriteString(s.Costs())
	if s.Retried > 0 {
		fmt.Fprintf(&b, "sent     %s, %d of them again\n", say.Count(s.Requests, "request", "requests"), s.Retried)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
